#include "ode/print_equation.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"

/* --- a text that grows -----------------------------------------------------------------------------------
 */

typedef struct text {
  const ls_ode *m;
  const char *home; /* module prefix that is left out of names */
  size_t home_length;
  char *p;
  size_t used, room;
  bool fixed, failed; /* fixed: p belongs to the caller, and what does not fit is left out */
} text;

static void add_bytes(text *o, const char *s, size_t n) {
  if (o->failed) return;
  if (o->used + n + 1 > o->room && !o->fixed) {
    size_t room = o->room ? o->room : 128;
    while (room < o->used + n + 1) room *= 2;
    char *larger = ls_realloc(o->p, room);
    if (!larger) {
      o->failed = true;
      return;
    }
    o->p = larger;
    o->room = room;
  }
  if (o->used + n + 1 > o->room) {
    n = o->room - o->used - 1;
    o->failed = true;
  }
  memcpy(o->p + o->used, s, n);
  o->used += n;
  o->p[o->used] = 0;
}

static void add(text *o, const char *s) { add_bytes(o, s, strlen(s)); }

void ls_ode_number_text(f64 x, char out[32]) {
  enum { LEAST = 6, PRINTED = 15 }; /* least precision here (100000 has no exponent) and of ls_exact */
  char exact[40] = "";
  ls_exact(x, exact);
  int digits = 0, needed = 0; /* needed: number of digits without leading and trailing zeros */
  for (const char *c = exact; *c && *c != 'e'; c++) {
    digits += isdigit((unsigned char)*c) && (digits || *c != '0');
    if (*c != '0' && *c != '.') needed = digits;
  }
  if (needed < PRINTED)
    snprintf(out, 32, "%.*g", needed > LEAST ? needed : LEAST, x);
  else
    memcpy(out, exact, 32);
}

/* --- terms -----------------------------------------------------------------------------------------------
 */

/* Operator precedences. */
enum { LOOSEST, OR_LEVEL, AND_LEVEL, NOT_LEVEL, RELATION_LEVEL, SUM_LEVEL, PRODUCT_LEVEL, POWER_LEVEL, ATOM };

static int level(const ls_term *t) {
  switch (t->op) {
  case LS_NUMBER_OP: return t->number < 0 || (t->number == 0 && signbit(t->number)) ? PRODUCT_LEVEL : ATOM;
  case LS_IMPLIES_OP:
  case LS_XOR_OP:
  case LS_OR_OP: return OR_LEVEL;
  case LS_AND_OP: return AND_LEVEL;
  case LS_NOT_OP: return NOT_LEVEL;
  case LS_MINUS_OP: return t->count == 1 ? PRODUCT_LEVEL : SUM_LEVEL;
  case LS_PLUS_OP: return t->count > 1 ? SUM_LEVEL : ATOM;
  case LS_TIMES_OP: return t->count > 1 ? PRODUCT_LEVEL : ATOM;
  case LS_DIVIDE_OP: return PRODUCT_LEVEL;
  case LS_POWER_OP: return POWER_LEVEL;
  default: return ls_op_is_relation(t->op) && t->count > 1 ? RELATION_LEVEL : ATOM;
  }
}

static void print_term(text *o, const ls_term *t, int around);

static bool begins_with_minus(const ls_term *t) {
  while ((t->op == LS_TIMES_OP || t->op == LS_DIVIDE_OP) && t->count > 1) t = t->arg[0];
  return (t->op == LS_MINUS_OP && t->count == 1) || (t->op == LS_NUMBER_OP && signbit(t->number));
}

/* A factor that begins with a minus is put in brackets, unless it comes first. */
static void put_product(text *o, const ls_term *t) {
  for (u32 i = 0; i < t->count && !o->failed; i++) {
    const ls_term *a = t->arg[i];
    if (i) add(o, "*");
    print_term(o, a, i && begins_with_minus(a) ? ATOM : PRODUCT_LEVEL);
  }
}

static void put_list(text *o, const ls_term *t, const char *before, const char *between, int around,
                     const char *after) {
  add(o, before);
  for (u32 i = 0; i < t->count && !o->failed; i++) {
    if (i) add(o, between);
    print_term(o, t->arg[i], around);
  }
  add(o, after);
}

