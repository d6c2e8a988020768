#include "library.h"
#include "prims_list.h"

#include <stdlib.h>
#include <string.h>

/* Small buffers are sorted by the C library, which also says what "ascending" means for each type. */
#define ORDER(type)                                        \
  static int order_##type(const void *a, const void *b) {  \
    const type x = *(const type *)a, y = *(const type *)b; \
    return (x > y) - (x < y);                              \
  }
ORDER(u8)
ORDER(u32)
ORDER(u64)
ORDER(i32)
ORDER(i64)
ORDER(f32)
ORDER(f64)

ls_status radix_sort_cpu(ls_launch *L) {
  const u64 k = L->bind.size[0];
  if (!k) return LS_OK;
  memcpy(L->bind.ptr[1], L->bind.ptr[0], k * ls_dtype_size(L->type));
#define SORT(type) qsort(L->bind.ptr[1], k, sizeof(type), order_##type)
  FOR_TYPE(L, SORT)
  return LS_OK;
}
