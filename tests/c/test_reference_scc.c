/* Tarjan's algorithm and the checker of components: compared with closures of tiny graphs, and run on large
 * degenerate graphs. */
#include "reference_help.h"

/* --- tiny graphs, all partitions -------------------------------------------------------------------------
 */

static bool right_partition(const list *l, const u64 *reach, const u32 *id) {
  for (u32 i = 0; i < l->n; i++)
    for (u32 j = 0; j < i; j++)
      if ((id[i] == id[j]) != both_ways(reach, i, j)) return false;
  return true;
}

static ls_status check_ids(ls_graph *g, const u32 *id) {
  u32 classes;
  return ls_check_scc(g, &(ls_scc_claim){.id = id}, &classes);
}

/* Parses the two vertices that an error message names. */
static void named(u32 *a, u32 *b) {
  assert_int_equal(sscanf(ls_error(), "components: vertices %u and %u", a, b), 2);
}

/* A reported violation must be true: for the two vertices named, exactly one of "same label" and "same
 * component" holds. */
static void expect_verdict(ls_graph *g, const list *l, const u64 *reach, const u32 *id) {
  ls_status st = check_ids(g, id);
  assert_int_equal(st, right_partition(l, reach, id) ? LS_OK : LS_EARG);
  if (!st) return;
  u32 a, b;
  named(&a, &b);
  assert_true(a < l->n && b < l->n);
  assert_true((id[a] == id[b]) != both_ways(reach, a, b));
}

static void every_graph_of_three(void **state) {
  (void)state;
  for (u32 edges = 0; edges < 1u << 9; edges++) {
    list l = {.n = 3};
    for (u32 e = 0; e < 9; e++)
      if (edges >> e & 1) l.src[l.m] = e / 3, l.dst[l.m++] = e % 3;
    ls_graph *g = make(&l, LS_NONE);
    u64 reach[3];
    closure(&l, reach);
    for (u32 k = 0; k < 27; k++) expect_verdict(g, &l, reach, (u32[]){k % 3, k / 3 % 3, k / 9 % 3});
    ls_graph_release(g);
  }
}

static void random_graphs(void **state) {
  (void)state;
  random_state = 11;
  for (int round = 0; round < 1500; round++) {
    list l = random_list(14, 1, 1);
    ls_graph *g = make(&l, LS_NONE);
    u64 reach[64];
    closure(&l, reach);
    u32 id[64], wrong[64], label[64], count;
    assert_int_equal(ls_tarjan(g, id, &count), LS_OK);
    assert_true(right_partition(&l, reach, id));
    u32 top = 0;
    for (u32 v = 0; v < l.n; v++) top = id[v] > top ? id[v] : top;
    assert_int_equal(count, top + 1);
    for (u64 e = 0; e < l.m; e++) assert_true(id[l.dst[e]] <= id[l.src[e]]); /* successors first */
    expect_verdict(g, &l, reach, id);
    for (u32 k = 0; k < count; k++) label[k] = (u32)random_u64() << 6 | k; /* distinct large labels */
    for (u32 v = 0; v < l.n; v++) id[v] = label[id[v]];
    expect_verdict(g, &l, reach, id);
    for (u32 v = 0; v < l.n; v++) /* one vertex at a time gets another vertex's label, or a new label */
      for (u32 k = 0; k <= count; k++) {
        memcpy(wrong, id, sizeof wrong);
        wrong[v] = k < count ? label[k] : 63;
        expect_verdict(g, &l, reach, wrong);
      }
    u32 a = random_below(l.n), b = random_below(l.n), swap;
    memcpy(wrong, id, sizeof wrong);
    swap = wrong[a], wrong[a] = wrong[b], wrong[b] = swap;
    expect_verdict(g, &l, reach, wrong);
    for (u32 k = 1; k < count; k++) { /* merges two components */
      for (u32 v = 0; v < l.n; v++) wrong[v] = id[v] == label[k] ? label[0] : id[v];
      assert_int_equal(check_ids(g, wrong), LS_EARG);
      expect_verdict(g, &l, reach, wrong);
    }
    for (u32 v = 0; v < l.n; v++) wrong[v] = random_below(3);
    expect_verdict(g, &l, reach, wrong);
    ls_graph_release(g);
  }
}

/* --- degenerate shapes-------------------------------------------------------------------------------------
 */

/* Edges from(e) -> to(e), for e in 0 .. m - 1 */
static ls_graph *shape(u32 n, u32 m, u32 (*from)(u32), u32 (*to)(u32)) {
  u32 *src = malloc((m + 1) * sizeof *src), *dst = malloc((m + 1) * sizeof *dst);
  for (u32 e = 0; e < m; e++) src[e] = from(e), dst[e] = to(e);
  ls_graph *g;
  assert_int_equal(ls_graph_from_edges(n, m, src, dst, NULL, LS_NONE, "shape", &g), LS_OK);
  free(src);
  free(dst);
  return g;
}

enum { LARGE = 300000 };
static u32 same(u32 e) { return e; }
static u32 next(u32 e) { return e + 1; }
static u32 around(u32 e) { return (e + 1) % LARGE; }
static u32 before(u32 e) { return LARGE - 1 - e; }
static u32 before_that(u32 e) { return LARGE - 2 - e; }
static u32 zero(u32 e) { return e * 0; }
static u32 partner(u32 e) { return e ^ 1; }
static u32 half(u32 e) { return e / 2; }
static u32 half_next(u32 e) { return e % 2 ? e / 2 : (e / 2 + 1) % LARGE; }

