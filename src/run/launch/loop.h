/* Compiles LOOP rows: turns their words into steps and operations. */
#ifndef LS_RUN_LOOP_H
#define LS_RUN_LOOP_H

#include "run/launch/row.h"

/* Compiles p->loop's words: sets its steps, arguments, code, and what it reads and writes. `args` has room
 * for LS_MAX_ARGS; `find` finds rows. LS_EARG says what is wrong with the words. */
ls_status ls_loop_compile(ls_prim *p, ls_arg *args, ls_prim *(*find)(const char *name));

const char *ls_loop_word_name(ls_loop_word_kind kind); /* "REPEAT" */

/* The loop's source for help, one word per line, indented. Returns the length, as snprintf does. */
int ls_loop_text(const ls_loop *loop, char *out, size_t bytes);

#endif
