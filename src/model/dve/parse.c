/* Recursive-descent parser of the DVE language, one function per rule. It is written by hand because messages
 * name what was found, what was expected and the nearest keyword, which a generated parser does not know. */
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "model/dve/ast.h"

enum { DEEPEST = 1000 }; /* depth limit of expressions, because the parser is recursive */

typedef struct parser {
  const dve_text *text;
  dve_arena *arena;
  dve_token now;
  u32 end;        /* end of the previous token */
  u32 whole;      /* end of the last expression */
  u32 depth;      /* nesting of the expressions being parsed */
  char found[64]; /* the text of `found` */
  ls_status st;
} parser;

/* --- tokens ------------------------------------------------------------------------------------------- */

/* After a failure every token is the end of the file, so that every loop ends. */
static void stop(parser *p, ls_status st) {
  if (!p->st) p->st = st;
  p->now.kind = DVE_T_END;
}

/* Fails with a message, unless it has failed before. */
__attribute__((format(printf, 3, 4))) static void fault(parser *p, u32 at, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  if (!p->st) stop(p, dve_vfail(p->text, at, fmt, ap));
  va_end(ap);
}

static void next(parser *p) {
  if (p->st) return;
  p->end = p->now.word.at + p->now.word.bytes;
  const ls_status st = dve_lex(p->text, p->end, &p->now);
  if (st) stop(p, st);
}

static bool at(const parser *p, dve_kind k) { return p->now.kind == k; }

static bool at_variable(const parser *p) {
  return at(p, DVE_T_BYTE) || at(p, DVE_T_INT) || at(p, DVE_T_CONST);
}

static const char *found(parser *p) {
  const dve_word w = p->now.word;
  if (at(p, DVE_T_END)) return dve_kind_text(DVE_T_END);
  const char *of = at(p, DVE_T_NAME) ? "the name " : at(p, DVE_T_NUMBER) ? "the number " : "";
  snprintf(p->found, sizeof p->found, "%s'%.*s'", of, (int)(w.bytes < 40 ? w.bytes : 40), p->text->s + w.at);
  return p->found;
}

/* A hint if the current token is a common mistake, else "". words: the keywords expected here. */
static const char *hint_of(const parser *p, const char *const *words) {
  static const char *const types[] = {"integer", "short",  "long",    "unsigned", "bool",  "boolean", "char",
                                      "float",   "double", "uint8_t", "int16_t",  "int32", "var",     NULL};
  const char *s = p->text->s;
  const u32 here = p->now.word.at;
  if (at(p, DVE_T_ASSIGN) && p->whole && p->whole == p->end) return " (equality is ==)";
  if (at(p, DVE_T_DOT) && here && s[here - 1] >= '0' && s[here - 1] <= '9' && s[here + 1] >= '0' &&
      s[here + 1] <= '9')
    return " (all numbers are whole, costs and times too)";
  for (u32 i = 0; words && at(p, DVE_T_NAME) && types[i]; i++)
    for (u32 k = 0; words[k] && dve_same_word(p->text, p->now.word, types[i]); k++)
      if (strcmp(words[k], "byte") == 0) return " (types are byte and int)";
  return "";
}

/* Fails with "expected WHAT, found ...". If a name was found that resembles one of the keywords `words`
 * (ended by NULL; may be NULL), the message suggests that keyword. */
static void expected(parser *p, const char *what, const char *const *words) {
  if (p->st) return;
  char word[64];
  const char *near = NULL, *hint = hint_of(p, words);
  if (!*hint && words && p->now.kind == DVE_T_NAME && p->now.word.bytes < sizeof word) {
    size_t count = 0;
    while (words[count]) count++;
    memcpy(word, p->text->s + p->now.word.at, p->now.word.bytes);
    word[p->now.word.bytes] = 0;
    near = ls_nearest(word, words, count);
  }
  fault(p, p->now.word.at, near ? "expected %s, found %s (did you mean %s?)" : "expected %s, found %s%s",
        what, found(p), near ? near : hint);
}

static bool take(parser *p, dve_kind k) {
  if (!at(p, k)) return false;
  next(p);
  return true;
}

/* where: for the message, such as "after the guard"; or NULL */
static bool need(parser *p, dve_kind k, const char *where) {
  if (take(p, k)) return true;
  char what[96];
  snprintf(what, sizeof what, "'%s'%s%s", dve_kind_text(k), where ? " " : "", where ? where : "");
  expected(p, what, NULL);
  return false;
}

