/* matrix_copy on a CPU. */
CPU_LIBRARY(matrix_copy) {
  UNUSED_LIBRARY;
  ls_status st = part_fits(L->bind.size[0], a->cols, a->i, a->j, a->p, a->q);
  if (!st) st = part_fits(L->bind.size[6], a->wide, a->k, a->l, a->p, a->q);
  if (st || !L->items) return st;
  const W *from = a->x + (u64)a->i * a->cols + a->j;
  W *to = a->y + (u64)a->k * a->wide + a->l;
  if (a->q == a->cols && a->q == a->wide) { /* whole rows: contiguous */
    memcpy(to, from, L->items * sizeof(W));
    return LS_OK;
  }
  const int team = L->serial || L->items < 1 << 16 ? 1 : L->threads;
#pragma omp parallel for num_threads(team)
  for (i64 x = 0; x < (i64)a->p; x++) memcpy(to + (u64)x * a->wide, from + (u64)x * a->cols, a->q * sizeof(W));
  return LS_OK;
}
