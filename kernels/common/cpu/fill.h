/* fill on a CPU. */
CPU_LIBRARY(fill) {
  const i64 items = (i64)L->items;
  const int team = L->serial || items < 1 << 16 ? 1 : L->threads;
  W *x = a->x; /* a local copy: a store to u8 may alias *a, and a->x would be reloaded each time */
  const W value = a->value;
  UNUSED_LIBRARY;
#pragma omp parallel for num_threads(team)
  for (i64 i = 0; i < items; i++) x[i] = value;
  return LS_OK;
}
