/* Strongly connected components, Tarjan 1972, without recursion.
 *
 * One word a vertex does for index, low link and component, after Pearce 2016 ("A space-efficient algorithm
 * for finding strongly connected components"): an edge then costs one random read. */
#include "core/mem.h"
#include "reference/reference.h"

/* A vertex being searched. Its present low link is in id[v]; root = no lower one was found. */
typedef struct frame {
  u32 v, index;
  u32 next, end; /* its edges still to be looked at */
} frame;

/* Memory is what a search waits for: asks for a new row's heads at once, before it looks at the first. */
static inline void fetch_ahead(const u32 *off, const u32 *to, const u32 *id, u32 e, u32 end) {
  enum { AHEAD = 8 };
  for (u32 stop = end - e < AHEAD ? end : e + AHEAD; e < stop; e++) {
    __builtin_prefetch(&id[to[e]]);
    __builtin_prefetch(&off[to[e]]);
  }
}

/* While the search runs, id[v] is 0 (not seen), an index from 1 up (seen), or, counted down from
 * LS_NO_VERTEX, a finished component's number. Indices are handed out again once their vertices are
 * finished, so the two never meet. */
static u32 search(u32 n, const u32 *off, const u32 *to, u32 *id, frame *frames, u32 *stack) {
  u32 index = 1, component = LS_NO_VERTEX;
  u64 waiting = 0; /* searched, of a component not yet finished, and not its root */
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
        top->next = e; /* looked at again on return: then its low link is known */
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
