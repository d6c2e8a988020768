/* Reader of our own format: equations as a person writes them, and as m:equations() prints them.
 *
 *   title Predators and prey       # to the end of the line
 *   time year                      # its unit
 *   a = 1.5 [1/year]               # a number: a parameter; its unit in brackets
 *   k := a*2                       # computed once, at the start: a constant
 *   eaten = b*x*y                  # a function
 *   x' = a*x - eaten               # or dx/dt = ..., d x/dt = ...: a state
 *   x(0) = 10                      # its initial value
 *   f = {1 if time < 5; 0 otherwise}
 *   when x < 1 and time > 3 after 0.5: x = 10, y = y/2
 *
 * A line that ends in an operator, a comma or within brackets continues on the next line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/formats.h"

enum { DEEPEST = 200, NAME_BYTES = 256 };

typedef struct reader {
  ls_ode *m;
  const char *at;
  u32 line;
  int depth;    /* nesting of brackets and signs */
  int brackets; /* open brackets: newlines in them are blanks */
  u32 ended;    /* number of the line that ended where an operand was expected; 0: none did */
} reader;

/* A statement whose right side is read when all names are known. */
typedef struct statement {
  const char *at; /* its right side */
  u32 line, variable;
  enum { VALUE, RATE, FIRST, ONCE } kind;
} statement;

/* --- words -----------------------------------------------------------------------------------------------
 */

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(reader *r) {
  for (;;) {
    if (*r->at == '#') r->at += strcspn(r->at, "\n");
    if (*r->at == '\n' && r->brackets == 0) return;
    if (!*r->at || !strchr(" \t\r\n", *r->at)) return;
    if (*r->at == '\n') r->line++;
    r->at++;
  }
}

/* Skips blanks and line ends, for example after an operator. */
static void skip_lines(reader *r) {
  const u32 before = r->line;
  r->brackets++;
  skip_blanks(r);
  r->brackets--;
  r->ended = r->line == before ? 0 : before;
}

static size_t name_length(const char *s) {
  size_t n = 0;
  if (!is_letter(*s)) return 0;
  while (is_letter(s[n]) || is_digit(s[n]) || (s[n] == '.' && (is_letter(s[n + 1]) || is_digit(s[n + 1]))))
    n++;
  return n;
}

static bool is_word(const reader *r, const char *word) {
  const size_t n = strlen(word);
  return name_length(r->at) == n && strncmp(r->at, word, n) == 0;
}

static bool take_word(reader *r, const char *word) {
  skip_blanks(r);
  if (!is_word(r, word)) return false;
  r->at += strlen(word);
  return true;
}

static bool take(reader *r, const char *symbol) {
  skip_blanks(r);
  const size_t n = strlen(symbol);
  if (strncmp(r->at, symbol, n) != 0) return false;
  r->at += n;
  return true;
}

static const ls_term *fail(reader *r, const char *expected) {
  char found[40];
  const size_t n = strcspn(r->at, "\r\n");
  snprintf(found, sizeof found, "%.*s", (int)(n < 30 ? n : 30), r->at);
  ls_ode_fail(r->m, r->line, "expected %s, found '%s'", expected, found);
  return NULL;
}

static const ls_term *too_deep(reader *r) { return fail(r, "at most 200 nested brackets, signs and powers"); }

/* --- expressions -----------------------------------------------------------------------------------------
 */

static const ls_term *any(reader *r);

/* Reads the arguments of a function up to the closing bracket. */
static const ls_term *call(reader *r, ls_op op) {
  enum { MOST = 64 };
  const ls_term *arg[MOST];
  u32 count = 0;
  r->brackets++;
  if (!take(r, ")")) do {
      if (count == MOST) return fail(r, "at most 64 arguments");
      if (!(arg[count++] = any(r))) return NULL;
    } while (take(r, ","));
  else
    r->at--;
  if (!take(r, ")")) return fail(r, "',' or ')'");
  r->brackets--;
  return ls_term_indexed(r->m->terms, op, ls_op_is_random(op) ? r->m->streams++ : 0, count, arg);
}

static const ls_term *pieces(reader *r) {
  enum { MOST = 129 };
  const ls_term *arg[MOST];
  u32 count = 0;
  r->brackets++;
  do {
    if (count + 2 >= MOST) return fail(r, "at most 64 pieces");
    if (!(arg[count++] = any(r))) return NULL;
    if (take_word(r, "otherwise")) break;
    if (!take_word(r, "if")) return fail(r, "'if' or 'otherwise'");
    if (!(arg[count++] = any(r))) return NULL;
  } while (take(r, ";"));
  if (!take(r, "}")) return fail(r, "';' or '}'");
  r->brackets--;
  return ls_term_new(r->m->terms, LS_PIECEWISE_OP, count, arg);
}

