/* transpose on a CPU: a counting sort by target on one thread. (The transpose of an ls_graph is not made here, but by
 * ls_graph_transpose on the host.) */
CPU_LIBRARY(transpose) {
  const u32 n = a->n, *off = a->off, *to = a->to;
  u32 *roff = a->roff, *rto = a->rto;
  UNUSED_LIBRARY;
  memset(roff, 0, ((size_t)n + 1) * sizeof *roff);
  for (u32 e = 0; e < off[n]; e++) roff[to[e]]++;
  u32 sum = 0;
  for (u32 v = 0; v <= n; v++) { /* from here on roff[v] is the place of v's next in-edge */
    u32 degree = roff[v];
    roff[v] = sum;
    sum += v < n ? degree : 0;
  }
  for (u32 v = 0; v < n; v++)
    for (u32 e = off[v]; e < off[v + 1]; e++) rto[roff[to[e]]++] = v;
  memmove(roff + 1, roff, (size_t)n * sizeof *roff);
  roff[0] = 0;
  return LS_OK;
}
