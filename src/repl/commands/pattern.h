/* Templates for the commands `new` and `lesson new`: the files of samples/patterns, embedded in the
 * program. */
#ifndef LS_REPL_PATTERN_H
#define LS_REPL_PATTERN_H

#include "core/error.h"

/* Writes the template ("kernel.h") to path, with `name` in place of every NAME. LS_EARG if the path
 * exists. */
ls_status ls_pattern_write(const char *pattern, const char *name, const char *path);

#endif
