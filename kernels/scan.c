#include "library.h"
#include "prims_list.h"

ls_status scan_cpu(ls_launch *L) {
  const u64 k = L->bind.size[0];
#define SCAN(type)                                          \
  do {                                                      \
    const type *x = L->bind.ptr[0];                         \
    type *y = L->bind.ptr[1], sum = 0;                      \
    for (u64 i = 0; i < k; i++) y[i] = sum, sum = (type)(sum + x[i]); \
  } while (0)
  /* signed sums wrap as unsigned ones do */
  switch (L->type) {
  case LS_U8: SCAN(u8); break;
  case LS_I32:
  case LS_U32: SCAN(u32); break;
  case LS_I64:
  case LS_U64: SCAN(u64); break;
  case LS_F32: SCAN(f32); break;
  case LS_F64: SCAN(f64); break;
  default: break;
  }
  return LS_OK;
}
