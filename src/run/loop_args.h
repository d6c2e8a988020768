/* A loop's arguments: which are its steps', and what its compiler asks of them. */
#ifndef LS_RUN_LOOP_ARGS_H
#define LS_RUN_LOOP_ARGS_H

#include "run/row.h"

/* The place of an argument by its name, of len characters; -1: there is none. */
int ls_loop_find(const ls_arg *args, int nargs, const char *name, size_t len);

/* Which of the loop's arguments is argument i of step s, once the pairs in `swaps` have changed places. */
int ls_loop_arg(const ls_loop *loop, int s, int i, u32 swaps);

/* Binds the arguments of `step`, whose row is known, to those of the loop p, of which new names make more;
 * args has room for LS_MAX_ARGS. w is the step's word; bit v of `vars`: the step stands in the FOR of
 * variable v. LS_EARG says what cannot be bound. */
ls_status ls_loop_bind(ls_prim *p, ls_arg *args, ls_step *step, const ls_loop_word *w, u32 vars);

/* Sets what the compiled loop p reads, writes and makes, and the roles of its arguments. */
void ls_loop_find_access(ls_prim *p, ls_arg *args);

#endif
