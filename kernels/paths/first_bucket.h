/* Delta-stepping, line 6: i = min{j : B[j] is not empty}. The array is cyclic: the size of bucket i is at index i modulo the
 * number of buckets. */
#include "paths/paths.h"

#define FIRST_BUCKET_ARGS(A, W)                                                                             \
  A(VALUE, u32, buckets, "1", positive, "1") A(IN, u32, filled, "buckets") A(INOUT, i64, bucket, "1") A(COUNT, u32, found, "1")
ARGS(first_bucket, FIRST_BUCKET_ARGS)

VERTEX_BODY(first_bucket) {
  (void)push, (void)v;
  const i64 first = *a->bucket;
  for (u32 j = 0; j < a->buckets; j++) {
    if (first < 0 || !a->filled[(u64)(first + j) % a->buckets]) continue;
    *a->bucket = first + j;
    count->found = 1;
    return;
  }
}
