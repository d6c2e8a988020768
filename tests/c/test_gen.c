/* Generators: a seed gives the same graph on every machine (golden hashes) and with any number of threads;
 * shape and probabilities are as requested; nothing leaks if any allocation fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "core/wait.h"
#include "gen/clients.h"
#include "gen/gen.h"
#include "gen/make.h"
#include "gen/power.h"

static const ls_gen_weights none = {LS_NONE, 0, 0}, small = {LS_I32, 1, 100},
                            wide = {LS_I64, -0x1p40, 0x1p40}, real = {LS_F64, -1, 2.5},
                            single = {LS_F32, 0, 1};

/* --- a seed gives the same graph everywhere ----------------------------------------------------------- */

static u64 hash_bytes(u64 h, const void *p, size_t bytes) { /* FNV-1a */
  for (size_t i = 0; i < bytes; i++) h = (h ^ ((const u8 *)p)[i]) * 0x100000001b3ull;
  return h;
}

static u64 hash_of(ls_graph *g) {
  u64 h = 0xcbf29ce484222325ull;
  ls_buffer *arrays[] = {g->off, g->to, g->w};
  for (int i = 0; i < 3; i++)
    if (arrays[i]) h = hash_bytes(h, ls_buffer_read(arrays[i]), ls_buffer_bytes(arrays[i]));
  return h;
}

static ls_status rmat(ls_graph **g) { return ls_gen_rmat(13, 16, 0.57, 0.19, 0.19, 1, small, g); }
static ls_status rmat_seed2(ls_graph **g) { return ls_gen_rmat(13, 16, 0.57, 0.19, 0.19, 2, none, g); }
static ls_status rmat_flat(ls_graph **g) { return ls_gen_rmat(10, 3.5, 0.1, 0.2, 0.3, 7, none, g); }
static ls_status uniform(ls_graph **g) { return ls_gen_uniform(30011, 123457, 1, wide, g); }
static ls_status power_law(ls_graph **g) { return ls_gen_power_law(20000, 6, 2.3, 1, real, g); }
static ls_status ring(ls_graph **g) { return ls_gen_ring(100003, 1, single, g); }
static ls_status path(ls_graph **g) { return ls_gen_path(100003, 5, small, g); }
static ls_status star(ls_graph **g) { return ls_gen_star(100003, false, 1, small, g); }
static ls_status star_in(ls_graph **g) { return ls_gen_star(100003, true, 1, small, g); }
static ls_status complete(ls_graph **g) { return ls_gen_complete(301, 1, small, g); }
static ls_status grid(ls_graph **g) { return ls_gen_grid(311, 257, false, 0.69, 1, small, g); }
static ls_status torus(ls_graph **g) { return ls_gen_grid(257, 311, true, 0.3, 1, none, g); }
static ls_status dag(ls_graph **g) { return ls_gen_dag(30011, 123457, 1, small, g); }
static ls_status road(ls_graph **g) { return ls_gen_road(100003, 1, small, g); }

static ls_status copies(ls_graph **g) {
  ls_graph *one;
  ls_status st = ls_gen_grid(31, 29, false, 0.5, 3, small, &one);
  if (st) return st;
  st = ls_gen_copies(one, 83, g);
  ls_graph_release(one);
  return st;
}

static const ls_action editor[] = {
    {"open", 2, false}, {"edit", 1, false}, {"save", 5, true}, {"saved", 3, true}};
static const ls_action reader[] = {
    {"ask", 1, true}, {"answer", 4, true}, {"thank", 1, true}, {"read", 2, false}};
static const ls_action ticker[] = {{"tick", -7, false}};
static const ls_scenario office[] = {
    {"editor", 4, 4, editor}, {"reader", 3, 4, reader}, {"ticker", 1, 1, ticker}};

static ls_status clients(ls_graph **g) { return ls_gen_clients(office, 3, false, g); }
static ls_status clients_server(ls_graph **g) { return ls_gen_clients(office, 3, true, g); }

