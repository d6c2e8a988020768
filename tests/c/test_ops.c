/* Operations that derive graphs, and statistics, compared with brute force on small random graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/nearest.h"
#include "core/random.h"
#include "core/wait.h"
#include "data/ops.h"
#include "data/stats.h"
#include "gen/gen.h"

enum { N = 40 };

/* A small random multigraph with loops, parallel edges and isolated vertices. */
static ls_graph *small_graph(u64 seed, ls_dtype type, u32 *n) {
  u64 key = ls_key(seed, 9);
  *n = (u32)ls_below(ls_draw(key, 0), N) + 1;
  u64 m = ls_below(ls_draw(key, 1), 3 * *n);
  ls_graph *g;
  assert_int_equal(ls_gen_uniform(*n, m, seed, (ls_gen_weights){type, -5, 20}, &g), LS_OK);
  return g;
}

static f64 weight(ls_graph *g, u64 e) {
  f64 x = 0;
  i64 i = 0;
  if (g->w) assert_int_equal(ls_buffer_get(g->w, e, &x, &i), LS_OK);
  return x;
}

/* The number of edges from u to v, their least weight and their total weight. */
static u32 between(ls_graph *g, u32 u, u32 v, f64 *least, f64 *sum) {
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  u32 count = 0;
  *least = 1e300;
  *sum = 0;
  for (u32 e = off[u]; e < off[u + 1]; e++) {
    if (to[e] != v) continue;
    f64 w = weight(g, e);
    count++;
    *sum += w;
    if (w < *least) *least = w;
  }
  return count;
}

static const ls_dtype types[] = {LS_NONE, LS_I32, LS_I64, LS_F32, LS_F64};

static void same_edges(ls_graph *a, u32 u, u32 v, ls_graph *b, u32 x, u32 y) {
  f64 la, sa, lb, sb;
  assert_int_equal(between(a, u, v, &la, &sa), between(b, x, y, &lb, &sb));
  assert_true(la == lb && (sa - sb) * (sa - sb) < 1e-9);
}

static void reversing(void **state) {
  (void)state;
  for (u64 seed = 0; seed < 100; seed++) {
    u32 n;
    ls_graph *g = small_graph(seed, types[seed % 5], &n), *r, *rr;
    assert_int_equal(ls_graph_reverse(g, &r), LS_OK);
    assert_true(r->to == g->rto && r->rw == g->w); /* shared */
    for (u32 u = 0; u < n; u++)
      for (u32 v = 0; v < n; v++) same_edges(g, u, v, r, v, u);
    assert_int_equal(ls_graph_reverse(r, &rr), LS_OK);
    assert_true(rr->off == g->off && rr->to == g->to && rr->w == g->w);
    ls_graph_release(g);
    ls_graph_release(r);
    ls_graph_release(rr);
  }
}

/* Some of 0 .. n-1 in random order. */
static u32 choose(u64 seed, u32 n, u32 *list) {
  u32 count = (u32)ls_below(ls_draw(ls_key(seed, 3), 0), n + 1);
  for (u32 i = 0; i < count; i++) list[i] = ls_shuffled(i, n, ls_key(seed, 4));
  return count;
}

static void parts(void **state) {
  (void)state;
  for (u64 seed = 0; seed < 100; seed++) {
    u32 n, list[N], again[N];
    ls_graph *g = small_graph(seed, types[seed % 5], &n), *h, *hh;
    g->label_base = 1;
    u32 count = choose(seed, n, list);
    assert_int_equal(ls_graph_subgraph(g, list, count, &h), LS_OK);
    assert_int_equal(h->n, count);
    u64 m = 0;
    for (u32 i = 0; i < count; i++) {
      assert_int_equal(ls_graph_label(h, i), list[i] + 1);
      for (u32 j = 0; j < count; j++) {
        f64 least, sum;
        same_edges(g, list[i], list[j], h, i, j);
        m += between(h, i, j, &least, &sum);
      }
    }
    assert_true(h->m == m);
    u32 fewer = choose(seed + 7, count ? count : 1, again);
    if (fewer > count) fewer = count;
    assert_int_equal(ls_graph_subgraph(h, again, fewer, &hh), LS_OK); /* labels of a subgraph of a subgraph */
    for (u32 i = 0; i < fewer; i++) assert_int_equal(ls_graph_label(hh, i), list[again[i]] + 1);
    ls_graph_release(g);
    ls_graph_release(h);
    ls_graph_release(hh);
  }
}

