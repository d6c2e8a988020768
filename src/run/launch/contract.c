#include "run/launch/contract.h"

#include <stdio.h>
#include <string.h>

#include "driver/cpu.h" /* the predicates are written in the language of kernels */
#include "families.h"
#include "run/devices/cuda_scalars.h"

enum { WIDE = 2 }; /* u64 elements per 16-byte item */

/* Defines a function that returns the first index in first .. last-1 whose element is wrong; last if there is
 * none. */
#define LOOK(name, bits, step, right)                                                                        \
  static u64 name##_##bits(const u##bits *p, u64 first, u64 last, u64 bound) {                               \
    u64 before = 0;                                                                                          \
    for (u64 i = first; i < last; i += step) {                                                               \
      const u64 x = p[i];                                                                                    \
      if (!(right)) return i;                                                                                \
      before = x;                                                                                            \
    }                                                                                                        \
    return (void)bound, (void)before, last;                                                                  \
  }
#define CONTRACT(name, queue, right, text)                                                                   \
  LOOK(name, 32, ((queue) == WIDE ? 2 : 1), right) LOOK(name, 64, ((queue) == WIDE ? 2 : 1), right)
#include "language/contracts.def"
#include "families.def"

static const struct kind {
  const char *name;
  int queue; /* elements per item; 0: not a queue */
  u64 (*wrong32)(const u32 *, u64, u64, u64);
  u64 (*wrong64)(const u64 *, u64, u64, u64);
  const char *text;
} kinds[LS_CONTRACTS] = {
    [LS_CONTRACT_anything] = {.name = "anything"},
    [LS_CONTRACT_uniform] = {.name = "uniform"},
    [LS_CONTRACT_sums] = {.name = "sums"},
#define CONTRACT(name, queue, right, text) [LS_CONTRACT_##name] = {#name, queue, name##_32, name##_64, text},
#include "language/contracts.def"
#include "families.def"
};

bool ls_contract_find(const char *name, ls_contract *out) {
  for (*out = 0; *out < LS_CONTRACTS; ++*out)
    if (strcmp(kinds[*out].name, name) == 0) return true;
  return false;
}

/* The contract of an argument. A queue without a contract still has a length to check. */
static ls_contract kind_of(const ls_arg *arg) {
  if (arg->contract != LS_CONTRACT_anything) return arg->contract;
  if (!ls_arg_is_queue(arg)) return LS_CONTRACT_anything;
  return arg->wide ? LS_CONTRACT_wide_queue : LS_CONTRACT_queue;
}

static u64 bound_of(const ls_arg *arg, const ls_sizes *sizes) {
  u64 bound = 0;
  if (arg->bound) ls_extent_elements(sizes, arg->bound, &bound);
  return bound;
}

static ls_status wrong(const ls_call *c, int i, const u64 *at, u64 found, u64 bound) {
  const ls_arg *arg = &c->prim->args[i];
  char place[32] = "", size[64], expected[160];
  if (at) snprintf(place, sizeof place, "[%llu]", (unsigned long long)*at);
  snprintf(size, sizeof size, "%s = %llu", arg->bound ? arg->bound : "", (unsigned long long)bound);
  snprintf(expected, sizeof expected, kinds[kind_of(arg)].text, size);
  char which[LS_ARG_CHARS];
  return ls_fail(LS_EARG, "%s: %s: %s%s is %llu, expected %s", c->prim->name, ls_call_arg(c, i, which),
                 arg->name, place, (unsigned long long)found, expected);
}

/* Does contract `has` imply contract `asks`, for the same bound? */
static bool implies(ls_contract has, ls_contract asks) {
  if (has == asks) return true;
  switch (has) {
  case LS_CONTRACT_rows: return asks == LS_CONTRACT_offset;
  case LS_CONTRACT_vertex:
  case LS_CONTRACT_index:
    return asks == LS_CONTRACT_vertex || asks == LS_CONTRACT_index || asks == LS_CONTRACT_link ||
           asks == LS_CONTRACT_upto;
  case LS_CONTRACT_vertex_queue:
  case LS_CONTRACT_edge_queue: return asks == LS_CONTRACT_queue;
  case LS_CONTRACT_wide_vertex_queue: return asks == LS_CONTRACT_wide_queue;
  default: return false;
  }
}

