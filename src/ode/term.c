#include "ode/term.h"

#include <string.h>

#include "core/mem.h"
#include "core/text.h"

enum { CHUNK = 1 << 16 };

typedef struct chunk {
  struct chunk *next;
  size_t used, room;
  u64 bytes[]; /* so that it is aligned */
} chunk;

struct ls_terms {
  chunk *chunks; /* the one in use comes first */
  bool short_of_memory;
};

static const struct {
  const char *name;
  u32 least, most;
} ops[] = {
#define ROW(op, name, least, most) {name, least, most},
    LS_TERM_OPS(ROW)
#undef ROW
};

const char *ls_op_name(ls_op op) { return ops[op].name; }
bool ls_op_is_relation(ls_op op) { return op >= LS_EQ_OP && op <= LS_GEQ_OP; }
bool ls_op_is_random(ls_op op) { return op >= LS_WIENER_OP; }

/* --- the arena -------------------------------------------------------------------------------------------
 */

ls_terms *ls_terms_new(void) { return ls_calloc(1, sizeof(ls_terms)); }

void ls_terms_free(ls_terms *a) {
  if (!a) return;
  for (chunk *c = a->chunks, *next; c; c = next) {
    next = c->next;
    ls_free(c);
  }
  ls_free(a);
}

ls_status ls_terms_status(const ls_terms *a) { return a->short_of_memory ? LS_EMEM : LS_EINPUT; }

void *ls_terms_memory(ls_terms *a, size_t bytes) {
  bytes = (bytes + 7) & ~(size_t)7;
  chunk *c = a->chunks;
  if (!c || c->room - c->used < bytes) {
    const size_t room = bytes > CHUNK ? bytes : CHUNK;
    chunk *fresh = ls_malloc(sizeof *fresh + room);
    if (!fresh) {
      a->short_of_memory = true;
      return NULL;
    }
    fresh->used = 0;
    fresh->room = room;
    if (c && room > CHUNK) { /* a chunk for one large block: the present chunk stays in use */
      fresh->next = c->next;
      c->next = fresh;
    } else {
      fresh->next = c;
      a->chunks = fresh;
    }
    c = fresh;
  }
  void *p = (char *)c->bytes + c->used;
  c->used += bytes;
  return memset(p, 0, bytes);
}

char *ls_terms_text(ls_terms *a, const char *s, size_t n) {
  char *copy = ls_terms_memory(a, n + 1);
  return copy ? memcpy(copy, s, n) : NULL;
}

/* --- terms -----------------------------------------------------------------------------------------------
 */

const ls_term *ls_term_number(ls_terms *a, f64 x) {
  ls_term *t = ls_terms_memory(a, sizeof *t);
  if (!t) return NULL;
  t->op = LS_NUMBER_OP;
  t->depth = 1;
  t->number = x;
  return t;
}

const ls_term *ls_term_leaf(ls_terms *a, ls_op op, u32 index) {
  return ls_term_indexed(a, op, index, 0, NULL);
}

const ls_term *ls_term_new(ls_terms *a, ls_op op, u32 count, const ls_term *const *arg) {
  return ls_term_indexed(a, op, 0, count, arg);
}

const ls_term *ls_term_indexed(ls_terms *a, ls_op op, u32 index, u32 count, const ls_term *const *arg) {
  u64 size = 1;
  u32 depth = 0;
  u8 has = op == LS_LAST_OP || op == LS_DELAY_OP ? LS_HAS_PAST : 0;
  if (op == LS_PLUS_OP && count >= LS_LONG_SUM) has |= LS_HAS_LONG_SUM;
  for (u32 i = 0; i < count; i++) {
    if (!arg[i]) return NULL;
    size += ls_term_size(arg[i]);
    has |= arg[i]->has;
    if (arg[i]->depth > depth) depth = arg[i]->depth;
  }
  if (count < ops[op].least || count > ops[op].most) {
    ls_fail(LS_EINPUT, "%s has %u argument%s, expected %s%u", ops[op].name, count, ls_plural(count),
            count < ops[op].least && ops[op].most > ops[op].least ? "at least " : "",
            count < ops[op].least ? ops[op].least : ops[op].most);
    return NULL;
  }
  if (size > LS_TERM_LARGEST || depth >= LS_TERM_DEEPEST) {
    ls_fail(LS_EINPUT, "an expression of %s: define variables for its parts",
            depth >= LS_TERM_DEEPEST ? "more than 1000 nested operations" : "more than 4 million operations");
    return NULL;
  }
  ls_term *t = ls_terms_memory(a, sizeof *t + count * sizeof *t->arg);
  if (!t) return NULL;
  t->op = (u8)op;
  t->has = has;
  t->depth = (uint16_t)(depth + 1);
  t->count = count;
  t->index = index;
  t->size = (u32)size;
  if (count) memcpy(t->arg, arg, count * sizeof *t->arg);
  return t;
}

const ls_term *ls_term_1(ls_terms *a, ls_op op, const ls_term *x) { return ls_term_new(a, op, 1, &x); }

const ls_term *ls_term_2(ls_terms *a, ls_op op, const ls_term *x, const ls_term *y) {
  return ls_term_new(a, op, 2, (const ls_term *const[]){x, y});
}

const ls_term *ls_term_replace(const ls_term_change *c, const ls_term *t) {
  enum { FEW = 8 };
  if (!t) return NULL;
  if (t->count == 0 || (c->whole && c->whole(c->ctx, t))) return c->leaf(c->ctx, t);
  const ls_term *few[FEW], **arg = few;
  bool changed = false;
  if (t->count > FEW && !(arg = ls_terms_memory(c->to, t->count * sizeof *arg))) return NULL;
  for (u32 i = 0; i < t->count; i++) {
    if (!(arg[i] = ls_term_replace(c, t->arg[i]))) return NULL;
    changed = changed || arg[i] != t->arg[i];
  }
  return changed ? ls_term_indexed(c->to, t->op, t->index, t->count, arg) : t;
}

bool ls_term_walk(const ls_term *t, bool (*each)(void *ctx, const ls_term *t), void *ctx) {
  if (!each(ctx, t)) return false;
  for (u32 i = 0; i < t->count; i++)
    if (!ls_term_walk(t->arg[i], each, ctx)) return false;
  return true;
}
