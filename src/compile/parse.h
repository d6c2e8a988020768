/* Reads the text of kernels (compile/kernel_text.h): its rows, their arguments, its loops. */
#ifndef LS_COMPILE_PARSE_H
#define LS_COMPILE_PARSE_H

#include "compile/kernel_text.h"

/* Returns the text of a built-in row: its body, followed by its lines of FAMILY.def; a loop has only those
 * lines. Freed by the caller with ls_free. NULL: there is no such row, or it is a LIBRARY row. */
char *ls_shipped_text(const char *name);

/* Reads a text. LS_EARG: a syntax error, with the line: "heaviest.h:3: ...". *out can be freed by
 * ls_kernel_text_free while none of its rows is registered. */
ls_status ls_kernel_text_read(const char *name, const char *folder, int line, const char *text,
                              ls_kernel_text **out);

#endif
