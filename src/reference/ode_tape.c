/* Words instead of trees: ode_parts.h says what for. */
#include "core/mem.h"
#include "model/ode/functions.h"
#include "reference/ode_parts.h"

enum { COPY = LS_TERM_OPS_COUNT, NEGATE, JUMP, JUMP_UNLESS, TREE };

typedef struct making {
  ode_tape *tape;
  const ode_system *s;
  f64 *between; /* results in between, one for each depth */
} making;

static bool count_number(void *ctx, const ls_term *t) {
  *(u64 *)ctx += t->op == LS_NUMBER_OP;
  return true;
}

static u32 add(making *m, ode_word w) {
  ode_tape *t = m->tape;
  if (t->count == t->room) {
    const u32 room = t->room ? 2 * t->room : 256;
    ode_word *more = ls_realloc(t->word, room * sizeof *more);
    if (!more) {
      t->short_of_memory = true;
      return 0;
    }
    t->word = more;
    t->room = room;
  }
  t->word[t->count] = w;
  return t->count++;
}

static void land(making *m, u32 jump) {
  if (!m->tape->short_of_memory) m->tape->word[jump].target = m->tape->count;
}

static bool is_chain(const ls_term *t) {
  return t->count > 1 &&
         (t->op == LS_PLUS_OP || t->op == LS_TIMES_OP || t->op == LS_MAX_OP || t->op == LS_MIN_OP);
}

static bool has_word(const ls_term *t) {
  return is_chain(t) || (t->op >= LS_MINUS_OP && t->op <= LS_QUOTIENT_OP && t->op != LS_TIMES_OP) ||
         (ls_op_is_relation(t->op) && t->count == 2) || (t->op >= LS_NOT_OP && t->op <= LS_ARCCOTH_OP);
}

static void write(making *m, const ls_term *t, f64 *to, f64 *between);

/* Where the value of t will be: in place, or the first of `between`. */
static const f64 *operand(making *m, const ls_term *t, f64 *between) {
  ode_tape *a = m->tape;
  if (t->op == LS_VARIABLE_OP) return &m->s->value[t->index];
  if (t->op == LS_TIME_OP) return &m->s->t;
  if (t->op == LS_NUMBER_OP) {
    a->number[a->numbers] = t->number;
    return &a->number[a->numbers++];
  }
  write(m, t, between, between);
  return between;
}

/* `to` is written by the last word alone, since an expression may keep the value that is there. */
static void write(making *m, const ls_term *t, f64 *to, f64 *between) {
  if (t->op == LS_VARIABLE_OP || t->op == LS_TIME_OP || t->op == LS_NUMBER_OP) {
    add(m, (ode_word){.op = COPY, .to = to, .a = operand(m, t, between)});
  } else if (t->op == LS_PIECEWISE_OP && t->count % 2) {
    u32 last = 0, end = 0; /* a list of the jumps to the end, by their targets */
    for (u32 i = 0; i + 1 < t->count; i += 2) {
      const u32 other = add(m, (ode_word){.op = JUMP_UNLESS, .a = operand(m, t->arg[i + 1], between)});
      write(m, t->arg[i], to, between);
      end = add(m, (ode_word){.op = JUMP, .target = last});
      last = end + 1;
      land(m, other);
    }
    write(m, t->arg[t->count - 1], to, between);
    while (last && !m->tape->short_of_memory) {
      end = last - 1;
      last = m->tape->word[end].target;
      land(m, end);
    }
  } else if (!has_word(t)) {
    add(m, (ode_word){.op = TREE, .to = to, .term = t});
  } else {
    const f64 *x = operand(m, t->arg[0], between);
    if (t->count == 1) add(m, (ode_word){.op = t->op == LS_MINUS_OP ? (u32)NEGATE : t->op, .to = to, .a = x});
    for (u32 i = 1; i < t->count; i++) {
      const f64 *y = operand(m, t->arg[i], between + 1);
      f64 *z = i + 1 < t->count ? between : to;
      add(m, (ode_word){.op = t->op, .to = z, .a = x, .b = y});
      x = z;
    }
  }
}

ls_status ode_tape_new(ode_tape *t, const ode_system *s, u32 count, const ls_term *const *term,
                       f64 *const *to) {
  u64 numbers = 0;
  u32 deepest = 0;
  *t = (ode_tape){0};
  for (u32 i = 0; i < count; i++) {
    ls_term_walk(term[i], count_number, &numbers);
    if (term[i]->depth > deepest) deepest = term[i]->depth;
  }
  if (!(t->number = ls_malloc((numbers + deepest + 1) * sizeof *t->number))) return LS_EMEM;
  making m = {t, s, t->number + numbers};
  for (u32 i = 0; i < count && !t->short_of_memory; i++) write(&m, term[i], to[i], m.between);
  return t->short_of_memory ? LS_EMEM : LS_OK;
}

void ode_tape_free(ode_tape *t) {
  ls_free(t->word);
  ls_free(t->number);
  *t = (ode_tape){0};
}

void ode_tape_run(const ode_tape *t, const ode_system *s) {
  const ode_word *w = t->word, *const end = w + t->count;
  while (w < end) {
    switch (w->op) {
    case LS_PLUS_OP: *w->to = *w->a + *w->b; break;
    case LS_MINUS_OP: *w->to = *w->a - *w->b; break;
    case LS_TIMES_OP: *w->to = *w->a * *w->b; break;
    case LS_DIVIDE_OP: *w->to = *w->a / *w->b; break;
    case LS_EXP_OP: *w->to = ls_exp(*w->a); break;
    case LS_LN_OP: *w->to = ls_log(*w->a); break;
    case COPY: *w->to = *w->a; break;
    case NEGATE: *w->to = -*w->a; break;
    case TREE: *w->to = ode_eval(s, w->term); break;
    case JUMP: w = t->word + w->target; continue;
    case JUMP_UNLESS:
      if (*w->a == 0) {
        w = t->word + w->target;
        continue;
      }
      break;
    default: *w->to = w->b ? ode_apply_two(w->op, *w->a, *w->b) : ode_apply_one(w->op, *w->a);
    }
    w++;
  }
}