static const struct {
  const char *name;
  ls_status (*make)(ls_graph **);
  u64 golden;
} makers[] = {
    {"rmat", rmat, 0x744e70a072aeba11},
    {"rmat, seed 2", rmat_seed2, 0x19ad7ea508fa4bd2},
    {"rmat, flat", rmat_flat, 0x05b3a887320288d7},
    {"uniform", uniform, 0x6a99dfe3657a15b0},
    {"power_law", power_law, 0xd0ea57b23cbaa1b1},
    {"ring", ring, 0x453fe2edc9f36452},
    {"path", path, 0xdc70a69faea554c5},
    {"star", star, 0x0c7fd74103dbb00f},
    {"star_in", star_in, 0xe303a9996a5ce6ea},
    {"complete", complete, 0xaa0627060d2cfc55},
    {"grid", grid, 0x2538d4604954d37b},
    {"torus", torus, 0xdfd19e23102f5f35},
    {"dag", dag, 0x15d228562af2dace},
    {"road", road, 0x9ea26e81a6cf315c},
    {"copies", copies, 0x7d34b7559fcc70a9},
    {"clients", clients, 0x65d5e21cc9077c47},
    {"clients, server", clients_server, 0xe605b9f5595aa3e0},
};
enum { MAKERS = sizeof makers / sizeof *makers };

static void golden_hashes_with_any_number_of_threads(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < MAKERS; i++)
    for (int threads = 1; threads <= 3; threads++) {
      ls_graph *g;
      omp_set_num_threads(threads);
      assert_int_equal(makers[i].make(&g), LS_OK);
      u64 h = hash_of(g);
      if (h != makers[i].golden)
        print_error("%s with %d threads: 0x%016llx\n", makers[i].name, threads, (unsigned long long)h);
      wrong += h != makers[i].golden;
      ls_graph_release(g);
    }
  assert_int_equal(wrong, 0);
  omp_set_num_threads(omp_get_num_procs());
}

/* If any allocation fails, the status is an error and nothing leaks. */
static ls_status tiny_rmat(ls_graph **g) { return ls_gen_rmat(3, 2, 0.57, 0.19, 0.19, 1, small, g); }
static ls_status tiny_grid(ls_graph **g) { return ls_gen_grid(3, 3, true, 0.5, 1, small, g); }
static ls_status tiny_ring(ls_graph **g) { return ls_gen_ring(5, 1, none, g); }

static void survives_every_failing_allocation(void **state) {
  (void)state;
  ls_status (*const tiny[])(ls_graph **) = {tiny_rmat, tiny_grid, tiny_ring, copies, clients_server};
  for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
    u64 before = ls_mem_in_use();
    for (u64 k = 1;; k++) {
      assert_true(k < 200);
      ls_graph *g = NULL;
      ls_mem_fail_at(k);
      ls_status st = tiny[i](&g);
      ls_mem_fail_at(0);
      if (st == LS_OK) {
        assert_true(k > 3);
        ls_graph_release(g);
        break;
      }
      assert_int_equal(st, LS_EMEM);
      assert_non_null(strstr(ls_error(), "out of memory"));
      assert_true(ls_mem_in_use() == before);
    }
    assert_true(ls_mem_in_use() == before);
  }
}

static void an_interrupt_stops_and_leaves_nothing(void **state) {
  (void)state;
  u64 before = ls_mem_in_use();
  for (int i = 0; i < MAKERS; i++) {
    ls_graph *g;
    ls_interrupt();
    assert_int_equal(makers[i].make(&g), LS_EINTERRUPTED);
    ls_interrupt_clear();
    assert_true(ls_mem_in_use() == before);
  }
}

/* --- shapes ------------------------------------------------------------------------------------------------
 */

static const u32 *row(ls_graph *g, u32 v, u32 *degree) {
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  *degree = off[v + 1] - off[v];
  return to + off[v];
}

static bool has_edge(ls_graph *g, u32 u, u32 v) {
  u32 degree;
  const u32 *to = row(g, u, &degree);
  for (u32 i = 0; i < degree; i++)
    if (to[i] == v) return true;
  return false;
}

