#include "data/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

enum { PIECE = 1 << 14, CACHED = 64, SMALL = 1 << 16 };

/* Counts a thread's vertices by class. One class may have most of the vertices, and an atomic addition for
 * each of them would be slow, so each thread adds up the counts of the classes that it saw last. */
typedef struct counter {
  u32 class[CACHED], count[CACHED];
} counter;

static void put_count(u32 *sizes, counter *c, u32 at) {
  if (c->count[at]) __atomic_fetch_add(&sizes[c->class[at]], c->count[at], __ATOMIC_RELAXED);
}

static void count_vertex(u32 *sizes, counter *c, u32 class) {
  const u32 at = class % CACHED;
  if (c->class[at] != class) {
    put_count(sizes, c, at);
    c->class[at] = class;
    c->count[at] = 0;
  }
  c->count[at]++;
}

/* Sets first[p] to the number of representatives before piece p of the vertices. Returns the number of all
 * representatives; *wrong: the first vertex whose id is not a representative, or n. */
static u32 count_representatives(u32 n, const u32 *id, u32 *first, u32 *wrong) {
  const u32 pieces = (n + PIECE - 1) / PIECE;
  u32 least = n, all = 0;
#pragma omp parallel for reduction(min : least) if (pieces > 4)
  for (u32 p = 0; p < pieces; p++) {
    u32 count = 0;
    for (u32 v = p * PIECE; v < n && v < (p + 1) * PIECE; v++) {
      if ((id[v] >= n || id[id[v]] != id[v]) && v < least) least = v;
      count += id[v] == v;
    }
    first[p] = count;
  }
  for (u32 p = 0; p < pieces; p++) {
    const u32 count = first[p];
    first[p] = all;
    all += count;
  }
  *wrong = least;
  return all;
}

ls_status ls_partition_number(u32 n, const u32 *id, u32 *number, u32 *classes, u32 **sizes) {
  const u32 pieces = (n + PIECE - 1) / PIECE;
  u32 wrong, *first = ls_malloc((size_t)pieces * sizeof *first);
  if (!first) return LS_EMEM;
  const u32 count = count_representatives(n, id, first, &wrong);
  u32 *size = wrong < n ? NULL : ls_calloc(count, sizeof *size);
  if (!size) {
    ls_free(first);
    return wrong == n ? LS_EMEM
                      : ls_fail(LS_EARG,
                                "vertex %u has class %u, but a class must have the number of one of its "
                                "vertices",
                                wrong, id[wrong]);
  }
#pragma omp parallel if (pieces > 4)
  {
#pragma omp for
    for (u32 p = 0; p < pieces; p++) {
      u32 next = first[p];
      for (u32 v = p * PIECE; v < n && v < (p + 1) * PIECE; v++)
        if (id[v] == v) number[v] = next++;
    }
    counter c = {{0}, {0}};
#pragma omp for nowait
    for (u32 v = 0; v < n; v++) {
      const u32 class = number[id[v]];
      if (id[v] != v) number[v] = class;
      count_vertex(size, &c, class);
    }
    for (u32 at = 0; at < CACHED; at++) put_count(size, &c, at);
  }
  ls_free(first);
  *classes = count;
  *sizes = size;
  return LS_OK;
}

static int descending(const void *a, const void *b) {
  const u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return (x < y) - (x > y);
}

/* Small sizes, of which there are few but which may occur often, are counted in a table; the others are
 * sorted. */
ls_status ls_partition_tally(const u32 *sizes, u64 count, u32 most, ls_tally *tally, u32 *different) {
  u64 large = 0, listed = 0;
  u32 n = 0;
  u32 *times = ls_calloc(SMALL, sizeof *times);
#pragma omp parallel for reduction(+ : large) if (count > SMALL)
  for (u64 i = 0; i < count; i++) large += sizes[i] >= SMALL;
  u32 *list = ls_malloc(large * sizeof *list);
  if (!times || !list) {
    ls_free(times);
    ls_free(list);
    return LS_EMEM;
  }
#pragma omp parallel if (count > SMALL)
  {
    counter c = {{0}, {0}};
#pragma omp for nowait
    for (u64 i = 0; i < count; i++) {
      if (sizes[i] >= SMALL) {
        list[__atomic_fetch_add(&listed, 1, __ATOMIC_RELAXED)] = sizes[i];
        continue;
      }
      count_vertex(times, &c, sizes[i]);
    }
    for (u32 at = 0; at < CACHED; at++) put_count(times, &c, at);
  }
  qsort(list, large, sizeof *list, descending);
  for (u64 i = 0; i < large; i++) {
    const bool more = i > 0 && list[i] == list[i - 1];
    if (!more && n++ < most) tally[n - 1] = (ls_tally){list[i], 0};
    if (n <= most) tally[n - 1].times++;
  }
  for (u32 size = SMALL; size-- > 0;)
    if (times[size] && n++ < most) tally[n - 1] = (ls_tally){size, times[size]};
  ls_free(times);
  ls_free(list);
  *different = n;
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
