/* A unit: the source that the compiler of a processor gets for a text, one element type and one compiled
 * variant (form); and the errors that it reports. */
#ifndef LS_COMPILE_UNIT_H
#define LS_COMPILE_UNIT_H

#include "compile/cache.h"
#include "compile/kernel_text.h"

typedef enum ls_row_form {
  LS_PLAIN,   /* as the build compiles rows */
  LS_CHECKED, /* bounds-checked: all array accesses (kernels/language/checked.h) */
  LS_RACING,  /* race-checked: also compares accesses across threads (kernels/language/races.h) */
  LS_FORMS
} ls_row_form;

/* The number of units into which the rows of a text are divided, and the unit of its i-th row. All of them
 * have the whole text, but compilers drop what a unit's rows don't use. */
int ls_unit_parts(const ls_kernel_text *t);
int ls_unit_part(const ls_kernel_text *t, int row);
/* Returns the source of a unit, freed by the caller with ls_free; NULL: out of memory. It contains the rows
 * of that part with this element type, and all untyped ones; `type` is LS_NONE if all rows are untyped. */
char *ls_unit_text(const ls_kernel_text *t, int part, ls_processor processor, ls_dtype type,
                   ls_row_form form);
/* Makes the name of its code in the cache from all that it depends on: the unit and its own headers, those of
 * kernels/, and `by`: the compiler and its options. */
ls_status ls_unit_name(const ls_kernel_text *t, const char *unit, const char *by, const char *extension,
                       char name[LS_CACHE_NAME]);
/* The element type of the unit for a row that is called with `type`: for an untyped row (LS_NONE) the first
 * type that the text has. */
ls_dtype ls_unit_type(const ls_kernel_text *t, ls_dtype type);
/* Returns LS_EARG with the first error of a compiler's log as message: "heaviest.h:14: 'x' undeclared",
 * followed by that line of the text. */
ls_status ls_unit_error(const ls_kernel_text *t, const char *log);

#endif
