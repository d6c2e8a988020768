/* What the commands `new` and `lesson new` begin with: files of samples/patterns, which are in the program.
 */
#ifndef LS_REPL_PATTERN_H
#define LS_REPL_PATTERN_H

#include "core/error.h"

/* Writes the pattern ("kernel.h") to path, with `name` wherever it says NAME. LS_EARG where path is there
 * already. */
ls_status ls_pattern_write(const char *pattern, const char *name, const char *path);

#endif