static void simple_shapes(void **state) {
  (void)state;
  for (u32 n = 0; n < 9; n++) {
    ls_graph *g;
    assert_int_equal(ls_gen_ring(n, 1, none, &g), LS_OK);
    assert_true(g->n == n && g->m == n);
    for (u32 v = 0; v < n; v++) assert_true(has_edge(g, v, (v + 1) % n));
    ls_graph_release(g);
    assert_int_equal(ls_gen_path(n, 1, none, &g), LS_OK);
    assert_true(g->n == n && g->m == (n ? n - 1 : 0));
    for (u32 v = 0; v + 1 < n; v++) assert_true(has_edge(g, v, v + 1));
    ls_graph_release(g);
    for (int inward = 0; inward < 2; inward++) {
      assert_int_equal(ls_gen_star(n, inward, 1, none, &g), LS_OK);
      assert_true(g->n == n && g->m == (n ? n - 1 : 0));
      for (u32 v = 1; v < n; v++) assert_true(inward ? has_edge(g, v, 0) : has_edge(g, 0, v));
      ls_graph_release(g);
    }
    assert_int_equal(ls_gen_complete(n, 1, none, &g), LS_OK);
    assert_true(g->n == n && g->m == (u64)n * (n ? n - 1 : 0));
    for (u32 v = 0; v < n; v++)
      for (u32 u = 0; u < n; u++) assert_true(has_edge(g, u, v) == (u != v));
    ls_graph_release(g);
  }
}

/* Are u and v neighbours on the map? Computed from distances, unlike in the generator. */
static bool neighbours(u32 rows, u32 cols, bool wrap, u32 u, u32 v) {
  u32 dr = (u32)abs((int)(u / cols) - (int)(v / cols)), dc = (u32)abs((int)(u % cols) - (int)(v % cols));
  if (wrap && rows > 2 && dr == rows - 1) dr = 1;
  if (wrap && cols > 2 && dc == cols - 1) dc = 1;
  return dr + dc == 1;
}

static void grids(void **state) {
  (void)state;
  for (u32 rows = 0; rows < 6; rows++)
    for (u32 cols = 0; cols < 6; cols++)
      for (int k = 0; k < 6; k++) {
        bool wrap = k % 2;
        f64 one_way = k / 2 * 0.5;
        ls_graph *g;
        assert_int_equal(ls_gen_grid(rows, cols, wrap, one_way, 9, none, &g), LS_OK);
        assert_true(g->n == rows * cols);
        u64 expected = 0;
        for (u32 u = 0; u < g->n; u++)
          for (u32 v = 0; v < u; v++) {
            int ways = has_edge(g, u, v) + has_edge(g, v, u);
            if (!neighbours(rows, cols, wrap, u, v))
              assert_int_equal(ways, 0);
            else if (one_way == 0.5)
              assert_true(ways == 1 || ways == 2);
            else
              assert_int_equal(ways, one_way == 0 ? 2 : 1);
            expected += (u64)ways;
          }
        assert_true(g->m == expected); /* neither self-loops nor parallel edges */
        ls_graph_release(g);
      }
}

static void assert_near(f64 got, f64 expected, f64 sigmas, f64 variance) {
  if (!(fabs(got - expected) <= sigmas * sqrt(variance))) print_error("%g is far from %g\n", got, expected);
  assert_true(fabs(got - expected) <= sigmas * sqrt(variance));
}

static void one_way_streets_have_their_odds(void **state) {
  (void)state;
  ls_graph *g;
  assert_int_equal(ls_gen_grid(512, 512, false, 0.69, 4, none, &g), LS_OK);
  f64 streets = 2.0 * 512 * 511, p = 0.69;
  assert_near((f64)g->m, streets * (2 - p), 5, streets * p * (1 - p));
  u64 right = 0, left = 0;
  for (u32 v = 0; v + 1 < g->n; v++)
    if (v % 512 != 511) right += has_edge(g, v, v + 1), left += has_edge(g, v + 1, v);
  assert_near((f64)right, (f64)left, 5, streets / 2 * p);
  ls_graph_release(g);
}

