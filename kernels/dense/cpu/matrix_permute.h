/* matrix_permute on a CPU. */
CPU_LIBRARY(matrix_permute) {
  UNUSED_LIBRARY;
  const u64 n = a->n;
  const int team = L->serial || n * n < 1 << 16 ? 1 : L->threads;
#pragma omp parallel for num_threads(team)
  for (i64 i = 0; i < (i64)n; i++)
    for (u64 j = 0; j < n; j++) a->y[(u64)i * n + j] = a->x[a->place[i] * n + a->place[j]];
  return LS_OK;
}
