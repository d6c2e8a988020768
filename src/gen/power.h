/* A power that is the same on every machine: pow differs in its last bit from one C library to the next. */
#ifndef LS_GEN_POWER_H
#define LS_GEN_POWER_H

#include "core/types.h"

/* x^y for x >= 1, y > 0 and a result below 2^1000: relative error below 1e-12 where x^y < 2^64. Additions,
 * multiplications and divisions only, which IEEE 754 rounds in one way; 1^y is exactly 1. */
f64 ls_power(f64 x, f64 y);

#endif
