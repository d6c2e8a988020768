/* multiply on a CPU. */
#include "dense/cpu/blocks.h"

CPU_LIBRARY(multiply) {
  UNUSED_LIBRARY;
  const LS_JOIN(matrix, W) into = {a->into, a->r}, left = {(W *)(uintptr_t)a->left, a->q}, right = {(W *)(uintptr_t)a->right, a->r};
  return LS_JOIN(multiply_slices, W)(L, into, left, right, a->p, a->r, a->q, a->semiring, a->positive, a->overflow);
}
