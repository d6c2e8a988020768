/* Stores the last value of a watched expression and tells whether the current value differs. Tables and
 * buffers are compared by a digest of their contents, other values directly. The current value is the one
 * that values_of has left in the_values.scratch. */
#ifndef LS_SESSION_WATCH_VALUE_H
#define LS_SESSION_WATCH_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

#include "core/types.h"

typedef struct seen_value {
  bool known;    /* a value has been seen, */
  bool contents; /* it is compared by the digest of its contents */
  u64 digest;
  int value;      /* registry reference to the value */
  char shown[80]; /* its text, truncated */
} seen_value;

/* Registers the function that computes the digest of the buffer at index i; it returns false if the value
 * there is not a buffer. */
void ls_session_on_contents(bool (*digest)(lua_State *L, int i, u64 *out));

/* --- for the layers above ---------------------------------------------------------------------------- */

void seen_begin(seen_value *s);              /* no value has been seen */
void seen_end(lua_State *L, seen_value *s);  /* releases the reference */
bool seen_again(const seen_value *s);        /* does the current value equal the last one? */
void seen_keep(lua_State *L, seen_value *s); /* the current value becomes the last one; may raise */
/* Describes how the current value differs from the last one: "3 -> 4", or "has changed" if the texts do not
 * show it. */
void seen_difference(const seen_value *s, char *out, size_t bytes);

#endif
