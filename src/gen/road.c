/* Graphs similar to road networks: few edges per vertex, a diameter of the order of sqrt(n), and fast roads
 * among slow ones.
 *
 * The vertices are on a square lattice, row by row. Every row and column whose number is divisible by 8 is a
 * highway. Between one crossing of highways and the next, which are 8 lattice steps apart, a highway has 5
 * junctions, at steps 0, 2, 4, 5 and 7; its edges connect successive junctions. Every vertex that is not a
 * junction has a street to its left or upper neighbour, so that all streets lead to a highway and the graph
 * is connected. Every vertex except the crossings may have one more street, with a probability that gives the
 * mean degree of USA-road: 58333344 edges, 23947347 vertices, 2.436. The diameter of USA-road is about 6300
 * hops, 1.29 sqrt(n); here a path over highways has 5/8 of a hop per lattice step, which is 1.25 sqrt(n) from
 * corner to corner, and a few more hops at both ends.
 *
 * Weights resemble travel times and are the same in both directions. Relative to the range of weights above
 * `lo`, a highway takes at most 0.15 per lattice step, a street at least 0.2. */
#include <math.h>
#include <stdio.h>

#include "core/random.h"
#include "gen/make.h"

enum { BLOCK = 8 };
#define DEGREE (58333344.0 / 23947347.0)

/* Distance to the previous junction of the highway; 0 if there is no junction here. */
static const u32 back_to_stop[BLOCK] = {1, 0, 2, 0, 2, 1, 0, 2};

typedef struct road {
  u32 n, cols;
  u64 streets, extra, times; /* keys */
  u64 often;                 /* a threshold for ls_happens */
} road;

typedef enum way { NOT_THERE, STREET, HIGHWAY } way;

/* Which edge leads from v = (row, col) to the vertex `span` to the left or, if `up`, `span` above? */
static way leads_back(const road *g, u32 v, bool up, u32 span) {
  const u32 row = v / g->cols, col = v % g->cols;
  const bool on_row = row % BLOCK == 0, on_col = col % BLOCK == 0; /* is v's row (column) a highway? */
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
  const u32 cols = g->cols, col = v % cols, left = g->n - 1 - v; /* vertices after v */
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

/* The position of the weight of v -> u in the range of weights, as a fraction of 2^64. */
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
  /* of the 64 vertices of a block, the 55 that are not junctions have one street back, and the two highways
   * have 5 + 5 edges back (the crossing has one of each); all vertices but the crossing may have one more
   * street */
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
