/* The host's compiler: makes of a unit a library, and loads it. */
#ifndef LS_COMPILE_HOST_H
#define LS_COMPILE_HOST_H

#include "compile/unit.h"

/* Is there a compiler? LS_EARG says which were looked for. */
ls_status ls_host_compiler(ls_row_form form);
/* *library: for dlsym. LS_EARG: what is wrong with the text, or no compiler is there. */
ls_status ls_host_load(const ls_kernel_text *t, ls_dtype type, ls_row_form form, void **library);

#endif
