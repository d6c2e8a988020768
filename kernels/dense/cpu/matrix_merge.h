/* matrix_merge on a CPU. */
CPU_LIBRARY(matrix_merge) {
  UNUSED_LIBRARY;
  const int team = L->serial || L->items < 1 << 16 ? 1 : L->threads;
  const W one = a->semiring == PLUS_TIMES ? 1 : a->semiring == MAX_MIN ? PLAIN_GREATEST : 0;
#pragma omp parallel for num_threads(team)
  for (i64 i = 0; i < (i64)L->items; i++) a->y[i] = PLAIN_MERGE(a->semiring, a->y[i], a->x[i], one, a->overflow);
  return LS_OK;
}
