/* Networks like those of roads: few edges a vertex, a diameter of the order of sqrt(n), and fast roads among
 * slow ones.
 *
 * The vertices lie on a square lattice, row by row, and every row and column of a number that 8 divides has a
 * highway. On its 8 steps from one crossing of highways to the next a highway stops 5 times, at 0, 2, 4, 5
 * and 7. Every other vertex has a street to its left or upper neighbour, so that streets lead to a highway
 * and all is connected; an edge to a further neighbour comes with a probability that makes the mean degree
 * that of USA-road: 58333344 edges of 23947347 vertices, 2.436. Its greatest number of hops between two
 * vertices is about 6300, 1.29 sqrt(n); here a way over highways has 5/8 of a hop a step, 1.25 sqrt(n) from
 * corner to corner, and some more at both ends.
 *
 * Weights are like travel times: the same both ways, and on a highway at most 0.15 of the range above `lo` a
 * step; a street takes a fifth of the range at least. */
#include <math.h>
#include <stdio.h>

#include "core/random.h"
#include "gen/make.h"

enum { BLOCK = 8 };
#define DEGREE (58333344.0 / 23947347.0)

/* How far back a highway's stop before this one is; 0 where the highway does not stop. */
static const u32 back_to_stop[BLOCK] = {1, 0, 2, 0, 2, 1, 0, 2};

typedef struct road {
  u32 n, cols;
  u64 streets, extra, times; /* keys */
  u64 often;                 /* a threshold */
} road;

typedef enum way { NOT_THERE, STREET, HIGHWAY } way;

/* What leads from v = (row, col) to the vertex `span` to the left, or (up) `span` above? */
static way leads_back(const road *g, u32 v, bool up, u32 span) {
  const u32 row = v / g->cols, col = v % g->cols;
  const bool on_row = row % BLOCK == 0, on_col = col % BLOCK == 0; /* of a highway */
  if ((up ? row : col) < span) return NOT_THERE;
  const u32 along = back_to_stop[(up ? row : col) % BLOCK];
  if ((up ? on_col : on_row) && along) return along == span ? HIGHWAY : NOT_THERE;
  if (span != 1 || (on_row && on_col)) return NOT_THERE;
  const bool own_up = on_row ? false : on_col ? true : ls_draw(g->streets, v) & 1;
  const bool stops = (on_row && back_to_stop[col % BLOCK]) || (on_col && back_to_stop[row % BLOCK]);
  if (up == own_up && !stops) return STREET;
  return up != own_up && ls_happens(ls_draw(g->extra, v), g->often) ? STREET : NOT_THERE;
}

static u32 road_row(const void *arg, u32 v, u32 *to) {
  const road *g = arg;
  const u32 cols = g->cols, col = v % cols, left = g->n - 1 - v; /* vertices behind v */
  u32 degree = 0;
#define ADD(there, u)                                                                                        \
  do {                                                                                                       \
    if (there) {                                                                                             \
      if (to) to[degree] = (u);                                                                              \
      degree++;                                                                                              \
    }                                                                                                        \
  } while (0)
  ADD(leads_back(g, v, true, 2), v - 2 * cols);
  ADD(leads_back(g, v, true, 1), v - cols);
  ADD(leads_back(g, v, false, 2), v - 2);
  ADD(leads_back(g, v, false, 1), v - 1);
  ADD(left >= 1 && col + 1 < cols && leads_back(g, v + 1, false, 1), v + 1);
  ADD(left >= 2 && col + 2 < cols && leads_back(g, v + 2, false, 2), v + 2);
  ADD(left >= cols && leads_back(g, v + cols, true, 1), v + cols);
  ADD(left / 2 >= cols && leads_back(g, v + 2 * cols, true, 2), v + 2 * cols);
#undef ADD
  return degree;
}

/* The place of the weight of v -> u in the range of weights, as a fraction of 2^64. */
static u64 travel_time(const void *arg, u32 v, u32 u) {
  const road *g = arg;
  const u32 low = v < u ? v : u, high = v < u ? u : v, apart = high - low;
  const bool up = apart >= g->cols && (g->cols > 2 || low % g->cols == high % g->cols);
  const u32 span = up ? apart / g->cols : apart;
  const f64 draw = (f64)(ls_draw(g->times, 4ull * low + 2 * up + span - 1) >> 11) * 0x1p-53;
  const f64 x = leads_back(g, high, up, span) == HIGHWAY ? span * (0.05 + 0.1 * draw) : 0.2 + 0.8 * draw;
  return x < 1 ? (u64)(x * 0x1p64) : UINT64_MAX;
}

ls_status ls_gen_road(u32 n, u64 seed, ls_gen_weights w, ls_graph **out) {
  u32 cols = (u32)ceil(sqrt((f64)n));
  /* of the 64 vertices of a block 55 have an edge back and 5 + 5 of the highways' stops too, the crossing
   * among both; all but the crossing may have another */
  const f64 often = (64 * DEGREE / 2 - 65) / 63;
  road g = {n,
            cols ? cols : 1,
            ls_key(seed, LS_USE_EDGE),
            ls_key(seed, LS_USE_TARGET),
            ls_key(seed, LS_USE_WEIGHT),
            ls_threshold(often)};
  char name[64];
  snprintf(name, sizeof name, "road(%u,%llu)", n, (unsigned long long)seed);
  return ls_make_from_rows(
      &(ls_make){.name = name, .n = n, .seed = seed, .weights = w, .arg = &g, .draw = travel_time}, road_row,
      out);
}
