/* `==` in conditions. Lua answers false where a buffer is compared with a number, so that `until s.level ==
 * 3` would never stop: in expressions each a == b becomes a call of session.equal, which raises an error
 * there. */
#ifndef LS_SESSION_EQUALITY_H
#define LS_SESSION_EQUALITY_H

/* The expression with its comparisons by == and ~= as calls; as it is where it cannot be read, so that Lua
 * says why. From ls_malloc; NULL: out of memory. */
char *ls_session_equalities(const char *expr);

#endif
