/* scan_front on CUDA. Signed integers are added as unsigned ones, whose overflow wraps. */
#define sum_as_u8 u8
#define sum_as_u32 u32
#define sum_as_u64 u64
#define sum_as_i32 u32
#define sum_as_i64 u64
#define sum_as_f32 f32
#define sum_as_f64 f64
#define SUM_AS LS_JOIN(sum_as, W)

CUDA_LIBRARY(scan_front) {
  CUB_TWICE(L, cub::DeviceScan::ExclusiveSum(scratch, bytes, (const SUM_AS *)a->x, (SUM_AS *)a->y, (i64)L->items, stream));
  return LS_OK;
}
