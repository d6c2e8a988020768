/* Searches what was recorded of the paused algorithm: where an expression first became true, where it
 * changed, and what it was at given stops. All go through the recording stop by stop, since a moment of it is
 * only known as a difference from its neighbour: a search by halves would pass by as many. */
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

/* Goes to the last stop, of those up to where we are, at which expr is another than at the stop before
 * (LS_PAUSED, and the stop says "EXPR 3 -> 4"). Where the present stop says so already, to the one before
 * that. LS_ERROR where there is none: then we are where we were. A stop at which expr has no value is passed
 * over. */
ls_ran ls_session_back_watch(const char *expr);

/* The history of expr up to where we are: LS_DONE, with a table as the one result: for the first stop at
 * which it has a value, and for each at which that is another than before, {stop = number, kernel =, where =,
 * by_hand = true where it was changed at the prompt, value =, text = the value as text}. A value that is a
 * table, a buffer or the like, which may be another later, is given as its text. LS_ERROR: it has no value
 * anywhere. */
ls_ran ls_session_changes(const char *expr);

/* Calls look with expr's value on top of L at the last stop of each of the primitives with these numbers,
 * which is taken off again; then we are where we were. LS_DONE; LS_ERROR where the recording has no such
 * stop, or look fails. */
typedef ls_status (*ls_look)(lua_State *L, int k, void *arg);
ls_ran ls_session_visit(const char *expr, const u64 *numbers, int count, ls_look look, void *arg);

#endif