static dve_word need_name(parser *p, const char *what) {
  const dve_word w = p->now.word;
  if (!at(p, DVE_T_NAME) && !p->st && p->now.kind >= DVE_T_GUARD && p->now.kind <= DVE_T_MULLER)
    fault(p, w.at, "expected %s, found %s, which is a keyword", what, found(p));
  if (take(p, DVE_T_NAME)) return w;
  expected(p, what, NULL);
  return (dve_word){w.at, 0};
}

static void *get(parser *p, size_t bytes) {
  static u64 spare[64]; /* returned after a failure, when results are no longer used */
  void *x = p->st ? NULL : dve_arena_get(p->arena, bytes);
  if (!x && !p->st) stop(p, LS_EMEM);
  return x ? x : spare;
}

/* Appends item to a list; `last` points to the link at the list's end. */
#define APPEND(p, last, item)                                                                                \
  do {                                                                                                       \
    if ((p)->st) break;                                                                                      \
    *(last) = (item);                                                                                        \
    (last) = &(item)->next;                                                                                  \
  } while (0)

/* --- expressions -------------------------------------------------------------------------------------- */

static const struct binary {
  dve_kind kind;
  u8 level; /* precedence; 1 binds weakest */
  dve_op op;
} binaries[] = {
    {DVE_T_IMPLY, 1, DVE_E_IMPLY},         {DVE_T_OR, 2, DVE_E_OR},
    {DVE_T_OR_SIGN, 2, DVE_E_OR},          {DVE_T_AND, 2, DVE_E_AND},
    {DVE_T_AND_SIGN, 2, DVE_E_AND},        {DVE_T_BIT_OR, 3, DVE_E_BIT_OR},
    {DVE_T_BIT_AND, 3, DVE_E_BIT_AND},     {DVE_T_BIT_XOR, 3, DVE_E_BIT_XOR},
    {DVE_T_EQUAL, 4, DVE_E_EQUAL},         {DVE_T_UNEQUAL, 4, DVE_E_UNEQUAL},
    {DVE_T_LESS, 5, DVE_E_LESS},           {DVE_T_AT_MOST, 5, DVE_E_AT_MOST},
    {DVE_T_MORE, 5, DVE_E_MORE},           {DVE_T_AT_LEAST, 5, DVE_E_AT_LEAST},
    {DVE_T_LEFT, 6, DVE_E_LEFT},           {DVE_T_RIGHT, 6, DVE_E_RIGHT},
    {DVE_T_PLUS, 7, DVE_E_PLUS},           {DVE_T_MINUS, 7, DVE_E_MINUS},
    {DVE_T_TIMES, 8, DVE_E_TIMES},         {DVE_T_DIVIDE, 8, DVE_E_DIVIDE},
    {DVE_T_REMAINDER, 8, DVE_E_REMAINDER},
};

static const struct binary *binary_at(const parser *p) {
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
    if (at(p, binaries[i].kind)) return &binaries[i];
  return NULL;
}

static dve_expr *new_expr(parser *p, dve_op op, u32 where, dve_expr *a, dve_expr *b) {
  dve_expr *e = get(p, sizeof *e);
  const u32 da = a ? a->depth : 0, db = b ? b->depth : 0;
  *e = (dve_expr){.op = op, .at = where, .a = a, .b = b, .depth = 1 + (da > db ? da : db)};
  if (e->depth > DEEPEST) fault(p, where, "this expression has more than %d nested operations", DEEPEST);
  return e;
}

static void ends_here(const parser *p, dve_expr *e, u32 begin) {
  e->all = (dve_word){begin, p->end > begin ? p->end - begin : 0};
}

static dve_expr *expression(parser *p, u32 least);

static dve_expr *named(parser *p) {
  const dve_word name = need_name(p, "an expression");
  dve_expr *e = new_expr(p, DVE_E_NAME, name.at, NULL, NULL);
  e->name = name;
  if (at(p, DVE_T_DOT) || at(p, DVE_T_ARROW)) {
    e->op = at(p, DVE_T_DOT) ? DVE_E_IN : DVE_E_FOREIGN;
    next(p);
    e->of = name;
    e->name = need_name(p, e->op == DVE_E_IN ? "the name of a state after '.'"
                                             : "the name of a variable after '->'");
  }
  if (e->op == DVE_E_IN || !take(p, DVE_T_OPEN_SQUARE)) return e;
  e->a = expression(p, 1);
  e->depth = e->a->depth + 1;
  if (e->op == DVE_E_NAME) e->op = DVE_E_INDEX;
  need(p, DVE_T_CLOSE_SQUARE, "after the index");
  return e;
}

