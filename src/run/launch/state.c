#include "run/launch/state.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "run/launch/dispatch.h"

/* States below this many bytes get their device memory in one piece. */
enum { SMALL = 1 << 25 };

/* --- sizes
 * --------------------------------------------------------------------------------------------------- */

int ls_schema_sizes(const ls_schema *schema, ls_size_name out[LS_SCHEMA_SIZES]) {
  int count = 0;
  for (int i = 0; i < schema->nfields; i++) {
    const ls_extent *x = ls_extent_of(schema->fields[i].extent);
    for (int t = 0; x && t < x->terms; t++)
      for (int k = 0; k < x->term[t].names; k++) {
        const ls_size_name name = x->term[t].name[k];
        int known = 0;
        while (known < count && !ls_same_size(out[known], name.text, name.len)) known++;
        if (known < count || count == LS_SCHEMA_SIZES) continue;
        out[count++] = name;
      }
  }
  return count;
}

bool ls_graph_gives_size(ls_size_name name) {
  return name.len == 1 && (*name.text == 'n' || *name.text == 'm');
}

static bool graph_gives(const ls_graph *g, ls_size_name name, u64 *value) {
  if (!g || !ls_graph_gives_size(name)) return false;
  *value = *name.text == 'n' ? g->n : g->m;
  return true;
}

/* "vars and cells": the sizes that the constructor of a state takes. */
static const char *wanted_text(const ls_schema *schema, const ls_graph *g, char out[LS_SIZES_TEXT]) {
  ls_size_name name[LS_SCHEMA_SIZES];
  const int count = ls_schema_sizes(schema, name);
  size_t used = 0;
  u64 unused;
  int left = 0;
  for (int i = 0; i < count; i++) left += !graph_gives(g, name[i], &unused);
  snprintf(out, LS_SIZES_TEXT, "no size");
  for (int i = 0; i < count && used < LS_SIZES_TEXT; i++) {
    if (graph_gives(g, name[i], &unused)) continue;
    const char *before = !used ? "" : left == 1 ? " and " : ", ";
    used +=
        (size_t)snprintf(out + used, LS_SIZES_TEXT - used, "%s%.*s", before, (int)name[i].len, name[i].text);
    left--;
  }
  return out;
}

static ls_status take_sizes(const ls_schema *schema, const ls_graph *g, const ls_sizes *given,
                            ls_sizes *out) {
  ls_size_name name[LS_SCHEMA_SIZES];
  const int count = ls_schema_sizes(schema, name);
  char wanted[LS_SIZES_TEXT];
  u64 value;
  out->count = 0;
  for (int i = 0; given && i < given->count; i++) {
    const ls_size_name asked = {given->size[i].name, (u32)given->size[i].len};
    int k = 0;
    while (k < count && !ls_same_size(asked, name[k].text, name[k].len)) k++;
    if (k < count && graph_gives(g, asked, &value))
      return ls_fail(LS_EARG, "state.%s: the size %.*s = %llu comes from the graph and cannot be given",
                     schema->name, (int)asked.len, asked.text, (unsigned long long)value);
    if (k == count)
      return ls_fail(LS_EARG, "state.%s: it has no size '%.*s', expected %s", schema->name, (int)asked.len,
                     asked.text, wanted_text(schema, g, wanted));
  }
  for (int k = 0; k < count; k++) {
    if (!graph_gives(g, name[k], &value) && !(given && ls_sizes_find(given, name[k], &value)))
      return ls_fail(LS_EARG, "state.%s: the size %.*s is missing, expected %s%s", schema->name,
                     (int)name[k].len, name[k].text, wanted_text(schema, g, wanted),
                     g ? " in addition to the graph" : "");
    ls_sizes_set(out, name[k].text, name[k].len, value);
  }
  return LS_OK;
}

bool ls_state_size(const ls_state *s, const char *name, u64 *out) {
  return ls_sizes_find(&s->sizes, (ls_size_name){name, (u32)strlen(name)}, out);
}

const char *ls_state_sizes_text(const ls_state *s, char out[LS_SIZES_TEXT]) {
  size_t used = 0;
  u64 unused;
  out[0] = '\0';
  for (int i = 0; i < s->sizes.count && used < LS_SIZES_TEXT; i++) {
    const ls_size_name name = {s->sizes.size[i].name, (u32)s->sizes.size[i].len};
    if (graph_gives(s->graph, name, &unused)) continue;
    used += (size_t)snprintf(out + used, LS_SIZES_TEXT - used, "%s%.*s %llu", used ? ", " : "", (int)name.len,
                             name.text, (unsigned long long)s->sizes.size[i].value);
  }
  return out;
}

/* --- memory
 * -------------------------------------------------------------------------------------------------- */

static ls_status bytes_of(const ls_schema *schema, ls_dtype type, const ls_sizes *sizes, f64 *out) {
  *out = 0;
  for (int i = 0; i < schema->nfields; i++) {
    const ls_field *f = &schema->fields[i];
    u64 count;
    if (ls_extent_elements(sizes, f->extent, &count))
      return ls_fail_prefix(LS_EARG, "state.%s: %s[%s]: ", schema->name, f->name, f->extent);
    *out += (f64)count * (f64)ls_dtype_size(f->type == LS_W ? type : f->type);
  }
  return LS_OK;
}

