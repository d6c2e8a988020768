/* The reference algorithms for cycles, compared with enumeration; the checkers of their certificates; failing
 * allocations. */
#include "reference_help.h"

#include "reference/cycles/cycle.h"

typedef ls_status (*algorithm)(ls_graph *, ls_cycle_kind, ls_cycle *);
static const algorithm algorithms[] = {ls_howard, ls_yto, ls_lawler, ls_karp, ls_hartmann_orlin};
enum { ALGORITHMS = 5, WITH_TIMES = 3 };

static void add_times(ls_graph *g, i64 least, i64 greatest) {
  i64 *t = ls_malloc(g->m * sizeof *t);
  for (u64 e = 0; e < g->m; e++) t[e] = least + (i64)(random_u64() % (u64)(greatest - least + 1));
  assert_int_equal(ls_graph_take_times(g, t, LS_I64), LS_OK);
}

/* --- enumeration of simple cycles ------------------------------------------------------------------------
 */

typedef struct walk {
  const u32 *off, *to;
  const i64 *w, *t;
  bool max, found, on[16];
  u32 root;
  ls_i128 p, q;
} walk;

static void follow(walk *k, u32 v, ls_i128 p, ls_i128 q) {
  for (u32 e = k->off[v]; e < k->off[v + 1]; e++) {
    const ls_i128 sum = p + k->w[e], time = q + (k->t ? k->t[e] : 1);
    const u32 to = k->to[e];
    if (to == k->root) {
      if (!k->found || (k->max ? sum * k->q > k->p * time : sum * k->q < k->p * time))
        k->p = sum, k->q = time;
      k->found = true;
    } else if (to > k->root && !k->on[to]) {
      k->on[to] = true;
      follow(k, to, sum, time);
      k->on[to] = false;
    }
  }
}

static walk enumerate(ls_graph *g, ls_cycle_kind kind) {
  walk k = {.off = g->off->host, .to = g->to->host, .w = g->w->host, .max = kind.max};
  if (kind.ratio && g->t) k.t = g->t->host;
  for (k.root = 0; k.root < g->n; k.root++) follow(&k, k.root, 0, 0);
  return k;
}

static void check_all(ls_graph *g, ls_cycle_kind kind) {
  const walk k = enumerate(g, kind);
  ls_i128 *d = ls_malloc(g->n * sizeof *d);
  ls_cycle first = {0};
  for (int i = 0; i < (kind.ratio ? WITH_TIMES : ALGORITHMS); i++) {
    ls_cycle c = {0}, same = {0};
    if (algorithms[i](g, kind, &c)) fail_msg("%s", ls_error());
    assert_int_equal(c.found, k.found);
    if (!c.found) {
      assert_int_equal(ls_check_cycle(g, kind, &c, NULL), LS_OK);
      continue;
    }
    assert_true((ls_i128)c.p * k.q == k.p * c.q);
    if (ls_feasible_potentials(g, kind, c.p, c.q, c.start, d)) fail_msg("%s", ls_error());
    if (ls_check_cycle(g, kind, &c, d)) fail_msg("%s", ls_error());
    if (ls_critical_subgraph(g, kind, c.p, c.q, d, NULL, &same)) fail_msg("%s", ls_error());
    if (ls_check_cycle(g, kind, &same, d)) fail_msg("%s", ls_error());
    if (!first.edges) {
      first = same;
    } else { /* all algorithms find the same critical subgraph */
      assert_true(first.count == same.count);
      assert_memory_equal(first.edges, same.edges, same.count * sizeof *same.edges);
      ls_cycle_free(&same);
    }
    c.p++; /* seeded faults */
    assert_int_equal(ls_check_cycle(g, kind, &c, d), LS_EARG);
    c.p--;
    d[((const u32 *)g->to->host)[c.edges[0]]] += kind.max ? -1 : 1;
    if (c.count > 1) assert_int_equal(ls_check_cycle(g, kind, &c, d), LS_EARG);
    ls_cycle_free(&c);
  }
  ls_cycle_free(&first);
  ls_free(d);
}