/* Is the contract already known to hold, so that no check is needed? */
static bool known(const ls_buffer *b, ls_contract kind, u64 bound) {
  const bool any_bound = kind == LS_CONTRACT_queue || kind == LS_CONTRACT_wide_queue;
  if (any_bound && implies(b->contract, kind)) return true;
  if (kind == LS_CONTRACT_rows) return b->contract == kind && b->bound == bound;
  return implies(b->contract, kind) && b->bound <= bound;
}

/* The elements to check. p NULL: those in b's device memory. Otherwise p points to them in host memory: b's
 * elements or, for a uniform buffer, a few that represent all. */
typedef struct view {
  ls_buffer *b;
  const void *p;
  u64 count;
} view;

static ls_status element(const view *v, u64 i, u64 *out) {
  u32 narrow = 0;
  const bool wide = v->b->type == LS_U64;
  ls_status st = LS_OK;
  if (v->p) {
    *out = wide ? ((const u64 *)v->p)[i] : ((const u32 *)v->p)[i];
    return st;
  }
  st = ls_buffer_peek(v->b, i, 1, wide ? (void *)out : &narrow);
  if (!wide) *out = narrow;
  return st;
}

static ls_status first_wrong(const view *v, ls_contract kind, u64 first, u64 last, u64 bound, u64 *at) {
  const bool wide = v->b->type == LS_U64;
  if (!v->p) return ls_cuda_contract(v->b->device, kind, wide, v->b->dev, first, last, bound, at);
  *at = wide ? kinds[kind].wrong64(v->p, first, last, bound) : kinds[kind].wrong32(v->p, first, last, bound);
  return LS_OK;
}

static ls_status look_through(const ls_call *c, int i, const view *v, u64 bound) {
  const ls_contract kind = kind_of(&c->prim->args[i]);
  u64 first = 0, last = v->count, length, at, found;
  char which[LS_ARG_CHARS];
  const u64 each = (u64)kinds[kind].queue;
  ls_status st = LS_OK;
  if (each) {
    const u64 room = v->b->count / each - 1;
    st = element(v, 0, &length);
    if (st) return st;
    if (length > room)
      return ls_fail(LS_EARG, "%s: %s: %s[0] is %llu, expected a queue's length, at most %llu", c->prim->name,
                     ls_call_arg(c, i, which), c->prim->args[i].name, (unsigned long long)length,
                     (unsigned long long)room);
    first = each;
    if (each * (length + 1) < last) last = each * (length + 1);
  }
  st = first_wrong(v, kind, first, last, bound, &at);
  if (st || at == last) return st;
  st = element(v, at, &found);
  if (st) return st;
  const u64 place = at && at + 1 == v->count ? v->b->count - 1 : at;
  return wrong(c, i, &place, found, bound);
}

/* Offsets from 0 to the bound also satisfy the stronger contract `rows`: recording `rows` avoids a later
 * check. */
static ls_contract most_of(const view *v, ls_contract kind, u64 bound) {
  u64 begin, end;
  if (kind != LS_CONTRACT_offset || !v->b->count || v->b->type != LS_U32) return kind;
  if (element(v, 0, &begin) || element(v, v->b->count - 1, &end)) return kind;
  return begin == 0 && end == bound ? LS_CONTRACT_rows : kind;
}

/* Chooses where to check: on the device if the buffer is valid only there, or if it is long and valid or
 * needed there. */
static ls_status see(ls_buffer *b, view *out) {
  enum { LONG = 1 << 16 };
  const ls_device *d = ls_device_current();
  void *unused;
  *out = (view){b, NULL, b->count};
  if (b->dev_valid && (!b->host_valid || b->count >= LONG)) return LS_OK;
  if (d && d->processor == LS_CUDA && b->count >= LONG)
    return ls_buffer_on_device(b, d->index, LS_READ, &unused);
  out->p = ls_buffer_read(b);
  return out->p ? LS_OK : LS_EMEM;
}