static const ls_term *name(reader *r) {
  ls_terms *a = r->m->terms;
  const size_t n = name_length(r->at);
  char text[NAME_BYTES];
  if (n >= sizeof text) return fail(r, "a name of at most 255 bytes");
  memcpy(text, r->at, n);
  text[n] = 0;
  const char *start = r->at;
  r->at += n;
  if (take(r, "(")) {
    for (ls_op op = LS_MINUS_OP; op < LS_TERM_OPS_COUNT; op = (ls_op)(op + 1))
      if (strcmp(ls_op_name(op), text) == 0 && op != LS_SERIES_OP && op != LS_PIECEWISE_OP)
        return call(r, op);
    r->at = start;
    return fail(r, "the name of a function");
  }
  const u32 v = ls_ode_find(r->m, text);
  if (v != LS_NO_VARIABLE) return ls_term_leaf(a, LS_VARIABLE_OP, v);
  if (strcmp(text, "time") == 0) return ls_term_leaf(a, LS_TIME_OP, 0);
  if (strcmp(text, "pi") == 0) return ls_term_number(a, 3.14159265358979323846);
  if (strcmp(text, "true") == 0) return ls_term_number(a, 1);
  if (strcmp(text, "false") == 0) return ls_term_number(a, 0);
  if (strcmp(text, "inf") == 0) return ls_term_number(a, HUGE_VAL);
  if (strcmp(text, "nan") == 0) return ls_term_number(a, NAN);
  ls_ode_fail(r->m, r->line, "'%s' is not defined", text);
  return NULL;
}

/* Does a statement begin here: x = ..., x' = ..., x(0) = ..., d x/dt = ...? */
static bool is_statement(const char *s) {
  size_t n = name_length(s);
  if (!n) return false;
  if (n == 1 && *s == 'd' && s[1] == ' ' && name_length(s + 2)) n = 2 + name_length(s + 2);
  s += n;
  if (*s == '\'')
    s++;
  else if (strncmp(s, "(0)", 3) == 0 || strncmp(s, "/dt", 3) == 0)
    s += 3;
  s += strspn(s, " \t");
  s += *s == ':' && s[1] == '=';
  return *s == '=' && s[1] != '=';
}

static const ls_term *atom(reader *r) {
  skip_blanks(r);
  if (r->ended && is_statement(r->at)) {
    ls_ode_fail(r->m, r->ended,
                "expected a number, a name or '(' after the last character of the line, found "
                "a new equation in line %u",
                r->line);
    return NULL;
  }
  r->ended = 0;
  if (is_digit(*r->at) || (*r->at == '.' && is_digit(r->at[1]))) {
    char *end;
    const size_t hex = r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X');
    const f64 x = strtod(r->at, &end);
    if (hex) return fail(r, "a decimal number");
    const char *from = r->at;
    const int bytes = (int)(end - from < 40 ? end - from : 40), more = (int)name_length(end);
    r->at = end;
    const bool word = is_word(r, "if") || is_word(r, "otherwise") || is_word(r, "and") || is_word(r, "or") ||
                      is_word(r, "xor") || is_word(r, "implies");
    if ((more && !word) || *end == '(') {
      const int shown = more ? more < 40 ? more : 40 : 1;
      ls_ode_fail(r->m, r->line, "expected an operator after the number, found '%.*s' (write %.*s*%.*s%s)",
                  shown, end, bytes, from, shown, end, more ? "" : "...)");
      return NULL;
    }
    return ls_term_number(r->m->terms, x);
  }
  if (take(r, "(")) {
    r->brackets++;
    const ls_term *t = any(r);
    if (t && !take(r, ")")) return fail(r, "an operator or ')'");
    r->brackets--;
    return t;
  }
  if (take(r, "{")) return pieces(r);
  return name_length(r->at) ? name(r) : fail(r, "a number, a name or '('");
}

static const ls_term *sign(reader *r);

static const ls_term *power(reader *r) {
  const ls_term *x = atom(r);
  if (!x || !take(r, "^")) return x;
  skip_lines(r);
  if (++r->depth > DEEPEST) return too_deep(r);
  const ls_term *y = sign(r); /* allows 2^-x; right-associative: 2^3^4 = 2^(3^4) */
  r->depth--;
  return ls_term_2(r->m->terms, LS_POWER_OP, x, y);
}