static ls_status enough_memory(const ls_schema *schema, f64 wanted) {
  const ls_device *d = ls_device_current();
  u64 available;
  if (!d || wanted < SMALL) return LS_OK; /* asking takes longer than allocating */
  if (ls_device_memory_free(d, &available) || wanted <= (f64)available) return LS_OK;
  return ls_fail(d->processor == LS_CPU ? LS_EMEM : LS_EDEVICE,
                 "a state %s needs %.1f MiB, but %s has %.1f MiB free", schema->name, wanted / 1048576.0,
                 d->name, (f64)available / 1048576.0);
}

/* --- making
 * -------------------------------------------------------------------------------------------------- */

/* Without a graph: the requested type, else the only one. */
static ls_status choose_type_alone(const ls_schema *schema, ls_dtype *type) {
  char types[LS_TYPES_TEXT];
  const u32 taken = schema->types & ~(1u << LS_NONE);
  if (*type != LS_NONE || !taken) return LS_OK;
  if (taken & (taken - 1))
    return ls_fail(LS_EARG, "state.%s: no element type is given, expected {type = ...}: %s", schema->name,
                   ls_types_text(taken, types));
  while (!(taken >> *type & 1)) --*type;
  return LS_OK;
}

/* The type that W stands for: the requested one, else that of the graph's weights or the wider one of its
 * kind, whichever the schema takes. */
static ls_status choose_type(const ls_schema *schema, const ls_graph *g, ls_dtype *type) {
  char types[LS_TYPES_TEXT];
  const bool untyped = schema->types >> LS_NONE & 1;
  if (!g && choose_type_alone(schema, type)) return LS_EARG;
  if (*type == LS_NONE && g) {
    *type = g->wtype == LS_NONE ? LS_I32 : g->wtype;
    if (!untyped && !(schema->types >> *type & 1)) *type = ls_dtype_is_real(*type) ? LS_F64 : LS_I64;
  } else if (*type == LS_NONE) {
    return LS_OK; /* no field has type W */
  } else if (untyped) {
    return ls_fail(LS_EARG, "state.%s: expected no element type, got %s", schema->name, ls_dtype_name(*type));
  } else if (!(schema->types >> *type & 1)) {
    return ls_fail(LS_EARG, "state.%s: expected the element type %s, got %s", schema->name,
                   ls_types_text(schema->types, types), ls_dtype_name(*type));
  }
  return LS_OK;
}

static ls_status take_one_piece(ls_state *s, int device) {
  ls_buffer *buffers[sizeof s->buffers / sizeof *s->buffers];
  int count = 0;
  for (int i = 0; i < s->schema->nfields; i++)
    if (!s->schema->fields[i].alone) buffers[count++] = s->buffers[i];
  return ls_buffers_together(buffers, count, device);
}

ls_status ls_state_new(const ls_schema *schema, ls_graph *g, const ls_sizes *given, ls_dtype type,
                       ls_state **out) {
  ls_sizes sizes;
  f64 bytes = 0;
  ls_status st = choose_type(schema, g, &type);
  if (!st) st = take_sizes(schema, g, given, &sizes);
  if (!st) st = bytes_of(schema, type, &sizes, &bytes);
  if (!st) st = enough_memory(schema, bytes);
  if (st) return st;
  ls_state *s = ls_calloc(1, sizeof *s);
  if (!s) return LS_EMEM;
  s->schema = schema;
  s->type = type;
  s->sizes = sizes;
  s->graph = g ? ls_graph_retain(g) : NULL;
  for (int i = 0; !st && i < schema->nfields; i++) {
    const ls_field *f = &schema->fields[i];
    u64 rows, cols;
    st = ls_extent_shape(&sizes, f->extent, &rows, &cols);
    if (!st) st = ls_buffer_new(f->type == LS_W ? type : f->type, rows, cols, &s->buffers[i]);
    ls_pattern pattern;
    if (!st) st = ls_pattern_read(f->init, s->buffers[i]->type, &pattern);
    if (!st) ls_buffer_start(s->buffers[i], pattern);
    if (!st) s->buffers[i]->queue = strcmp(f->init, "empty") == 0;
  }
  const ls_device *d = ls_device_current();
  if (!st && d && d->processor == LS_CUDA && bytes < SMALL) st = take_one_piece(s, d->index);
  if (st)
    ls_state_free(s);
  else
    *out = s;
  return st;
}

void ls_state_free(ls_state *s) {
  for (int i = 0; i < s->schema->nfields; i++) { ls_buffer_release(s->buffers[i]); }
  if (s->graph) ls_graph_release(s->graph);
  ls_free(s);
}

ls_buffer *ls_state_field(const ls_state *s, const char *name) {
  for (int i = 0; i < s->schema->nfields; i++) /* must be quick: a loop looks up as many as 60 arguments */
    if (*s->schema->fields[i].name == *name && strcmp(s->schema->fields[i].name, name) == 0)
      return s->buffers[i];
  return NULL;
}

ls_status ls_transpose_here(ls_graph *g, bool weights) {
  const ls_device *d = ls_device_current();
  if (weights ? ls_graph_transposed(g) : g->roff != NULL) return LS_OK;
  if (!d || d->processor == LS_CPU || weights) return ls_graph_transpose(g);
  ls_buffer *roff = NULL, *rto = NULL;
  const bool beside = ls_buffer_beside(true); /* the journal does not record graphs */
  ls_status st = ls_buffer_new(LS_U32, (u64)g->n + 1, 0, &roff);
  if (!st) st = ls_buffer_new(LS_U32, g->m, 0, &rto);
  ls_buffer_beside(beside);
  if (!st) {
    ls_call c = {.prim = ls_prim_find("transpose"), .type = LS_NONE, .buffers = {g->off, g->to, roff, rto}};
    ls_outcome out;
    st = ls_dispatch(&c, &out);
    ls_trace_prepared();
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
