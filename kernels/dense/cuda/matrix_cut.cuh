/* matrix_cut on CUDA. */
CUDA_LIBRARY(matrix_cut) {
  const ls_status st = part_fits("matrix_cut", L->bind.size[0], a->cols, a->i, a->j, L->items, a->q);
  if (st || !L->items) return st;
  const size_t line = a->q * sizeof(W);
  if (a->q == a->cols) { /* whole rows lie together */
    CUDA_TRY(L, cudaMemcpyAsync(a->part, a->D + (u64)a->i * a->cols, L->items * sizeof(W), cudaMemcpyDeviceToDevice, stream));
    return LS_OK;
  }
  CUDA_TRY(L, cudaMemcpy2DAsync(a->part, line, a->D + (u64)a->i * a->cols + a->j, (size_t)a->cols * sizeof(W), line,
                                L->items / a->q, cudaMemcpyDeviceToDevice, stream));
  return LS_OK;
}
