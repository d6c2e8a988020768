/* Text that came from outside (a file's contents, its name, a name in it), so that it can be shown. What a
 * terminal would obey or a reader would not see is written as \x1b (a byte) or \u{202e} (a character):
 * control characters, bytes that are no UTF-8, marks that turn the direction of text, and what has no width.
 */
#ifndef LS_CORE_SHOW_H
#define LS_CORE_SHOW_H

#include <stddef.h>

#include "core/types.h"

enum { LS_SHOWN_CHAR = 12 }; /* bytes of a character as it is shown, with the zero behind it */

enum { LS_SHOW_LINES = 1, LS_SHOW_ASCII = 2 }; /* keep newlines and tabs; escape all that is not ASCII */

/* Bytes of the UTF-8 character at s, which has n bytes, and the character; 0: there is none. Where s ends
 * with a zero byte, n may be SIZE_MAX. */
size_t ls_utf8_read(const char *s, size_t n, u32 *ch);

/* What is shown for the first character of s, which has n > 0 bytes; returns how many of them that was. */
size_t ls_shown_char(const char *s, size_t n, int how, char out[LS_SHOWN_CHAR]);

/* The same for all of s, which ends with a zero byte, in at most `room` > 3 bytes: what is cut ends in "...".
 * Returns out. What has been shown stays as it is. */
char *ls_shown(const char *s, int how, char *out, size_t room);

#endif