static void dags_have_no_cycle(void **state) {
  (void)state;
  ls_graph *g;
  assert_int_equal(ls_gen_dag(5000, 40000, 3, none, &g), LS_OK);
  assert_true(g->m == 40000);
  u32 *indegree = calloc(g->n, sizeof *indegree), *queue = malloc(g->n * sizeof *queue), head = 0, tail = 0,
      degree;
  const u32 *to = ls_buffer_read(g->to);
  u64 upward = 0;
  for (u64 e = 0; e < g->m; e++) indegree[to[e]]++;
  for (u32 v = 0; v < g->n; v++)
    if (!indegree[v]) queue[tail++] = v;
  while (head < tail) {
    u32 v = queue[head++];
    const u32 *out = row(g, v, &degree);
    for (u32 i = 0; i < degree; i++) {
      upward += out[i] > v;
      if (--indegree[out[i]] == 0) queue[tail++] = out[i];
    }
  }
  assert_int_equal(tail, g->n);
  assert_near((f64)upward, 20000, 30, 10000); /* the vertex numbers do not reveal the order of creation */
  free(indegree);
  free(queue);
  ls_graph_release(g);
  assert_int_equal(ls_gen_dag(1, 1, 3, none, &g), LS_EARG);
  assert_int_equal(ls_gen_dag(1, 0, 3, none, &g), LS_OK);
  ls_graph_release(g);
}

/* --- probabilities ------------------------------------------------------------------------------------- */

static void rmat_descends_into_quadrants(void **state) {
  (void)state;
  ls_graph *g;
  /* If a = 1, every edge is the same self-loop; if b = 1, every edge leads from the image of vertex 0 to the
   * image of vertex n - 1. */
  for (int b = 0; b < 2; b++) {
    assert_int_equal(ls_gen_rmat(9, 4, !b, b, 0, 5, none, &g), LS_OK);
    u32 degree, at = ls_shuffled(0, 512, ls_key(5, LS_USE_ORDER)),
                to = b ? ls_shuffled(511, 512, ls_key(5, LS_USE_ORDER)) : at;
    const u32 *out = row(g, at, &degree);
    assert_int_equal(degree, 2048);
    for (u32 i = 0; i < degree; i++) assert_int_equal(out[i], to);
    ls_graph_release(g);
  }
  /* The image of 0 has out-degree m (a + b)^scale and in-degree m (a + c)^scale on average. */
  assert_int_equal(ls_gen_rmat(12, 16, 0.5, 0.3, 0.1, 8, none, &g), LS_OK);
  u32 zero = ls_shuffled(0, 4096, ls_key(8, LS_USE_ORDER)), degree;
  row(g, zero, &degree);
  f64 out = 65536 * pow(0.8, 12), in = 65536 * pow(0.6, 12);
  assert_near(degree, out, 5, out);
  u64 seen = 0;
  const u32 *to = ls_buffer_read(g->to);
  for (u64 e = 0; e < g->m; e++) seen += to[e] == zero;
  assert_near((f64)seen, in, 5, in);
  ls_graph_release(g);
}

static void uniform_is_uniform(void **state) {
  (void)state;
  ls_graph *g;
  u32 n = 1000;
  u64 m = 200000;
  assert_int_equal(ls_gen_uniform(n, m, 6, small, &g), LS_OK);
  f64 chi2[2] = {0, 0}, mean = (f64)m / n;
  assert_int_equal(ls_graph_transpose(g), LS_OK);
  const u32 *offs[2] = {ls_buffer_read(g->off), ls_buffer_read(g->roff)};
  for (int k = 0; k < 2; k++)
    for (u32 v = 0; v < n; v++) chi2[k] += pow(offs[k][v + 1] - offs[k][v] - mean, 2) / mean;
  assert_near(chi2[0], n - 1, 5, 2.0 * (n - 1));
  assert_near(chi2[1], n - 1, 5, 2.0 * (n - 1));
  const i32 *w = ls_buffer_read(g->w);
  u32 seen[101] = {0};
  for (u64 e = 0; e < m; e++) {
    assert_in_range(w[e], 1, 100);
    seen[w[e]]++;
  }
  f64 chi = 0;
  for (int x = 1; x <= 100; x++) chi += pow(seen[x] - m / 100.0, 2) / (m / 100.0);
  assert_near(chi, 99, 5, 2.0 * 99);
  ls_graph_release(g);
}

