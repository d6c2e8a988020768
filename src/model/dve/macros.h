/* Expands models with m4 macros (.mdve). */
#ifndef LS_MODEL_DVE_MACROS_H
#define LS_MODEL_DVE_MACROS_H

#include "model/dve/dve.h"

/* Expands a file by m4. *text is from ls_malloc and ends with a 0 that *bytes does not count. LS_EINPUT: m4
 * is not installed or reports an error; LS_EARG: a definition's name is invalid or unknown. m4's builtins
 * that run commands or write files are undefined. */
ls_status dve_expand(const char *path, const ls_dve_define *defines, u32 count, char **text, size_t *bytes);

#endif
