/* What the doc of an algorithm says of a field of its result. */
#ifndef LS_REPL_HELP_FIELD_H
#define LS_REPL_HELP_FIELD_H

#include <stdbool.h>

#include "repl/text.h"

/* Adds what the doc of `kind` says of r.FIELD, a line or a sentence; false: nothing. */
bool help_field(const char *kind, const char *field, ls_text *out);

#endif
