/* What the elements of a buffer are known to be: kernels/holds.def. */
#ifndef LS_DATA_HOLDS_H
#define LS_DATA_HOLDS_H

#include "core/types.h"

typedef enum ls_holds {
  LS_HOLDS_anything,
  LS_HOLDS_uniform, /* every element has the same bits; the bound says which */
  LS_HOLDS_sums,    /* in a row alone: exclusive prefix sums of the argument that stands for the bound */
#define HOLDS(name, queue, right, text) LS_HOLDS_##name,
#include "holds.def"
#undef HOLDS
  LS_HOLDS_COUNT
} ls_holds;

#endif
