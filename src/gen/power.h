/* A power that is the same on every machine: pow differs in its last bit from one C library to the next. */
#ifndef LS_GEN_POWER_H
#define LS_GEN_POWER_H

#include "core/types.h"

/* x^y for x >= 1, y > 0 and a result below 2^1000; the relative error is below 1e-12 if x^y < 2^64, and 1^y
 * is exactly 1. Uses only operations whose rounding IEEE 754 defines: additions, multiplications and
 * divisions. */
f64 ls_power(f64 x, f64 y);

#endif
