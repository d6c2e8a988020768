/* Strongly connected components, Tarjan 1972, without recursion.
 *
 * One word per vertex holds index, low link or component (Pearce 2016, "A space-efficient algorithm for
 * finding strongly connected components"), so that an edge costs only one random read. */
#include "core/mem.h"
#include "reference/reference.h"

/* A vertex whose edges are being scanned. Its current low link is in id[v]. */
typedef struct frame {
  u32 v, index;
  u32 next, end; /* edges still to scan: [next, end) */
} frame;

/* The search is bound by memory latency: prefetches the data of a new vertex's first targets, all at once. */
static inline void fetch_ahead(const u32 *off, const u32 *to, const u32 *id, u32 e, u32 end) {
  enum { AHEAD = 8 };
  for (u32 stop = end - e < AHEAD ? end : e + AHEAD; e < stop; e++) {
    __builtin_prefetch(&id[to[e]]);
    __builtin_prefetch(&off[to[e]]);
  }
}

/* During the search id[v] is 0 (not visited); an index or low link, counted up from 1 (visited); or the
 * number of a finished component, counted down from LS_NO_VERTEX. Indices are reused once their vertices are
 * finished, so the two ranges never overlap. */
static u32 search(u32 n, const u32 *off, const u32 *to, u32 *id, frame *frames, u32 *stack) {
  u32 index = 1, component = LS_NO_VERTEX;
  u64 waiting = 0; /* vertices on `stack`: scanned, but their component is not finished yet */
  for (u32 root = 0; root < n; root++) {
    if (id[root]) continue;
    frame *top = frames;
    *top = (frame){root, index, off[root], off[root + 1]};
    id[root] = index++;
    for (;;) {
      u32 low = id[top->v], e = top->next, end = top->end, child = LS_NO_VERTEX;
      for (; e < end; e++) {
        u32 there = id[to[e]];
        if (there == 0) {
          child = to[e];
          break;
        }
        if (there < low) low = there;
      }
      id[top->v] = low;
      if (child != LS_NO_VERTEX) {
        top->next = e; /* this edge is scanned again on return, when the child's low link is known */
        top++;
        *top = (frame){child, index, off[child], off[child + 1]};
        id[child] = index++;
        fetch_ahead(off, to, id, top->next, top->end);
        continue;
      }
      if (low == top->index) {
        index--;
        while (waiting > 0 && id[stack[waiting - 1]] >= low) {
          id[stack[--waiting]] = component;
          index--;
        }
        id[top->v] = component--;
      } else {
        stack[waiting++] = top->v;
      }
      if (top == frames) break;
      top--;
    }
  }
  return LS_NO_VERTEX - component;
}

ls_status ls_tarjan(ls_graph *g, u32 *id, u32 *count) {
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  if (!off || !to) return LS_EMEM;
  frame *frames = ls_malloc((size_t)g->n * sizeof *frames);
  u32 *stack = ls_malloc((size_t)g->n * sizeof *stack);
  ls_status st = frames && stack ? LS_OK : LS_EMEM;
  if (!st) {
    for (u32 v = 0; v < g->n; v++) id[v] = 0;
    *count = search(g->n, off, to, id, frames, stack);
    for (u32 v = 0; v < g->n; v++) id[v] = LS_NO_VERTEX - id[v];
  }
  ls_free(frames);
  ls_free(stack);
  return st;
}
