/* Sorting edges into rows and transposing, compared with the textbook's sequential counting sort. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <omp.h>
#include <string.h>

#include "core/mem.h"
#include "data/graph.h"

typedef struct edges {
  u32 n;
  u64 m;
  u32 *src, *dst;
  i64 *w; /* the edge's index, truncated to wtype */
} edges;

static u64 state;

static u64 draw(void) { /* xorshift64, Marsaglia 2003 */
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

typedef enum shape { UNIFORM, INTO_ONE, OUT_OF_ONE, SORTED, LAST_VERTEX, SKEWED, SHAPES } shape;

static edges make(u32 n, u64 m, shape how) {
  edges e = {n, m, ls_malloc(m * 4), ls_malloc(m * 4), ls_malloc(m * 8)};
  state = 88172645463325252u + n + m;
  for (u64 i = 0; i < m; i++) {
    u32 u = (u32)(draw() % n), v = (u32)(draw() % n);
    if (how == INTO_ONE) v = n / 2;
    if (how == OUT_OF_ONE) u = n / 3;
    if (how == SORTED) u = (u32)(i * n / m);
    if (how == LAST_VERTEX && i % 3) u = v = n - 1;
    if (how == SKEWED && i % 2) u = v % 7 % n;
    e.src[i] = u;
    e.dst[i] = v;
    e.w[i] = (i64)i * 3 - 5;
  }
  return e;
}

static void drop(edges *e) {
  ls_free(e->src);
  ls_free(e->dst);
  ls_free(e->w);
}

static void *weights_as(const edges *e, ls_dtype t) {
  if (t == LS_NONE) return NULL;
  void *w = ls_malloc(e->m * 8);
  for (u64 i = 0; i < e->m; i++)
    if (t == LS_I32)
      ((i32 *)w)[i] = (i32)e->w[i];
    else if (t == LS_F32)
      ((f32 *)w)[i] = (f32)e->w[i];
    else if (t == LS_F64)
      ((f64 *)w)[i] = (f64)e->w[i];
    else
      ((i64 *)w)[i] = e->w[i];
  return w;
}

/* The reference: a counting sort, one edge at a time. */
static void sort_plainly(u32 n, u64 m, const u32 *key, const u32 *other, const u8 *w, size_t wsize, u32 *off,
                         u32 *to, u8 *sorted) {
  memset(off, 0, ((size_t)n + 1) * 4);
  for (u64 i = 0; i < m; i++) off[key[i] + 1]++;
  for (u32 v = 0; v < n; v++) off[v + 1] += off[v];
  u32 *next = ls_malloc(((size_t)n + 1) * 4);
  memcpy(next, off, ((size_t)n + 1) * 4);
  for (u64 i = 0; i < m; i++) {
    u32 at = next[key[i]]++;
    to[at] = other[i];
    if (w) memcpy(sorted + at * wsize, w + i * wsize, wsize);
  }
  ls_free(next);
}

static void compare(const edges *e, ls_dtype t) {
  size_t wsize = ls_dtype_size(t);
  void *w = weights_as(e, t);
  u32 *off = ls_malloc(((size_t)e->n + 1) * 4), *to = ls_malloc(e->m * 4), *src = ls_malloc(e->m * 4);
  u32 *roff = ls_malloc(((size_t)e->n + 1) * 4), *rto = ls_malloc(e->m * 4);
  u8 *sw = ls_malloc(e->m * 8), *rw = ls_malloc(e->m * 8);
  sort_plainly(e->n, e->m, e->src, e->dst, w, wsize, off, to, sw);
  for (u32 v = 0; v < e->n; v++)
    for (u32 i = off[v]; i < off[v + 1]; i++) src[i] = v;
  sort_plainly(e->n, e->m, to, src, w ? sw : NULL, wsize, roff, rto, rw);

  const int threads[] = {1, 2, 5};
  int before = omp_get_max_threads();
  for (int k = 0; k < 3; k++) {
    omp_set_num_threads(threads[k]);
    ls_graph *g;
    assert_int_equal(ls_graph_from_edges(e->n, e->m, e->src, e->dst, w, t, "test", &g), LS_OK);
    assert_int_equal(ls_graph_transpose(g), LS_OK);
    assert_memory_equal(g->off->host, off, ((size_t)e->n + 1) * 4);
    assert_memory_equal(g->to->host, to, e->m * 4);
    assert_memory_equal(g->roff->host, roff, ((size_t)e->n + 1) * 4);
    assert_memory_equal(g->rto->host, rto, e->m * 4);
    if (w) assert_memory_equal(g->w->host, sw, e->m * wsize);
    if (w) assert_memory_equal(g->rw->host, rw, e->m * wsize);
    if (!w) assert_null(g->rw);
    ls_graph_release(g);
  }
  omp_set_num_threads(before);
  void *all[] = {w, off, to, src, roff, rto, sw, rw};
  for (int i = 0; i < 8; i++) ls_free(all[i]);
}

static void test_against_plain_sort(void **unused) {
  (void)unused;
  const struct {
    u32 n;
    u64 m;
  } sizes[] = {{1, 0},       {1, 5},           {2, 3},      {7, 100},
               {1000, 3000}, {100000, 700000}, {3, 600000}, {3000000, 300000}};
  const ls_dtype types[] = {LS_NONE, LS_I32, LS_I64, LS_F32, LS_F64};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int how = 0; how < SHAPES; how++) {
      edges e = make(sizes[s].n, sizes[s].m, (shape)how);
      compare(&e, types[(s + (size_t)how) % 5]);
      if (e.m < 100000)
        for (int t = 0; t < 5; t++) compare(&e, types[t]);
      drop(&e);
    }
}

static void test_empty(void **unused) {
  (void)unused;
  ls_graph *g;
  assert_int_equal(ls_graph_from_edges(0, 0, NULL, NULL, NULL, LS_NONE, "nothing", &g), LS_OK);
  assert_int_equal(ls_graph_transpose(g), LS_OK);
  assert_int_equal(((const u32 *)g->off->host)[0], 0);
  assert_int_equal(((const u32 *)g->roff->host)[0], 0);
  ls_graph_release(g);
}

/* The k-th allocation fails, for every k up to the number of allocations: an error each time, and no leak. */
static void test_allocation_failures(void **unused) {
  (void)unused;
  edges e = make(50000, 200000, UNIFORM);
  i64 *w = weights_as(&e, LS_I64);
  u64 before = ls_mem_in_use();
  for (u64 k = 1;; k++) {
    ls_graph *g = NULL;
    ls_mem_fail_at(k);
    ls_status st = ls_graph_from_edges(e.n, e.m, e.src, e.dst, w, LS_I64, "test", &g);
    if (!st) {
      st = ls_graph_transpose(g);
      ls_graph_release(g);
    }
    ls_mem_fail_at(0);
    assert_int_equal(ls_mem_in_use(), before);
    if (!st) {
      assert_true(k > 20);
      break;
    }
    assert_int_equal(st, LS_EMEM);
    assert_non_null(strstr(ls_error(), "out of memory"));
  }
  ls_free(w);
  drop(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_plain_sort),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_allocation_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
