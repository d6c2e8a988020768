/* Dijkstra, Bellman-Ford, Floyd-Warshall and the checkers of distances, compared with matrix powers of tiny
 * graphs. */
#include <inttypes.h>

#include "reference_help.h"

static const ls_dtype weight_types[] = {LS_NONE, LS_I32, LS_I64, LS_F32, LS_F64};
enum { WEIGHT_TYPES = sizeof weight_types / sizeof *weight_types };

/* Stores an integer distance, or the type's "unreachable". */
static void put(ls_dtype t, void *d, u64 i, i64 x) {
  ls_number far = {.real = ls_dtype_is_real(t), .r = INFINITY};
  far.i = t == LS_I32 ? INT32_MAX : t == LS_U32 ? UINT32_MAX : INT64_MAX;
  assert_int_equal(ls_number_put(t, d, i, x == FAR ? far : (ls_number){.i = x}), LS_OK);
}

static void expect_distances(const list *l, ls_dtype t, const void *dist, const i64 *want) {
  u64 wanted;
  for (u32 v = 0; v < l->n; v++) {
    put(t, &wanted, 0, want[v]);
    assert_true(ls_number_same(ls_number_at(t, dist, v), ls_number_at(t, &wanted, 0)));
  }
}

static i64 weight_of(const list *l, ls_dtype t, u64 e) { return t == LS_NONE ? 1 : l->w[e]; }

/* --- one source ------------------------------------------------------------------------------------------
 */

/* Is parent a tree of tight edges? Walks from every vertex up to s. */
static bool right_tree(const list *l, ls_dtype wtype, u32 s, const i64 *d, const u32 *parent) {
  for (u32 v = 0; v < l->n; v++) {
    if (v == s || d[v] == FAR) {
      if (parent[v] != LS_NO_VERTEX) return false;
      continue;
    }
    u32 at = v;
    for (u32 steps = 0; at != s; steps++) {
      u32 p = parent[at];
      bool tight = false;
      for (u64 e = 0; e < l->m; e++)
        tight |= l->src[e] == p && l->dst[e] == at && d[p] != FAR && d[p] + weight_of(l, wtype, e) == d[at];
      if (!tight || steps > l->n) return false;
      at = p;
    }
  }
  return true;
}

static ls_status check_sssp(ls_graph *g, u32 s, ls_dtype type, const void *dist, const u32 *parent) {
  const ls_sssp_claim claim = {.sources = &s, .count = 1, .type = type, .dist = dist, .parent = parent};
  return ls_check_sssp_claim(g, &claim);
}

/* Changes one distance or one parent at a time, in every way: the checker must notice. */
static void mutate(ls_graph *g, const list *l, u32 s, const i64 *d, const u32 *parent) {
  static const ls_dtype types[] = {LS_I32, LS_I64, LS_F32, LS_F64};
  u32 n = l->n;
  u64 dist[64];
  for (int k = 0; k < 4; k++) {
    ls_dtype t = types[k];
    if (ls_dtype_is_real(g->wtype) && !ls_dtype_is_real(t)) continue;
    for (u32 v = 0; v < n; v++) put(t, dist, v, d[v]);
    assert_int_equal(check_sssp(g, s, t, dist, NULL), LS_OK);
    assert_int_equal(check_sssp(g, s, t, dist, parent), LS_OK);
    for (u32 v = 0; v < n; v++) {
      const i64 wrong[] = {d[v] == FAR ? 0 : d[v] + 1, d[v] == FAR ? 7 : d[v] - 1, d[v] == FAR ? -3 : FAR};
      for (int i = 0; i < 3; i++) {
        put(t, dist, v, wrong[i]);
        assert_int_equal(check_sssp(g, s, t, dist, NULL), LS_EARG);
        assert_int_equal(check_sssp(g, s, t, dist, parent), LS_EARG);
      }
      put(t, dist, v, d[v]);
    }
    for (int i = 0; i < 4;
         i++) { /* shifts the distances of a whole set: only edges at its border are violated */
      u64 set = random_u64();
      i64 by = i % 2 ? 1 : -1;
      bool changed = false;
      for (u32 v = 0; v < n; v++) {
        bool in = (set >> v & 1) && d[v] != FAR;
        put(t, dist, v, in ? d[v] + by : d[v]);
        changed |= in;
      }
      assert_int_equal(check_sssp(g, s, t, dist, NULL), changed ? LS_EARG : LS_OK);
    }
    for (u32 v = 0; v < n; v++) put(t, dist, v, d[v]);
    u32 other[64];
    memcpy(other, parent, sizeof other);
    for (u32 v = 0; v < n; v++) {
      for (u32 p = 0; p <= n + 1; p++) {
        other[v] = p <= n ? p : LS_NO_VERTEX;
        bool right = (other[v] < n || other[v] == LS_NO_VERTEX) && right_tree(l, g->wtype, s, d, other);
        assert_int_equal(check_sssp(g, s, t, dist, other), right ? LS_OK : LS_EARG);
      }
      other[v] = parent[v];
    }
  }
}

