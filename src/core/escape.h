/* Escapes text that came from outside (a file's contents, its name, a name in it) before it is shown. What a
 * terminal would obey, or a reader would not see, becomes \x1b (a byte) or \u{202e} (a character): control
 * characters, bytes that are not UTF-8, marks that change the direction of text, and characters without
 * width. */
#ifndef LS_CORE_ESCAPE_H
#define LS_CORE_ESCAPE_H

#include <stddef.h>

#include "core/types.h"

enum { LS_ESCAPED_CHAR = 12 }; /* maximum size of one character as shown, in bytes, with the final zero */

enum { LS_ESCAPE_LINES = 1, LS_ESCAPE_ASCII = 2 }; /* keep newlines and tabs; escape all that is not ASCII */

/* Decodes the UTF-8 character at s, which has n bytes, into *ch. Returns its length in bytes; 0 if it is
 * invalid. If s ends with a zero byte, n may be SIZE_MAX. */
size_t ls_utf8_read(const char *s, size_t n, u32 *ch);

/* Writes to `out` what is shown for the first character of s, which has n > 0 bytes. Returns the character's
 * length in s. */
size_t ls_escaped_char(const char *s, size_t n, int how, char out[LS_ESCAPED_CHAR]);

/* Writes to `out`, which has room > 3 bytes, what is shown for the string s. If that does not fit, it is
 * truncated and ends in "...". Returns `out`. Escaping a text that is already escaped does not change it. */
char *ls_escaped(const char *s, int how, char *out, size_t room);

#endif
