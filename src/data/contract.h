/* Contracts: what the elements of a buffer are known to satisfy (kernels/language/contracts.def). */
#ifndef LS_DATA_CONTRACT_H
#define LS_DATA_CONTRACT_H

#include "core/types.h"

typedef u8 ls_contract;

/* The general contracts. Those of the kernel families follow (run/launch/row.h). */
enum {
  LS_CONTRACT_anything,
  LS_CONTRACT_uniform, /* every element has the same bits, those of the buffer's `bound` */
  LS_CONTRACT_sums,    /* only in rows: exclusive prefix sums of the argument that `bound` names */
#define CONTRACT(name, queue, right, text) LS_CONTRACT_##name,
#include "language/contracts.def"
#undef CONTRACT
  LS_CONTRACT_GENERAL
};

#endif
