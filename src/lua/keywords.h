/* The keywords of Lua 5.4. */
#ifndef LS_LUA_KEYWORDS_H
#define LS_LUA_KEYWORDS_H

#include <stdbool.h>
#include <stddef.h>

extern const char *const ls_keywords[]; /* ends with NULL */

/* Are the n characters at s a keyword? */
bool ls_is_keyword(const char *s, size_t n);

#endif
