#include "run/contract.h"

#include <stdio.h>
#include <string.h>

#include "driver/cpu.h" /* the predicates are written in the language of kernels */
#include "families.h"

enum { WIDE = 2 }; /* elements of an item of 16 bytes */

/* Returns the first place in first .. last-1 whose element is wrong; last where there is none. */
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
  int queue; /* elements of an item; 0: no queue */
  u64 (*wrong32)(const u32 *, u64, u64, u64);
  u64 (*wrong64)(const u64 *, u64, u64, u64);
  const char *text;
} kinds[LS_CONTRACTS] = {
#define CONTRACT(name, queue, right, text) [LS_CONTRACT_##name] = {queue, name##_32, name##_64, text},
#include "language/contracts.def"
#include "families.def"
};

/* An argument's kind; whatever its items are, a queue has a length. */
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
  return ls_fail(LS_EARG, "%s: argument %d (%s): %s%s is %llu, expected %s", c->prim->name, i + 1, arg->name,
                 arg->name, place, (unsigned long long)found, expected);
}

static bool known(const ls_buffer *b, ls_contract kind, u64 bound) {
  if (kind == LS_CONTRACT_rows) return b->contract == kind && b->bound == bound;
  return (b->contract == kind || (kind == LS_CONTRACT_offset && b->contract == LS_CONTRACT_rows)) &&
         b->bound <= bound;
}

/* Offsets that reach from 0 to the bound are rows: whoever asks for those need not look again. */
static ls_contract most_of(const ls_buffer *b, const void *p, ls_contract kind, u64 bound) {
  if (kind != LS_CONTRACT_offset || !b->count || b->type != LS_U32) return kind;
  const u32 *off = p;
  return off[0] == 0 && off[b->count - 1] == bound ? LS_CONTRACT_rows : kind;
}

static u64 element(const ls_buffer *b, const void *p, u64 i) {
  return b->type == LS_U64 ? ((const u64 *)p)[i] : ((const u32 *)p)[i];
}

/* The elements at p, of which there are `count`: all of the buffer's, or two that stand for all. */
static ls_status look_through(const ls_call *c, int i, const void *p, u64 count, u64 bound) {
  const ls_buffer *b = c->buffers[i];
  const ls_contract kind = kind_of(&c->prim->args[i]);
  u64 first = 0, last = count;
  const u64 each = (u64)kinds[kind].queue;
  if (each) {
    const u64 length = element(b, p, 0), room = b->count / each - 1;
    if (length > room)
      return ls_fail(LS_EARG, "%s: argument %d (%s): %s[0] is %llu, expected a queue's length, at most %llu",
                     c->prim->name, i + 1, c->prim->args[i].name, c->prim->args[i].name,
                     (unsigned long long)length, (unsigned long long)room);
    first = each;
    if (each * (length + 1) < last) last = each * (length + 1);
  }
  const u64 at = b->type == LS_U64 ? kinds[kind].wrong64(p, first, last, bound)
                                   : kinds[kind].wrong32(p, first, last, bound);
  if (at == last) return LS_OK;
  const u64 place = at && at + 1 == count ? b->count - 1 : at;
  return wrong(c, i, &place, element(b, p, at), bound);
}

static ls_status check_buffer(const ls_call *c, int i, u64 bound) {
  ls_buffer *b = c->buffers[i];
  ls_status st;
  if (b->contract == LS_CONTRACT_uniform) {
    const u64 some = kinds[kind_of(&c->prim->args[i])].queue == WIDE ? 4 : 2;
    const u64 wide[4] = {b->bound, b->bound, b->bound, b->bound};
    const u32 narrow[2] = {(u32)b->bound, (u32)b->bound};
    st = look_through(c, i, b->type == LS_U64 ? (const void *)wide : narrow,
                      b->count < some ? b->count : some, bound);
    return st; /* still uniform, which says more */
  }
  const void *p = ls_buffer_read(b);
  if (!p) return LS_EMEM;
  st = look_through(c, i, p, b->count, bound);
  if (!st) ls_buffer_knows(b, most_of(b, p, kind_of(&c->prim->args[i]), bound), bound);
  return st;
}

bool ls_contract_fits(const ls_arg *arg) {
  return !ls_arg_is_queue(arg) || kinds[kind_of(arg)].queue == (arg->wide ? WIDE : 1);
}

ls_status ls_contract_check(const ls_call *c, const ls_sizes *sizes) {
  ls_status st = LS_OK;
  for (int i = 0; !st && i < c->prim->nargs; i++) {
    const ls_arg *arg = &c->prim->args[i];
    const ls_contract kind = kind_of(arg);
    if (c->buffers[i] && c->buffers[i]->count < (u64)kinds[kind].queue)
      return ls_fail(LS_EARG, "%s: argument %d (%s): a queue has an element for its length at least",
                     c->prim->name, i + 1, arg->name);
    if (kind == LS_CONTRACT_anything || kind == LS_CONTRACT_uniform || kind == LS_CONTRACT_sums) continue;
    if (arg->role != LS_VALUE && !ls_arg_read(c->prim, i, c->begun)) continue;
    const u64 bound = bound_of(arg, sizes);
    if (arg->role == LS_VALUE) {
      const u64 x = c->values[i].u;
      if (kinds[kind].wrong64(&x, 0, 1, bound) == 0) st = wrong(c, i, NULL, x, bound);
    } else if (!known(c->buffers[i], kind, bound)) {
      st = check_buffer(c, i, bound);
    }
  }
  return st;
}

/* What a written argument holds now. Sums of flags do not wrap. */
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
