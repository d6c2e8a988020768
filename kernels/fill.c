#include "library.h"
#include "prims_list.h"

ls_status fill_cpu(ls_launch *L) {
  const i64 k = (i64)L->bind.size[0];
  const int team = L->serial || k < 1 << 16 ? 1 : L->threads;
#define FILL(type)                                                   \
  do {                                                               \
    type *x = L->bind.ptr[0];                                        \
    const type value = VALUE_OF(type, L->bind.value[1]);             \
    _Pragma("omp parallel for num_threads(team)") for (i64 i = 0; i < k; i++) x[i] = value; \
  } while (0)
  FOR_TYPE(L, FILL)
  return LS_OK;
}
