/* What the two files that write a model as C share: generate.c, and generate_together.c for synchronous
 * systems. */
#ifndef LS_MODEL_DVE_GENERATE_WRITER_H
#define LS_MODEL_DVE_GENERATE_WRITER_H

#include <stdio.h>

#include "model/dve/code.h"

/* The functions of a text, of transitions k and processes q. What returns a bool returns false at an error.
 */
/* clang-format off */
/* c<pc>(old, now, &value)   runs the code that begins at pc
 * g<k>(old)                 0: not enabled; 1: enabled; 2: its guard fails, which counts as enabled
 * p<k>(old, &price)         adds the transition's cost and time, where the model has any
 * own_steps(old)            how many transitions the property has here
 * own(old, now, fine, &price, out)     a successor for each of these
 * walk(old, make, out)      counts the successors of a state, or makes them */
/* clang-format on */

typedef struct dve_writer {
  FILE *f;
  const dve_program *p;
  u8 *done; /* [code_size]: a function or a table begins there, and is written */
} dve_writer;

/* The state in which a process is, as an expression. */
static inline void dve_write_place(dve_writer *w, u32 process) {
  if (w->p->field[process] == DVE_NONE)
    fprintf(w->f, "0");
  else
    fprintf(w->f, "dve_get(old, %u)", w->p->field[process]);
}

#endif
