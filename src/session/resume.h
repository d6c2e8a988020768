/* The commands that resume the paused algorithm. */
#ifndef LS_SESSION_RESUME_H
#define LS_SESSION_RESUME_H

#include "session/run.h"

ls_ran ls_session_step(u64 n);  /* runs n primitives, also those inside fixpoints */
ls_ran ls_session_next(u64 n);  /* runs n primitives; a whole fixpoint or loop counts as one */
ls_ran ls_session_iter(u64 n);  /* runs to the n-th next iteration mark */
ls_ran ls_session_turn(u64 n);  /* like iter, but the end of an iteration of kernels counts as a mark, too */
ls_ran ls_session_finish(void); /* runs until the present Lua function returns */
ls_ran ls_session_continue(void);
ls_ran ls_session_until(const char *expr); /* runs until a primitive after which expr is true */
/* The first name in expr that is unknown at the current stop; "": all are known, or nothing is paused. */
const char *ls_session_unknown(const char *expr);
/* Runs to the end of the present iteration of the outermost loop over iterations(), saves the loop's state to
 * path and stops; `why` then says whether it was saved. */
ls_ran ls_session_checkpoint(const char *path);

#endif
