/* Models with m4's macros (.mdve). */
#ifndef LS_MODEL_DVE_MACROS_H
#define LS_MODEL_DVE_MACROS_H

#include "model/dve/dve.h"

/* What m4 makes of a file: ls_malloc'ed, with a 0 behind it. LS_EINPUT where there is no m4 or it complains;
 * LS_EARG for a definition's name that is none. m4's macros that run commands or write files are not defined.
 */
ls_status dve_expand(const char *path, const ls_dve_define *defines, u32 count, char **text, size_t *bytes);

#endif