static void power_law_has_its_tail(void **state) {
  (void)state;
  ls_graph *g;
  assert_int_equal(ls_gen_power_law(200000, 10, 2.5, 2, none, &g), LS_OK);
  const u32 *off = ls_buffer_read(g->off);
  u64 above[2] = {0, 0};
  for (u32 v = 0; v < g->n; v++)
    for (int k = 0; k < 2; k++) above[k] += off[v + 1] - off[v] >= 50u << (2 * k);
  /* The number of vertices of degree >= d is proportional to d^(1 - exponent). */
  assert_near(log((f64)above[0] / (f64)above[1]) / log(4), 1.5, 1, 0.08 * 0.08);
  ls_graph_release(g);
}

static void weights_keep_their_range(void **state) {
  (void)state;
  const ls_gen_weights narrow[] = {
      {LS_I32, INT32_MIN, INT32_MAX}, {LS_I64, -0x1p53, 0x1p53}, {LS_F32, -3, -2}, {LS_F64, 5, 5}};
  for (int k = 0; k < 4; k++) {
    ls_graph *g;
    f64 x, lo = narrow[k].hi, hi = narrow[k].lo;
    i64 i;
    assert_int_equal(ls_gen_ring(20000, 3, narrow[k], &g), LS_OK);
    for (u64 e = 0; e < g->m; e++) {
      assert_int_equal(ls_buffer_get(g->w, e, &x, &i), LS_OK);
      assert_true(x >= narrow[k].lo && x <= narrow[k].hi);
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
    }
    f64 width = narrow[k].hi - narrow[k].lo;
    assert_true(lo <= narrow[k].lo + width / 1000 && hi >= narrow[k].hi - width / 1000);
    ls_graph_release(g);
  }
}

/* --- the components ----------------------------------------------------------------------------------------
 */

static void shuffled_is_a_bijection(void **state) {
  (void)state;
  static const u32 sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100, 255, 256, 257, 1000, 65536, 99991};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (u64 seed = 0; seed < 4; seed++) {
      u32 n = sizes[i], fixed = 0;
      u8 *seen = calloc(n, 1);
      for (u32 x = 0; x < n; x++) {
        u32 y = ls_shuffled(x, n, ls_key(seed, 0));
        assert_true(y < n && !seen[y]);
        seen[y] = 1;
        fixed += x == y;
      }
      free(seen);
      assert_true(n < 100 || fixed < 12);
    }
}

static void power_is_pow(void **state) {
  (void)state;
  assert_true(ls_power(1, 0.37) == 1 && ls_power(1, 12) == 1);
  for (u64 i = 0; i < 100000; i++) {
    f64 x = 1 + (f64)(ls_draw(1, i) >> (11 + i % 40)) * 0x1p-20,
        y = (f64)(ls_draw(2, i) >> 11) * 0x1p-53 * 60 / log2(x + 1);
    f64 expected = pow(x, y);
    assert_true(fabs(ls_power(x, y) - expected) <= 1e-12 * expected);
  }
}