static void parts_of_nonsense(void **state) {
  (void)state;
  ls_graph *g, *h;
  assert_int_equal(ls_gen_ring(5, 1, (ls_gen_weights){LS_NONE, 0, 0}, &g), LS_OK);
  u64 before = ls_mem_in_use();
  assert_int_equal(ls_graph_subgraph(g, (const u32[]){1, 5}, 2, &h), LS_EARG);
  assert_string_equal(ls_error(), "vertex 5 is not below n = 5");
  assert_int_equal(ls_graph_subgraph(g, (const u32[]){1, 3, 1}, 3, &h), LS_EARG);
  assert_string_equal(ls_error(), "vertex 1 is listed twice");
  assert_int_equal(ls_graph_permute(g, (const u32[]){0, 1, 2, 3, 5}, &h), LS_EARG);
  assert_int_equal(ls_graph_permute(g, (const u32[]){0, 1, 2, 3, 2}, &h), LS_EARG);
  assert_string_equal(ls_error(), "vertices 2 and 4 would both become 2");
  assert_true(ls_mem_in_use() == before);
  ls_graph_release(g);
}

static void permuting(void **state) {
  (void)state;
  for (u64 seed = 0; seed < 100; seed++) {
    u32 n, to[N];
    ls_graph *g = small_graph(seed, types[seed % 5], &n), *h, *s;
    for (u32 v = 0; v < n; v++) to[v] = ls_shuffled(v, n, seed);
    assert_int_equal(ls_graph_permute(g, to, &h), LS_OK);
    assert_int_equal(ls_graph_shuffle(g, seed, &s), LS_OK);
    assert_true(h->n == n && h->m == g->m && s->n == n && s->m == g->m);
    for (u32 u = 0; u < n; u++) {
      assert_int_equal(ls_graph_label(h, to[u]), u);
      for (u32 v = 0; v < n; v++) {
        same_edges(g, u, v, h, to[u], to[v]);
        same_edges(g, (u32)ls_graph_label(s, u), (u32)ls_graph_label(s, v), s, u, v);
      }
    }
    ls_graph_release(g);
    ls_graph_release(h);
    ls_graph_release(s);
  }
}

static void symmetrizing(void **state) {
  (void)state;
  for (u64 seed = 0; seed < 100; seed++) {
    u32 n;
    ls_graph *g = small_graph(seed, types[seed % 5], &n), *h;
    assert_int_equal(ls_graph_symmetrize(g, &h), LS_OK);
    u64 m = 0;
    for (u32 u = 0; u < n; u++)
      for (u32 v = 0; v < n; v++) {
        f64 there, back, both, sum;
        u32 edges = between(g, u, v, &there, &sum) + between(g, v, u, &back, &sum);
        assert_int_equal(between(h, u, v, &both, &sum), edges > 0);
        if (edges) assert_true(both == (there < back ? there : back));
        m += edges > 0;
      }
    assert_true(h->m == m);
    const u32 *off = ls_buffer_read(h->off), *to = ls_buffer_read(h->to);
    for (u32 v = 0; v < n; v++)
      for (u32 e = off[v] + 1; e < off[v + 1]; e++) assert_true(to[e - 1] < to[e]);
    ls_graph_release(g);
    ls_graph_release(h);
  }
}

/* --- statistics --------------------------------------------------------------------------------------------
 */

