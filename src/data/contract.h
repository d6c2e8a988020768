/* What the elements of a buffer are known to be: kernels/language/contracts.def. */
#ifndef LS_DATA_CONTRACT_H
#define LS_DATA_CONTRACT_H

#include "core/types.h"

typedef u8 ls_contract;

/* The general ones. The families' follow them (run/row.h). */
enum {
  LS_CONTRACT_anything,
  LS_CONTRACT_uniform, /* every element has the same bits; the bound says which */
  LS_CONTRACT_sums,    /* in a row alone: exclusive prefix sums of the argument that stands for the bound */
#define CONTRACT(name, queue, right, text) LS_CONTRACT_##name,
#include "language/contracts.def"
#undef CONTRACT
  LS_CONTRACT_GENERAL
};

#endif
