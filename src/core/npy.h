/* The head of NumPy's .npy format (NumPy enhancement proposal 1, version 1): a magic word and a dictionary;
 * behind it stand the elements, row after row. */
#ifndef LS_CORE_NPY_H
#define LS_CORE_NPY_H

#include "core/types.h"

enum { LS_NPY_HEAD = 128 }; /* bytes, whatever the numbers of rows and columns are */

/* cols 0: a vector. */
void ls_npy_head(ls_dtype type, u64 rows, u64 cols, char out[LS_NPY_HEAD]);

#endif