static dve_expr *unary(parser *p) {
  const u32 where = p->now.word.at;
  dve_expr *e;
  if (++p->depth > DEEPEST) fault(p, where, "this expression has more than %d nested operations", DEEPEST);
  if (at(p, DVE_T_MINUS) || at(p, DVE_T_INVERT) || at(p, DVE_T_NOT)) {
    const dve_op op = at(p, DVE_T_MINUS) ? DVE_E_NEGATE : at(p, DVE_T_INVERT) ? DVE_E_INVERT : DVE_E_NOT;
    next(p);
    dve_expr *of = unary(p);
    e = new_expr(p, op, where, of, NULL);
  } else if (at(p, DVE_T_NUMBER)) {
    e = new_expr(p, DVE_E_NUMBER, where, NULL, NULL);
    e->value = p->now.number;
    next(p);
  } else if (at(p, DVE_T_TRUE) || at(p, DVE_T_FALSE)) {
    e = new_expr(p, DVE_E_NUMBER, where, NULL, NULL);
    e->value = at(p, DVE_T_TRUE);
    next(p);
  } else if (take(p, DVE_T_OPEN_ROUND)) {
    e = expression(p, 1);
    need(p, DVE_T_CLOSE_ROUND, "after the expression");
  } else if (at(p, DVE_T_NAME)) {
    e = named(p);
  } else {
    if (at(p, DVE_T_SEND))
      fault(p, where, "'!' is not an operator: expected an expression (\"not\" negates)");
    expected(p, "an expression", NULL);
    e = new_expr(p, DVE_E_NUMBER, where, NULL, NULL);
  }
  p->depth--;
  ends_here(p, e, where);
  return e;
}

static dve_expr *expression(parser *p, u32 least) {
  const u32 begin = p->now.word.at;
  dve_expr *left = unary(p);
  for (const struct binary *b; (b = binary_at(p)) && b->level >= least;) {
    const u32 where = p->now.word.at;
    next(p);
    dve_expr *right = expression(p, b->level + 1u);
    left = new_expr(p, b->op, where, left, right);
    ends_here(p, left, begin);
  }
  p->whole = p->end;
  return left;
}

/* --- declarations ------------------------------------------------------------------------------------- */

static void initializer(parser *p, dve_declared *d) {
  dve_expr **last = &d->init;
  if (!d->is_array) {
    d->init = expression(p, 1);
    return;
  }
  need(p, DVE_T_OPEN_BRACE, "before the values of an array");
  do {
    dve_expr *e = expression(p, 1);
    APPEND(p, last, e);
  } while (take(p, DVE_T_COMMA));
  need(p, DVE_T_CLOSE_BRACE, "after the values of an array");
}

static void variables(parser *p, dve_declared ***last) {
  const bool constant = take(p, DVE_T_CONST), is_int = at(p, DVE_T_INT);
  if (!take(p, DVE_T_INT) && !take(p, DVE_T_BYTE)) {
    expected(p, "'byte' or 'int'", (const char *const[]){"byte", "int", NULL});
    return;
  }
  do {
    dve_declared *d = get(p, sizeof *d);
    *d = (dve_declared){
        .name = need_name(p, "the name of a variable"), .constant = constant, .is_int = is_int};
    if (take(p, DVE_T_OPEN_SQUARE)) {
      d->is_array = true;
      d->count = p->now.number;
      if (!at(p, DVE_T_NUMBER)) expected(p, "a number, the size of the array", NULL);
      if (!p->st && d->count == 0) fault(p, p->now.word.at, "an array has at least 1 element, found 0");
      next(p);
      need(p, DVE_T_CLOSE_SQUARE, "after the size of the array");
    }
    if (take(p, DVE_T_ASSIGN)) initializer(p, d);
    APPEND(p, *last, d);
  } while (take(p, DVE_T_COMMA));
  need(p, DVE_T_SEMICOLON, "after the variables");
}