static void spread(ls_graph *g, u32 v, u32 mark, u32 *component) { /* depth first, over both directions */
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to), *roff = ls_buffer_read(g->roff),
            *rto = ls_buffer_read(g->rto);
  if (component[v]) return;
  component[v] = mark;
  for (u32 e = off[v]; e < off[v + 1]; e++) spread(g, to[e], mark, component);
  for (u32 e = roff[v]; e < roff[v + 1]; e++) spread(g, rto[e], mark, component);
}

static void check_degrees(const u32 *degree, u32 n, u64 m, const ls_degrees *d) {
  u32 min = UINT32_MAX, max = 0;
  for (u32 v = 0; v < n; v++) {
    if (degree[v] < min) min = degree[v];
    if (degree[v] > max) max = degree[v];
  }
  assert_int_equal(d->min, min);
  assert_int_equal(d->max, max);
  assert_int_equal(degree[d->top], max);
  assert_true(d->mean == (f64)m / n);
  for (int k = 0; k < LS_DEGREE_BINS; k++) {
    u64 count = 0;
    for (u32 v = 0; v < n; v++)
      count += k == 0 ? degree[v] == 0 : degree[v] >= 1ull << (k - 1) && degree[v] < 1ull << k;
    assert_true(d->bins[k] == count);
  }
}

static void statistics(void **state) {
  (void)state;
  for (u64 seed = 0; seed < 200; seed++) {
    u32 n, out[N] = {0}, in[N] = {0}, component[N] = {0}, weak = 0, isolated = 0, largest = 0;
    ls_graph *g = small_graph(seed, types[seed % 5], &n);
    ls_graph_stats s;
    assert_int_equal(ls_graph_statistics(g, &s), LS_OK);
    u64 loops = 0, doubles = 0, negative = 0;
    f64 least, sum, total = 0, low = 1e300, high = -1e300;
    for (u32 u = 0; u < n; u++)
      for (u32 v = 0; v < n; v++) {
        u32 k = between(g, u, v, &least, &sum);
        out[u] += k;
        in[v] += k;
        if (u == v) loops += k;
        if (k > 1) doubles += k - 1;
        total += sum;
      }
    for (u64 e = 0; e < g->m; e++) {
      f64 w = weight(g, e);
      negative += w < 0;
      low = w < low ? w : low;
      high = w > high ? w : high;
    }
    for (u32 v = 0; v < n; v++) {
      isolated += !out[v] && !in[v];
      if (!component[v]) spread(g, v, ++weak, component);
    }
    for (u32 c = 1; c <= weak; c++) {
      u32 size = 0;
      for (u32 v = 0; v < n; v++) size += component[v] == c;
      largest = size > largest ? size : largest;
    }
    check_degrees(out, n, g->m, &s.out);
    check_degrees(in, n, g->m, &s.in);
    assert_true(s.self_loops == loops && s.parallel == doubles);
    assert_int_equal(s.isolated, isolated);
    assert_int_equal(s.weak, weak);
    assert_int_equal(s.largest, largest);
    if (g->w && g->m) {
      f64 got = s.wsum.real ? s.wsum.r : (f64)s.wsum.i;
      assert_true((got - total) * (got - total) < 1e-6);
      assert_true((s.wmin.real ? s.wmin.r : (f64)s.wmin.i) == low);
      assert_true((s.wmax.real ? s.wmax.r : (f64)s.wmax.i) == high);
      assert_true(s.negative == negative);
    }
    ls_graph_release(g);
  }
}

