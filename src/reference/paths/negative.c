/* Finds a negative cycle without rounding errors: the algorithm of Bellman, Ford and Moore with a queue, on
 * 128-bit integers, from all vertices at once. Real weights are multiplied by a power of two; the products
 * are integers, or are rounded down to integers if the exponents of the weights differ too much.
 *
 * A search in the type of the weights can miss a negative cycle: in a double, 1e17 - 1 is 1e17. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "core/wait.h"
#include "data/reduce.h"
#include "reference/reference.h"
#include "reference/weights.h"

#define NONE LS_NO_VERTEX

typedef struct search {
  edges g;
  int shift;  /* reals: a weight is its integer times 2^-shift */
  bool exact; /* false: a weight may exceed that product, by less than 2^-shift */
  ls_i128 *d;
  u32 *via;   /* the edge by which d[v] was last lowered */
  u32 *from;  /* the source of that edge */
  u32 *queue; /* a ring buffer of n */
  u8 *waiting;
  u8 *reached;
  u32 *marks;
} search;

static int bits_of(u64 x) { return x ? 64 - __builtin_clzll(x) : 0; }

/* Determines shift and exact. *negative: is any weight negative? */
static ls_status measure(search *k, bool *negative) {
  const edges *g = &k->g;
  *negative = false;
  k->exact = true;
  if (!ls_dtype_is_real(g->wtype)) {
    for (u64 e = 0; e < g->m; e++) *negative |= weight_i(g->w, g->wtype, e) < 0;
    return LS_OK;
  }
  int top = -2000, low = 2000; /* weights are below 2^top, and multiples of 2^low */
  for (u64 e = 0; e < g->m; e++) {
    const f64 w = weight_f(g->w, g->wtype, e);
    if (w == 0) continue;
    int exponent;
    const i64 digits = (i64)ldexp(frexp(w, &exponent), 53);
    const int last = exponent - 53 + __builtin_ctzll((u64)digits);
    *negative |= w < 0;
    if (exponent > top) top = exponent;
    if (last < low) low = last;
  }
  const int room = 121 - bits_of(g->n) - top; /* the greatest shift: sums of 4 n weights stay below 2^123 */
  k->exact = -low <= room;
  k->shift = k->exact ? -low : room;
  return LS_OK;
}

static inline ls_i128 cost(const search *k, u64 e) {
  if (!ls_dtype_is_real(k->g.wtype)) return weight_i(k->g.w, k->g.wtype, e);
  const f64 w = weight_f(k->g.w, k->g.wtype, e), x = floor(ldexp(w, k->shift));
  return x == 0 && w < 0 ? -1 : (ls_i128)x; /* ldexp may underflow to 0; the floor is -1 */
}

/* Marks the vertices that s reaches. */
static void reach(search *k, u32 s) {
  const edges *g = &k->g;
  u32 head = 0, tail = 0;
  k->queue[tail++] = s;
  k->reached[s] = 1;
  while (head < tail)
    for (u32 v = k->queue[head++], e = g->off[v]; e < g->off[v + 1]; e++)
      if (!k->reached[g->to[e]]) k->reached[g->to[e]] = 1, k->queue[tail++] = g->to[e];
}

/* Initialises d with the lengths of the tree's paths: if these are the shortest, nothing is left to do. */
static void start_from_tree(search *k, u32 s, const u32 *parent) {
  const edges *g = &k->g;
  for (u32 u = 0; u < g->n; u++)
    for (u32 e = g->off[u]; e < g->off[u + 1]; e++) {
      const u32 v = g->to[e];
      if (v != s && parent[v] == u && (k->via[v] == NONE || cost(k, e) < cost(k, k->via[v])))
        k->via[v] = e, k->from[v] = u;
    }
  memset(k->marks, 0, (size_t)g->n * sizeof *k->marks);
  for (u32 root = 0; root < g->n; root++) { /* go up to a vertex whose d is known, then down again */
    u32 depth = 0, v = root;
    for (; !k->marks[v] && k->via[v] != NONE; v = k->from[v]) {
      k->marks[v] = 1;
      k->queue[depth++] = v;
    }
    while (depth) {
      v = k->queue[--depth];
      k->d[v] = k->d[k->from[v]] + cost(k, k->via[v]);
    }
  }
}

/* A vertex on a cycle of `via` edges, or NONE. */
static u32 closed(const search *k) {
  memset(k->marks, 0, (size_t)k->g.n * sizeof *k->marks);
  for (u32 root = 0; root < k->g.n; root++) {
    u32 v = root;
    while (!k->marks[v] && k->via[v] != NONE) k->marks[v] = root + 1, v = k->from[v];
    if (k->via[v] != NONE && k->marks[v] == root + 1) return v;
  }
  return NONE;
}

/* Lowers d until no edge can lower it further; then *on is NONE. If it finds a negative cycle, *on is a
 * vertex of it. */
