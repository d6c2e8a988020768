/* Searches what was recorded of the paused algorithm: where an expression first became true, and what it was
 * at given stops. Both go through the recording stop by stop, since a moment of it is only known as a
 * difference from its neighbour: a search by halves would pass by as many. */
#ifndef LS_SESSION_SEARCH_H
#define LS_SESSION_SEARCH_H

#include "session/run.h"

typedef struct ls_first {
  bool from_the_beginning; /* it was true at the oldest stop already */
  u64 before;              /* else: the number of the primitive at the stop before, where it was not */
  u64 since;               /* at how many later stops, up to where the search began, it was not true */
} ls_first;

/* Goes to the first stop of the recording, of those up to where we are, at which expr is true (LS_PAUSED). An
 * error in expr counts as false. LS_ERROR where it is true at none: then we are where we were. */
ls_ran ls_session_back_until(const char *expr, ls_first *out);

/* Calls look with expr's value on top of L at the last stop of each of the primitives with these numbers,
 * which is taken off again; then we are where we were. LS_DONE; LS_ERROR where the recording has no such
 * stop, or look fails. */
typedef ls_status (*ls_look)(lua_State *L, int k, void *arg);
ls_ran ls_session_visit(const char *expr, const u64 *numbers, int count, ls_look look, void *arg);

#endif