static void channels(parser *p, dve_pipe ***last) {
  enum { MOST = 64 };
  bool is_int[MOST];
  u32 fields = 0;
  next(p);
  const bool typed = take(p, DVE_T_OPEN_BRACE);
  if (typed) {
    do {
      if (fields == MOST) fault(p, p->now.word.at, "a channel has at most %d values at once", MOST);
      if (!at(p, DVE_T_BYTE) && !at(p, DVE_T_INT))
        expected(p, "'byte' or 'int'", (const char *const[]){"byte", "int", NULL});
      if (!p->st) is_int[fields++] = at(p, DVE_T_INT);
      next(p);
    } while (take(p, DVE_T_COMMA));
    need(p, DVE_T_CLOSE_BRACE, "after the types of the channel");
  }
  do {
    dve_pipe *c = get(p, sizeof *c);
    *c = (dve_pipe){.name = need_name(p, "the name of a channel"), .typed = typed, .fields = fields};
    c->is_int = get(p, fields + 1);
    memcpy(c->is_int, is_int, fields);
    if (at(p, DVE_T_OPEN_SQUARE) && !typed)
      fault(p, p->now.word.at,
            "the channel %.*s has a buffer but no types: expected channel {byte} %.*s[...]",
            (int)c->name.bytes, p->text->s + c->name.at, (int)c->name.bytes, p->text->s + c->name.at);
    if (typed) {
      if (at(p, DVE_T_SEMICOLON) || at(p, DVE_T_COMMA))
        fault(p, p->now.word.at,
              "expected '[' and the size of the buffer after a typed channel, found %s ([0] for a "
              "rendezvous)",
              found(p));
      need(p, DVE_T_OPEN_SQUARE, "and the size of the buffer after a typed channel");
      c->capacity = p->now.number;
      if (!at(p, DVE_T_NUMBER)) expected(p, "a number, the size of the buffer", NULL);
      next(p);
      need(p, DVE_T_CLOSE_SQUARE, "after the size of the buffer");
    }
    APPEND(p, *last, c);
  } while (take(p, DVE_T_COMMA));
  need(p, DVE_T_SEMICOLON, "after the channels");
}

/* --- processes ---------------------------------------------------------------------------------------- */

static void names(parser *p, const char *what, dve_name ***last) {
  do {
    dve_name *n = get(p, sizeof *n);
    *n = (dve_name){.word = need_name(p, what)};
    APPEND(p, *last, n);
  } while (take(p, DVE_T_COMMA));
  need(p, DVE_T_SEMICOLON, "after the names of states");
}

static void assertions(parser *p, dve_body *b) {
  dve_assertion **last = &b->assertions;
  while (*last) last = &(*last)->next;
  next(p);
  do {
    dve_assertion *a = get(p, sizeof *a);
    *a = (dve_assertion){.state = need_name(p, "the name of a state")};
    need(p, DVE_T_COLON, "after the state");
    a->expr = expression(p, 1);
    APPEND(p, last, a);
  } while (take(p, DVE_T_COMMA));
  need(p, DVE_T_SEMICOLON, "after the assertions");
}

static void synchronisation(parser *p, dve_arc *a) {
  a->channel = need_name(p, "the name of a channel");
  a->sync = at(p, DVE_T_SEND) ? '!' : '?';
  if (!take(p, DVE_T_SEND) && !take(p, DVE_T_RECEIVE)) expected(p, "'!' or '?' after the channel", NULL);
  if (at(p, DVE_T_SEMICOLON)) return;
  dve_expr **last = &a->items;
  const bool several = take(p, DVE_T_OPEN_BRACE);
  do {
    dve_expr *e = expression(p, 1);
    if (a->sync == '?' && e->op != DVE_E_NAME && e->op != DVE_E_INDEX)
      fault(p, e->all.at, "expected a variable to receive into, found '%.*s'",
            (int)(e->all.bytes < 40 ? e->all.bytes : 40), p->text->s + e->all.at);
    APPEND(p, last, e);
    a->item_count++;
  } while (several && take(p, DVE_T_COMMA));
  if (several) need(p, DVE_T_CLOSE_BRACE, "after the values");
}

