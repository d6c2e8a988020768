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

/* The function generated for a model: appends the successors of a state in the order of steps.h. The compiled
 * library exports it as DVE_MAKE_STEPS. */
typedef void dve_make_steps(const u32 *state, dve_sink *out);
#define DVE_MAKE_STEPS "dve_steps_of_model"

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

typedef struct dve_price {
  i64 cost;
  i32 time;
  bool wrong; /* a time is negative */
} dve_price;

DVE_INLINE void dve_copied(u32 *to, const u32 *from, u32 words) {
  for (u32 i = 0; i < words; i++) to[i] = from[i];
}

DVE_INLINE bool dve_ones(const u32 *state, u32 words) { /* the error state */
  u32 all = ~0u;
  for (u32 i = 0; i < words; i++) all &= state[i];
  return all == ~0u;
}

enum { DVE_MOST_CHOICES = 1 << 24 }; /* maximum number of successors of a state of a synchronous system */

/* The number of combinations after one more process with `choices` transitions; DVE_MOST_CHOICES + 1 if it
 * exceeds the limit. */
DVE_INLINE u64 dve_more_choices(u64 product, u32 choices) {
  return product && choices > DVE_MOST_CHOICES / product ? DVE_MOST_CHOICES + 1ull : product * choices;
}

DVE_INLINE void dve_take_time(dve_price *price, i32 time) {
  if (time < 0) price->wrong = true;
  if (time > price->time) price->time = time;
}

DVE_INLINE void dve_put_made(dve_sink *out, const u32 *now, u32 words, bool fine, const dve_price *price) {
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
