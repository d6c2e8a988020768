/* Breaks text into lines of a given width. */
#ifndef LS_CORE_WRAP_TEXT_H
#define LS_CORE_WRAP_TEXT_H

#include <stddef.h>

#include "core/types.h"

/* Length in bytes of the first line of s (n bytes): as many words as fit into `columns`, without the blanks
 * after them, and at least one word even if it is wider. width: columns of a character; NULL: one each. */
size_t ls_wrap_text(const char *s, size_t n, int columns, int (*width)(u32 ch));

int ls_columns(const char *s, size_t n); /* the number of characters */

#endif