static void random_sources(void **state) {
  (void)state;
  random_state = 21;
  int negative = 0, fine = 0;
  for (int round = 0; round < 2500; round++) {
    /* weights of 0 often; negative weights in every third round */
    list l = round % 3 == 0 ? random_list(9, -2, 9) : random_list(9, 0, round % 2 ? 3 : 1000);
    ls_dtype wtype = weight_types[round % WEIGHT_TYPES];
    ls_graph *g = make(&l, wtype);
    i64 all[64 * 64], d[64];
    bool well = distances(&l, wtype != LS_NONE, all);
    u32 s = random_below(l.n), n = l.n;
    for (u32 v = 0; v < n; v++) d[v] = all[s * n + v];
    u64 dist[64];
    u32 parent[64];
    ls_dtype t = ls_dtype_is_real(wtype) ? LS_F64 : LS_I64;
    bool reaches_negative = false;
    for (u32 v = 0; v < n; v++) reaches_negative |= d[v] != FAR && all[v * n + v] < 0;
    for (int k = 0; k < 2; k++) {
      ls_status st = k ? ls_dijkstra(g, s, dist, parent) : ls_bellman_ford(g, s, dist, parent);
      assert_int_equal(st, reaches_negative ? LS_EARG : LS_OK);
      if (st) {
        assert_non_null(strstr(ls_error(), "a negative cycle is reachable"));
      } else if (well) {
        expect_distances(&l, t, dist, d);
        assert_true(right_tree(&l, wtype, s, d, parent));
      }
      negative += st != LS_OK;
      fine += st == LS_OK;
    }
    if (well) mutate(g, &l, s, d, parent);
    ls_graph_release(g);
  }
  assert_true(negative > 100 && fine > 1000);
}

/* The cycle that the message lists, in the direction of its edges, is really a negative cycle. */
static void names_the_cycle(void **state) {
  (void)state;
  list l = {.n = 6, .m = 6, .src = {0, 1, 2, 3, 4, 1}, .dst = {1, 2, 3, 4, 2, 5}, .w = {1, 1, 5, -4, -2, 0}};
  for (int k = 1; k < WEIGHT_TYPES; k++) {
    ls_graph *g = make(&l, weight_types[k]);
    u64 dist[64];
    u32 parent[64], a, b, c, d;
    assert_int_equal(ls_bellman_ford(g, 0, dist, parent), LS_EARG);
    assert_int_equal(sscanf(strchr(ls_error(), ':'), ": %u -> %u -> %u -> %u", &a, &b, &c, &d), 4);
    assert_true(a == d && a >= 2 && a <= 4 && b == (a == 4 ? 2 : a + 1) && c == (b == 4 ? 2 : b + 1));
    assert_int_equal(ls_bellman_ford(g, 5, dist, parent), LS_OK); /* 5 does not reach it */
    ls_graph_release(g);
  }
}

