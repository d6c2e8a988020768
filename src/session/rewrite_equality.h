/* Rewrites `==` in conditions. In Lua, comparing a buffer with a number is false and not an error, so that
 * `until s.level == 3` would never stop. Therefore each a == b in an expression becomes a call of
 * session.equal, which raises an error in that case. */
#ifndef LS_SESSION_REWRITE_EQUALITY_H
#define LS_SESSION_REWRITE_EQUALITY_H

/* Returns the expression with each == and ~= replaced by a call. An expression that cannot be parsed is
 * returned unchanged, so that Lua reports the error. The result is freed by the caller with ls_free; NULL:
 * out of memory. */
char *ls_session_equalities(const char *expr);

#endif
