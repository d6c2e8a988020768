/* A unit: a text for one element type in one form, as a compiler of one of the processors gets it, and what
 * it said of it. */
#ifndef LS_COMPILE_UNIT_H
#define LS_COMPILE_UNIT_H

#include "compile/text.h"

typedef enum ls_row_form {
  LS_PLAIN,   /* as the build compiles rows */
  LS_CHECKED, /* its accesses to arrays are checked (kernels/language/checked.h) */
  LS_RACING,  /* and held against those of other threads (kernels/language/races.h) */
  LS_FORMS
} ls_row_form;

/* The text of the unit in ls_malloc's memory, NULL: there is none. Rows without this element type are left
 * out, and rows without any type are in each: `type` is LS_NONE where all are such. */
char *ls_unit_text(const ls_kernel_text *t, ls_processor processor, ls_dtype type, ls_row_form form,
                   size_t *bytes);
/* Of a row that is called with this type: the type of its unit. */
ls_dtype ls_unit_type(const ls_kernel_text *t, ls_dtype type);
/* The first error that a compiler reported, as LS_EARG: "heaviest.h:14: 'x' undeclared", with the line below
 * it. */
ls_status ls_unit_error(const ls_kernel_text *t, const char *log);

#endif