/* Does the text name a walk of the list's edges that ends where it begins, of negative weight? */
static bool negative_walk(const list *l, const char *text) {
  i64 sum = 0;
  u32 first, at, next;
  int length = 0, used;
  assert_int_equal(sscanf(text, "%u%n", &first, &used), 1);
  for (at = first, text += used; sscanf(text, " -> %u%n", &next, &used) == 1;
       text += used, at = next, length++) {
    i64 least = FAR;
    for (u64 e = 0; e < l->m; e++)
      if (l->src[e] == at && l->dst[e] == next && l->w[e] < least) least = l->w[e];
    if (least == FAR) return false;
    sum += least;
  }
  i64 claimed;
  int edges;
  assert_true(sscanf(text, " (%d edge", &edges) == 1 && edges == length);
  assert_int_equal(sscanf(strstr(text, "weighs"), "weighs %" SCNd64, &claimed), 1);
  return at == first && sum <= claimed && claimed < 0; /* among parallel edges any may be meant */
}

/* Searches negative cycles in the whole graph, from a source, and from a source with a tree of shortest
 * paths. */
static void negative_cycles(void **state) {
  (void)state;
  random_state = 17;
  int found = 0, none = 0;
  for (int round = 0; round < 3000; round++) {
    list l = random_list(8, -2, 6);
    ls_graph *g = make(&l, weight_types[1 + round % (WEIGHT_TYPES - 1)]);
    i64 all[64 * 64];
    u64 reach[64];
    distances(&l, true, all);
    closure(&l, reach);
    u64 on_negative = 0;
    for (u32 v = 0; v < l.n; v++) on_negative |= (u64)(all[v * l.n + v] < 0) << v;
    for (u32 k = 0; k <= l.n; k++) {
      const u32 s = k == l.n ? LS_NO_VERTEX : k;
      const bool want = on_negative & (s == LS_NO_VERTEX ? ~0ull : reach[s]);
      u64 dist[64];
      u32 parent[64];
      ls_negative got;
      assert_int_equal(ls_negative_cycle(g, s, NULL, &got), LS_OK);
      assert_int_equal(got.found, want);
      if (want) assert_true(on_negative >> got.vertex & 1 && negative_walk(&l, got.text));
      if (s != LS_NO_VERTEX && !want) {
        assert_int_equal(ls_dijkstra(g, s, dist, parent), LS_OK);
        assert_int_equal(ls_negative_cycle(g, s, parent, &got), LS_OK);
        assert_false(got.found);
      }
      found += want;
      none += !want;
    }
    ls_graph_release(g);
  }
  assert_true(found > 1000 && none > 1000);
}