static void odd_shapes(void **state) {
  (void)state;
  const struct {
    u32 n, m;
    u32 (*from)(u32), (*to)(u32);
    u32 components;
  } shapes[] = {
      {0, 0, same, same, 0},
      {1, 0, same, same, 1},
      {1, 5, zero, zero, 1}, /* loops */
      {5, 0, same, same, 5},
      {5, 5, same, same, 5},                 /* one loop per vertex */
      {2, 9, zero, half, 2},                 /* 3 edges: 0 -> 0 twice, 0 -> 1 */
      {LARGE, LARGE - 1, same, next, LARGE}, /* a path */
      {LARGE, LARGE - 1, before, before_that, LARGE},
      {LARGE, LARGE, same, around, 1},   /* a ring */
      {LARGE, LARGE, zero, same, LARGE}, /* a star */
      {LARGE, LARGE, same, zero, LARGE},
      {LARGE, LARGE, same, partner, LARGE / 2}, /* many small components */
      {LARGE, 2 * LARGE, half, half_next, 1},   /* a ring with a loop at every vertex */
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    u32 n = shapes[i].n, m = n == 2 ? 3 : shapes[i].m, count;
    ls_graph *g = shape(n, m, shapes[i].from, shapes[i].to);
    u32 *id = malloc((n + 1) * sizeof *id);
    assert_int_equal(ls_tarjan(g, id, &count), LS_OK);
    assert_int_equal(count, shapes[i].components);
    assert_int_equal(check_ids(g, id), LS_OK);
    for (int k = 0; k < 20 && n > 1; k++) { /* move one vertex to another class, or to a new class */
      u32 v = random_below(n), old = id[v];
      id[v] = count == 1 ? 1 : (old + 1 + random_below(count - 1)) % count;
      assert_int_equal(check_ids(g, id), LS_EARG);
      id[v] = old;
    }
    free(id);
    ls_graph_release(g);
  }
}

static void messages(void **state) {
  (void)state;
  list l = {.n = 8, .m = 9, .src = {0, 1, 2, 2, 3, 4, 5, 6, 7}, .dst = {1, 2, 0, 3, 4, 5, 3, 7, 6}};
  ls_graph *g = make(&l, LS_NONE);
  assert_int_equal(check_ids(g, (u32[]){3, 3, 3, 3, 3, 3, 6, 6}), LS_EARG);
  assert_string_equal(ls_error(), "components: vertices 0 and 3 carry the label 3 but 3 does not reach 0");
  assert_int_equal(check_ids(g, (u32[]){0, 0, 0, 3, 3, 3, 6, 7}), LS_EARG);
  assert_string_equal(ls_error(), "components: vertices 6 and 7 lie on a cycle but carry the labels 6 and 7");
  /* further messages */
  const u32 own[] = {2, 2, 2, 3, 3, 3, 6, 6}, foreign[] = {7, 7, 7, 3, 3, 3, 6, 6},
            far[] = {9, 9, 9, 3, 3, 3, 6, 6}, sizes[] = {3, 3, 2}, other[] = {3, 2, 3};
  u32 classes = 0;
  assert_int_equal(ls_check_scc(g, &(ls_scc_claim){own, true, sizes, 3}, &classes), LS_OK);
  assert_int_equal(classes, 3);
  assert_int_equal(ls_check_scc(g, &(ls_scc_claim){far, false, NULL, 0}, NULL), LS_OK);
  assert_int_equal(ls_check_scc(g, &(ls_scc_claim){far, true, NULL, 0}, NULL), LS_EARG);
  assert_int_equal(ls_check_scc(g, &(ls_scc_claim){foreign, true, NULL, 0}, NULL), LS_EARG);
  assert_string_equal(ls_error(), "components: the label 7 of vertex 0 is not a vertex of its component");
  assert_int_equal(ls_check_scc(g, &(ls_scc_claim){own, true, sizes, 2}, NULL), LS_EARG);
  assert_string_equal(ls_error(), "components: the result has 2 sizes, there are 3 components");
  assert_int_equal(ls_check_scc(g, &(ls_scc_claim){own, true, other, 3}, NULL), LS_EARG);
  assert_string_equal(ls_error(), "components: sizes[1] is 2, but 3 vertices have the label 3");
  ls_graph_release(g);
}

static void no_memory(void **state) {
  (void)state;
  list l = random_list(14, 1, 1);
  ls_graph *g = make(&l, LS_NONE);
  u32 id[64], count;
  FAILING_ALLOCATIONS(ls_tarjan(g, id, &count));
  assert_int_equal(ls_graph_transpose(g), LS_OK); /* creates the transpose, which the graph keeps */
  FAILING_ALLOCATIONS(check_ids(g, id));
  ls_graph_release(g);
  assert_int_equal(ls_mem_in_use(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_graph_of_three),
      cmocka_unit_test(random_graphs),
      cmocka_unit_test(odd_shapes),
      cmocka_unit_test(messages),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
