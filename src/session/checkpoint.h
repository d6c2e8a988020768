/* Writing the state of a loop over iterations() to a file, where one of them ends, and going on from it. Only
 * there is a state what the next iteration begins with. */
#ifndef LS_SESSION_CHECKPOINT_H
#define LS_SESSION_CHECKPOINT_H

#include <lua.h>

#include "run/state.h"

/* A checkpoint goes to path at the end of the next iteration of an outermost loop; every > 0: at each whose
 * number it divides. */
ls_status ls_session_checkpoint_ask(const char *path, u64 every);
/* No run could go on from what runs now: asking is LS_EARG, with this reason. "": one could (again). before:
 * gets the reason that was given before, if it is not NULL. */
enum { LS_NEVER = 160 };
void ls_session_checkpoint_never(const char *why, char before[LS_NEVER]);
void ls_session_checkpoint_forget(void);
const char *ls_session_checkpoint_asked(u64 *every); /* where to, as it was asked; NULL: none is */
bool ls_session_awaited(
    void); /* may something stop here, or save the state? Then a loop ends its iterations */

/* --- for iterations() -------------------------------------------------------------------------------- */

bool ls_session_checkpoint_due(
    u32 n); /* is one due where the n-th iteration of the outermost loop has ended? */
/* Writes it: the state s (NULL: the loop has none), the table of what the loop carries at index `carried`;
 * `loop` is the function that iterates. Returns whether the caller is to yield: it was asked for at the
 * prompt, which wants to see the outcome. */
bool ls_session_checkpoint_write(lua_State *L, ls_state *s, int carried, u32 n, const char *loop);
/* Fills s and the table at 2 from the file, of s the fields listed at 4; returns the iteration that had
 * ended. Raises. */
u32 ls_session_checkpoint_load(lua_State *L, ls_state *s, const char *path, const char *loop);

/* --- for the layers above ---------------------------------------------------------------------------- */

ls_status checkpoint_ask(const char *path); /* at the prompt, which waits for it */
void checkpoint_unask(void);                /* it did not come to that */

#endif
