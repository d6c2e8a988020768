/* Packs a row's arguments into the struct that its body takes, for a launcher that was not compiled with the
 * row. */
#ifndef LS_COMPILE_PACK_H
#define LS_COMPILE_PACK_H

#include "compile/unit.h"
#include "run/launch/launch.h"

enum { LS_PACK_MOST = 8 + 24 * LS_MAX_ARGS };

/* Writes the struct NAME_args of kernels/language/kernel.h in the layout of the compiled variant `form`.
 * Returns its size in bytes. */
size_t ls_pack(const ls_launch *L, ls_row_form form, u8 out[LS_PACK_MOST]);

#endif
