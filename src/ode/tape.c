/* Tapes: expressions compiled to lists of words; see parts.h. */
#include "core/mem.h"
#include "ode/parts.h"

/* Fused pairs of words: (a + b) * c is PLUS_TIMES, c * (a + b) is PLUS_TIMES_BEHIND, and so on. */
#define EACH_SECOND(X, FIRST, first)                                                                         \
  X(FIRST, first, PLUS, +)                                                                                   \
  X(FIRST, first, MINUS, -)                                                                                  \
  X(FIRST, first, TIMES, *)                                                                                  \
  X(FIRST, first, DIVIDE, /)
#define EACH_PAIR(X)                                                                                         \
  EACH_SECOND(X, PLUS, +)                                                                                    \
  EACH_SECOND(X, MINUS, -)                                                                                   \
  EACH_SECOND(X, TIMES, *)                                                                                   \
  EACH_SECOND(X, DIVIDE, /)
#define PAIR_OPS(FIRST, first, SECOND, second) FIRST##_##SECOND, FIRST##_##SECOND##_BEHIND,
enum { COPY = LS_CODE_OPS, JUMP, JUMP_UNLESS, TREE, EACH_PAIR(PAIR_OPS) };

typedef struct making {
  ode_tape *tape;
  const ode_system *s;
  f64 *between, *end; /* [end - between]: intermediate results, one for each depth of an expression */
} making;

static bool count_number(void *ctx, const ls_term *t) {
  *(u64 *)ctx += t->op == LS_NUMBER_OP;
  return true;
}

static u32 add(making *m, ode_word w) {
  ode_tape *t = m->tape;
  ode_word *more = ls_grown(t->word, t->count, &t->room, 256, sizeof *more);
  if (!more) {
    t->short_of_memory = true;
    return 0;
  }
  t->word = more;
  t->word[t->count] = w;
  return t->count++;
}

/* The place of an operator in EACH_SECOND; -1: it is not there. */
static int simple(u32 op) {
  switch (op) {
  case LS_CODE_PLUS_NARY: return 0;
  case LS_CODE_MINUS: return 1;
  case LS_CODE_TIMES_NARY: return 2;
  case LS_CODE_DIVIDE: return 3;
  default: return -1;
  }
}

/* Fuses a word with the next one if both are simple, and the next uses its intermediate result, which is used
 * nowhere else. */
static void join(making *m) {
  ode_tape *t = m->tape;
  u32 *place = ls_malloc((t->count + 1) * sizeof *place); /* the new index of each word */
  bool *landed = ls_calloc(t->count + 1, sizeof *landed);
  u32 made = 0;
  t->short_of_memory |= !place || !landed;
  for (u32 i = 0; i < t->count && !t->short_of_memory; i++)
    if (t->word[i].op == JUMP || t->word[i].op == JUMP_UNLESS) landed[t->word[i].target] = true;
  for (u32 i = 0; i < t->count && !t->short_of_memory; i++) {
    ode_word w = t->word[i];
    place[i] = made;
    const ode_word *next = i + 1 < t->count && !landed[i + 1] ? &t->word[i + 1] : NULL;
    const bool between = w.to >= m->between && w.to < m->end, first = next && next->a == w.to,
               second = next && next->b == w.to;
    if (between && first != second && w.b && next->b && simple(w.op) >= 0 && simple(next->op) >= 0) {
      w.op = (u32)(PLUS_PLUS + 2 * (4 * simple(w.op) + simple(next->op)) + second);
      w.to = next->to;
      w.c = second ? next->a : next->b;
      place[++i] = made;
    }
    t->word[made++] = w;
  }
  if (!t->short_of_memory) {
    place[t->count] = made;
    t->count = made;
    for (u32 i = 0; i < made; i++)
      if (t->word[i].op == JUMP || t->word[i].op == JUMP_UNLESS) t->word[i].target = place[t->word[i].target];
  }
  ls_free(place);
  ls_free(landed);
}

static void land(making *m, u32 jump) {
  if (!m->tape->short_of_memory) m->tape->word[jump].target = m->tape->count;
}

