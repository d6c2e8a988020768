/* Saves the state of a loop over iterations() to a file at the end of an iteration, and resumes a loop from
 * such a file. Only at the end of an iteration is the state exactly what the next iteration begins with. */
#ifndef LS_SESSION_CHECKPOINT_H
#define LS_SESSION_CHECKPOINT_H

#include <lua.h>

#include "run/launch/state.h"

/* Requests a checkpoint to path at the end of the next iteration of an outermost loop; every > 0: at the end
 * of each iteration whose number is a multiple of it. */
ls_status ls_session_checkpoint_ask(const char *path, u64 every);
/* Sets the reason why no run could resume from a checkpoint of the present run; requests then fail with
 * LS_EARG and this reason. "": checkpoints are possible (again). `before`, if not NULL, gets the previous
 * reason. */
enum { LS_NEVER = 160 };
void ls_session_checkpoint_never(const char *why, char before[LS_NEVER]);
void ls_session_checkpoint_forget(void);
const char *ls_session_checkpoint_asked(u64 *every); /* the path that was requested; NULL: none */
/* Can the present run stop, or save its state? If so, a loop must end its iterations separately. */
bool ls_session_awaited(void);

/* --- for iterations() -------------------------------------------------------------------------------- */

/* Is a checkpoint due at the end of the n-th iteration of the outermost loop? */
bool ls_session_checkpoint_due(u32 n);
/* Writes the checkpoint that is due: the state s (NULL: the loop has none) and the table, at index `carried`,
 * of the values that the loop carries from one iteration to the next; `loop` names the function that
 * iterates. true: the caller must yield, because the prompt requested the checkpoint and shows the
 * outcome. */
bool ls_session_checkpoint_write(lua_State *L, ls_state *s, int carried, u32 n, const char *loop);
/* Fills s and the table at index 2 from the file; if there is a table at index 4, only those fields of s that
 * it lists. Returns the number of the iteration at whose end the file was written. Raises an error on
 * failure. */
u32 ls_session_checkpoint_load(lua_State *L, ls_state *s, const char *path, const char *loop);

/* --- for the layers above ---------------------------------------------------------------------------- */

ls_status checkpoint_ask(const char *path); /* a request of the prompt, which waits for the checkpoint */
void checkpoint_unask(void);                /* withdraws that request */

#endif
