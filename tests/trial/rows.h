/* Rows for tests only, which run them in random loops: each row is small, and its results do not depend on
 * the order of threads. A launch pushes only equal items into a queue that may overflow, so that it does not
 * matter which of them fit. Each row covers a driver feature that no shipped row uses, or one domain.
 */
#ifndef TRIAL_ROWS_H
#define TRIAL_ROWS_H

#include "language/kernel.h"
#include "table.h"

LS_INLINE u32 stirred(u32 x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/* Changes x depending on y. Each COUNT counts about one of `rare` + 1 elements. */
#define TRIAL_STIR_ARGS(A, W)                                                                                \
  A(INOUT, u32, x, "n")                                                                                      \
  A(IN, u32, y, "n")                                                                                         \
  A(VALUE, u32, round, "1") A(VALUE, u32, rare, "1") A(COUNT, u32, some, "1") A(COUNT, u32, odd, "1")
ARGS(trial_stir, TRIAL_STIR_ARGS)
VERTEX_BODY(trial_stir) {
  (void)push;
  const u32 x = stirred(a->x[v] + stirred(a->y[v] + a->round));
  a->x[v] = x;
  count->some += x % (a->rare + 1) == 0;
  count->odd += x / 2 % (a->rare + 1) == 0;
}

/* z = x; the old contents of z are not read. */
#define TRIAL_SET_ARGS(A, W) A(IN, u32, x, "n") A(OUT, u32, z, "n") A(VALUE, u32, round, "1")
ARGS(trial_set, TRIAL_SET_ARGS)
VERTEX_BODY(trial_set) {
  (void)push, (void)count;
  a->z[v] = 3 * a->x[v] + a->round;
}

/* Distributes vertices to two queues: one starts empty; the other is appended to and may overflow, which is
 * reported. */
#define TRIAL_DEAL_ARGS(A, W)                                                                                \
  A(IN, u32, x, "n")                                                                                         \
  A(VALUE, u32, round, "1")                                                                                  \
  A(QOUT, u32, near, "n+1", vertex_queue, "n")                                                               \
  A(QMORE, u64, far, "k+1") A(COUNT, u32, some, "1") A(LOST, u32, lost, "1")
ARGS(trial_deal, TRIAL_DEAL_ARGS)
VERTEX_BODY(trial_deal) {
  if (a->x[v] % 3 == 0) PUSH(near, v), count->some++;
  if (a->x[v] % 3 == 1) PUSH(far, a->round + 1);
}

#define TRIAL_TAKE_ARGS(A, W)                                                                                \
  A(INOUT, u32, y, "n")                                                                                      \
  A(VALUE, u32, round, "1") A(QIN, u32, near, "n+1", vertex_queue, "n") A(COUNT, u32, odd, "1")
ARGS(trial_take, TRIAL_TAKE_ARGS)
QUEUE_BODY(trial_take) {
  (void)push;
  atomic_add(&a->y[item], 2 * a->round + 1);
  count->odd += item & 1;
}

/* Reads a queue of 8-byte items, writes one of 16-byte items. */
#define TRIAL_POUR_ARGS(A, W)                                                                                \
  A(QIN, u64, far, "k+1")                                                                                    \
  A(INOUT, i64, sum, "2")                                                                                    \
  A(VALUE, u32, round, "1")                                                                                  \
  A(QMORE, u64x2, wide, "2*k+2", wide_queue, "k") A(COUNT, u32, some, "1") A(LOST, u32, lost, "1")
ARGS(trial_pour, TRIAL_POUR_ARGS)
QUEUE_BODY(trial_pour) {
  atomic_add(&a->sum[0], (i64)(3 * item));
  const u64x2 both = {a->round + 1, 2};
  PUSH(wide, both);
  count->some += item & 1;
}

#define TRIAL_SINK_ARGS(A, W)                                                                                \
  A(QIN, u64x2, wide, "2*k+2", wide_queue, "k")                                                              \
  A(INOUT, i64, sum, "2") A(QOUT, u64, far, "k+1") A(COUNT, u32, odd, "1")
ARGS(trial_sink, TRIAL_SINK_ARGS)
QUEUE_BODY(trial_sink) {
  atomic_add(&a->sum[1], (i64)(5 * item.x + item.y));
  if (item.x & 1) PUSH(far, item.x), count->odd++;
}

/* A queue whose overflow is an error. */
#define TRIAL_PILE_ARGS(A, W) A(IN, u32, x, "n") A(QMORE, u32, pile, "k+1") A(COUNT, u32, some, "1")
ARGS(trial_pile, TRIAL_PILE_ARGS)
VERTEX_BODY(trial_pile) {
  if (a->x[v] % 4 == 0) PUSH(pile, 7), count->some++;
}

/* trial_light: for the vertices of a queue, the edges off[v] .. split[v]-1; trial_heavy: for all vertices,
 * the edges from split[v] on. */
#define TRIAL_LIGHT_ARGS(A, W)                                                                               \
  A(OFF, u32, off, "n+1", offset, "m")                                                                       \
  A(END, u32, split, "n", upto, "m")                                                                         \
  A(IN, u32, to, "m", vertex, "n")                                                                           \
  A(QIN, u32, near, "n+1", vertex_queue, "n") A(INOUT, u32, y, "n") A(COUNT, u32, odd, "1")
ARGS(trial_light, TRIAL_LIGHT_ARGS)
SELECT(trial_light) { return (void)a, v % 7 != 0; }
EDGES_BODY(trial_light) {
  (void)push;
  atomic_add(&a->y[a->to[e]], 1 + e + v);
  count->odd += e & 1;
}

#define TRIAL_HEAVY_ARGS(A, W)                                                                               \
  A(START, u32, split, "n", upto, "m")                                                                       \
  A(OFF, u32, off, "n+1", offset, "m")                                                                       \
  A(IN, u32, to, "m", vertex, "n")                                                                           \
  A(IN, u32, x, "n") A(VALUE, u32, round, "1") A(INOUT, u32, z, "n") A(COUNT, u32, some, "1")
ARGS(trial_heavy, TRIAL_HEAVY_ARGS)
SELECT(trial_heavy) { return a->x[v] & 1; }
EDGES_BODY(trial_heavy) {
  (void)push;
  atomic_add(&a->z[a->to[e]], 7 * e + v + a->round);
  count->some++;
}

/* For each vertex v, the best of the edges begin[v] .. split[v]-1. */
#define TRIAL_LEAST_ARGS(A, W)                                                                               \
  A(START, u32, begin, "n", upto, "m")                                                                       \
  A(END, u32, split, "n", upto, "m")                                                                         \
  A(IN, u32, to, "m", vertex, "n") A(IN, u32, y, "n") A(INOUT, u32, z, "n") A(COUNT, u32, odd, "1")
ARGS(trial_least, TRIAL_LEAST_ARGS)
SELECT(trial_least) { return a->z[v] % 3 != 0; }
SCORE(trial_least, u32) { return (void)v, a->y[a->to[e]] / 16; }
BEST_BODY(trial_least, u32) {
  (void)push;
  a->z[v] += e == NO_EDGE ? 1 : best + e;
  count->odd += e & 1;
}

/* Transposes a tile via a copy in shared memory. */
#define TRIAL_TURN_ARGS(A, W) A(INOUT, u32, grid, "1024") A(VALUE, u32, round, "1")
ARGS(trial_turn, TRIAL_TURN_ARGS)
TILE_BODY(trial_turn) {
  UNUSED_BODY, (void)tile;
  TILE_ARRAY(u32, copy);
  EACH(i, j) copy[i][j] = a->grid[i * TILE + j];
  TILE_SYNC;
  EACH(i, j) a->grid[i * TILE + j] = copy[j][i] + a->round;
}

/* Rotates a tile using more shared memory than a block may declare statically: 13 cells per element. */
#define TRIAL_ROLL_ARGS(A, W) A(INOUT, u32, grid, "1024") A(VALUE, u32, round, "1") A(COUNT, u32, odd, "1")
ARGS(trial_roll, TRIAL_ROLL_ARGS)
SHAPE(trial_roll, 256, 2, 13 * 1024 * sizeof(u32))
TILE_BODY(trial_roll) {
  (void)push, (void)tile;
  TILE_MEMORY(u32, copy, 13 * 1024);
  EACH(i, j) for (u32 k = 0; k < 13; k++) copy[13 * (i * TILE + j) + k] = a->grid[i * TILE + j] + k;
  TILE_SYNC;
  EACH(i, j) {
    const u32 x = copy[13 * (1023 - i * TILE - j) + (i + j) % 13] + a->round;
    a->grid[i * TILE + j] = x;
    count->odd += x & 1;
  }
}

/* A row with a hand-written body per processor, with COUNTs (rows.c, rows.cu): changes y where x is odd.
 */
#define TRIAL_ODDS_ARGS(A, W)                                                                                \
  A(IN, u32, x, "n")                                                                                         \
  A(INOUT, u32, y, "n")                                                                                      \
  A(VALUE, u32, round, "1") A(COUNT, u32, odd, "1") A(COUNT, u32, some, "1")
ARGS(trial_odds, TRIAL_ODDS_ARGS)

#endif
