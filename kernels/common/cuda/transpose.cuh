/* transpose on CUDA: a stable radix sort of the pairs (target, source) by target, on only as many key bits as n needs. */

/* Sets src[e] to the source of edge e. One warp per row. */
static __global__ void list_sources(const u32 *off, u32 n, u32 *src) {
  const u32 lane = threadIdx.x & 31;
  for (u64 v = ((u64)blockIdx.x * blockDim.x + threadIdx.x) / 32; v < n; v += (u64)gridDim.x * blockDim.x / 32)
    for (u32 e = off[v] + lane, last = off[v + 1]; e < last; e += 32) src[e] = (u32)v;
}

/* Computes row offsets from sorted targets: where the target changes, its row and the empty rows before it begin. */
static __global__ void begin_rows(const u32 *target, u32 m, u32 n, u32 *roff) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i <= m; i += (u64)gridDim.x * blockDim.x) {
    const u32 from = i == 0 ? 0 : target[i - 1] + 1, to = i == m ? n : target[i];
    for (u32 v = from; v <= to; v++) roff[v] = (u32)i;
  }
}

/* The number of blocks for a number of items, a_block items per block; at most 8192. */
static u32 blocks_for(u32 items, u32 a_block) {
  const u32 most = 8192, blocks = items / a_block + 1;
  return blocks < most ? blocks : most;
}

CUDA_LIBRARY(transpose) {
  const u32 n = a->n, m = a->m, *off = a->off, *to = a->to;
  u32 *roff = a->roff, *rto = a->rto;
  int bits = 1;
  while (bits < 32 && n >> bits) bits++;
  size_t sort_bytes = 0;
  CUDA_TRY(L, cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, to, (u32 *)nullptr, (const u32 *)nullptr, rto, (i64)m, 0,
                                              bits, stream));
  const size_t array = ((size_t)m * sizeof(u32) + 255) / 256 * 256;
  void *scratch;
  ls_status st = ls_cuda_scratch(L, 2 * array + sort_bytes, &scratch);
  if (st) return st;
  u32 *src = (u32 *)scratch, *target = (u32 *)((char *)scratch + array);
  list_sources<<<blocks_for(n, 8), 256, 0, stream>>>(off, n, src);
  CUDA_TRY(L, cub::DeviceRadixSort::SortPairs((char *)scratch + 2 * array, sort_bytes, to, target, (const u32 *)src, rto,
                                              (i64)m, 0, bits, stream));
  begin_rows<<<blocks_for(m, 256), 256, 0, stream>>>(target, m, n, roff);
  return LS_OK;
}