static void effects(parser *p, dve_arc *a) {
  dve_effect **last = &a->effects;
  do {
    dve_effect *e = get(p, sizeof *e);
    *e = (dve_effect){0};
    if (!at(p, DVE_T_NAME)) expected(p, "a variable to assign to", NULL);
    const u32 begin = p->now.word.at;
    e->target = named(p);
    ends_here(p, e->target, begin);
    if (e->target->op != DVE_E_NAME && e->target->op != DVE_E_INDEX)
      fault(p, e->target->at, "an effect assigns to a variable of its own process or to a global one");
    if (at(p, DVE_T_EQUAL)) fault(p, p->now.word.at, "expected '=', which assigns, found '=='");
    need(p, DVE_T_ASSIGN, "after the variable");
    e->value = expression(p, 1);
    APPEND(p, last, e);
  } while (take(p, DVE_T_COMMA));
}

/* The clauses of a transition: each at most once, in this order (except that time may precede cost). */
enum { GUARD_CLAUSE, SYNC_CLAUSE, EFFECT_CLAUSE, COST_CLAUSE, TIME_CLAUSE, CLAUSES };
static const char *const clause_names[CLAUSES + 1] = {"guard", "sync", "effect", "cost", "time", NULL};

static int clause_at(const parser *p) {
  if (at(p, DVE_T_GUARD)) return GUARD_CLAUSE;
  if (at(p, DVE_T_SYNC)) return SYNC_CLAUSE;
  if (at(p, DVE_T_EFFECT)) return EFFECT_CLAUSE;
  if (at(p, DVE_T_NAME) && dve_same_word(p->text, p->now.word, "cost")) return COST_CLAUSE;
  if (at(p, DVE_T_NAME) && dve_same_word(p->text, p->now.word, "time")) return TIME_CLAUSE;
  return CLAUSES;
}

static void clauses(parser *p, dve_arc *a) {
  bool seen[CLAUSES] = {0};
  while (!at(p, DVE_T_CLOSE_BRACE) && !p->st) {
    const int c = clause_at(p);
    if (c == CLAUSES) {
      expected(p, "guard, sync, effect, cost, time or '}'", clause_names);
      return;
    }
    for (int later = c; later < CLAUSES; later++)
      if (seen[later] && !(c == COST_CLAUSE && later == TIME_CLAUSE))
        fault(p, p->now.word.at, later == c ? "a second %s in one transition" : "%s must come before %s",
              clause_names[c], clause_names[later]);
    seen[c] = true;
    next(p);
    switch (c) {
    case GUARD_CLAUSE: a->guard = expression(p, 1); break;
    case SYNC_CLAUSE: synchronisation(p, a); break;
    case EFFECT_CLAUSE: effects(p, a); break;
    case COST_CLAUSE: a->cost = expression(p, 1); break;
    default: a->time = expression(p, 1); break;
    }
    char where[32];
    snprintf(where, sizeof where, "after the %s", clause_names[c]);
    need(p, DVE_T_SEMICOLON, where);
  }
}

static void transitions(parser *p, dve_body *b) {
  dve_arc **last = &b->arcs;
  dve_word from = {0, 0};
  next(p);
  do {
    dve_arc *a = get(p, sizeof *a);
    *a = (dve_arc){.at = p->now.word.at};
    if (at(p, DVE_T_ARROW)) {
      if (!b->arcs)
        fault(p, a->at, "the first transition has no source: expected the name of a state before '->'");
    } else {
      from = need_name(p, "the name of a state, the source of a transition");
    }
    a->from = from;
    need(p, DVE_T_ARROW, "after the source of a transition");
    a->to = need_name(p, "the name of a state, the target of a transition");
    need(p, DVE_T_OPEN_BRACE, "after the target of a transition");
    clauses(p, a);
    need(p, DVE_T_CLOSE_BRACE, "after the transition");
    APPEND(p, last, a);
  } while (take(p, DVE_T_COMMA));
  if (at(p, DVE_T_NAME) || at(p, DVE_T_ARROW)) expected(p, "',' between two transitions", NULL);
  need(p, DVE_T_SEMICOLON, "after the last transition");
}

static void acceptance(parser *p, dve_name ***last) {
  next(p);
  take(p, DVE_T_BUCHI);
  if ((at(p, DVE_T_GENBUCHI) || at(p, DVE_T_STREETT) || at(p, DVE_T_RABIN) || at(p, DVE_T_MULLER)) && !p->st)
    fault(p, p->now.word.at, "acceptance is by accepting states (buchi); %s is not supported", found(p));
  names(p, "the name of an accepting state", last);
}

