/* Compiles an expression to bytecode for a stack machine: operands first, then the operator (Okuyama 2013,
 * section 5.3). */
#include <string.h>

#include "core/mem.h"
#include "ode/code_parts.h"
#include "ode/parts.h"

const char *ls_code_name(ls_code_op op) {
  static const char *const names[] = {
#define LS_CODE_TEXT(name, ...) #name,
      LS_CODE_SPECIAL(LS_CODE_TEXT) LS_CODE_MANY(LS_CODE_TEXT) LS_CODE_TWO(LS_CODE_TEXT)
          LS_CODE_ONE(LS_CODE_TEXT) LS_CODE_TIMED(LS_CODE_TEXT)
#undef LS_CODE_TEXT
  };
  return names[op];
}

typedef struct emitter {
  ls_draft *d;
  u32 depth; /* values on the stack */
  ls_status st;
} emitter;

static void emit(emitter *e, u32 op, u32 operand) {
  ls_draft *d = e->d;
  if (e->st) return;
  u64 *more = ls_grown(d->codes, d->words, &d->room, 1024, sizeof *more);
  if (!more) {
    e->st = LS_EMEM;
    return;
  }
  d->codes = more;
  d->codes[d->words++] = ls_code_word(op, operand);
}

/* Counts one more value on the stack. */
static void pushed(emitter *e) {
  if (++e->depth > e->d->stack) e->d->stack = e->depth;
  if (e->depth > LS_CODE_STACK && !e->st)
    e->st = ls_fail(LS_EINPUT,
                    "the expression needs more than %d values on the stack: define variables for its parts",
                    LS_CODE_STACK);
}

static void put_number(emitter *e, f64 x) {
  ls_draft *d = e->d;
  if (e->st) return;
  f64 *more = ls_grown(d->numbers, d->constants, &d->number_room, 64, sizeof *more);
  if (!more) {
    e->st = LS_EMEM;
    return;
  }
  d->numbers = more;
  d->numbers[d->constants] = x;
  emit(e, LS_CODE_CONSTANT, d->constants++);
  pushed(e);
}

static void put_term(emitter *e, const ls_term *t);

/* An operator with any number of operands, applied from left to right to at most LS_CODE_NARY values at a
 * time, so that the stack stays small. */
static void put_many(emitter *e, const ls_term *t, u32 op) {
  u32 waiting = 0;
  if (t->count == 0) {
    put_number(e, op == LS_CODE_TIMES_NARY || op == LS_CODE_AND_NARY);
    return;
  }
  for (u32 i = 0; i < t->count; i++) {
    put_term(e, t->arg[i]);
    waiting++;
    const bool last = i + 1 == t->count;
    if (waiting < LS_CODE_NARY && !last) continue;
    if (waiting > 1 || op >= LS_CODE_AND_NARY) emit(e, op, waiting);
    e->depth -= waiting - 1;
    waiting = 1;
  }
  if (t->op != LS_MEAN_OP) return;
  put_number(e, t->count);
  emit(e, LS_CODE_DIVIDE, 0);
  e->depth--;
}

static void put_two(emitter *e, u32 op, const ls_term *x, const ls_term *y) {
  put_term(e, x);
  put_term(e, y);
  emit(e, op, 0);
  e->depth--;
}

/* A relation, which must hold between every two adjacent operands. */
static void put_relation(emitter *e, const ls_term *t, u32 op) {
  if (t->count < 2) {
    put_number(e, 1);
    return;
  }
  for (u32 i = 0; i + 1 < t->count; i++) {
    put_two(e, op, t->arg[i], t->arg[i + 1]);
    if (i) emit(e, LS_CODE_AND_NARY, 2), e->depth--;
  }
}

/* A piecewise term. Jumps only go forward: past a branch that is not taken, or past the last branch. Until
 * the end of the last branch is known, the JUMPs form a list: `leaves` is the last one, and the operand of
 * each is its distance from the previous one (0: there is none). */