static void nothing_wraps(void **state) {
  (void)state;
  i64 most = INT64_MAX;
  list l = {.n = 4, .m = 3, .src = {0, 1, 2}, .dst = {1, 2, 3}, .w = {most / 2, most / 2, most / 2}};
  u64 dist[64];
  u32 parent[64];
  for (int k = 0; k < 2; k++) {
    ls_status (*f)(ls_graph *, u32, void *, u32 *) = k ? ls_dijkstra : ls_bellman_ford;
    ls_graph *g = make(&l, LS_I64);
    assert_int_equal(f(g, 0, dist, parent), LS_EOVERFLOW);
    assert_string_equal(ls_error(), "the distance of vertex 3 does not fit 63 bits");
    assert_int_equal(f(g, 1, dist, parent), LS_OK);
    ls_graph_release(g);
    list detour = l; /* another path to 3 is shorter, so the overflowing sum does not matter */
    detour.src[3] = 0, detour.dst[3] = 3, detour.w[3] = 9, detour.m = 4;
    g = make(&detour, LS_I64);
    assert_int_equal(f(g, 0, dist, parent), LS_OK);
    assert_int_equal(dist[3], 9);
    assert_int_equal(check_sssp(g, 0, LS_I64, dist, parent), LS_OK);
    dist[3] = (u64)INT64_MIN + 5; /* the distance of 3 if the sum wrapped around */
    assert_int_equal(check_sssp(g, 0, LS_I64, dist, NULL), LS_EARG);
    ls_graph_release(g);
    list low = {.n = 3, .m = 3, .src = {0, 1, 0}, .dst = {1, 2, 2}, .w = {INT64_MIN, -1, 5}};
    g = make(&low, LS_I64);
    assert_int_equal(f(g, 0, dist, parent), LS_EOVERFLOW);
    assert_string_equal(ls_error(), "the distance of vertex 2 is below -2^63");
    ls_graph_release(g);
  }
  /* i32 distances of i32 weights, where the edge 1 -> 2 overflows */
  list narrow = {.n = 3, .m = 2, .src = {0, 1}, .dst = {1, 2}, .w = {INT32_MAX - 1, 2}};
  ls_graph *g = make(&narrow, LS_I32);
  assert_int_equal(check_sssp(g, 0, LS_I32, (i32[]){0, INT32_MAX - 1, INT32_MIN}, NULL), LS_EARG);
  assert_int_equal(check_sssp(g, 0, LS_I32, (i32[]){0, INT32_MAX - 1, INT32_MAX}, NULL), LS_EARG);
  assert_int_equal(check_sssp(g, 0, LS_I64, (i64[]){0, INT32_MAX - 1, 1ll + INT32_MAX}, NULL), LS_OK);
  ls_graph_release(g);
}

static ls_graph *real_graph(u32 n, u64 m, const u32 *src, const u32 *dst, const f64 *w) {
  ls_graph *g;
  assert_int_equal(ls_graph_from_edges(n, m, src, dst, w, LS_F64, "reals", &g), LS_OK);
  return g;
}

