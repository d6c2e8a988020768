/* scan_front on a CPU. */
CPU_LIBRARY(scan_front) {
  W sum = 0;
  UNUSED_LIBRARY;
  for (u64 i = 0; i < L->items; i++) {
    a->y[i] = sum;
    sum = (W)((SUM_IN)sum + (SUM_IN)a->x[i]);
  }
  return LS_OK;
}
