/* Text in lines of a given width. */
#ifndef LS_CORE_FOLD_H
#define LS_CORE_FOLD_H

#include <stddef.h>

#include "core/types.h"

/* The bytes of the line that s, of n bytes, begins with: all of it, or as many words as `columns` hold,
 * without the blanks behind them; one word at least, also where that is wider. width: the columns of a
 * character; NULL: one each. */
size_t ls_fold(const char *s, size_t n, int columns, int (*width)(u32 ch));

#endif
