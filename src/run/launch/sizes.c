#include "run/launch/sizes.h"

#include <string.h>

static int find(const ls_sizes *s, const char *name, size_t len) {
  for (int i = 0; i < s->count; i++)
    if (s->size[i].len == len && memcmp(s->size[i].name, name, len) == 0) return i;
  return -1;
}

void ls_sizes_set(ls_sizes *s, const char *name, size_t len, u64 value) {
  int i = find(s, name, len);
  if (i < 0) i = s->count++;
  s->size[i].name = name;
  s->size[i].len = len;
  s->size[i].value = value;
}

u64 ls_sizes_get(const ls_sizes *s, const char *name, u64 missing) {
  int i = find(s, name, strlen(name));
  return i < 0 ? missing : s->size[i].value;
}

bool ls_sizes_find(const void *sizes, ls_size_name name, u64 *value) {
  const ls_sizes *s = sizes;
  const int i = find(s, name.text, name.len);
  if (i >= 0) *value = s->size[i].value;
  return i >= 0;
}

ls_status ls_extent_elements(const ls_sizes *s, const char *text, u64 *out) {
  const ls_extent *x = ls_extent_of(text);
  return x ? ls_extent_value(x, ls_sizes_find, s, out) : LS_EARG;
}

ls_status ls_extent_shape(const ls_sizes *s, const char *text, u64 *rows, u64 *cols) {
  const ls_extent *x = ls_extent_of(text);
  *cols = 0;
  if (x && x->terms == 1 && x->term[0].names == 2 && x->term[0].factor == 1)
    ls_sizes_find(s, x->term[0].name[1], cols);
  ls_status st = ls_extent_elements(s, text, rows);
  if (!st && *cols) *rows /= *cols;
  return st;
}

const char *ls_call_arg(const ls_call *c, int i, char out[LS_ARG_CHARS]) {
  const char *name = c->prim->args[i].name;
  if (c->place[i])
    snprintf(out, LS_ARG_CHARS, "argument %d (%s)", c->place[i], name);
  else
    snprintf(out, LS_ARG_CHARS, "argument %s", name);
  return out;
}

static ls_status mismatch(const ls_call *c, int i, ls_dtype type, u64 expected) {
  const ls_buffer *b = c->buffers[i];
  char which[LS_ARG_CHARS];
  return ls_fail(LS_EARG, "%s: %s: expected %s[%llu], got %s[%llu]", c->prim->name, ls_call_arg(c, i, which),
                 ls_dtype_name(type), (unsigned long long)expected, ls_dtype_name(b->type),
                 (unsigned long long)b->count);
}

static bool is_buffer(const ls_arg *arg) { return arg->role != LS_VALUE && arg->role != LS_COUNT; }

/* Takes extents with one unknown name and solves for it, again as long as extents with several remain. */
void ls_sizes_follow(const ls_prim *p, ls_buffer *const *buffers, ls_sizes *s) {
  bool found, open;
  do {
    found = open = false;
    for (int i = 0; i < p->nargs; i++) {
      const bool there = is_buffer(&p->args[i]) && (!buffers || buffers[i]);
      const ls_extent *x = there ? ls_extent_of(p->args[i].extent) : NULL;
      ls_size_name name;
      const int unknown = x ? ls_extent_unknown(x, ls_sizes_find, s, &name) : 0;
      open |= unknown > 1;
      if (unknown != 1) continue;
      ls_sizes_set(s, name.text, name.len,
                   buffers ? ls_extent_solve(x, name, ls_sizes_find, s, buffers[i]->count) : 1);
      found = true;
    }
  } while (found && open);
}

bool ls_call_makes(const ls_call *c, const ls_sizes *s, int i) {
  const ls_prim *p = c->prim;
  if (!(p->makes[c->begun] >> i & 1)) return false;
  return p->args[i].role == LS_QOUT || p->domain == LS_LIBRARY || ls_sizes_get(s, "n", 1) > 0;
}

/* Is the size limited to 32 bits? n and m are, and so is k in rows that are not over elements. */
static bool is_narrow(const ls_prim *p, const char *name, size_t len) {
  return len == 1 && (strchr("nm", *name) || (*name == 'k' && p->domain != LS_ELEMENT));
}

ls_status ls_sizes_solve(const ls_call *c, ls_sizes *out) {
  const ls_prim *p = c->prim;
  out->count = 0;
  char types[LS_TYPES_TEXT], which[LS_ARG_CHARS];
  if (!(p->types >> c->type & 1))
    return ls_fail(LS_EARG, "%s: expected elements of %s, got %s", p->name, ls_types_text(p->types, types),
                   ls_dtype_name(c->type));
  for (int i = 0; i < p->nargs; i++)
    if (ls_arg_is_size(&p->args[i]))
      ls_sizes_set(out, p->args[i].name, strlen(p->args[i].name), c->values[i].U);
  ls_sizes_follow(p, c->buffers, out);
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *arg = &p->args[i];
    if (!is_buffer(arg)) continue;
    const ls_buffer *b = c->buffers[i];
    if (!b) return ls_fail(LS_EARG, "%s: %s is missing", p->name, ls_call_arg(c, i, which));
    if (b->closed) return ls_fail(LS_EARG, "%s: %s: the buffer is closed", p->name, ls_call_arg(c, i, which));
    const ls_dtype type = arg->type == LS_W ? c->type : arg->type;
    u64 expected;
    const bool writes = ls_arg_written(p, i);
    if (ls_extent_elements(out, arg->extent, &expected))
      return ls_fail_prefix(LS_EARG, "%s: %s: ", p->name, ls_call_arg(c, i, which));
    if (b->type != type || b->count != expected) return mismatch(c, i, type, expected);
    if (writes && b->read_only)
      return ls_fail(LS_EARG, "%s: %s would be written, but it belongs to a graph", p->name,
                     ls_call_arg(c, i, which));
    for (int j = 0; j < i; j++)
      if (c->buffers[j] == b && (writes || ls_arg_written(p, j)))
        return ls_fail(LS_EARG, "%s: arguments %s and %s are the same buffer, and the call writes to it",
                       p->name, p->args[j].name, arg->name);
  }
  for (int i = 0; i < out->count; i++)
    if (p->domain != LS_LIBRARY && out->size[i].value > UINT32_MAX &&
        is_narrow(p, out->size[i].name, out->size[i].len))
      return ls_fail(LS_EARG, "%s: expected %c below 2^32, got %llu", p->name, *out->size[i].name,
                     (unsigned long long)out->size[i].value);
  return LS_OK;
}
