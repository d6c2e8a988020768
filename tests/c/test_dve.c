/* DVE models from C: the same state space with any number of threads, failing allocations, bounds.
 * tests/lua/dve/dve_spec.lua tests the meaning of the language. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/dve/space.h"
#include "model/dve/table.h"

static const char cube[] =
    "byte a, b, c;\n"
    "process P { state q; init q; assert q: a < 99; trans q -> q { effect a = (a + 1) % 24; cost a; },\n"
    "  -> q { effect b = (b + 1) % 24; cost 3; time 2; }, -> q { effect c = (c + 1) % 24; }; }\n"
    "process N { state n, m; init n; accept m; trans n -> n {}, n -> m { guard a == 2; }, m -> m { guard a == 2; }; }\n"
    "system async property N;\n";

static const char talk[] =
    "channel c; channel {byte, int} d[2]; const int t[2] = {1, 2};\n"
    "process P { byte v; state p, q; init p; trans p -> q { sync c!v + t[v % 2]; }, q -> p { sync d!{v, -5}; effect v = (v + "
    "1) % 3; }; }\n"
    "process Q { byte w; int z; state r, s; init r; commit s; trans r -> s { sync c?w; }, s -> r { guard w > 0; }, r -> r { "
    "sync d?{w, z}; }; }\n"
    "system async;\n";

static const char both[] =
    "byte x;\n"
    "process P { state p, q; init p; trans p -> q { effect x = 1; }, q -> p { cost 4; }, q -> q {}; }\n"
    "process Q { state p, q; init p; trans p -> q { guard x == 1; }, p -> p {}, q -> p {}; }\n"
    "system sync;\n";

/* Levels of up to nine thousand states: enough work for several threads. */
static const char broad[] =
    "byte a, b, c, d, e, f;\n"
    "process P { state q; init q; trans q -> q { effect a = (a + 1) % 7; cost a; }, -> q { effect b = (b + 1) % 7; },\n"
    "  -> q { effect c = (c + 1) % 7; }, -> q { effect d = (d + 1) % 7; }, -> q { effect e = (e + 1) % 7; time 3; }, -> q { effect f = (f + 1) % 7; }; }\n"
    "system async;\n";

static const char *const models[] = {cube, talk, both};
enum { MODELS = sizeof models / sizeof *models };

static void all(ls_dve_space **s, ls_graph **g, const char *text, ls_dve_bounds bounds) {
  ls_dve *m;
  assert_int_equal(ls_dve_parse("test.dve", text, strlen(text), &m), LS_OK);
  assert_int_equal(ls_dve_explore(m, &bounds, s, g), LS_OK);
  ls_dve_release(m);
}

static void check_same(const ls_buffer *a, const ls_buffer *b) {
  assert_int_equal(a != NULL, b != NULL);
  if (!a) return;
  assert_int_equal(a->count, b->count);
  assert_memory_equal(ls_buffer_read((ls_buffer *)a), ls_buffer_read((ls_buffer *)b),
                      a->count * ls_dtype_size(a->type));
}

/* Asserts that 1, 2, 3 and 8 threads give the same states, edges, costs and times. Returns the space of one
 * thread. */
static ls_dve_space *by_threads(const char *model) {
  const int before = omp_get_max_threads();
  ls_dve_space *one, *more;
  ls_graph *g, *h;
  omp_set_num_threads(1);
  all(&one, &g, model, (ls_dve_bounds){.edges = true});
  const int threads[] = {2, 3, 8};
  for (int t = 0; t < 3; t++) {
    omp_set_num_threads(threads[t]);
    all(&more, &h, model, (ls_dve_bounds){.edges = true});
    assert_int_equal(one->n, more->n);
    assert_int_equal(one->levels, more->levels);
    assert_memory_equal(one->states, more->states, one->n * ls_dve_words(one->model) * 4);
    assert_memory_equal(one->parent, more->parent, one->n * 4);
    assert_memory_equal(one->level, more->level, (one->levels + 1) * 4);
    check_same(g->off, h->off);
    check_same(g->to, h->to);
    check_same(g->w, h->w);
    check_same(g->t, h->t);
    ls_graph_release(h);
    ls_dve_space_release(more);
  }
  ls_graph_release(g);
  omp_set_num_threads(before);
  return one;
}

static void test_threads(void **unused) {
  (void)unused;
  for (int i = 0; i <= MODELS; i++) ls_dve_space_release(by_threads(i < MODELS ? models[i] : broad));
}

/* --- more candidates than estimated --------------------------------------------------------------------- */

typedef struct model_text {
  char *at, *begin;
} model_text;