static void large_graphs_in_parallel(void **state) {
  (void)state;
  const ls_gen_weights none = {LS_NONE, 0, 0};
  ls_graph *ring, *rings, *mixed, *back;
  ls_graph_stats s;
  assert_int_equal(ls_gen_ring(1000, 1, none, &ring), LS_OK);
  assert_int_equal(ls_gen_copies(ring, 50, &rings), LS_OK);
  assert_int_equal(ls_graph_shuffle(rings, 3, &mixed), LS_OK);
  assert_int_equal(ls_graph_statistics(mixed, &s), LS_OK);
  assert_int_equal(s.weak, 50);
  assert_int_equal(s.largest, 1000);
  assert_true(s.out.bins[1] == 50000 && s.in.bins[1] == 50000 && s.parallel == 0);
  u32 *to = malloc(mixed->n * sizeof *to);
  for (u32 v = 0; v < mixed->n; v++) to[v] = (u32)ls_graph_label(mixed, v);
  assert_int_equal(ls_graph_permute(mixed, to, &back), LS_OK); /* undoes the shuffle */
  assert_memory_equal(ls_buffer_read(back->to), ls_buffer_read(rings->to), 50000 * sizeof(u32));
  free(to);
  ls_graph_release(back);
  assert_int_equal(ls_graph_symmetrize(mixed, &back), LS_OK);
  assert_true(back->m == 100000);
  ls_graph_release(back);
  ls_graph_release(ring);
  ls_graph_release(rings);
  ls_graph_release(mixed);
}

/* --- failing allocations -----------------------------------------------------------------------------------
 */

static ls_status op_reverse(ls_graph *g, ls_graph **out) { return ls_graph_reverse(g, out); }
static ls_status op_part(ls_graph *g, ls_graph **out) {
  return ls_graph_subgraph(g, (const u32[]){3, 1, 2}, 3, out);
}
static ls_status op_shuffle(ls_graph *g, ls_graph **out) { return ls_graph_shuffle(g, 5, out); }
static ls_status op_permute(ls_graph *g, ls_graph **out) {
  return ls_graph_permute(g, (const u32[]){3, 1, 2, 0}, out);
}
static ls_status op_symmetrize(ls_graph *g, ls_graph **out) { return ls_graph_symmetrize(g, out); }

static ls_status op_stats(ls_graph *g, ls_graph **out) {
  ls_graph_stats s;
  ls_status st = ls_graph_statistics(g, &s);
  if (!st) *out = ls_graph_retain(g);
  return st;
}

static void survives_every_failing_allocation(void **state) {
  (void)state;
  ls_status (*const ops[])(ls_graph *, ls_graph **) = {op_reverse, op_part,       op_shuffle,
                                                       op_permute, op_symmetrize, op_stats};
  u64 empty = ls_mem_in_use();
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    for (u64 k = 1;; k++) {
      assert_true(k < 100);
      ls_graph *g, *out = NULL;
      assert_int_equal(ls_gen_complete(4, 1, (ls_gen_weights){LS_I64, 1, 9}, &g), LS_OK);
      ls_mem_fail_at(k);
      ls_status st = ops[i](g, &out);
      ls_mem_fail_at(0);
      if (st)
        assert_int_equal(st, LS_EMEM);
      else
        ls_graph_release(out);
      ls_graph_release(g);
      assert_true(ls_mem_in_use() == empty);
      if (st) continue;
      assert_true(k > 3);
      break;
    }
}

static void nearest_names(void **state) {
  (void)state;
  static const char *const names[] = {"scale", "degree", "seed", "n", "weights"};
  static const struct {
    const char *word, *nearest;
  } cases[] = {{"scael", "scale"},
               {"Degre", "degree"},
               {"sede", "seed"},
               {"wieghts", "weights"},
               {"weight", "weights"},
               {"xyz", NULL},
               {"m", NULL},
               {"seeeeeeeds", NULL},
               {"", NULL},
               {"nn", "n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *got = ls_nearest(cases[i].word, names, 5);
    if (cases[i].nearest)
      assert_string_equal(got, cases[i].nearest);
    else
      assert_null(got);
  }
}

int main(void) {
  ls_progress_enable(false);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reversing),
      cmocka_unit_test(parts),
      cmocka_unit_test(parts_of_nonsense),
      cmocka_unit_test(permuting),
      cmocka_unit_test(symmetrizing),
      cmocka_unit_test(statistics),
      cmocka_unit_test(large_graphs_in_parallel),
      cmocka_unit_test(survives_every_failing_allocation),
      cmocka_unit_test(nearest_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