static void refuses_what_cannot_be(void **state) {
  (void)state;
  ls_graph *g;
  const ls_gen_weights backwards = {LS_I32, 5, 2}, fraction = {LS_I32, 0.5, 2}, huge = {LS_I32, 0, 0x1p31},
                       odd = {LS_U8, 0, 1};
  assert_int_equal(ls_gen_rmat(32, 16, .57, .19, .19, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_rmat(31, 2, .57, .19, .19, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_rmat(4, 2, .57, .5, .19, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_rmat(4, NAN, .57, .19, .19, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_uniform(0, 1, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_uniform(5, 1ull << 32, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_power_law(5, 2, 2, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_complete(65537, 1, none, &g), LS_EARG);
  assert_non_null(strstr(ls_error(), "2^32"));
  assert_int_equal(ls_gen_grid(65536, 65536, false, 0, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_grid(5, 5, false, 1.5, 1, none, &g), LS_EARG);
  assert_int_equal(ls_gen_ring(5, 1, backwards, &g), LS_EARG);
  assert_int_equal(ls_gen_ring(5, 1, fraction, &g), LS_EARG);
  assert_int_equal(ls_gen_ring(5, 1, huge, &g), LS_EARG);
  assert_int_equal(ls_gen_ring(5, 1, odd, &g), LS_EARG);
  assert_int_equal(ls_make_room("x", 5, 5, 1ull << 60), LS_EMEM);
  assert_non_null(strstr(ls_error(), "1152921504606846976 bytes"));
}

/* --- clients, against a breadth-first search over explicit states --------------------------------------- */

enum { MOST_CLIENTS = 8 };

typedef struct world {
  const ls_action *does[MOST_CLIENTS];
  u32 length[MOST_CLIENTS], clients;
  bool server;
} world;

typedef struct situation {
  u32 at[MOST_CLIENTS];
  int holder; /* -1: none; a separate variable here, unlike in the generator */
} situation;

static bool act(const world *w, const situation *s, u32 i, situation *next) {
  const ls_action *a = w->does[i];
  u32 now = s->at[i], then = (now + 1) % w->length[i];
  *next = *s;
  next->at[i] = then;
  if (!w->server || !a[now].server) return true;
  if (s->holder >= 0 && s->holder != (int)i) return false;
  next->holder = a[then].server ? (int)i : -1;
  return true;
}

static u64 code(const world *w, const u32 *at) {
  u64 c = 0;
  for (u32 i = w->clients; i-- > 0;) c = c * w->length[i] + at[i];
  return c;
}

static void check_clients(const ls_scenario *scenarios, u32 count, bool server) {
  world w = {.server = server};
  u64 codes = 1;
  for (u32 i = 0; i < count; i++)
    for (u32 k = 0; k < scenarios[i].count; k++) {
      w.does[w.clients] = scenarios[i].actions;
      w.length[w.clients++] = scenarios[i].length;
      codes *= scenarios[i].length;
    }
  ls_graph *g;
  assert_int_equal(ls_gen_clients(scenarios, count, server, &g), LS_OK);
  assert_int_equal(ls_clients_of(g), w.clients);
  u32 *vertex = malloc(codes * sizeof *vertex); /* vertex number of each state code */
  memset(vertex, 0xff, codes * sizeof *vertex);
  for (u32 v = 0; v < g->n; v++) {
    u32 at[MOST_CLIENTS];
    ls_clients_states(g, v, at);
    assert_true(vertex[code(&w, at)] == LS_NO_VERTEX);
    vertex[code(&w, at)] = v;
  }
  situation *queue = malloc(g->n * sizeof *queue);
  u8 *seen = calloc(codes, 1);
  u32 head = 0, tail = 0;
  u64 edges = 0;
  queue[tail++] = (situation){.holder = -1};
  seen[0] = 1;
  assert_int_equal(vertex[0], 0);
  const i32 *weights = ls_buffer_read(g->w);
  while (head < tail) {
    situation s = queue[head++], next;
    u32 v = vertex[code(&w, s.at)], degree, moved = 0;
    assert_true(v != LS_NO_VERTEX);
    const u32 *to = row(g, v, &degree);
    for (u32 i = 0; i < w.clients; i++) {
      if (!act(&w, &s, i, &next)) continue;
      u64 c = code(&w, next.at);
      assert_true(moved < degree);
      assert_int_equal(to[moved], vertex[c]);
      assert_int_equal(weights[to - (const u32 *)ls_buffer_read(g->to) + moved], w.does[i][s.at[i]].cost);
      moved++;
      if (seen[c]) continue;
      seen[c] = 1;
      assert_true(tail < g->n);
      queue[tail++] = next;
    }
    assert_int_equal(moved, degree);
    edges += moved;
  }
  assert_int_equal(tail, g->n); /* exactly the reachable states */
  assert_true(edges == g->m);
  free(vertex);
  free(queue);
  free(seen);
  ls_graph_release(g);
}

static void clients_are_the_reachable_states(void **state) {
  (void)state;
  const ls_action twice[] = {{"a", 1, false}, {"b", 2, true}, {"c", 3, true},
                             {"d", 4, false}, {"e", 5, true}, {"f", 6, false}};
  const ls_action brief[] = {{"p", 9, false}, {"q", INT32_MIN, true}};
  const ls_scenario mixed[] = {{"twice", 2, 6, twice}, {"brief", 2, 2, brief}, {"ticker", 2, 1, ticker}};
  const ls_scenario turned[] = {{"brief", 1, 2, brief}, {"twice", 3, 6, twice}};
  const ls_scenario nobody[] = {{"brief", 0, 2, brief}};
  for (int server = 0; server < 2; server++) {
    check_clients(office, 3, server);
    check_clients(mixed, 3, server);
    check_clients(turned, 2, server);
    check_clients(nobody, 1, server);
    check_clients(NULL, 0, server);
  }
}

static void clients_name_their_moves(void **state) {
  (void)state;
  ls_graph *g;
  char name[64];
  const ls_scenario two[] = {{"editor", 2, 4, editor}, {"reader", 1, 4, reader}};
  assert_int_equal(ls_gen_clients(two, 2, true, &g), LS_OK);
  u32 degree;
  const u32 *to = row(g, 0, &degree);
  assert_int_equal(degree, 3);
  g->vertex_names->vertex(g->vertex_names, 0, name, sizeof name);
  assert_string_equal(name, "editor 1: open, editor 2: open, reader: ask");
  g->vertex_names->vertex(g->vertex_names, 0, name, 20); /* cut, not overrun */
  assert_string_equal(name, "editor 1: open, edi");
  static const char *const moves[] = {"editor 1: open", "editor 2: open", "reader: ask"};
  for (u32 i = 0; i < 3; i++) {
    assert_true(g->vertex_names->edge(g->vertex_names, 0, to[i], 0, name, sizeof name));
    assert_string_equal(name, moves[i]);
    assert_false(g->vertex_names->edge(g->vertex_names, to[i], 0, 0, name, sizeof name));
  }
  ls_graph_release(g);
}

static void clients_refuse_what_cannot_be(void **state) {
  (void)state;
  ls_graph *g;
  const ls_action within[] = {{"b", 1, true}, {"a", 1, false}, {"c", 1, true}},
                  always[] = {{"hold", 1, true}};
  const ls_scenario bad[] = {{"bad", 1, 3, within},
                             {"greedy", 1, 1, always},
                             {"idle", 1, 0, NULL},
                             {"many", 65, 1, ticker},
                             {"large", 40, 4, editor}};
  static const char *const why[] = {"the first action, b, is within", "the first action, hold, is within",
                                    "has no actions", "65 clients", "more than 4294967294 states"};
  for (int i = 0; i < 5; i++) {
    u64 before = ls_mem_in_use();
    assert_int_equal(ls_gen_clients(&bad[i], 1, true, &g), LS_EARG);
    assert_non_null(strstr(ls_error(), why[i]));
    assert_true(ls_mem_in_use() == before);
  }
}

int main(void) {
  ls_progress_enable(false);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_hashes_with_any_number_of_threads),
      cmocka_unit_test(survives_every_failing_allocation),
      cmocka_unit_test(an_interrupt_stops_and_leaves_nothing),
      cmocka_unit_test(simple_shapes),
      cmocka_unit_test(grids),
      cmocka_unit_test(one_way_streets_have_their_odds),
      cmocka_unit_test(dags_have_no_cycle),
      cmocka_unit_test(rmat_descends_into_quadrants),
      cmocka_unit_test(uniform_is_uniform),
      cmocka_unit_test(power_law_has_its_tail),
      cmocka_unit_test(weights_keep_their_range),
      cmocka_unit_test(shuffled_is_a_bijection),
      cmocka_unit_test(power_is_pow),
      cmocka_unit_test(refuses_what_cannot_be),
      cmocka_unit_test(clients_are_the_reachable_states),
      cmocka_unit_test(clients_name_their_moves),
      cmocka_unit_test(clients_refuse_what_cannot_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