/* Writes a sum. A term that begins with a minus is subtracted. */
static void put_sum(text *o, const ls_term *t) {
  for (u32 i = 0; i < t->count && !o->failed; i++) {
    const ls_term *a = t->arg[i];
    const bool minus = i && a->op == LS_MINUS_OP && a->count == 1;
    if (i) add(o, minus ? " - " : " + ");
    print_term(o, minus ? a->arg[0] : a, minus ? SUM_LEVEL + 1 : SUM_LEVEL);
  }
}

static void put_pieces(text *o, const ls_term *t) {
  u32 i = 0;
  add(o, "{");
  for (; i + 1 < t->count && !o->failed; i += 2) {
    if (i) add(o, "; ");
    print_term(o, t->arg[i], LOOSEST);
    add(o, " if ");
    print_term(o, t->arg[i + 1], LOOSEST);
  }
  if (i < t->count) {
    if (i) add(o, "; ");
    print_term(o, t->arg[i], LOOSEST);
    add(o, " otherwise");
  }
  add(o, "}");
}

static void put_name(text *o, u32 v) {
  const char *name = o->m->variables[v].name;
  if (o->home_length && strncmp(name, o->home, o->home_length) == 0) name += o->home_length;
  add(o, name);
}

static void put_inside(text *o, const ls_term *t, int own) {
  char number[32], operator[32];
  switch (t->op) {
  case LS_NUMBER_OP:
    ls_ode_number_text(t->number, number);
    add(o, number);
    return;
  case LS_VARIABLE_OP: put_name(o, t->index); return;
  case LS_TIME_OP: add(o, "time"); return;
  case LS_SERIES_OP:
    add(o, o->m->series[t->index].name);
    put_list(o, t, "(", ", ", LOOSEST, ")");
    return;
  case LS_PLUS_OP:
    if (t->count < 2) break;
    put_sum(o, t);
    return;
  case LS_MINUS_OP:
    if (t->count == 1)
      add(o, "-");
    else
      print_term(o, t->arg[0], SUM_LEVEL), add(o, " - ");
    print_term(o, t->arg[t->count - 1], t->count == 1 ? PRODUCT_LEVEL : SUM_LEVEL + 1);
    return;
  case LS_TIMES_OP:
    if (t->count < 2) break;
    put_product(o, t);
    return;
  case LS_DIVIDE_OP:
    print_term(o, t->arg[0], PRODUCT_LEVEL);
    add(o, "/");
    print_term(o, t->arg[1], PRODUCT_LEVEL + 1);
    return;
  case LS_POWER_OP:
    print_term(o, t->arg[0], POWER_LEVEL + 1);
    add(o, "^");
    print_term(o, t->arg[1], POWER_LEVEL);
    return;
  case LS_NOT_OP:
    add(o, "not ");
    print_term(o, t->arg[0], NOT_LEVEL);
    return;
  case LS_PIECEWISE_OP: put_pieces(o, t); return;
  case LS_KEEP_OP: add(o, "as before"); return;
  default: break;
  }
  if (own < ATOM && t->count > 1) {
    snprintf(operator, sizeof operator, " %s ", ls_op_name(t->op));
    put_list(o, t, "", operator, own + 1, "");
    return;
  }
  add(o, t->op == LS_PLUS_OP ? "sum" : t->op == LS_TIMES_OP ? "product" : ls_op_name(t->op));
  put_list(o, t, "(", ", ", LOOSEST, ")");
}

static void print_term(text *o, const ls_term *t, int around) {
  const int own = level(t);
  const bool brackets = own < around;
  if (brackets) add(o, "(");
  put_inside(o, t, own);
  if (brackets) add(o, ")");
}

/* --- equations -------------------------------------------------------------------------------------------
 */

static void set_home(text *o, u32 v) {
  const char *name = o->m->variables[v].name, *dot = strrchr(name, '.');
  o->home = name;
  o->home_length = dot ? (size_t)(dot - name) + 1 : 0;
}

static void put_left(text *o, u32 v) {
  const bool rate = o->m->variables[v].role == LS_STATE;
  if (rate) add(o, "d ");
  add(o, o->m->variables[v].name);
  add(o, rate ? "/dt" : "");
}

static const ls_term *right_of(const ls_variable *v) { return v->equation ? v->equation : v->initial; }

void ls_ode_equation_text(const ls_ode *m, u32 v, char *out, size_t bytes) {
  text o = {.m = m, .p = out, .room = bytes, .fixed = true};
  *out = 0;
  set_home(&o, v);
  put_left(&o, v);
  add(&o, " = ");
  if (right_of(&m->variables[v])) print_term(&o, right_of(&m->variables[v]), LOOSEST);
  if (o.failed && bytes > 4) memcpy(out + bytes - 4, "...", 4);
}

