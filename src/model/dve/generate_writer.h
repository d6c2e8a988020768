/* Shared by the two files of the code generator: generate.c, and generate_together.c for synchronous systems.
 */
#ifndef LS_MODEL_DVE_GENERATE_WRITER_H
#define LS_MODEL_DVE_GENERATE_WRITER_H

#include <stdio.h>

#include "model/dve/code.h"

/* The generated functions; k is a transition. c<pc> and p<k> return false on an error of the model. */
/* clang-format off */
/* c<pc>(old, now, &value)   runs the code that begins at pc
 * g<k>(old)                 0: not enabled; 1: enabled; 2: evaluating its guard fails, which counts as enabled
 * p<k>(old, &price)         adds the transition's cost and time; only if the model has costs or times
 * own_steps(old)            how many transitions of the property process are enabled
 * own(old, now, fine, &price, out)     appends a successor for each of these
 * walk(old, make, out)      appends the successors of a state; make = false: only counts them */
/* clang-format on */

typedef struct dve_writer {
  FILE *f;
  const dve_program *p;
  u8 *done; /* [code_size]: the function or table that begins there has been written */
} dve_writer;

/* Begins a switch over the current state of a process. */
static inline void dve_write_switch(dve_writer *w, u32 process) {
  if (w->p->field[process] == DVE_NONE)
    fprintf(w->f, "  switch (0) {\n");
  else
    fprintf(w->f, "  switch (dve_get(old, %u)) {\n", w->p->field[process]);
}

#endif