static void odd_reals(void **state) {
  (void)state;
  u64 dist[64];
  u32 parent[64];
  ls_graph *g = real_graph(2, 1, (u32[]){0}, (u32[]){1}, (f64[]){5});
  const f64 odd[] = {NAN, -INFINITY, INFINITY};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(check_sssp(g, 0, LS_F64, (f64[]){0, odd[k]}, NULL), LS_EARG);
    assert_int_equal(check_sssp(g, 0, LS_F64, (f64[]){odd[k], 5}, NULL), LS_EARG);
  }
  ls_graph_release(g);
  /* sums that overflow f64, in both directions; this does not matter if another path is shorter */
  for (int k = 0; k < 2; k++) {
    ls_status (*f)(ls_graph *, u32, void *, u32 *) = k ? ls_dijkstra : ls_bellman_ford;
    g = real_graph(3, 2, (u32[]){0, 1}, (u32[]){1, 2}, (f64[]){1.7e308, 1.7e308});
    assert_int_equal(f(g, 0, dist, parent), LS_EOVERFLOW);
    assert_string_equal(ls_error(), "the distance of vertex 2 does not fit f64");
    assert_int_equal(check_sssp(g, 0, LS_F64, (f64[]){0, 1.7e308, INFINITY}, NULL), LS_EARG);
    ls_graph_release(g);
    g = real_graph(3, 3, (u32[]){0, 1, 0}, (u32[]){1, 2, 2}, (f64[]){1.7e308, 1.7e308, 5});
    assert_int_equal(f(g, 0, dist, parent), LS_OK);
    assert_int_equal(check_sssp(g, 0, LS_F64, dist, parent), LS_OK);
    ls_graph_release(g);
    g = real_graph(3, 2, (u32[]){0, 1}, (u32[]){1, 2}, (f64[]){-1.7e308, -1.7e308});
    assert_int_equal(f(g, 0, dist, parent), LS_EOVERFLOW);
    assert_string_equal(ls_error(), "the distance of vertex 2 is below what f64 holds");
    ls_graph_release(g);
    g = real_graph(2, 2, (u32[]){0, 1}, (u32[]){1, 0}, (f64[]){-1.7e308, -1.7e308});
    assert_int_equal(f(g, 0, dist, parent), LS_EARG);
    assert_non_null(strstr(ls_error(), "a negative cycle is reachable from 0: "));
    ls_graph_release(g);
  }
  /* a cycle whose weight is 0 except for rounding: Bellman-Ford terminates and reports no negative cycle */
  g = real_graph(4, 4, (u32[]){0, 1, 2, 3}, (u32[]){1, 2, 3, 1}, (f64[]){1e6, 0.1, 0.2, -0.3});
  assert_int_equal(ls_bellman_ford(g, 0, dist, parent), LS_OK);
  assert_int_equal(check_sssp(g, 0, LS_F64, dist, parent), LS_OK);
  ls_graph_release(g);
  /* a negative cycle whose weight is below the rounding error of the path to it */
  g = real_graph(3, 3, (u32[]){0, 1, 2}, (u32[]){1, 2, 1}, (f64[]){1e17, -1, 0.5});
  assert_int_equal(ls_bellman_ford(g, 0, dist, parent), LS_EARG);
  assert_string_equal(ls_error(), "a negative cycle is reachable from 0: 1 -> 2 -> 1 (2 edges) weighs -0.5");
  assert_int_equal(check_sssp(g, 0, LS_F64, (f64[]){0, 1e17, 1e17}, (u32[]){LS_NO_VERTEX, 0, 1}), LS_EARG);
  assert_string_equal(
      ls_error(),
      "distances: there are none, because of a negative cycle that rounding hides: 1 -> 2 -> 1 (2 edges) weighs -0.5");
  ls_graph_release(g);
  g = real_graph(3, 3, (u32[]){0, 1, 2}, (u32[]){1, 2, 1}, (f64[]){1e17, -1, 1});
  assert_int_equal(ls_bellman_ford(g, 0, dist, parent), LS_OK);
  assert_int_equal(check_sssp(g, 0, LS_F64, dist, parent), LS_OK);
  ls_graph_release(g);
  /* weights whose exponents differ too much for 128-bit integers */
  g = real_graph(3, 3, (u32[]){0, 1, 2}, (u32[]){1, 2, 1}, (f64[]){1e300, -1e-300, 1e-300});
  assert_int_equal(ls_bellman_ford(g, 0, dist, parent), LS_EOVERFLOW);
  assert_non_null(strstr(ls_error(), "cannot be decided in 128 bits"));
  ls_graph_release(g);
  /* the tolerance per edge is eight roundings */
  g = real_graph(2, 1, (u32[]){0}, (u32[]){1}, (f64[]){100});
  assert_int_equal(check_sssp(g, 0, LS_F32, (f32[]){0, 100.00005f}, NULL), LS_OK);
  assert_int_equal(check_sssp(g, 0, LS_F32, (f32[]){0, 100.0002f}, NULL), LS_EARG);
  assert_int_equal(check_sssp(g, 0, LS_F64, (f64[]){0, 100 - 1e-12}, NULL), LS_EARG);
  assert_int_equal(check_sssp(g, 0, LS_I64, (i64[]){0, 100}, NULL),
                   LS_EARG); /* real weights do not allow i64 distances */
  ls_graph_release(g);
}

static void zero_cycles(void **state) {
  (void)state;
  list l = {.n = 3, .m = 3, .src = {0, 1, 2}, .dst = {1, 2, 1}, .w = {5, 0, 0}};
  for (int k = 1; k < WEIGHT_TYPES; k++) {
    ls_graph *g = make(&l, weight_types[k]);
    assert_int_equal(check_sssp(g, 0, LS_F64, (f64[]){0, 5, 5}, NULL), LS_OK);
    assert_int_equal(check_sssp(g, 0, LS_F64, (f64[]){0, 4, 4}, NULL), LS_EARG);
    assert_int_equal(check_sssp(g, 0, LS_F64, (f64[]){0, 5, 5}, (u32[]){LS_NO_VERTEX, 2, 1}), LS_EARG);
    assert_string_equal(ls_error(),
                        "parents: vertex 1 is its own ancestor: the parents of 1 and 2 form a cycle");
    ls_graph_release(g);
  }
}