static ls_status finish(text *o, char **out) {
  *out = o->failed ? NULL : o->p;
  if (!o->failed) return LS_OK;
  ls_free(o->p);
  return LS_EMEM;
}

/* Where to break a line of at most `most` bytes: at the space in its second half that is inside the fewest
 * brackets, or at the last one of several. 0 if there is no space. */
static size_t break_at(const char *s, size_t most) {
  size_t best = 0, inside = 0, least = SIZE_MAX;
  for (size_t i = 0; s[i] && i <= most; i++) {
    if (strchr("({", s[i])) inside++;
    if (strchr(")}", s[i]) && inside) inside--;
    if (s[i] == ' ' && i >= most / 2 && inside <= least) best = i, least = inside;
  }
  return best;
}

/* Appends s, broken into lines: the first begins at column `at`, the others are indented. */
static void add_wrapped(text *o, const char *s, size_t at, size_t indent, size_t width) {
  for (;;) {
    const size_t room = width > at ? width - at : 0, length = strlen(s);
    const size_t cut = length > room ? break_at(s, room) : 0;
    if (!cut) {
      add_bytes(o, s, length);
      return;
    }
    add_bytes(o, s, cut);
    add(o, "\n");
    for (size_t i = 0; i < indent; i++) add(o, " ");
    s += cut + 1;
    at = indent;
  }
}

static ls_status add_term(text *o, const ls_term *t, const char *before, size_t at, size_t indent,
                          size_t width) {
  text line = {.m = o->m, .home = o->home, .home_length = o->home_length};
  add(&line, before);
  print_term(&line, t, LOOSEST);
  if (!line.failed) add_wrapped(o, line.p, at, indent, width);
  const bool failed = line.failed;
  ls_free(line.p);
  return failed ? LS_EMEM : LS_OK;
}

/* One line per case: its value, then its condition, which goes on a second line if it does not fit. */
static ls_status add_cases(text *o, const ls_term *t, size_t width) {
  enum { INDENT = 4, DEEPER = 8 };
  ls_status st = LS_OK;
  for (u32 i = 0; i < t->count && !st; i += 2) {
    add(o, "\n    ");
    const size_t from = o->used;
    st = add_term(o, t->arg[i], "", INDENT, DEEPER, width);
    if (st) return st;
    const size_t length = o->used - from;
    const bool one_line = !memchr(o->p + from, '\n', length);
    text when = {.m = o->m, .home = o->home, .home_length = o->home_length};
    add(&when, i + 1 < t->count ? "if " : "otherwise");
    if (i + 1 < t->count) print_term(&when, t->arg[i + 1], LOOSEST);
    if (when.failed)
      st = LS_EMEM;
    else if (one_line && INDENT + length + 2 + when.used <= width)
      add(o, "  "), add_bytes(o, when.p, when.used);
    else
      add(o, "\n      "), add_wrapped(o, when.p, INDENT + 2, DEEPER, width);
    ls_free(when.p);
  }
  return st;
}

ls_status ls_ode_pretty(const ls_ode *m, u32 v, u32 width, char **out) {
  const ls_variable *a = &m->variables[v];
  const ls_term *t = right_of(a);
  text o = {.m = m};
  set_home(&o, v);
  put_left(&o, v);
  const bool named = a->unit && strcmp(a->unit, "dimensionless") != 0;
  if (named) {
    add(&o, "  [");
    add(&o, a->unit);
    if (a->role == LS_STATE) add(&o, "/"), add(&o, m->time_unit ? m->time_unit : "time");
    add(&o, "]");
  }
  ls_status st = LS_OK;
  if (t && t->op == LS_PIECEWISE_OP) {
    add(&o, " =");
    st = add_cases(&o, t, width);
  } else if (t) {
    const bool below = o.used > width / 2; /* a long name leaves little room after it */
    add(&o, below ? " =\n    " : " =");
    st = add_term(&o, t, below ? "" : " ", below ? 4 : o.used, below ? 8 : 4, width);
  }
  if (!st && a->role == LS_STATE && a->initial) {
    add(&o, "\n");
    add(&o, a->name);
    add(&o, "(0) =");
    st = add_term(&o, a->initial, " ", strlen(a->name) + 5, 4, width);
  }
  if (st) o.failed = true;
  return finish(&o, out);
}