static void process(parser *p, dve_body ***last) {
  dve_body *b = get(p, sizeof *b);
  next(p);
  *b = (dve_body){.name = need_name(p, "the name of a process")};
  need(p, DVE_T_OPEN_BRACE, "after the name of the process");
  dve_declared **variable = &b->variables;
  dve_name **state = &b->states, **commit = &b->commits, **accept = &b->accepts;
  while (at_variable(p)) variables(p, &variable);
  if (at(p, DVE_T_CHANNEL))
    fault(p, p->now.word.at, "a channel can't be declared in a process: expected it before the processes");
  if (!take(p, DVE_T_STATE))
    expected(p, "'state' and the names of the states",
             (const char *const[]){"state", "byte", "int", "const", NULL});
  names(p, "the name of a state", &state);
  while (at(p, DVE_T_INIT) || at(p, DVE_T_COMMIT) || at(p, DVE_T_ACCEPT)) {
    if (at(p, DVE_T_ACCEPT)) {
      acceptance(p, &accept);
    } else if (take(p, DVE_T_COMMIT)) {
      names(p, "the name of a committed state", &commit);
    } else {
      if (b->init.bytes) fault(p, p->now.word.at, "a second init in one process");
      next(p);
      b->init = need_name(p, "the name of the initial state");
      need(p, DVE_T_SEMICOLON, "after the initial state");
    }
  }
  static const char *const parts[] = {"init", "commit", "accept", "assert", "trans", NULL};
  while (at(p, DVE_T_ASSERT)) assertions(p, b);
  if (at(p, DVE_T_TRANS)) transitions(p, b);
  if (!at(p, DVE_T_CLOSE_BRACE)) {
    const bool late = at_variable(p) || at(p, DVE_T_STATE);
    if (late && !p->st)
      fault(p, p->now.word.at,
            "%s comes too late: a process has its variables, states, init, commit, accept, assert and trans "
            "in this order",
            found(p));
    expected(p, b->arcs ? "'}' after the process" : "init, commit, accept, assert, trans or '}'", parts);
  }
  next(p);
  APPEND(p, *last, b);
}

/* --- the file ----------------------------------------------------------------------------------------- */

static void system_line(parser *p, dve_file *f) {
  next(p);
  f->synchronous = at(p, DVE_T_SYNC);
  if (!take(p, DVE_T_SYNC) && !take(p, DVE_T_ASYNC))
    expected(p, "'async' or 'sync' after 'system'", (const char *const[]){"async", "sync", NULL});
  if (take(p, DVE_T_PROPERTY)) f->property = need_name(p, "the name of the property process");
  need(p, DVE_T_SEMICOLON, "after the system");
  if (!at(p, DVE_T_END)) expected(p, "the end of the file after the system", NULL);
}

ls_status dve_parse_file(const dve_text *t, dve_arena *arena, dve_file *out) {
  static const char *const parts[] = {"byte", "int", "const", "channel", "process", "system", NULL};
  parser p = {.text = t, .arena = arena};
  *out = (dve_file){0};
  dve_declared **variable = &out->variables;
  dve_pipe **channel = &out->channels;
  dve_body **body = &out->bodies;
  next(&p);
  while (!p.st && !at(&p, DVE_T_SYSTEM)) {
    const bool global = at_variable(&p) || at(&p, DVE_T_CHANNEL);
    if (global && out->bodies) {
      fault(&p, p.now.word.at, "%s comes too late: variables and channels must come before the processes",
            found(&p));
    } else if (at(&p, DVE_T_CHANNEL)) {
      channels(&p, &channel);
    } else if (global) {
      variables(&p, &variable);
    } else if (at(&p, DVE_T_PROCESS)) {
      process(&p, &body);
    } else {
      expected(&p, out->bodies ? "process or system" : "a variable, channel, process or system", parts);
    }
  }
  if (!p.st) system_line(&p, out);
  return p.st;
}

ls_status dve_parse_expr(const dve_text *t, dve_arena *arena, dve_expr **out) {
  parser p = {.text = t, .arena = arena};
  next(&p);
  *out = expression(&p, 1);
  if (!p.st && !at(&p, DVE_T_END)) expected(&p, "the end of the expression", NULL);
  return p.st;
}
