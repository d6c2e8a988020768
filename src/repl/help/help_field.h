/* Help on one field of an algorithm's result, extracted from the doc of the algorithm. */
#ifndef LS_REPL_HELP_FIELD_H
#define LS_REPL_HELP_FIELD_H

#include <stdbool.h>

#include "core/string_builder.h"

/* Appends the list entry or the sentence about r.FIELD in the doc of the algorithm `kind`; false if none. */
bool help_field(const char *kind, const char *field, ls_text *out);

#endif