static void all_find_what_enumeration_finds(void **state) {
  (void)state;
  static const i64 ranges[][2] = {{-9, 9},
                                  {7, 7},
                                  {INT32_MAX - 5, INT32_MAX},
                                  {INT32_MIN, INT32_MAX},
                                  {-(1ll << 45), 1ll << 45},
                                  {(1ll << 45) - 1, 1ll << 45},
                                  {0, 1}};
  const u64 before = ls_mem_in_use();
  for (int i = 0; i < 1500; i++) {
    const i64 *range = ranges[i % 7];
    const list l = random_list(8, range[0], range[1]);
    ls_graph *g = make(&l, LS_I64);
    add_times(g, 1, 1 + i % 3);
    for (int kind = 0; kind < 4; kind++) check_all(g, (ls_cycle_kind){kind & 1, kind & 2});
    ls_graph_release(g);
  }
  assert_true(ls_mem_in_use() == before);
}

/* The results do not depend on the type of the weights. */
static void types_agree(void **state) {
  (void)state;
  for (int i = 0; i < 300; i++) {
    const list l = random_list(12, -1000, 1000);
    ls_graph *whole = make(&l, LS_I32), *real = make(&l, i & 1 ? LS_F32 : LS_F64);
    const ls_cycle_kind kind = {.max = i & 2};
    for (int a = 0; a < ALGORITHMS; a++) {
      ls_cycle x = {0}, y = {0};
      assert_int_equal(algorithms[a](whole, kind, &x), LS_OK);
      assert_int_equal(algorithms[a](real, kind, &y), LS_OK);
      assert_int_equal(x.found, y.found);
      assert_true(fabs(x.mean - y.mean) <= 1e-12 * 1000);
      if (y.found) {
        ls_i128 d[16];
        f64 unit, gap;
        assert_int_equal(ls_real_potentials(real, kind, &y, y.start, d, &unit), LS_OK);
        if (ls_check_cycle_real(real, kind, &y, d, unit, &gap)) fail_msg("%s", ls_error());
        y.mean += 1e-9;
        assert_int_equal(ls_check_cycle_real(real, kind, &y, d, unit, &gap), LS_EARG);
      }
      ls_cycle_free(&x);
      ls_cycle_free(&y);
    }
    ls_graph_release(whole);
    ls_graph_release(real);
  }
}

/* --- forms -----------------------------------------------------------------------------------------------
 */

static void potentials_change_their_form(void **state) {
  (void)state;
  static const i64 whole[3] = {INT64_MIN, -1, INT64_MAX};
  static const f64 real[3] = {0.5, -3, 1.25};
  ls_i128 *wide, pairs[3] = {(ls_i128)1 << 100, -((ls_i128)1 << 125), 7};
  bool owned;
  f64 unit = 1;
  assert_int_equal(ls_potentials_widen(LS_I64, whole, 3, &wide, &owned, &unit), LS_OK);
  assert_true(owned && unit == 1);
  for (int v = 0; v < 3; v++) assert_true(wide[v] == whole[v]);
  assert_true(ls_potentials_narrow(wide, 3));
  assert_memory_equal(wide, whole, sizeof whole);
  ls_free(wide);
  assert_int_equal(ls_potentials_widen(LS_F64, real, 3, &wide, &owned, &unit), LS_OK);
  for (int v = 0; v < 3; v++) assert_true((f64)wide[v] * unit == real[v]);
  assert_true(wide[1] < -((ls_i128)1 << 98) && !ls_potentials_narrow(wide, 3));
  ls_free(wide);
  assert_int_equal(ls_potentials_widen(LS_U64, pairs, 3, &wide, &owned, &unit), LS_OK);
  assert_true(!owned && wide == pairs);
  pairs[2] = -((ls_i128)1 << 126);
  assert_int_equal(ls_potentials_widen(LS_U64, pairs, 3, &wide, &owned, &unit), LS_EARG);
  assert_string_equal(ls_error(), "the potential of vertex 2 is not below 2^126");
  static const f64 wrong[2] = {1, INFINITY};
  assert_int_equal(ls_potentials_widen(LS_F64, wrong, 2, &wide, &owned, &unit), LS_EARG);
  assert_string_equal(ls_error(), "the potential of vertex 1 is inf, expected a finite number");
  assert_true(owned);
  ls_free(wide);
}

