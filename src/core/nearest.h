/* "Did you mean ...?": the name nearest to a mistyped word. */
#ifndef LS_CORE_NEAREST_H
#define LS_CORE_NEAREST_H

#include <stddef.h>

/* The first of the count names with the fewest edits (insert, delete, replace, swap neighbours; case is
 * ignored) from word, or NULL where all are more than a third of the word's length, and more than one, away.
 */
const char *ls_nearest(const char *word, const char *const *names, size_t count);

#endif