static ls_status check_buffer(const ls_call *c, int i, u64 bound) {
  ls_buffer *b = c->buffers[i];
  view v;
  if (b->contract == LS_CONTRACT_uniform) {
    const u64 some = kinds[kind_of(&c->prim->args[i])].queue == WIDE ? 4 : 2;
    const u64 wide[4] = {b->bound, b->bound, b->bound, b->bound};
    const u32 narrow[2] = {(u32)b->bound, (u32)b->bound};
    v = (view){b, b->type == LS_U64 ? (const void *)wide : narrow, b->count < some ? b->count : some};
    return look_through(c, i, &v, bound); /* the buffer keeps the contract `uniform`, which is stronger */
  }
  ls_status st = see(b, &v);
  if (!st) st = look_through(c, i, &v, bound);
  if (!st) ls_buffer_knows(b, most_of(&v, kind_of(&c->prim->args[i]), bound), bound);
  return st;
}

bool ls_contract_fits(const ls_arg *arg) {
  return !ls_arg_is_queue(arg) || kinds[kind_of(arg)].queue == (arg->wide ? WIDE : 1);
}

ls_status ls_contract_check(const ls_call *c, const ls_sizes *sizes) {
  ls_status st = LS_OK;
  char which[LS_ARG_CHARS];
  for (int i = 0; !st && i < c->prim->nargs; i++) {
    const ls_arg *arg = &c->prim->args[i];
    const ls_contract kind = kind_of(arg);
    if (c->buffers[i] && c->buffers[i]->count < (u64)kinds[kind].queue)
      return ls_fail(LS_EARG, "%s: %s: a queue needs at least one element, for its length", c->prim->name,
                     ls_call_arg(c, i, which));
    if (kind == LS_CONTRACT_anything || kind == LS_CONTRACT_uniform || kind == LS_CONTRACT_sums) continue;
    if (arg->role != LS_VALUE && !ls_arg_read(c->prim, i, c->begun)) continue;
    const u64 bound = bound_of(arg, sizes);
    if (arg->role == LS_VALUE) {
      const u64 x = c->values[i].U;
      if (kinds[kind].wrong64(&x, 0, 1, bound) == 0) st = wrong(c, i, NULL, x, bound);
    } else if (!known(c->buffers[i], kind, bound)) {
      st = check_buffer(c, i, bound);
    }
  }
  return st;
}

/* Records what a written argument now holds. For prefix sums that is known only if they are sums of fewer
 * than 2^32 flags (0 or 1), which do not overflow. */
static void note(const ls_call *c, const ls_sizes *sizes, int i) {
  const ls_arg *arg = &c->prim->args[i];
  ls_buffer *b = c->buffers[i];
  if (arg->contract != LS_CONTRACT_sums) {
    ls_buffer_knows(b, kind_of(arg), bound_of(arg, sizes));
    return;
  }
  const ls_buffer *of = c->buffers[ls_arg_find(c->prim, arg->bound)];
  if (of->type == LS_U32 && of->contract == LS_CONTRACT_flag && of->count <= UINT32_MAX)
    ls_buffer_knows(b, LS_CONTRACT_place, 0);
}

void ls_contract_note(const ls_call *c, const ls_sizes *sizes, const ls_outcome *out) {
  const ls_prim *p = c->prim;
  const bool whole = p->domain != LS_LOOP || out->iterations > 0, entered = out->entered && !c->begun;
  for (int i = 0; i < c->prim->nargs; i++) {
    const bool made = (whole || (entered && p->begins >> i & 1)) && ls_call_makes(c, sizes, i);
    if (ls_arg_written(c->prim, i) && (made || ls_arg_read(c->prim, i, c->begun))) note(c, sizes, i);
  }
}
