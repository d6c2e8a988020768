#include "data/ops.h"

#include <stdio.h>

#include "core/mem.h"

/* What a derived graph keeps of its origin besides edges. ids may be NULL: taken over. */
static void inherit(const ls_graph *from, ls_graph *to) {
  to->label_base = from->label_base;
  to->scale = from->scale;
  to->reversed = from->reversed;
  to->namer = from->namer;
  if (to->namer) to->namer->refs++;
}

ls_status ls_graph_reverse(ls_graph *g, ls_graph **out) {
  ls_status st = ls_graph_transpose(g);
  if (st) return st;
  char name[256];
  snprintf(name, sizeof name, "%s reversed", g->name);
  ls_buffer *const arrays[6] = {ls_buffer_retain(g->roff), ls_buffer_retain(g->rto), ls_buffer_retain(g->rw),
                                ls_buffer_retain(g->off),  ls_buffer_retain(g->to),  ls_buffer_retain(g->w)};
  st = ls_graph_from_buffers(g->n, g->m, g->wtype, arrays, name, out);
  if (st) return st;
  inherit(g, *out);
  (*out)->reversed = !g->reversed;
  (*out)->ids = ls_buffer_retain(g->ids);
  return LS_OK;
}
