/* Searches the recording of the paused algorithm: where an expression first became true, where it changed,
 * and its value at given stops. All searches visit every stop: the recording stores a moment as the
 * difference from its neighbour, so bisection would have to pass through as many moments. */
#ifndef LS_SESSION_SEARCH_H
#define LS_SESSION_SEARCH_H

#include "session/run.h"

typedef struct ls_first {
  bool from_the_beginning; /* expr was true at the oldest stop already */
  u64 before;              /* else: the number of the primitive at the previous stop, where expr was false */
  u64 since; /* number of later stops, up to where the search began, at which expr was not true */
} ls_first;

/* Goes to the first stop of the recording, up to the current one, at which expr is true (LS_PAUSED). An error
 * in expr counts as false. LS_ERROR if it is true at none; the current stop does not change then. */
ls_ran ls_session_back_until(const char *expr, ls_first *out);

/* Goes to the last stop, up to the current one, at which the value of expr differs from that at the stop
 * before (LS_PAUSED; the stop line then says "EXPR 3 -> 4"). If the current stop line says so already, goes
 * to the change before it. LS_ERROR if there is none; the current stop does not change then. Stops at which
 * expr has no value are skipped. */
ls_ran ls_session_back_watch(const char *expr);

/* The history of expr up to the current stop. LS_DONE: a table is the only result. It has an entry for the
 * first stop at which expr has a value and for each stop at which the value differs from the one before:
 * {stop = number, kernel =, where =, by_hand = true if it was changed at the prompt, value =, text = the
 * value as text}. A value that may change later (a table, a buffer) is given as its text. LS_ERROR: expr has
 * no value at any stop. */
ls_ran ls_session_changes(const char *expr);

/* For each of the primitives with these numbers, goes to its last stop, calls `look` with expr's value on top
 * of L, and pops the value; then returns to where it began. LS_DONE; LS_ERROR if the recording has no such
 * stop, or if `look` fails. */
typedef ls_status (*ls_look)(lua_State *L, int k, void *arg);
ls_ran ls_session_visit(const char *expr, const u64 *numbers, int count, ls_look look, void *arg);

#endif