/* --- all pairs -------------------------------------------------------------------------------------------
 */

static void random_matrices(void **state) {
  (void)state;
  static const ls_dtype types[] = {LS_I32, LS_I64, LS_F32, LS_F64};
  random_state = 31;
  int fine = 0;
  for (int round = 0; round < 800; round++) {
    list l = round % 3 == 0 ? random_list(8, -1, 9) : random_list(8, 0, 5);
    ls_dtype wtype = weight_types[round % WEIGHT_TYPES], t = types[round % 4];
    ls_graph *g = make(&l, wtype);
    i64 all[64 * 64];
    bool well = distances(&l, wtype != LS_NONE, all);
    u64 d[64];
    assert_int_equal(ls_distance_matrix(g, t, 0, g->n, d), LS_OK);
    assert_int_equal(ls_floyd_warshall(l.n, t, d), well ? LS_OK : LS_EARG);
    if (!well) assert_non_null(strstr(ls_error(), "lies on a negative cycle"));
    bool comparable = !ls_dtype_is_real(wtype) || ls_dtype_is_real(t);
    if (well) {
      u32 cells = l.n * l.n;
      list whole = {.n = cells};
      expect_distances(&whole, t, d, all);
      assert_int_equal(ls_check_fw(g, t, d, -1), comparable ? LS_OK : LS_EARG);
      for (u32 i = 0; i < cells; i++) {
        const i64 wrong[] = {all[i] == FAR ? 0 : all[i] + 1, all[i] == FAR ? 9 : all[i] - 1,
                             all[i] == FAR ? 1 : FAR};
        for (int k = 0; k < 3; k++) {
          put(t, d, i, wrong[k]);
          assert_int_equal(ls_check_fw(g, t, d, -1), LS_EARG);
        }
        put(t, d, i, all[i]);
      }
      fine++;
    }
    ls_graph_release(g);
  }
  assert_true(fine > 400);
}

static void matrices_that_do_not_fit(void **state) {
  (void)state;
  u64 d[64];
  list l = {.n = 3, .m = 2, .src = {0, 1}, .dst = {1, 2}, .w = {2000000000, 2000000000}};
  ls_graph *g = make(&l, LS_I32);
  assert_int_equal(ls_distance_matrix(g, LS_I32, 0, g->n, d), LS_OK);
  assert_int_equal(ls_floyd_warshall(3, LS_I32, d), LS_EOVERFLOW);
  assert_string_equal(ls_error(), "the distance from 0 to 2 does not fit i32");
  assert_int_equal(ls_distance_matrix(g, LS_I64, 0, g->n, d), LS_OK);
  assert_int_equal(ls_floyd_warshall(3, LS_I64, d), LS_OK);
  assert_int_equal(d[2], 4000000000);
  ls_graph_release(g);
  list detour = {.n = 3, .m = 3, .src = {0, 1, 0}, .dst = {1, 2, 2}, .w = {2000000000, 2000000000, 7}};
  g = make(&detour, LS_I32);
  assert_int_equal(ls_distance_matrix(g, LS_I32, 0, g->n, d), LS_OK);
  assert_int_equal(ls_floyd_warshall(3, LS_I32, d), LS_OK);
  assert_int_equal(((i32 *)(void *)d)[2], 7);
  ls_graph_release(g);
  list low = {.n = 3, .m = 2, .src = {0, 1}, .dst = {1, 2}, .w = {-2000000000, -2000000000}};
  g = make(&low, LS_I32);
  assert_int_equal(ls_distance_matrix(g, LS_I32, 0, g->n, d), LS_OK);
  assert_int_equal(ls_floyd_warshall(3, LS_I32, d), LS_EOVERFLOW);
  ls_graph_release(g);
  list wide = {.n = 2, .m = 1, .src = {0}, .dst = {1}, .w = {5000000000}};
  g = make(&wide, LS_I64);
  assert_int_equal(ls_distance_matrix(g, LS_I32, 0, g->n, d), LS_EARG);
  assert_string_equal(ls_error(), "edge 0 -> 1: 5000000000 does not fit i32 (-2147483648 to 2147483647)");
  assert_int_equal(ls_distance_matrix(g, LS_U32, 0, g->n, d), LS_EARG);
  ls_graph_release(g);
  list none = {.n = 2, .m = 1, .src = {0}, .dst = {1}, .w = {INT32_MAX}};
  g = make(&none, LS_I32);
  assert_int_equal(ls_distance_matrix(g, LS_I32, 0, g->n, d),
                   LS_EOVERFLOW); /* the distance is the value that means "no path" */
  ls_graph_release(g);
}