static const ls_term *sign(reader *r) {
  if (take(r, "-")) {
    if (++r->depth > DEEPEST) return too_deep(r);
    const ls_term *x = sign(r);
    r->depth--;
    if (x && x->op == LS_NUMBER_OP) return ls_term_number(r->m->terms, -x->number);
    return ls_term_1(r->m->terms, LS_MINUS_OP, x);
  }
  take(r, "+");
  return power(r);
}

/* Operands joined by one operator. */
typedef struct row {
  const ls_term **arg;
  u32 count, room;
} row;

static bool append(reader *r, row *w, const ls_term *x) {
  if (w->count == w->room) { /* doubled, because the arena keeps all old arrays */
    const u32 room = w->room ? 2 * w->room : 4;
    const ls_term **more = ls_terms_memory(r->m->terms, room * sizeof *more);
    if (!more) return false;
    if (w->count) memcpy(more, w->arg, w->count * sizeof *more);
    w->arg = more;
    w->room = room;
  }
  w->arg[w->count++] = x;
  return x != NULL;
}

/* Reads operands joined by left-associative operators of one level; a + b + c becomes one node, and so does a
 * chain of *, and, or, xor. */
static const ls_term *chain(reader *r, const ls_term *(*operand)(reader *r), const char *const *symbols,
                            const ls_op *ops) {
  ls_terms *a = r->m->terms;
  row w = {0};
  ls_op op = LS_NUMBER_OP; /* the operator of the row; NUMBER: the row has one operand */
  if (!append(r, &w, operand(r))) return NULL;
  for (;;) {
    int k = 0;
    while (symbols[k] && !(is_letter(*symbols[k]) ? take_word(r, symbols[k]) : take(r, symbols[k]))) k++;
    if (!symbols[k]) return op == LS_NUMBER_OP ? w.arg[0] : ls_term_new(a, op, w.count, w.arg);
    const bool longer = ops[k] == op && op != LS_MINUS_OP && op != LS_DIVIDE_OP && op != LS_IMPLIES_OP;
    if (op != LS_NUMBER_OP && !longer) {
      const ls_term *x = ls_term_new(a, op, w.count, w.arg);
      w = (row){0};
      if (!append(r, &w, x)) return NULL;
    }
    op = ops[k];
    skip_lines(r);
    if (!append(r, &w, operand(r))) return NULL;
  }
}

static const ls_term *product(reader *r) {
  static const char *const symbols[] = {"*", "/", NULL};
  static const ls_op ops[] = {LS_TIMES_OP, LS_DIVIDE_OP};
  return chain(r, sign, symbols, ops);
}

static const ls_term *sum(reader *r) {
  static const char *const symbols[] = {"+", "-", NULL};
  static const ls_op ops[] = {LS_PLUS_OP, LS_MINUS_OP};
  return chain(r, product, symbols, ops);
}

static const ls_term *relation(reader *r) {
  static const char *const symbols[] = {"==", "!=", "<=", ">=", "<", ">"};
  static const ls_op ops[] = {LS_EQ_OP, LS_NEQ_OP, LS_LEQ_OP, LS_GEQ_OP, LS_LT_OP, LS_GT_OP};
  const ls_term *x = sum(r);
  for (int k = 0; k < 6 && x; k++)
    if (take(r, symbols[k])) {
      skip_lines(r);
      return ls_term_2(r->m->terms, ops[k], x, sum(r));
    }
  return x;
}

static const ls_term *negation(reader *r) {
  if (!take_word(r, "not")) return relation(r);
  if (++r->depth > DEEPEST) return too_deep(r);
  const ls_term *x = negation(r);
  r->depth--;
  return ls_term_1(r->m->terms, LS_NOT_OP, x);
}

static const ls_term *conjunction(reader *r) {
  static const char *const symbols[] = {"and", NULL};
  static const ls_op ops[] = {LS_AND_OP};
  return chain(r, negation, symbols, ops);
}

static const ls_term *any(reader *r) {
  static const char *const symbols[] = {"or", "xor", "implies", NULL};
  static const ls_op ops[] = {LS_OR_OP, LS_XOR_OP, LS_IMPLIES_OP};
  if (++r->depth > DEEPEST) return too_deep(r);
  const ls_term *t = chain(r, conjunction, symbols, ops);
  r->depth--;
  return t;
}

static const ls_term *expression(reader *r) {
  r->depth = r->brackets = 0;
  return any(r);
}

/* --- statements ------------------------------------------------------------------------------------------
 */

