#include "run/sizes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An extent is [factor*]name[*name][+more] or a number. */
typedef struct extent {
  const char *name;
  size_t len; /* 0: a number alone, in `more` */
  u64 factor, more;
  bool square;
} extent;

static extent parse(const char *text) {
  extent x = {.factor = 1};
  const char *p = text;
  if (isdigit((unsigned char)*p)) {
    u64 number = strtoull(p, (char **)&p, 10);
    if (*p != '*') {
      x.more = number;
      return x;
    }
    x.factor = number;
    p++;
  }
  x.name = p;
  while (isalnum((unsigned char)*p) || *p == '_') p++;
  x.len = (size_t)(p - x.name);
  if (*p == '*') {
    x.square = true;
    p += 1 + x.len;
  }
  if (*p == '+') x.more = strtoull(p + 1, NULL, 10);
  return x;
}

static int find(const ls_sizes *s, const char *name, size_t len) {
  for (int i = 0; i < s->count; i++)
    if (s->size[i].len == len && memcmp(s->size[i].name, name, len) == 0) return i;
  return -1;
}

void ls_sizes_set(ls_sizes *s, const char *name, size_t len, u64 value) {
  int i = find(s, name, len);
  if (i < 0 && s->count == LS_MAX_SIZES) return;
  if (i < 0) i = s->count++;
  s->size[i].name = name;
  s->size[i].len = len;
  s->size[i].value = value;
}

u64 ls_sizes_get(const ls_sizes *s, const char *name, u64 missing) {
  int i = find(s, name, strlen(name));
  return i < 0 ? missing : s->size[i].value;
}

static u64 elements(const extent *x, u64 value) {
  return x->factor * (x->square ? value * value : value) + x->more;
}

bool ls_extent_elements(const ls_sizes *s, const char *text, u64 *out) {
  extent x = parse(text);
  int i = x.len ? find(s, x.name, x.len) : -1;
  if (x.len && i < 0) return false;
  *out = x.len ? elements(&x, s->size[i].value) : x.more;
  return true;
}

static u64 square_root(u64 x) {
  u64 r = (u64)sqrt((double)x);
  while (r * r > x) r--;
  while ((r + 1) * (r + 1) <= x) r++;
  return r;
}

/* The name's value that gives an extent of `count` elements, whether or not it does so exactly. */
static u64 solve(const extent *x, u64 count) {
  u64 rest = count < x->more ? 0 : count - x->more;
  rest /= x->factor;
  return x->square ? square_root(rest) : rest;
}

static ls_status mismatch(const ls_call *c, int i, ls_dtype type, const char *text, const u64 *expected) {
  const ls_arg *arg = &c->prim->args[i];
  const ls_buffer *b = c->buffers[i];
  char wanted[32];
  if (expected) snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)*expected);
  return ls_fail(LS_EARG, "%s: argument %d (%s): expected %s[%s], got %s[%llu]", c->prim->name, i + 1,
                 arg->name, ls_dtype_name(type), expected ? wanted : text, ls_dtype_name(b->type),
                 (unsigned long long)b->count);
}

bool ls_call_makes(const ls_call *c, const ls_sizes *s, int i) {
  const ls_prim *p = c->prim;
  if (!(p->makes[c->begun] >> i & 1)) return false;
  return p->args[i].role == LS_QOUT || p->domain == LS_LIBRARY || ls_sizes_get(s, "n", 1) > 0;
}

ls_status ls_sizes_solve(const ls_call *c, ls_sizes *out) {
  const ls_prim *p = c->prim;
  out->count = 0;
  char types[LS_TYPES_TEXT];
  if (!(p->types >> c->type & 1))
    return ls_fail(LS_EARG, "%s: expected elements of %s, got %s", p->name, ls_types_text(p->types, types),
                   ls_dtype_name(c->type));
  for (int i = 0; i < p->nargs; i++)
    if (p->args[i].role == LS_VALUE)
      ls_sizes_set(out, p->args[i].name, strlen(p->args[i].name), c->values[i].U);
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *arg = &p->args[i];
    if (arg->role == LS_VALUE || arg->role == LS_COUNT) continue;
    const ls_buffer *b = c->buffers[i];
    if (!b) return ls_fail(LS_EARG, "%s: argument %d (%s) is missing", p->name, i + 1, arg->name);
    if (b->closed)
      return ls_fail(LS_EARG, "%s: argument %d (%s): the buffer is closed", p->name, i + 1, arg->name);
    const ls_dtype type = arg->type == LS_W ? c->type : arg->type;
    const extent x = parse(arg->extent);
    int known = x.len ? find(out, x.name, x.len) : -1;
    if (x.len && known < 0) {
      ls_sizes_set(out, x.name, x.len, solve(&x, b->count));
      known = find(out, x.name, x.len);
    }
    const u64 expected = x.len ? elements(&x, out->size[known].value) : x.more;
    const bool writes = ls_arg_written(p, i);
    if (b->type != type || b->count != expected) return mismatch(c, i, type, arg->extent, &expected);
    if (writes && b->read_only)
      return ls_fail(LS_EARG, "%s: argument %d (%s) would be written, but it belongs to a graph", p->name,
                     i + 1, arg->name);
    for (int j = 0; j < i; j++)
      if (c->buffers[j] == b && (writes || ls_arg_written(p, j)))
        return ls_fail(LS_EARG, "%s: arguments %d (%s) and %d (%s) are one buffer, and it would be written",
                       p->name, j + 1, p->args[j].name, i + 1, arg->name);
  }
  for (int i = 0; i < out->count; i++)
    if (p->domain != LS_LIBRARY && out->size[i].len == 1 && out->size[i].value > UINT32_MAX)
      return ls_fail(LS_EARG, "%s: expected %c below 2^32, got %llu", p->name, *out->size[i].name,
                     (unsigned long long)out->size[i].value);
  return LS_OK;
}