static void empty_and_alone(void **state) {
  (void)state;
  list none = {.n = 0}, one = {.n = 1, .m = 2, .w = {3, 0}};
  u64 d[1] = {77};
  u32 parent[1];
  ls_graph *g = make(&none, LS_I32);
  assert_int_equal(ls_dijkstra(g, 0, d, parent), LS_EARG);
  assert_string_equal(ls_error(), "source 0 is not a vertex: n = 0");
  assert_int_equal(check_sssp(g, 0, LS_I64, d, NULL), LS_EARG);
  assert_int_equal(ls_distance_matrix(g, LS_I32, 0, g->n, d), LS_OK);
  assert_int_equal(ls_floyd_warshall(0, LS_I32, d), LS_OK);
  assert_int_equal(ls_check_fw(g, LS_I32, d, -1), LS_OK);
  ls_graph_release(g);
  g = make(&one, LS_I32); /* two loops */
  assert_int_equal(ls_dijkstra(g, 0, d, parent), LS_OK);
  assert_int_equal(d[0], 0);
  assert_int_equal(check_sssp(g, 0, LS_I64, d, parent), LS_OK);
  ls_graph_release(g);
}

static void no_memory(void **state) {
  (void)state;
  random_state = 41;
  list l = random_list(14, 0, 9);
  ls_graph *g = make(&l, LS_I32);
  u64 d[14 * 14];
  u32 parent[64];
  FAILING_ALLOCATIONS(ls_bellman_ford(g, 0, d, parent));
  FAILING_ALLOCATIONS(ls_dijkstra(g, 0, d, parent));
  FAILING_ALLOCATIONS(check_sssp(g, 0, LS_I64, d, parent));
  assert_int_equal(ls_distance_matrix(g, LS_I64, 0, g->n, d), LS_OK);
  assert_int_equal(ls_floyd_warshall(l.n, LS_I64, d), LS_OK);
  FAILING_ALLOCATIONS(ls_check_fw(g, LS_I64, d, -1));
  ls_graph_release(g);
  /* real weights: cycles are searched in exact arithmetic */
  g = real_graph(3, 3, (u32[]){0, 1, 2}, (u32[]){1, 2, 1}, (f64[]){3, -1, 1});
  ls_negative found;
  FAILING_ALLOCATIONS(ls_bellman_ford(g, 0, d, parent));
  FAILING_ALLOCATIONS(check_sssp(g, 0, LS_F64, d, parent));
  FAILING_ALLOCATIONS(ls_negative_cycle(g, 0, parent, &found));
  ls_graph_release(g);
  assert_int_equal(ls_mem_in_use(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_sources),
      cmocka_unit_test(names_the_cycle),
      cmocka_unit_test(negative_cycles),
      cmocka_unit_test(nothing_wraps),
      cmocka_unit_test(odd_reals),
      cmocka_unit_test(zero_cycles),
      cmocka_unit_test(random_matrices),
      cmocka_unit_test(empty_and_alone),
      cmocka_unit_test(matrices_that_do_not_fit),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
