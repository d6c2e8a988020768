/* The steps of a model from one state. */
#ifndef LS_MODEL_DVE_STEPS_H
#define LS_MODEL_DVE_STEPS_H

#include "core/error.h"
#include "model/dve/compiled.h"
#include "model/dve/space.h"

/* A list of successors, which grows as needed and can be reused. Successor i begins at states[i * words], has
 * cost[i] and time[i], and is made by the `width` transitions from moves[i * width] on. In an asynchronous
 * system these are the transition (or sender), the receiver and the property's transition; in a synchronous
 * system there is one per process. DVE_NONE stands for a missing transition. `cost` is NULL if the model has
 * no costs, `time` if it has no times, and `moves` if want_moves is false. */
typedef struct dve_steps {
  u64 count, room;
  u32 *states;
  i32 *cost, *time;
  u32 *moves;
  bool want_moves;
  u32 width;
  u32 *scratch; /* only for synchronous systems */
  u64 scratch_room;
} dve_steps;

/* Appends the successors of `state` in canonical order. Asynchronous system: by process, transition,
 * receiving process, its transition, the property's transition. Synchronous system: by the transition of the
 * first process, then of the second, and so on (the last one varies fastest). LS_EMEM; LS_EINPUT if a cost or
 * time is invalid: *at_fault is the transition, and the message does not contain its position; LS_EOVERFLOW
 * if a state of a synchronous system has more than 2^24 steps. */
ls_status dve_steps_from(const dve_program *p, const u32 *state, dve_steps *out, u32 *at_fault);
/* Like dve_steps_from, but calls the function compiled for the model. LS_EINPUT, without a message, if a cost
 * or time is invalid or there are too many steps: call dve_steps_from for the message. */
ls_status dve_steps_by(ls_dve_maker *make, const dve_program *p, const u32 *state, dve_steps *out);
void dve_steps_free(dve_steps *s);

#endif
