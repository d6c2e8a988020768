#include "library.h"
#include "prims_list.h"

ls_status reduce_cpu(ls_launch *L) {
  const u64 k = L->bind.size[0];
  const u32 op = L->bind.value[2].u;
  if (op > 2) return ls_fail(LS_EARG, "reduce: op %u is none of 0 (sum), 1 (minimum), 2 (maximum)", op);
#define REDUCE(type)                                        \
  do {                                                      \
    const type *x = L->bind.ptr[0];                         \
    type r = k && op ? x[0] : 0;                            \
    if (op == 0)                                            \
      for (u64 i = 0; i < k; i++)                           \
        r = (type)((SUM_IN(type))r + (SUM_IN(type))x[i]);   \
    else if (op == 1)                                       \
      for (u64 i = 0; i < k; i++) r = x[i] < r ? x[i] : r;  \
    else                                                    \
      for (u64 i = 0; i < k; i++) r = x[i] > r ? x[i] : r;  \
    *(type *)L->bind.ptr[1] = r;                            \
  } while (0)
  FOR_TYPE(L, REDUCE)
  return LS_OK;
}
