/* Interface and helpers of the C code that generate.c writes for a model: a function that appends all
 * successors of a state. */
#ifndef LS_MODEL_DVE_COMPILED_H
#define LS_MODEL_DVE_COMPILED_H

#include "model/dve/code.h"

/* Output of the generated function. `at` counts the successors: number i is stored at states[i * words],
 * cost[i] and time[i] (cost and time may be NULL). Successors beyond `room` are counted but not stored. */
typedef struct dve_sink {
  u32 *states;
  i32 *cost, *time;
  u64 room, at;
  u32 errors, wrong; /* errors: successors that are the error state; wrong: successors with an invalid cost or
                        time, plus 1 if there are too many successors */
} dve_sink;

#ifdef __CUDACC__
#define DVE_PIECE                                                                                            \
  static __device__ __attribute__((unused)) /* the compiler decides which of them are inlined */
#define DVE_TABLE_OF static __device__ const
#define DVE_EXPORTED(text)
#else
#define DVE_PIECE static inline __attribute__((unused))
#define DVE_TABLE_OF static const
#define DVE_EXPORTED(...) __VA_ARGS__
#endif

DVE_INLINE void dve_put_made(dve_sink *out, const u32 *now, u32 words, bool fine, const dve_worth *price) {
  if (!fine) out->errors++;
  if (price->wrong || price->cost != (i32)price->cost) out->wrong++;
  if (out->at < out->room) {
    u32 *to = out->states + out->at * words;
    for (u32 i = 0; i < words; i++) to[i] = fine ? now[i] : ~0u;
    if (out->cost) out->cost[out->at] = (i32)price->cost;
    if (out->time) out->time[out->at] = price->time;
  }
  out->at++;
}

#endif
