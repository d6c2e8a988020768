#include "library.h"
#include "prims_list.h"

ls_status scan_cpu(ls_launch *L) {
  const u64 k = L->bind.size[0];
#define SCAN(type)                                          \
  do {                                                      \
    const type *x = L->bind.ptr[0];                         \
    type *y = L->bind.ptr[1], sum = 0;                      \
    for (u64 i = 0; i < k; i++) {                           \
      y[i] = sum;                                           \
      sum = (type)((SUM_IN(type))sum + (SUM_IN(type))x[i]); \
    }                                                       \
  } while (0)
  FOR_TYPE(L, SCAN)
  return LS_OK;
}
