#include "data/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

ls_status ls_partition_number(u32 n, const u32 *id, u32 *number, u32 *classes, u32 **sizes) {
  u32 count = 0;
  for (u32 v = 0; v < n; v++) {
    if (id[v] >= n || id[id[v]] != id[v])
      return ls_fail(LS_EARG, "vertex %u: its class %u is not the number of a vertex in that class", v,
                     id[v]);
    if (id[v] == v) number[v] = count++;
  }
  *sizes = ls_calloc(count, sizeof **sizes);
  if (!*sizes) return LS_EMEM;
  for (u32 v = 0; v < n; v++) {
    number[v] = number[id[v]];
    (*sizes)[number[v]]++;
  }
  *classes = count;
  return LS_OK;
}

static int order(const void *a, const void *b) {
  const u64 x = *(const u64 *)a, y = *(const u64 *)b;
  return (x > y) - (x < y);
}

ls_status ls_quotient(ls_graph *g, const u32 *id, ls_graph **out) {
  u32 classes = 0, *sizes = NULL, *src = NULL, *dst = NULL;
  u64 *pairs = NULL;
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  u32 *number = ls_malloc((size_t)g->n * sizeof *number);
  ls_status st = off && to && number ? ls_partition_number(g->n, id, number, &classes, &sizes) : LS_EMEM;
  u64 count = 0, kept = 0;
  for (u32 v = 0; !st && v < g->n; v++)
    for (u32 e = off[v]; e < off[v + 1]; e++) count += number[v] != number[to[e]];
  if (!st && !(pairs = ls_malloc(count * sizeof *pairs))) st = LS_EMEM;
  count = 0;
  for (u32 v = 0; !st && v < g->n; v++)
    for (u32 e = off[v]; e < off[v + 1]; e++)
      if (number[v] != number[to[e]]) pairs[count++] = (u64)number[v] << 32 | number[to[e]];
  if (!st) qsort(pairs, count, sizeof *pairs, order);
  for (u64 i = 0; !st && i < count; i++)
    if (i == 0 || pairs[i] != pairs[kept - 1]) pairs[kept++] = pairs[i];
  if (!st && (!(src = ls_malloc(kept * sizeof *src)) || !(dst = ls_malloc(kept * sizeof *dst)))) st = LS_EMEM;
  for (u64 i = 0; !st && i < kept; i++) src[i] = (u32)(pairs[i] >> 32), dst[i] = (u32)pairs[i];
  char name[200];
  snprintf(name, sizeof name, "classes of %.180s", g->name);
  if (!st) st = ls_graph_from_edges(classes, kept, src, dst, NULL, LS_NONE, name, out);
  ls_free(number);
  ls_free(sizes);
  ls_free(pairs);
  ls_free(src);
  ls_free(dst);
  return st;
}
