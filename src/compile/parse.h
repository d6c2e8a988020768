/* Reads the text of kernels (compile/kernel_text.h): its rows, their arguments, its loops. */
#ifndef LS_COMPILE_PARSE_H
#define LS_COMPILE_PARSE_H

#include "compile/kernel_text.h"
#include "compile/tokens.h"

/* Reads a text. LS_EARG: a syntax error, with the line: "heaviest.h:3: ...". *out can be freed by
 * ls_kernel_text_free while none of its rows is registered. */
ls_status ls_kernel_text_read(const char *name, const char *folder, int line, const char *text,
                              ls_kernel_text **out);

/* The token after the row or loop that begins at t, which is PRIM(...), or LOOP(...) up to END_LOOP(...).
 * NULL: none begins there, or it has no end. */
const ls_token *ls_row_text_end(const char *text, const ls_token *t);

#endif
