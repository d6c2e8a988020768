/* Reads the text of kernels (compile/text.h): its rows, their arguments, its loops. */
#ifndef LS_COMPILE_PARSE_H
#define LS_COMPILE_PARSE_H

#include "compile/text.h"

/* A shipped row as such a text: its body, and its lines of FAMILY.def behind it; of a loop, its words. NULL:
 * there is no such row, or it is no thread's body. To be given to ls_free. */
char *ls_shipped_text(const char *name);

/* Reads a text. LS_EARG: it is not written as it should be, with the line: "heaviest.h:3: ...". Freed by
 * ls_kernel_text_free, as long as none of its rows was registered. */
ls_status ls_kernel_text_read(const char *name, const char *folder, int line, const char *text,
                              ls_kernel_text **out);

#endif
