/* Rows whose body runs once per launch instead of once per thread. A LIBRARY row has one body for each processor, cpu/NAME.h
 * and cuda/NAME.cuh; a CPU_LIBRARY row has only the first. Like any body, it is compiled once per element type. On a CPU it is
 *
 *   CPU_LIBRARY(name) { ... return LS_OK; }
 *
 * which sees a and count as other bodies do, and L: L->items (of its domain), L->threads and L->serial. With
 * COUNT_EDGES(edges), on the calling thread, it adds to the number of visited edges, which is `edges` in the row's costs. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "driver/cpu.h"

#define CPU_LIBRARY(name)                                                                                    \
  static ls_status LS_JOIN(LS_JOIN(name, W), library)(ls_launch * L, const LS_JOIN(name##_args, W) * a,      \
                                                      LS_JOIN(name##_counts, W) * count)

/* If the body was compiled at run time, signals are caught on the calling thread, but not in OpenMP regions that the body
 * itself opens (core/fault.h). */
#define CPU_LIBRARY_DRIVER(name, ARGS_MACRO)                                                                 \
  static void LS_JOIN(LS_JOIN(name, W), walk)(void *of) {                                                    \
    enum { COUNTS = sizeof(LS_JOIN(name##_counts, W)) / sizeof(u32) - 1 };                                   \
    ls_cpu_walk *const w = (ls_cpu_walk *)of;                                                                \
    struct ls_launch *const L = w->launch;                                                                   \
    BOUND_ARGS(name, ARGS_MACRO)                                                                             \
    LS_JOIN(name##_counts, W) count = {0};                                                                   \
    const ls_status st = LS_JOIN(LS_JOIN(name, W), library)(L, &args, &count);                               \
    u32 sums[COUNTS + 1];                                                                                    \
    memcpy(sums, &count, sizeof sums);                                                                       \
    for (int c = 0; !st && c < COUNTS; c++) L->counts[c] = sums[c];                                          \
    *(ls_status *)w->own = st;                                                                               \
  }                                                                                                          \
  ls_status LS_JOIN(LS_JOIN(name, W), cpu)(struct ls_launch * L);                                            \
  ls_status LS_JOIN(LS_JOIN(name, W), cpu)(struct ls_launch * L) {                                           \
    enum { COUNTS = sizeof(LS_JOIN(name##_counts, W)) / sizeof(u32) - 1 };                                   \
    _Static_assert((int)COUNTS < (int)LS_MAX_COUNTS, "too many COUNTs");                                     \
    ls_status st = LS_OK;                                                                                    \
    ls_cpu_walk w = {L, &st, 0, 0, NULL};                                                                    \
    LS_GUARDED(L, LS_JOIN(LS_JOIN(name, W), walk), &w);                                                      \
    return st;                                                                                               \
  }

/* The driver's counter comes after the row's COUNTs; it has 64 bits, because it counts for all threads. */
#define COUNT_EDGES(edges) (L->counts[sizeof *count / sizeof(u32) - 1] += (edges))

#define UNUSED_LIBRARY ((void)L, (void)a, (void)count)

/* The type in which to sum values of type W: integers as unsigned ones, whose overflow wraps and is not undefined. */
#define SUM_IN LS_JOIN(sum_in, W)
typedef u8 sum_in_u8;
typedef u16 sum_in_u16, sum_in_i16;
typedef u32 sum_in_u32, sum_in_i32;
typedef u64 sum_in_u64, sum_in_i64;
typedef f32 sum_in_f32;
typedef f64 sum_in_f64;

#endif
