/* Computes row offsets from sorted keys: finds the first key of vertex i or above, by binary search. */
#include "language/kernel.h"

#define KEY_ROWS_ARGS(A, W) A(IN, u64, key, "m") A(OUT, u32, off, "n+1")
ARGS(key_rows, KEY_ROWS_ARGS)

ELEMENT_BODY(key_rows) {
  UNUSED_BODY;
  u32 low = 0, high = (u32)a->m;
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    if (a->key[middle] < i << 32)
      low = middle + 1;
    else
      high = middle;
  }
  a->off[i] = low;
}
