/* The head of NumPy's .npy format (NumPy enhancement proposal 1, version 1): a magic word and a dictionary;
 * behind it stand the elements, row after row. */
#ifndef LS_CORE_NPY_H
#define LS_CORE_NPY_H

#include "core/types.h"

enum { LS_NPY_HEAD = 128 }; /* bytes, whatever the numbers of rows and columns are */

enum { LS_NPY_DIMENSIONS = 3 };

/* shape: the numbers of elements along each of so many dimensions. */
void ls_npy_head(ls_dtype type, int dimensions, const u64 shape[LS_NPY_DIMENSIONS], char out[LS_NPY_HEAD]);

#endif
