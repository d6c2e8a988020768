/* kleene_update on CUDA. Arcs from the same predecessor are adjacent; one thread handles all of them, so that no two threads
 * update the same element. */
static __global__ void LS_JOIN(update_kernel, W)(const u32 *roff, const u32 *rto, const W *rw, W *K, u32 n, u32 vertex,
                                                 u32 *overflow) {
  const u32 j = blockIdx.x * blockDim.x + threadIdx.x, first = roff[vertex], last = roff[vertex + 1];
  if (j >= n) return;
  const W x = K[(u64)vertex * n + j];
  if (x == PLAIN_LEAST) return;
  for (u32 e = first + blockIdx.y * blockDim.y + threadIdx.y; e < last; e += gridDim.y * blockDim.y) {
    const u32 v = rto[e];
    if (e > first && rto[e - 1] == v) continue;
    W best = K[(u64)v * n + j];
    const W before = best;
    for (u32 same = e; same < last && rto[same] == v; same++) best = PLAIN_MERGE(MAX_PLUS, best, rw[same], x, overflow);
    if (best != before) K[(u64)v * n + j] = best;
  }
}

CUDA_LIBRARY(kleene_update) {
  if (a->columns * a->rows > 1024)
    return ls_fail(LS_EARG, "kleene_update: a block of %u x %u: expected at most 1024 threads", a->columns, a->rows);
  const u32 across = (a->n + a->columns - 1) / a->columns, down = (a->arcs + a->rows - 1) / a->rows;
  LS_JOIN(update_kernel, W)<<<dim3(across, down < 1 ? 1 : down < 65535 ? down : 65535), dim3(a->columns, a->rows), 0, stream>>>(
      a->roff, a->rto, a->rw, a->K, a->n, a->vertex, a->overflow);
  return LS_OK;
}