static void put_pieces(emitter *e, const ls_term *t) {
  u32 leaves = 0, i = 0;
  for (; i + 1 < t->count && !e->st; i += 2) {
    put_term(e, t->arg[i + 1]);
    emit(e, LS_CODE_JUMP_IF_NOT, 0);
    e->depth--;
    const u32 skip = e->d->words - 1;
    put_term(e, t->arg[i]);
    emit(e, LS_CODE_JUMP, leaves ? e->d->words - leaves : 0);
    e->depth--;
    if (e->st) return;
    leaves = e->d->words - 1;
    e->d->codes[skip] = ls_code_word(LS_CODE_JUMP_IF_NOT, leaves - skip);
  }
  if (i < t->count)
    put_term(e, t->arg[i]);
  else
    put_number(e, NAN);
  const u32 end = e->d->words;
  while (leaves && !e->st) {
    const u32 back = (u32)(e->d->codes[leaves] >> 32);
    e->d->codes[leaves] = ls_code_word(LS_CODE_JUMP, end - leaves - 1);
    leaves = back ? leaves - back : 0;
  }
}

/* The index of a variable among the delayed ones, to which it is added if necessary. */
static u32 past_of(emitter *e, u32 variable) {
  ls_draft *d = e->d;
  u32 i = 0;
  while (i < d->delayed && d->past[i] != variable) i++;
  if (i < d->delayed || e->st) return i;
  u32 *more = ls_realloc(d->past, (d->delayed + 1) * sizeof *more);
  if (!more) {
    e->st = LS_EMEM;
    return 0;
  }
  d->past = more;
  d->past[d->delayed] = variable;
  return d->delayed++;
}

static void put_delay(emitter *e, const ls_term *t) {
  put_number(e, past_of(e, t->arg[0]->index));
  put_term(e, t->arg[0]);
  put_term(e, t->arg[1]);
  emit(e, LS_CODE_DELAY, 0);
  e->depth -= 2;
}

static void put_draw(emitter *e, const ls_term *t) {
  put_number(e, (f64)t->op * 0x1p32 + t->index);
  for (u32 i = 0; i < t->count; i++) put_term(e, t->arg[i]);
  emit(e, ls_code_of(t->op), 0);
  e->depth -= t->count;
  e->d->random = true;
}

static void put_term(emitter *e, const ls_term *t) {
  if (e->st) return;
  if (ls_op_is_random((ls_op)t->op)) {
    put_draw(e, t);
    return;
  }
  switch (t->op) {
  case LS_NUMBER_OP: put_number(e, t->number); return;
  case LS_VARIABLE_OP: emit(e, LS_CODE_VARIABLE, t->index), pushed(e); return;
  case LS_TIME_OP: emit(e, LS_CODE_VARIABLE, e->d->vars - 1), pushed(e); return;
  case LS_PIECEWISE_OP: put_pieces(e, t); return;
  case LS_DELAY_OP: put_delay(e, t); return;
  default: break;
  }
  const u32 op = t->op == LS_MINUS_OP && t->count == 1 ? LS_CODE_NEGATE : ls_code_of(t->op);
  if (op == LS_CODE_END) {
    e->st =
        ls_fail(LS_EINPUT, "the bytecode has no '%s': use engine = \"reference\"", ls_op_name((ls_op)t->op));
  } else if (ls_code_is_many(op)) {
    put_many(e, t, op);
  } else if (ls_op_is_relation((ls_op)t->op)) {
    put_relation(e, t, op);
  } else if (t->count == 1) {
    put_term(e, t->arg[0]);
    emit(e, op, 0);
  } else {
    put_two(e, op, t->arg[0], t->arg[1]);
  }
}

ls_status ls_code_emit(ls_draft *d, const ls_term *t, u32 variable) {
  emitter e = {.d = d};
  put_term(&e, t);
  emit(&e, LS_CODE_ASSIGN, variable);
  return e.st;
}

ls_status ls_code_end(ls_draft *d) {
  emitter e = {.d = d};
  emit(&e, LS_CODE_END, 0);
  return e.st;
}

/* --- folding ----------------------------------------------------------------------------------------------
 */

static bool foldable(void *ctx, const ls_term *t) {
  const u32 op = ls_code_of(t->op);
  (void)ctx;
  if (t->count == 0) return t->op == LS_NUMBER_OP;
  if (ls_op_is_relation(t->op)) return t->count == 2;
  return op >= LS_CODE_PLUS_NARY && op < LS_CODE_DELAY && (op < LS_CODE_AND_NARY || op > LS_CODE_XOR_NARY);
}

bool ls_code_folds(const ls_term *t, f64 *out) {
  static const ode_system none;
  if (!ls_term_walk(t, foldable, NULL)) return false;
  *out = ode_eval(&none, t);
  return true;
}
