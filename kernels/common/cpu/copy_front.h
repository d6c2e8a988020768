/* copy_front on a CPU. */
CPU_LIBRARY(copy_front) {
  UNUSED_LIBRARY;
  if (L->items > L->bind.size[1])
    return ls_fail(LS_EARG, "copy_front: y has room for %llu elements, not for %llu",
                   (unsigned long long)L->bind.size[1], (unsigned long long)L->items);
  if (L->items) memcpy(a->y, a->x, L->items * sizeof(W));
  return LS_OK;
}
