#include "library.h"
#include "prims_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Small buffers are sorted by the C library, which wants an order of all values: NaNs come last, as a radix sort of
 * their bits has them, those with a sign first. */
#define ORDER(type, ends)                                   \
  static int order_##type(const void *a, const void *b) {   \
    const type x = *(const type *)a, y = *(const type *)b;  \
    return ends ? ends : (x > y) - (x < y);                 \
  }
#define END_OF(x) (!isnan(x) ? 0 : signbit(x) ? -1 : 1)
ORDER(u8, 0)
ORDER(u32, 0)
ORDER(u64, 0)
ORDER(i32, 0)
ORDER(i64, 0)
ORDER(f32, END_OF(x) - END_OF(y))
ORDER(f64, END_OF(x) - END_OF(y))

ls_status radix_sort_cpu(ls_launch *L) {
  const u64 k = L->bind.size[0];
  if (!k) return LS_OK;
  memcpy(L->bind.ptr[1], L->bind.ptr[0], k * ls_dtype_size(L->type));
#define SORT(type) qsort(L->bind.ptr[1], k, sizeof(type), order_##type)
  FOR_TYPE(L, SORT)
  return LS_OK;
}
