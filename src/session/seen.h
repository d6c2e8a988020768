/* The last value of a watched expression, and whether the present one is another. Tables and buffers are
 * known by what they hold, other values by themselves. The present value is the one that values_of has left.
 */
#ifndef LS_SESSION_SEEN_H
#define LS_SESSION_SEEN_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

#include "core/types.h"

typedef struct seen_value {
  bool known;    /* there is one: */
  bool contents; /* that is known by a digest of what it holds */
  u64 digest;
  int value;      /* reference to it */
  char shown[80]; /* as text, cut */
} seen_value;

/* Who takes the digest of what the value at index i holds; false: it is no buffer. */
void ls_session_on_contents(bool (*digest)(lua_State *L, int i, u64 *out));

/* --- for the layers above ---------------------------------------------------------------------------- */

void seen_begin(seen_value *s);              /* there is none */
void seen_end(lua_State *L, seen_value *s);  /* gives the reference back */
bool seen_again(const seen_value *s);        /* is the present value the one that was seen last? */
void seen_keep(lua_State *L, seen_value *s); /* the present value is the last one from now on; may raise */
/* How the present value differs from the last one: "3 -> 4", or "has changed" where their texts do not tell.
 */
void seen_difference(const seen_value *s, char *out, size_t bytes);

#endif
