/* copy on a CPU. */
CPU_LIBRARY(copy) {
  UNUSED_LIBRARY;
  if (L->items) memcpy(a->y, a->x, L->items * sizeof(W));
  return LS_OK;
}
