/* "Did you mean ...?": the name nearest to a mistyped word. */
#ifndef LS_CORE_NEAREST_H
#define LS_CORE_NEAREST_H

#include <stddef.h>

/* The first of the `count` names with the fewest edits from word (insert, delete, replace, swap neighbours;
 * case is ignored). NULL if every name needs more than max(1, length of word / 3) edits. */
const char *ls_nearest(const char *word, const char *const *names, size_t count);

#endif
