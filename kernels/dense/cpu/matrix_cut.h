/* matrix_cut on a CPU. */
CPU_LIBRARY(matrix_cut) {
  UNUSED_LIBRARY;
  const ls_status st = part_fits("matrix_cut", L->bind.size[0], a->cols, a->i, a->j, L->items, a->q);
  if (st || !L->items) return st;
  if (a->q == a->cols) { /* whole rows lie together */
    memcpy(a->part, a->D + (u64)a->i * a->cols, L->items * sizeof(W));
    return LS_OK;
  }
  const u64 rows = L->items / a->q;
  const int team = L->serial || L->items < 1 << 16 ? 1 : L->threads;
#pragma omp parallel for num_threads(team)
  for (i64 x = 0; x < (i64)rows; x++)
    memcpy(a->part + (u64)x * a->q, a->D + (a->i + (u64)x) * a->cols + a->j, a->q * sizeof(W));
  return LS_OK;
}