static ls_status end_of_line(reader *r) {
  skip_blanks(r);
  if (*r->at && *r->at != '\n') return fail(r, "the end of the line"), LS_EINPUT;
  return LS_OK;
}

/* The rest of the line, without a comment. */
static const char *rest(reader *r) {
  r->at += strspn(r->at, " \t");
  size_t n = strcspn(r->at, "#\r\n");
  const char *s = r->at;
  r->at += n;
  while (n && strchr(" \t", s[n - 1])) n--;
  return ls_terms_text(r->m->terms, s, n);
}

/* Skips to the end of the statement: the line, and those that continue it. */
static void skip_statement(reader *r) {
  int open = 0;
  char before = ' ';
  for (; *r->at; r->at++) {
    if (*r->at == '#') r->at += strcspn(r->at, "\n");
    if (!*r->at) return;
    if (strchr("({", *r->at)) open++;
    if (strchr(")}", *r->at) && open) open--;
    if (*r->at == '\n' && open == 0 && !strchr("+-*/^,<>=", before)) return;
    if (*r->at == '\n') r->line++;
    if (!strchr(" \t\r\n", *r->at)) before = *r->at;
  }
}

/* Reads the left side with its '=': the variable, and which of its properties is defined. */
static ls_status left_side(reader *r, statement *out) {
  char text[NAME_BYTES];
  out->kind = VALUE;
  if (*r->at == 'd') { /* d x/dt, dx/dt */
    const char *after = r->at + 1 + strspn(r->at + 1, " \t");
    const size_t n = name_length(after);
    if (n && strncmp(after + n, "/dt", 3) == 0 && !is_letter(after[n + 3])) {
      r->at = after;
      out->kind = RATE;
    }
  }
  const size_t n = name_length(r->at);
  if (!n || n >= sizeof text) return fail(r, "the name of a variable, 'title', 'time' or 'when'"), LS_EINPUT;
  memcpy(text, r->at, n);
  text[n] = 0;
  r->at += n;
  out->line = r->line;
  if (out->kind == RATE)
    r->at += 3;
  else if (take(r, "'"))
    out->kind = RATE;
  else if (take(r, "(0)"))
    out->kind = FIRST;
  else if (take(r, ":"))
    out->kind = ONCE;
  if (out->kind == RATE && *r->at == '\'')
    return ls_ode_fail(r->m, r->line, "%s'': there are only first derivatives (write %s' = v, and v' = ...)",
                       text, text);
  skip_blanks(r);
  if (out->kind != ONCE && *r->at == '[')
    r->at += strcspn(r->at, "]\n") + (r->at[strcspn(r->at, "]\n")] == ']');
  if (!take(r, "=")) return fail(r, "'='"), LS_EINPUT;
  out->at = r->at;
  out->variable = ls_ode_find(r->m, text);
  if (out->variable != LS_NO_VARIABLE) return LS_OK;
  return ls_ode_add(r->m, text, NULL, LS_PARAMETER, r->line, &out->variable);
}

static ls_status read_unit(reader *r, ls_variable *v) {
  if (!take(r, "[")) return LS_OK;
  const size_t n = strcspn(r->at, "]\n");
  if (r->at[n] != ']') return fail(r, "']' after a unit"), LS_EINPUT;
  if (!(v->unit = ls_terms_text(r->m->terms, r->at, n))) return LS_EMEM;
  r->at += n + 1;
  return LS_OK;
}

static ls_status read_right(reader *r, const statement *s) {
  ls_ode *m = r->m;
  r->at = s->at;
  r->line = s->line;
  skip_lines(r);
  const ls_term *t = expression(r);
  if (!t) return ls_ode_at(m, r->line, ls_terms_status(m->terms));
  ls_variable *v = &m->variables[s->variable];
  ls_status st = read_unit(r, v);
  if (!st) st = end_of_line(r);
  if (st) return st;
  const bool first = s->kind == FIRST;
  if (first ? v->initial != NULL : v->equation || (v->initial && v->role != LS_STATE))
    return ls_ode_fail(m, s->line, "a second %s of %s: line %u already has one",
                       first ? "initial value" : "definition", v->name, v->line);
  if (first) {
    v->initial = t;
    return LS_OK;
  }
  v->line = s->line;
  if (s->kind == RATE)
    v->role = LS_STATE, v->equation = t;
  else if (s->kind == ONCE)
    v->role = LS_CONSTANT, v->initial = t;
  else if (t->op == LS_NUMBER_OP)
    v->initial = t;
  else
    v->role = LS_ALGEBRAIC, v->equation = t;
  return LS_OK;
}

