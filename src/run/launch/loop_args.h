/* A loop's arguments: how they follow from those of its steps, for the compiler of loops. */
#ifndef LS_RUN_LOOP_ARGS_H
#define LS_RUN_LOOP_ARGS_H

#include "run/launch/row.h"

/* Index of the argument whose name has these len characters; -1: none. */
int ls_loop_find(const ls_arg *args, int nargs, const char *name, size_t len);

/* Index of the loop's argument that is argument i of step s, once the pairs in `swaps` are exchanged. */
int ls_loop_arg(const ls_loop *loop, int s, int i, u32 swaps);

/* Binds the arguments of `step`, whose row is known, to arguments of the loop p. Names that p lacks are added
 * to `args`, which has room for LS_MAX_ARGS. w: the word STEP of the loop. Bit v of `vars` is set if the step
 * is in the FOR of variable v. LS_EARG: the message (ls_error) says what cannot be bound. */
ls_status ls_loop_bind(ls_prim *p, ls_arg *args, ls_step *step, const ls_loop_word *w, u32 vars);

/* Sets what the compiled loop p reads, writes and makes, and the roles of its arguments. */
void ls_loop_find_access(ls_prim *p, ls_arg *args);

#endif
