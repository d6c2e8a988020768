/* The steps of a model from one state. */
#ifndef LS_MODEL_DVE_STEPS_H
#define LS_MODEL_DVE_STEPS_H

#include "core/error.h"
#include "model/dve/compiled.h"

/* Where successors are put: grows, and is used again. The i-th successor is states[i * words], costs cost[i],
 * takes time[i] and is made by the transitions moves[i * width]: of an asynchronous system one, or a sender
 * and a receiver; then, with a property, its transition; of a synchronous system one a process. DVE_NONE
 * where there is none. What a model does not have is NULL, and so is `moves` unless it is wanted. */
typedef struct dve_steps {
  u64 count, room;
  u32 *states;
  i32 *cost, *time;
  u32 *moves;
  bool want_moves;
  u32 width;
  u32 *scratch; /* of synchronous systems */
  u64 scratch_room;
} dve_steps;

/* Appends the successors of `state` in their canonical order: of an asynchronous system by process,
 * transition, receiving process, its transition, the property's transition; of a synchronous one by the
 * transitions of the first process, then of the second, and so on (the last one's vary fastest). LS_EMEM;
 * LS_EINPUT where a cost or a time can't be, with the step in *at_fault and the message without its place;
 * LS_EOVERFLOW where there are more than 2^24. */
ls_status dve_steps_from(const dve_program *p, const u32 *state, dve_steps *out, u32 *at_fault);
/* The same by a model's own compiled function. Of what is wrong with a cost or a time it says LS_EINPUT
 * alone. */
ls_status dve_steps_by(dve_make_steps *make, const dve_program *p, const u32 *state, dve_steps *out);
void dve_steps_free(dve_steps *s);

#endif
