/* order_vertices on a CPU: Kahn's algorithm with a queue. The queue holds vertices in order of level, so the last
 * predecessor of a vertex to leave the queue is one of the highest level; hence levels are the same as in order_level. */
CPU_LIBRARY(order_vertices) {
  const u32 n = a->n, *off = a->off, *to = a->to;
  u32 *indegree = a->indegree, *level = a->level, *queue = a->front, listed = 0;
  if (!n) return LS_OK;
  memset(indegree, 0, n * sizeof *indegree);
  memset(level, 0, n * sizeof *level);
  memset(queue, 0, n * sizeof *queue);
  for (u64 e = off[0]; e < off[n]; e++) indegree[to[e]]++;
  for (u32 v = 0; v < n; v++)
    if (!indegree[v]) queue[listed++] = v;
  count->sources = listed;
  COUNT_EDGES((u64)off[n] - off[0]);
  for (u32 next = 0; next < listed; next++) {
    const u32 v = queue[next];
    COUNT_EDGES(off[v + 1] - off[v]);
    for (u32 e = off[v]; e < off[v + 1]; e++)
      if (!--indegree[to[e]]) level[to[e]] = level[v] + 1, queue[listed++] = to[e];
  }
  return LS_OK;
}