/* when CONDITION [after DELAY]: x = ..., y = ... */
static ls_status read_event(reader *r, u32 number) {
  enum { MOST = 64 };
  ls_ode *m = r->m;
  ls_event *e;
  char text[32];
  ls_status st = ls_ode_add_event(m, MOST, &e);
  if (st) return st;
  e->line = r->line;
  e->persistent = e->initial_value = true;
  e->count = 0;
  snprintf(text, sizeof text, "event %u", number + 1);
  if (!(e->name = ls_terms_text(m->terms, text, strlen(text)))) return LS_EMEM;
  if (!(e->trigger = expression(r))) return ls_terms_status(m->terms);
  if (take_word(r, "after") && !(e->delay = expression(r))) return ls_terms_status(m->terms);
  if (!take(r, ":")) return fail(r, "':' and what happens then"), LS_EINPUT;
  do {
    skip_lines(r);
    const size_t n = name_length(r->at);
    char left[NAME_BYTES];
    if (!n || n >= sizeof left || e->count == MOST)
      return fail(r, "the name of a variable (at most 64)"), LS_EINPUT;
    memcpy(left, r->at, n);
    left[n] = 0;
    r->at += n;
    const u32 v = ls_ode_find(m, left);
    if (v == LS_NO_VARIABLE) return ls_ode_fail(m, r->line, "'%s' is not defined", left);
    if (m->variables[v].role == LS_ALGEBRAIC)
      return ls_ode_fail(m, r->line, "an event assigns to %s, which an equation determines", left);
    if (!take(r, "=")) return fail(r, "'='"), LS_EINPUT;
    skip_lines(r);
    const ls_term *t = expression(r);
    if (!t) return ls_terms_status(m->terms);
    e->assigns[e->count++] = (ls_assign){v, t};
    m->variables[v].jumps = true;
  } while (take(r, ","));
  return end_of_line(r);
}

typedef struct plain {
  statement *all;
  u32 count, room;
} plain;

static ls_status keep(plain *p, statement s) {
  statement *more = ls_grown(p->all, p->count, &p->room, 64, sizeof *more);
  if (!more) return LS_EMEM;
  p->all = more;
  p->all[p->count++] = s;
  return LS_OK;
}

/* Reads all left sides, so that all names are known, then the right sides, then the events. An event is a
 * statement without a variable. */
static ls_status read_all(reader *r, plain *p) {
  ls_ode *m = r->m;
  ls_status st = LS_OK;
  while (!st) {
    skip_lines(r);
    if (!*r->at) break;
    statement s = {.line = r->line, .variable = LS_NO_VARIABLE};
    const char *after = r->at + name_length(r->at) + strspn(r->at + name_length(r->at), " \t");
    const bool sign_follows = name_length(r->at) && (strchr("=':", *after) || strncmp(after, "(0)", 3) == 0);
    if (is_word(r, "title") && !sign_follows) {
      r->at += 5;
      if (!(m->title = rest(r))) st = LS_EMEM;
      continue;
    }
    if (is_word(r, "time") && !sign_follows) {
      r->at += 4;
      if (!(m->time_unit = rest(r))) st = LS_EMEM;
      continue;
    }
    if (is_word(r, "when") && !sign_follows)
      s.at = r->at += 4;
    else if ((st = left_side(r, &s)))
      break;
    skip_statement(r);
    st = keep(p, s);
  }
  for (u32 i = 0; i < p->count && !st; i++)
    if (p->all[i].variable != LS_NO_VARIABLE) st = read_right(r, &p->all[i]);
  for (u32 i = 0; i < p->count && !st; i++)
    if (p->all[i].kind == FIRST && m->variables[p->all[i].variable].role != LS_STATE)
      st = ls_ode_fail(m, p->all[i].line, "%s has an initial value, but no equation %s' = ...",
                       m->variables[p->all[i].variable].name, m->variables[p->all[i].variable].name);
  for (u32 i = 0, events = 0; i < p->count && !st; i++) {
    if (p->all[i].variable != LS_NO_VARIABLE) continue;
    r->at = p->all[i].at;
    r->line = p->all[i].line;
    st = read_event(r, events++);
  }
  return st;
}

ls_status ls_plain_read(ls_ode *m, const char *text) {
  plain p = {0};
  reader r = {.m = m, .at = text, .line = 1};
  m->format = "equations";
  ls_status st = read_all(&r, &p);
  if (!st && !m->count) st = ls_ode_fail(m, 0, "the text has no equations");
  ls_free(p.all);
  return ls_ode_at(m, r.line, st);
}
