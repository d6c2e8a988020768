/* kleene_update on a CPU: the columns are distributed over the threads. */
CPU_LIBRARY(kleene_update) {
  UNUSED_LIBRARY;
  const u64 n = a->n, part = 512;
  const u32 first = a->roff[a->vertex], last = a->roff[a->vertex + 1];
  const W *from = a->K + (u64)a->vertex * n;
  const int team = L->serial || (u64)(last - first) * n < 1 << 18 ? 1 : L->threads;
#pragma omp parallel for num_threads(team) if (team > 1)
  for (i64 j0 = 0; j0 < (i64)n; j0 += (i64)part) {
    const u64 end = (u64)j0 + part < n ? (u64)j0 + part : n;
    for (u32 e = first; e < last; e++) {
      W *row = a->K + (u64)a->rto[e] * n;
      for (u64 j = (u64)j0; j < end; j++) row[j] = PLAIN_MERGE(MAX_PLUS, row[j], a->rw[e], from[j], a->overflow);
    }
  }
  return LS_OK;
}