static ls_status lower(search *k, u32 *on) {
  const edges *g = &k->g;
  u32 head = 0, count = 0;
  u64 relaxed = 0, looked = 0;
  *on = NONE;
  for (u32 v = 0; v < g->n; v++)
    if (k->reached[v]) k->queue[count++] = v, k->waiting[v] = 1;
  while (count) {
    const u32 v = k->queue[head];
    head = head + 1 == g->n ? 0 : head + 1;
    count--;
    k->waiting[v] = 0;
    if ((++looked & 0xffff) == 0 && ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
    for (u32 e = g->off[v]; e < g->off[v + 1]; e++) {
      const u32 u = g->to[e];
      const ls_i128 x = k->d[v] + cost(k, e);
      if (x >= k->d[u]) continue;
      k->d[u] = x;
      k->via[u] = e;
      k->from[u] = v;
      if (!k->waiting[u]) {
        const u64 tail = (u64)head + count++;
        k->queue[tail < g->n ? tail : tail - g->n] = u;
        k->waiting[u] = 1;
      }
      if (++relaxed % g->n == 0 && (*on = closed(k)) != NONE) return LS_OK;
    }
  }
  return LS_OK;
}

/* Describes the cycle through `on`. LS_EOVERFLOW if, without exact weights, it is not certain to be negative.
 */
static ls_status name(const search *k, const ls_graph *g, u32 on, ls_negative *out) {
  enum { MOST = 8 };
  u32 cycle[MOST], length = 0, v = on;
  ls_i128 sum = 0;
  do { /* backwards */
    if (length < MOST) cycle[length] = v;
    length++;
    sum += cost(k, k->via[v]);
    v = k->from[v];
  } while (v != on);
  char number[LS_NUMBER_CHARS];
  const bool real = ls_dtype_is_real(k->g.wtype);
  size_t at = 0;
  out->vertex = on;
  at += (size_t)snprintf(out->text, sizeof out->text, "%s%u", length > MOST ? "... -> " : "",
                         length > MOST ? cycle[MOST - 1] : on);
  for (u32 i = length > MOST ? MOST - 1 : length; i-- > 0;)
    at += (size_t)snprintf(out->text + at, sizeof out->text - at, " -> %u", cycle[i]);
  if (!k->exact && sum + (ls_i128)length > 0)
    return ls_fail(
        LS_EOVERFLOW,
        "%s: whether the cycle %s is negative cannot be decided in 128 bits: the exponents of its weights differ too much",
        g->name, out->text);
  at += (size_t)snprintf(out->text + at, sizeof out->text - at, " (%u edge%s) ", length, ls_plural(length));
  const f64 weight = real ? ldexp((f64)sum, -k->shift) : 0;
  if (real)
    ls_number_text(LS_F64, (ls_number){.real = true, .r = weight}, number);
  else
    ls_number_text(LS_I64, (ls_number){.i = sum}, number);
  const bool told = k->exact && isfinite(weight);
  char numbering[LS_NUMBERING_CHARS];
  snprintf(out->text + at, sizeof out->text - at, "%s%s%s", told ? "weighs " : "is negative",
           told ? number : "", ls_graph_numbering(g, numbering));
  out->found = true;
  return LS_OK;
}

ls_status ls_negative_cycle(ls_graph *g, u32 s, const u32 *parent, ls_negative *out) {
  search k = {0};
  bool negative;
  u32 on = NONE;
  *out = (ls_negative){0};
  ls_status st = edges_of(g, &k.g);
  if (!st) st = measure(&k, &negative);
  if (st || !negative) return st;
  k.d = ls_calloc(g->n, sizeof *k.d);
  k.via = ls_malloc((size_t)g->n * sizeof *k.via);
  k.from = ls_malloc((size_t)g->n * sizeof *k.from);
  k.queue = ls_malloc((size_t)g->n * sizeof *k.queue);
  k.marks = ls_malloc((size_t)g->n * sizeof *k.marks);
  k.waiting = ls_calloc(g->n, 1);
  k.reached = ls_calloc(g->n, 1);
  st = k.d && k.via && k.from && k.queue && k.marks && k.waiting && k.reached ? LS_OK : LS_EMEM;
  if (!st) {
    memset(k.via, 0xff, (size_t)g->n * sizeof *k.via);
    if (s == NONE)
      memset(k.reached, 1, g->n);
    else
      reach(&k, s);
    if (parent) start_from_tree(&k, s, parent);
    st = lower(&k, &on);
  }
  if (!st && on != NONE) st = name(&k, g, on, out);
  void *const all[] = {k.d, k.via, k.from, k.queue, k.marks, k.waiting, k.reached};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) ls_free(all[i]);
  return st;
}

ls_status ls_settle_negative(ls_graph *g, u32 s, ls_status st) {
  if (st && st != LS_EARG && st != LS_EOVERFLOW) return st;
  ls_negative cycle;
  const ls_status exact = ls_negative_cycle(g, s, NULL, &cycle);
  if (exact) return exact;
  if (cycle.found) return ls_fail(LS_EARG, "a negative cycle is reachable from %u: %s", s, cycle.text);
  if (st != LS_EARG) return st;
  return ls_fail(LS_EOVERFLOW,
                 "rounding lets distances from %u fall for ever along a cycle that is not negative", s);
}
