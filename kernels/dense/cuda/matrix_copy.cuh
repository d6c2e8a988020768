/* matrix_copy on CUDA. */
CUDA_LIBRARY(matrix_copy) {
  ls_status st = part_fits(L->bind.size[0], a->cols, a->i, a->j, a->p, a->q);
  if (!st) st = part_fits(L->bind.size[6], a->wide, a->k, a->l, a->p, a->q);
  if (st || !L->items) return st;
  const W *from = a->x + (u64)a->i * a->cols + a->j;
  W *to = a->y + (u64)a->k * a->wide + a->l;
  if (a->q == a->cols && a->q == a->wide) /* whole rows: contiguous */
    CUDA_TRY(L, cudaMemcpyAsync(to, from, L->items * sizeof(W), cudaMemcpyDeviceToDevice, stream));
  else
    CUDA_TRY(L, cudaMemcpy2DAsync(to, (size_t)a->wide * sizeof(W), from, (size_t)a->cols * sizeof(W), a->q * sizeof(W), a->p,
                                  cudaMemcpyDeviceToDevice, stream));
  return LS_OK;
}
