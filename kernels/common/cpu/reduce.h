/* reduce on a CPU. */
CPU_LIBRARY(reduce) {
  const W *x = a->x;
  W r = L->items && a->op ? x[0] : 0;
  UNUSED_LIBRARY;
  if (a->op == 0)
    for (u64 i = 0; i < L->items; i++) r = (W)((SUM_IN)r + (SUM_IN)x[i]);
  else if (a->op == 1)
    for (u64 i = 0; i < L->items; i++) r = x[i] < r ? x[i] : r;
  else
    for (u64 i = 0; i < L->items; i++) r = x[i] > r ? x[i] : r;
  a->y[0] = r;
  return LS_OK;
}