/* The word for an operator applied to its first argument, then to each further one; TREE: there is none. */
static u32 word_of(const ls_term *t) {
  const u32 op = ls_code_of(t->op);
  if (t->op == LS_PLUS_OP || t->op == LS_TIMES_OP || t->op == LS_MAX_OP || t->op == LS_MIN_OP)
    return t->count > 1 ? op : TREE;
  if (t->op == LS_MINUS_OP && t->count == 1) return LS_CODE_NEGATE;
  if (ls_op_is_relation(t->op) && t->count != 2) return TREE;
  return op >= LS_CODE_MINUS && op < LS_CODE_DELAY ? op : TREE;
}

static void write(making *m, const ls_term *t, f64 *to, f64 *between);

/* Returns the address of t's value: where it is stored already, or `between`, after adding words that compute
 * it there. */
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

/* Adds the words that store the value of t at `to`. Only the last of them writes there, since the expression
 * may use the old value. */
static void write(making *m, const ls_term *t, f64 *to, f64 *between) {
  const u32 op = word_of(t);
  if (t->op == LS_VARIABLE_OP || t->op == LS_TIME_OP || t->op == LS_NUMBER_OP) {
    add(m, (ode_word){.op = COPY, .to = to, .a = operand(m, t, between)});
  } else if (t->op == LS_PIECEWISE_OP && t->count % 2) {
    u32 last = 0, end = 0; /* jumps to the end: a list, linked by their targets until these are known */
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
  } else if (op == TREE) {
    add(m, (ode_word){.op = TREE, .to = to, .term = t});
  } else {
    const f64 *x = operand(m, t->arg[0], between);
    if (t->count == 1) add(m, (ode_word){.op = op, .to = to, .a = x});
    for (u32 i = 1; i < t->count; i++) {
      const f64 *y = operand(m, t->arg[i], between + 1);
      f64 *z = i + 1 < t->count ? between : to;
      add(m, (ode_word){.op = op, .to = z, .a = x, .b = y});
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
  making m = {t, s, t->number + numbers, t->number + numbers + deepest + 1};
  for (u32 i = 0; i < count && !t->short_of_memory; i++) write(&m, term[i], to[i], m.between);
  if (!t->short_of_memory) join(&m);
  return t->short_of_memory ? LS_EMEM : LS_OK;
}

void ode_tape_free(ode_tape *t) {
  ls_free(t->word);
  ls_free(t->number);
  *t = (ode_tape){0};
}

#define PAIR_CASES(FIRST, first, SECOND, second)                                                             \
  case FIRST##_##SECOND: *w->to = (*w->a first * w->b) second * w->c; break;                                 \
  case FIRST##_##SECOND##_BEHIND: *w->to = *w->c second(*w->a first * w->b); break;

void ode_tape_run(const ode_tape *t, const ode_system *s) {
  if (!t->count) return;
  const ode_word *w = t->word, *const end = w + t->count;
  while (w < end) {
    switch (w->op) {
    case LS_CODE_PLUS_NARY: *w->to = *w->a + *w->b; break;
    case LS_CODE_MINUS: *w->to = *w->a - *w->b; break;
    case LS_CODE_TIMES_NARY: *w->to = *w->a * *w->b; break;
    case LS_CODE_DIVIDE: *w->to = *w->a / *w->b; break;
    case LS_CODE_MAX_NARY:
    case LS_CODE_MIN_NARY: *w->to = ls_code_more(w->op, *w->a, *w->b); break;
    case LS_CODE_NEGATE: *w->to = -*w->a; break;
    case LS_CODE_EXP: *w->to = ls_exp(*w->a); break;
    case LS_CODE_LN:
      *w->to = ls_log(*w->a);
      break;
      EACH_PAIR(PAIR_CASES)
    case COPY: *w->to = *w->a; break;
    case TREE: *w->to = ode_eval(s, w->term); break;
    case JUMP: w = t->word + w->target; continue;
    case JUMP_UNLESS:
      if (*w->a == 0) {
        w = t->word + w->target;
        continue;
      }
      break;
    default: *w->to = w->b ? ls_code_two(w->op, *w->a, *w->b) : ls_code_one(w->op, *w->a);
    }
    w++;
  }
}