static void add(model_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(model_text *t, const char *format, ...) {
  enum { ROOM = 1 << 20 };
  if (!t->begin) t->begin = t->at = malloc(ROOM);
  va_list list;
  va_start(list, format);
  const size_t left = ROOM - (size_t)(t->at - t->begin);
  const int bytes = vsnprintf(t->at, left, format, list);
  va_end(list);
  assert_true(bytes >= 0 && (size_t)bytes < left);
  t->at += bytes;
}

/* After 2000 levels of one state comes a level of 120 states: eight have 301 successors, the others one. With
 * eight threads a chunk has 15 states and room for 128 candidates. The candidates of a chunk that overflows
 * are not inserted, and those that the other chunks inserted are removed again. */
static void test_late_chunk(void **unused) {
  (void)unused;
  model_text t = {0};
  add(&t,
      "int x, y, z;\nprocess P { state p, q, r; init p; trans p -> p { guard z < 2000; effect z = z + 1; }");
  for (int i = 1; i <= 120; i++) add(&t, ", p -> q { guard z == 2000; effect x = %d; }", i);
  add(&t, ", q -> r { effect y = x / 2; }");
  for (int i = 0; i < 300; i++) add(&t, ", q -> r { guard x %% 16 == 5; effect y = %d, x = 0; }", 200 + i);
  add(&t, "; }\nsystem async;\n");
  ls_dve_space *s = by_threads(t.begin);
  assert_int_equal(s->n, 2001 + 120 + 120 + 300);
  assert_int_equal(s->m, 2000 + 120 + 120 + 8 * 300);
  ls_dve_space_release(s);
  free(t.begin);
}

/* After a chain of states comes a state with 17^3 successors: more than the 2048 candidates of a chunk. */
static void test_late_state(void **unused) {
  (void)unused;
  model_text t = {0};
  for (int p = 0; p < 3; p++) {
    add(&t, "process P%d { byte v; state a, b; init a; trans a -> a { guard v < 50; effect v = v + 1; }", p);
    for (int i = 1; i <= 17; i++) add(&t, ", a -> b { guard v == 50; effect v = %d; }", 50 + i);
    add(&t, "; }\n");
  }
  add(&t, "system sync;\n");
  ls_dve_space *s = by_threads(t.begin);
  assert_int_equal(s->n, 51 + 17 * 17 * 17);
  assert_int_equal(s->deadlock_count, 17 * 17 * 17);
  ls_dve_space_release(s);
  free(t.begin);
}

/* Adds a model whose initial state has one successor per value; each of these has one successor. */
static void fan(model_text *t, const u32 *values, u32 count) {
  add(t, "int x; process P { state p, q, r; init p; trans q -> r {}");
  for (u32 i = 0; i < count; i++) add(t, ", p -> q { effect x = %u; }", values[i]);
  add(t, "; }\nsystem async;\n");
}

/* A first level whose states are all in one shard, which has no room for them. */
static void test_full_shard(void **unused) {
  (void)unused;
  enum { MANY = 8000, SHARD = 7 };
  static u32 values[MANY], chosen[MANY];
  const u64 room = dve_table_room(&(dve_table){0}, 1);
  u32 count = 0;
  for (u32 i = 0; i < MANY; i++) values[i] = i + 1;
  model_text t = {0};
  fan(&t, values, MANY);
  ls_dve_space *s;
  ls_graph *g;
  all(&s, &g, t.begin, (ls_dve_bounds){.edges = true});
  for (u32 i = 0; i < MANY; i++) /* the last value keeps the range of x and thereby the layout of states */
    if (dve_hash_shard(dve_hash(ls_dve_state(s, i + 1), ls_dve_words(s->model))) == SHARD || i == MANY - 1)
      chosen[count++] = values[i];
  ls_graph_release(g);
  free(t.begin);
  t = (model_text){0};
  fan(&t, chosen, count);
  ls_dve_space *few = by_threads(t.begin);
  assert_int_equal(few->n, 1 + 2 * count);
  u64 in_shard = 0;
  assert_int_equal(ls_dve_words(few->model), ls_dve_words(s->model));
  for (u32 i = 1; i <= count; i++)
    in_shard += dve_hash_shard(dve_hash(ls_dve_state(few, i), ls_dve_words(few->model))) == SHARD;
  assert_true(in_shard > room && count <= DVE_SHARDS * room / 4 * 3);
  ls_dve_space_release(few);
  ls_dve_space_release(s);
  free(t.begin);
}

/* 3000 states of a level have one successor each. The states before them have 1500 on average: a table
 * for 1500 successors of each of the 3000 states would take 64 MiB. */
static void test_guess_beyond_the_memory(void **unused) {
  (void)unused;
  enum { COUNT = 3000 };
  static u32 values[COUNT];
  for (u32 i = 0; i < COUNT; i++) values[i] = i + 1;
  model_text t = {0};
  fan(&t, values, COUNT);
  ls_dve_space *s;
  ls_graph *g;
  all(&s, &g, t.begin, (ls_dve_bounds){.edges = true, .bytes = 2 << 20});
  assert_int_equal(s->n, 1 + 2 * COUNT);
  assert_int_equal(s->end, LS_DVE_COMPLETE);
  assert_true(s->bytes <= 2 << 20);
  ls_graph_release(g);
  ls_dve_space_release(s);
  free(t.begin);
}

/* A search that ends at a bound has a prefix of the whole space's states, each with all of its edges. */
static void test_bounds(void **unused) {
  (void)unused;
  ls_dve_space *whole, *part;
  ls_graph *g, *h;
  all(&whole, &g, cube, (ls_dve_bounds){.edges = true});
  for (u64 bound = 1; bound <= whole->n + 1; bound += bound < 50 ? 1 : 777) {
    all(&part, &h, cube, (ls_dve_bounds){.states = bound, .edges = true});
    assert_true(part->n <= bound || bound == 0);
    assert_int_equal(part->end == LS_DVE_COMPLETE, part->n == whole->n && part->expanded == whole->n);
    assert_memory_equal(part->states, whole->states, part->n * ls_dve_words(whole->model) * 4);
    assert_int_equal(part->level[part->levels], part->n);
    const u32 *a = ls_buffer_read(g->off), *b = ls_buffer_read(h->off);
    assert_memory_equal(a, b, part->expanded * 4);
    assert_int_equal(b[part->n], a[part->expanded]);
    ls_graph_release(h);
    ls_dve_space_release(part);
  }
  ls_graph_release(g);
  ls_dve_space_release(whole);
}

/* Parses, explores and reads everything once. */
static ls_status use(const char *model) {
  ls_dve *m;
  ls_status st = ls_dve_parse("test.dve", model, strlen(model), &m);
  if (st) return st;
  const ls_dve_bounds bounds = {.states = 500, .edges = true};
  ls_dve_space *s = NULL;
  ls_graph *g = NULL;
  char line[100];
  ls_text text;
  u32 v;
  ls_buffer *cycle = NULL;
  st = ls_dve_explore(m, &bounds, &s, &g);
  if (!st && !(st = ls_dve_model_text(m, &text))) ls_text_free(&text);
  ls_dve_steps *steps = NULL;
  ls_dve_move move;
  if (!st) st = ls_dve_moves(m, ls_dve_initial(m), &steps);
  for (u64 i = 0; !st && ls_dve_move_at(m, steps, i, &move); i++)
    ls_dve_moves_text(m, move.moves, line, sizeof line);
  if (!st) ls_dve_moves_free(steps);
  if (!st) st = ls_dve_find(s, "P.q and not P.q", &v);
  if (!st) st = ls_dve_violation(s, &v, line, sizeof line);
  if (!st) st = ls_dve_lasso(s, g, &v, &cycle);
  ls_buffer_release(cycle);
  ls_graph_release(g);
  ls_dve_space_release(s);
  ls_dve_release(m);
  return st;
}

/* Each allocation fails in turn: the call returns an error status, and nothing leaks. */
static void test_allocations(void **unused) {
  (void)unused;
  for (int i = 0; i < MODELS; i++) {
    assert_int_equal(use(models[i]), LS_OK);
    const u64 before = ls_mem_in_use();
    int failures = 0;
    for (u64 k = 1;; k++) {
      ls_mem_fail_at(k);
      const ls_status st = use(models[i]);
      ls_mem_fail_at(0);
      assert_int_equal(ls_mem_in_use(), before);
      if (!st) break;
      assert_int_equal(st, LS_EMEM);
      failures++;
    }
    assert_true(failures > 20);
  }
}

/* --- ranges ------------------------------------------------------------------------------------------- */

static u64 dice;
static u32 roll(u32 sides) {
  dice = dice * 6364136223846793005u + 1442695040888963407u;
  return (u32)(dice >> 33) % sides;
}

static void random_expr(char *out, size_t room, int depth) {
  static const char *const leaves[] = {"x",        "y",    "i",   "1",   "2",       "5",
                                       "a[y % 3]", "b[1]", "P.q", "200", "t[x % 2]"};
  static const char *const ops[] = {"+",  "-",  "*", "/",  "%",   "&",  "|",    "^",
                                    "<<", ">>", "<", "==", "and", "or", "imply"};
  if (depth == 0 || roll(3) == 0) {
    snprintf(out, room, "%s%s",
             roll(6)   ? ""
             : roll(2) ? "-"
                       : "~",
             leaves[roll(sizeof leaves / sizeof *leaves)]);
    return;
  }
  char a[60], b[60]; /* at most two operations */
  random_expr(a, sizeof a, depth - 1);
  random_expr(b, sizeof b, depth - 1);
  if (snprintf(out, room, "(%s %s %s)", a, ops[roll(sizeof ops / sizeof *ops)], b) >= (int)room) abort();
}

/* Storing variables in fewer bits than their types have does not change the space. */
static void test_ranges(void **unused) {
  (void)unused;
  static const char *const targets[] = {"x", "y", "i", "a[x % 3]", "b[y % 2]"};
  u64 states = 0, narrower = 0;
  for (u64 seed = 0; seed < 400; seed++) {
    dice = seed;
    char model[8000], e[500], f[500];
    size_t at = (size_t)snprintf(
        model, sizeof model,
        "byte x = %u, y, a[3]; int i = %d, b[2]; const int t[2] = {3, -4}; channel c; channel {byte, int} "
        "d[2], h[0];\n",
        roll(4), (int)roll(5) - 2);
    for (int process = 0; process < 2; process++) {
      at += (size_t)snprintf(model + at, sizeof model - at, "process %s { byte v; state p, q; init p; trans",
                             process ? "Q" : "P");
      for (int k = 0; k < 5; k++) {
        random_expr(e, sizeof e, 2);
        random_expr(f, sizeof f, 2);
        const char *target = targets[roll(5)];
        at += (size_t)snprintf(model + at, sizeof model - at, "%s %c -> %c { ", k ? "," : "", "pq"[roll(2)],
                               "pq"[roll(2)]);
        if (roll(2)) at += (size_t)snprintf(model + at, sizeof model - at, "guard %s; ", f);
        const u32 how = roll(8);
        if (how == 0)
          at += (size_t)snprintf(model + at, sizeof model - at, process ? "sync c!%s; " : "sync c?v; ", e);
        if (how == 1)
          at += (size_t)snprintf(model + at, sizeof model - at,
                                 process ? "sync d!{%s, y}; " : "sync d?{v, i}; ", e);
        if (how == 2)
          at += (size_t)snprintf(model + at, sizeof model - at,
                                 process ? "sync h?{v, i}; " : "sync h!{%s, x}; ", e);
        random_expr(e, sizeof e, 2);
        at += (size_t)snprintf(model + at, sizeof model - at, "effect %s = %s; }", target, e);
      }
      at += (size_t)snprintf(model + at, sizeof model - at, "; }\n");
    }
    at += (size_t)snprintf(model + at, sizeof model - at, "system %s;\n", seed % 4 ? "async" : "sync");
    assert_true(at < sizeof model);
    ls_dve_space *narrow, *wide;
    ls_graph *g, *h;
    const ls_dve_bounds bounds = {.states = 1500, .edges = true};
    all(&narrow, &g, model, bounds);
    ls_dve_wide = true;
    all(&wide, &h, model, bounds);
    ls_dve_wide = false;
    assert_int_equal(narrow->n, wide->n);
    assert_int_equal(narrow->errors, wide->errors);
    check_same(g->off, h->off);
    check_same(g->to, h->to);
    for (u64 v = 0; v < narrow->n; v++) {
      char one[300], other[300];
      ls_dve_state_text(narrow->model, ls_dve_state(narrow, v), one, sizeof one);
      ls_dve_state_text(wide->model, ls_dve_state(wide, v), other, sizeof other);
      assert_string_equal(one, other);
    }
    states += narrow->n;
    narrower += ls_dve_words(narrow->model) < ls_dve_words(wide->model);
    ls_graph_release(g);
    ls_graph_release(h);
    ls_dve_space_release(narrow);
    ls_dve_space_release(wide);
  }
  print_message("%llu states, %llu models in fewer words\n", (unsigned long long)states,
                (unsigned long long)narrower);
  assert_true(states > 10000 && narrower > 50); /* enough random models use fewer words */
}

static void test_interrupt(void **unused) {
  (void)unused;
  ls_dve *m;
  ls_dve_space *s;
  ls_graph *g;
  const ls_dve_bounds bounds = {.edges = true};
  assert_int_equal(ls_dve_parse("test.dve", cube, strlen(cube), &m), LS_OK);
  const u64 before = ls_mem_in_use();
  ls_interrupt();
  assert_int_equal(ls_dve_explore(m, &bounds, &s, &g), LS_OK); /* the states explored so far are returned */
  ls_interrupt_clear();
  assert_int_equal(s->end, LS_DVE_INTERRUPTED);
  assert_true(s->n > 0 && s->vertex_names.unexpanded == s->n - s->expanded && s->vertex_names.unexpanded > 0);
  assert_int_equal(g->n, s->n);
  ls_dve_space_release(s);
  ls_graph_release(g);
  assert_int_equal(ls_mem_in_use(), before);
  ls_dve_release(m);
}

/* The search sizes its blocks by this bound: no state may have more steps. */
static void test_most_steps(void **state) {
  (void)state;
  static const u32 expected[MODELS] = {6, 2, 4};
  for (int i = 0; i < MODELS; i++) {
    ls_dve_space *s;
    ls_graph *g;
    u32 most;
    all(&s, &g, models[i], (ls_dve_bounds){.edges = true});
    assert_int_equal(ls_dve_most_steps(s->model, &most), LS_OK);
    assert_int_equal(most, expected[i]);
    const u32 *off = ls_buffer_read(g->off);
    for (u32 v = 0; v < g->n; v++) assert_true(off[v + 1] - off[v] <= most);
    ls_graph_release(g);
    ls_dve_space_release(s);
  }
  char *text = malloc(1 << 16), *at = text; /* 128^5 does not fit in 32 bits */
  for (int q = 0; q < 5; q++) {
    at += sprintf(at, "process P%d { state a; init a; trans a -> a {}", q);
    for (int k = 1; k < 128; k++) at += sprintf(at, ", a -> a {}");
    at += sprintf(at, "; }\n");
  }
  strcpy(at, "system sync;\n");
  ls_dve *m;
  u32 most;
  assert_int_equal(ls_dve_parse("test.dve", text, strlen(text), &m), LS_OK);
  assert_int_equal(ls_dve_most_steps(m, &most), LS_OK);
  assert_int_equal(most, UINT32_MAX);
  ls_dve_release(m);
  free(text);
}

/* The second level has 100 states. The estimate is 5100 successors, but there are only 100. A table of the
 * estimated size would fit in 164 KiB, but not together with the 5300 edges that come later. */
static void test_guess_leaves_memory(void **unused) {
  (void)unused;
  model_text t = {0};
  add(&t,
      "byte x, y; process P { state p, q, r; init p; trans q -> r {}, r -> r {}, r -> r { guard y < 25; effect y = "
      "y + 1; }");
  for (int i = 1; i <= 100; i++) add(&t, ", p -> q { effect x = %d; }", i);
  add(&t, "; }\nsystem async;\n");
  ls_dve_space *s;
  ls_graph *g;
  all(&s, &g, t.begin, (ls_dve_bounds){.edges = true, .bytes = 164 << 10});
  assert_int_equal(s->end, LS_DVE_COMPLETE);
  assert_int_equal(s->n, 1 + 100 + 26 * 100);
  assert_int_equal(s->m, 100 + 100 + (2 * 26 - 1) * 100);
  ls_graph_release(g);
  ls_dve_space_release(s);
  free(t.begin);
}

/* If the table cannot grow to an estimated size, it is grown again once the candidates are counted. */
static void test_growth_fails(void **unused) {
  (void)unused;
  const ls_dve_bounds bounds = {.states = 4000};
  ls_dve *m;
  ls_dve_space *s;
  ls_graph *g;
  assert_int_equal(ls_dve_parse("test.dve", cube, strlen(cube), &m), LS_OK);
  u32 failed = 0, fine = 0, got_over = 0; /* fine: successes since the last failure */
  for (u64 k = 1; fine < 20; k++) {
    ls_mem_fail_at(k);
    const ls_status st = ls_dve_explore(m, &bounds, &s, &g);
    ls_mem_fail_at(0);
    if (st) {
      assert_int_equal(st, LS_EMEM);
      failed++;
      got_over += fine;
      fine = 0;
      continue;
    }
    fine++;
    assert_int_equal(s->end, LS_DVE_STATES_BOUND);
    assert_true(s->n > bounds.states - 5 && s->n <= bounds.states);
    ls_dve_space_release(s);
  }
  assert_true(failed > 20 && got_over > 0);
  ls_dve_release(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_most_steps),   cmocka_unit_test(test_threads),
      cmocka_unit_test(test_bounds),       cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_allocations),  cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_late_chunk),   cmocka_unit_test(test_late_state),
      cmocka_unit_test(test_full_shard),   cmocka_unit_test(test_guess_beyond_the_memory),
      cmocka_unit_test(test_growth_fails), cmocka_unit_test(test_guess_leaves_memory),
  };
  ls_progress_enable(false);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
