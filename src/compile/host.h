/* Compiles a unit to a shared library with the host's compiler, and loads it. */
#ifndef LS_COMPILE_HOST_H
#define LS_COMPILE_HOST_H

#include "compile/unit.h"

/* LS_OK: there is a compiler. LS_EARG: there is none; the message lists the compilers that were tried. */
ls_status ls_host_compiler(ls_row_form form);
/* Compiles all units of the text at the same time, or takes them from the cache. library[i]: a handle for
 * dlsym, for each of its ls_unit_parts. LS_EARG: the text is wrong, or there is no compiler. */
ls_status ls_host_load(const ls_kernel_text *t, ls_dtype type, ls_row_form form, void **library);

#endif
