/* The header of NumPy's .npy format (NumPy enhancement proposal 1, version 1): a magic word and a dictionary.
 * The elements follow it, row by row. */
#ifndef LS_CORE_NPY_H
#define LS_CORE_NPY_H

#include "core/types.h"

enum { LS_NPY_HEAD = 128 }; /* bytes, for any shape */

enum { LS_NPY_DIMENSIONS = 3 };

/* Writes the header to `out`. shape: number of elements along each of the `dimensions` dimensions. */
void ls_npy_head(ls_dtype type, int dimensions, const u64 shape[LS_NPY_DIMENSIONS], char out[LS_NPY_HEAD]);

#endif
