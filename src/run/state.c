#include "run/state.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "run/dispatch.h"
#include "run/sizes.h"

/* States below this many bytes get their device memory in one piece. */
enum { SMALL = 1 << 25 };

static f64 bytes_of(const ls_schema *schema, ls_dtype type, const ls_sizes *sizes) {
  f64 wanted = 0;
  for (int i = 0; i < schema->nfields; i++) {
    const ls_field *f = &schema->fields[i];
    u64 count = 0;
    ls_extent_elements(sizes, f->extent, &count);
    wanted += (f64)count * (f64)ls_dtype_size(f->type == LS_W ? type : f->type);
  }
  return wanted;
}

static ls_status enough_memory(const ls_schema *schema, f64 wanted) {
  const ls_device *d = ls_device_current();
  u64 available;
  if (!d || d->processor == LS_CPU || wanted < SMALL) return LS_OK; /* asking takes longer than allocating */
  if (ls_device_memory_free(d, &available) || wanted <= (f64)available) return LS_OK;
  return ls_fail(LS_EDEVICE, "a state %s needs %.1f MiB, but %s has %.1f MiB free", schema->name,
                 wanted / 1048576.0, d->name, (f64)available / 1048576.0);
}

static ls_status start_at_infinity(ls_buffer *b) {
  void *p = ls_buffer_overwrite(b);
  if (!p) return LS_EMEM;
  for (u64 i = 0; i < b->count; i++) switch (b->type) {
    case LS_I32: ((i32 *)p)[i] = INT32_MAX; break;
    case LS_I64: ((i64 *)p)[i] = INT64_MAX; break;
    case LS_F32: ((f32 *)p)[i] = (f32)INFINITY; break;
    case LS_F64: ((f64 *)p)[i] = (f64)INFINITY; break;
    default: return ls_fail(LS_EARG, "%s has no infinity", ls_dtype_name(b->type));
    }
  return LS_OK;
}

/* What W stands for: the wanted type, else the graph's weights', or the wider of its kind where that is
 * taken. */
static ls_status choose_type(const ls_schema *schema, const ls_graph *g, ls_dtype *type) {
  char types[LS_TYPES_TEXT];
  const bool untyped = schema->types >> LS_NONE & 1;
  if (*type == LS_NONE) {
    *type = g->wtype == LS_NONE ? LS_I32 : g->wtype;
    if (!untyped && !(schema->types >> *type & 1)) *type = ls_dtype_is_real(*type) ? LS_F64 : LS_I64;
  } else if (untyped) {
    return ls_fail(LS_EARG, "state.%s: expected no element type, got %s", schema->name, ls_dtype_name(*type));
  } else if (!(schema->types >> *type & 1)) {
    return ls_fail(LS_EARG, "state.%s: expected the element type %s, got %s", schema->name,
                   ls_types_text(schema->types, types), ls_dtype_name(*type));
  }
  return LS_OK;
}

ls_status ls_state_new(const ls_schema *schema, ls_graph *g, ls_dtype type, ls_state **out) {
  ls_sizes sizes = {0};
  ls_sizes_set(&sizes, "n", 1, g->n);
  ls_sizes_set(&sizes, "m", 1, g->m);
  ls_status st = choose_type(schema, g, &type);
  if (st) return st;
  const f64 bytes = bytes_of(schema, type, &sizes);
  st = enough_memory(schema, bytes);
  if (st) return st;
  ls_state *s = ls_calloc(1, sizeof *s);
  if (!s) return LS_EMEM;
  s->schema = schema;
  s->type = type;
  s->graph = ls_graph_retain(g);
  for (int i = 0; !st && i < schema->nfields; i++) {
    const ls_field *f = &schema->fields[i];
    u64 count = 0;
    ls_extent_elements(&sizes, f->extent, &count);
    st = ls_buffer_new(f->type == LS_W ? type : f->type, count, 0, &s->buffers[i]);
    if (!st && strcmp(f->init, "none") == 0) ls_buffer_blank(s->buffers[i], 0xff);
    if (!st && strcmp(f->init, "huge") == 0) ls_buffer_blank(s->buffers[i], 0x7f);
    if (!st && strcmp(f->init, "inf") == 0) st = start_at_infinity(s->buffers[i]);
  }
  const ls_device *d = ls_device_current();
  if (!st && d && d->processor == LS_CUDA && bytes < SMALL)
    st = ls_buffers_together(s->buffers, schema->nfields, d->index);
  if (st)
    ls_state_free(s);
  else
    *out = s;
  return st;
}

void ls_state_close(ls_state *s) {
  for (int i = 0; i < s->schema->nfields; i++) {
    ls_buffer_release(s->buffers[i]);
    s->buffers[i] = NULL;
  }
  ls_graph_release(s->graph);
  s->graph = NULL;
  s->closed = true;
}

void ls_state_free(ls_state *s) {
  if (!s->closed) ls_state_close(s);
  ls_free(s);
}

ls_buffer *ls_state_field(const ls_state *s, const char *name) {
  for (int i = 0; i < s->schema->nfields; i++) /* a loop of sixty arguments asks for each */
    if (*s->schema->fields[i].name == *name && strcmp(s->schema->fields[i].name, name) == 0)
      return s->buffers[i];
  return NULL;
}

ls_status ls_transpose_here(ls_graph *g, bool weights) {
  const ls_device *d = ls_device_current();
  if (weights ? ls_graph_transposed(g) : g->roff != NULL) return LS_OK;
  if (!d || d->processor == LS_CPU || weights) return ls_graph_transpose(g);
  ls_buffer *roff = NULL, *rto = NULL;
  const bool beside = ls_buffer_beside(true); /* a graph has no past */
  ls_status st = ls_buffer_new(LS_U32, (u64)g->n + 1, 0, &roff);
  if (!st) st = ls_buffer_new(LS_U32, g->m, 0, &rto);
  ls_buffer_beside(beside);
  if (!st) {
    ls_call c = {.prim = ls_prim_find("transpose"), .type = LS_NONE, .buffers = {g->off, g->to, roff, rto}};
    ls_outcome out;
    st = ls_dispatch(&c, &out);
  }
  if (st) {
    ls_buffer_release(roff);
    ls_buffer_release(rto);
    return st;
  }
  roff->read_only = rto->read_only = true;
  g->roff = roff;
  g->rto = rto;
  return LS_OK;
}
