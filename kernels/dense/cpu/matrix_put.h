/* matrix_put on a CPU. */
CPU_LIBRARY(matrix_put) {
  UNUSED_LIBRARY;
  const ls_status st = part_fits("matrix_put", L->bind.size[2], a->cols, a->i, a->j, L->items, a->q);
  if (st || !L->items) return st;
  if (a->q == a->cols) { /* whole rows lie together */
    memcpy(a->D + (u64)a->i * a->cols, a->part, L->items * sizeof(W));
    return LS_OK;
  }
  const u64 rows = L->items / a->q;
  const int team = L->serial || L->items < 1 << 16 ? 1 : L->threads;
#pragma omp parallel for num_threads(team)
  for (i64 x = 0; x < (i64)rows; x++)
    memcpy(a->D + (a->i + (u64)x) * a->cols + a->j, a->part + (u64)x * a->q, a->q * sizeof(W));
  return LS_OK;
}