static void a_policy_has_its_cycle(void **state) {
  (void)state;
  /* edges 0: 3 -> 1, 1: 1 -> 2, 2: 2 -> 3, 3: 0 -> 1 */
  static const u32 to[] = {1, 2, 3, 1}, choice[] = {3, 1, 2, 0}, from[] = {10, 11, 12, 13};
  ls_choices c = {choice, to, NULL, 4, 4, 0};
  u32 edges[4], turned[3];
  assert_int_equal(ls_choices_cycle(&c, 3, 4, edges), 3);
  assert_true(edges[0] == 0 && edges[1] == 1 && edges[2] == 2);
  ls_cycle_rotate(to, edges, 3, turned); /* vertex 1 is the smallest */
  assert_true(turned[0] == 1 && turned[1] == 2 && turned[2] == 0);
  assert_int_equal(ls_choices_cycle(&c, 3, 2, NULL), 0); /* it is longer */
  assert_int_equal(ls_choices_cycle(&c, 0, 4, NULL), 0); /* no choice leads back to 0 */
  assert_int_equal(ls_choices_cycle(&c, 4, 4, NULL), 0); /* no such vertex */
  c.from = from, c.names = 4;
  assert_int_equal(ls_choices_cycle(&c, 1, 4, edges), 3);
  assert_true(edges[0] == 11 && edges[1] == 12 && edges[2] == 10);
  c.names = 2; /* edge 2 has no name */
  assert_int_equal(ls_choices_cycle(&c, 1, 4, edges), 0);
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

/* Calls every reference once; returns the first failure. */
static ls_status everything(ls_graph *g, int a, u32 n) {
  const ls_cycle_kind kind = {.max = true, .ratio = a < WITH_TIMES};
  ls_cycle c = {0}, canonical = {0};
  ls_i128 d[16], fall, rise;
  u8 critical[MOST_EDGES];
  assert_true(n <= 16);
  ls_status st = algorithms[a](g, kind, &c);
  if (!st) st = ls_feasible_potentials(g, kind, c.p, c.q, c.start, d);
  if (!st) st = ls_check_cycle(g, kind, &c, d);
  if (!st) st = ls_critical_subgraph(g, kind, c.p, c.q, d, critical, &canonical);
  for (u64 e = 0; e < g->m && !st; e++)
    st = ls_cycle_sensitivity(g, kind, c.p, c.q, d, critical, e, &fall, &rise);
  ls_cycle_free(&c);
  ls_cycle_free(&canonical);
  return st;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  list l = random_list(12, -50, 50);
  while (l.n < 10 || l.m < 25) l = random_list(12, -50, 50);
  ls_graph *g = make(&l, LS_I64);
  add_times(g, 1, 4);
  for (int a = 0; a < ALGORITHMS; a++) {
    if (a == WITH_TIMES) { /* Karp's algorithm and its variants do not support times */
      ls_graph_release(g);
      g = make(&l, LS_I64);
    }
    assert_int_equal(everything(g, a, l.n), LS_OK);
    const u64 before = ls_mem_in_use();
    u64 k = 1;
    for (;; k++) {
      ls_mem_fail_at(k);
      const ls_status st = everything(g, a, l.n);
      ls_mem_fail_at(0);
      assert_true(ls_mem_in_use() == before);
      if (!st) break;
      assert_int_equal(st, LS_EMEM);
    }
    assert_true(k > 20);
  }
  ls_graph_release(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_find_what_enumeration_finds), cmocka_unit_test(types_agree),
      cmocka_unit_test(potentials_change_their_form),    cmocka_unit_test(a_policy_has_its_cycle),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
