/* Reads an expression token by token. An operand of == ends at whatever does not bind more tightly than ==:
 * `and`, `or`, a comma, a bracket, another comparison, or a statement's keyword (inside a function). There is
 * one frame per open bracket: it records where the current operand begins and, after ==, where the left
 * operand began. A chain (a == b == c) is left unchanged. */
#include "session/rewrite_equality.h"

#include <ctype.h>
#include <string.h>

#include "core/mem.h"
#include "core/types.h"
#include "core/words.h"

enum { DEEPEST = 64, EDITS = 192 };

typedef enum token { END, VALUE, EQUAL, UNEQUAL, RELATION, BREAK, OPEN, CLOSE, BAD } token;

typedef struct edit {
  size_t at, drop;
  const char *put;
} edit;

typedef struct frame {
  size_t left, first, op; /* offsets: current operand, the comparison's left operand, its operator */
  bool some, compared, chain, unequal;
} frame;

typedef struct reader {
  const char *s;
  frame frames[DEEPEST];
  int depth, edits;
  edit edit[EDITS];
} reader;

static bool word_is(const char *p, size_t n, const char *list) {
  for (const char *at = list; (at = strstr(at, " ")); at++)
    if (strncmp(at + 1, p, n) == 0 && at[n + 1] == ' ') return true;
  return false;
}

/* Returns the end of the string literal that begins at p; NULL if it is not terminated. */
static const char *behind_string(const char *p) {
  if (*p != '[') {
    const char quote = *p++;
    for (; *p && *p != quote; p++)
      if (*p == '\\' && p[1]) p++;
    return *p ? p + 1 : NULL;
  }
  const size_t level = strspn(p + 1, "=");
  for (p += level + 2; *p; p++)
    if (*p == ']' && strspn(p + 1, "=") == level && p[level + 1] == ']') return p + level + 2;
  return NULL;
}

static token next(const char **at) {
  const char *p = *at;
  token t = VALUE;
  if (!*p) return END;
  if (ls_in_name(*p)) {
    size_t n = 1;
    const bool number = isdigit((unsigned char)*p);
    while (ls_in_name(p[n]) || (number && p[n] == '.' && p[n + 1] != '.')) n++;
    static const char breaks[] =
        " and or return then do if while until elseif else local function end repeat for in goto break ";
    *at = p + n;
    return word_is(p, n, breaks) ? BREAK : VALUE;
  }
  size_t n = 1;
  if (*p == '"' || *p == '\'' || (*p == '[' && p[1 + strspn(p + 1, "=")] == '[')) {
    *at = behind_string(p);
    return *at ? VALUE : BAD;
  }
  if (p[0] == '-' && p[1] == '-') return BAD; /* a comment */
  if (strchr("([{", *p))
    t = OPEN;
  else if (strchr(")]}", *p))
    t = CLOSE;
  else if (p[1] == '=' && strchr("=~<>", *p))
    n = 2, t = *p == '=' ? EQUAL : *p == '~' ? UNEQUAL : RELATION;
  else if ((*p == '<' || *p == '>') && p[1] == *p)
    n = 2;
  else if (*p == '<' || *p == '>')
    t = RELATION;
  else if (strchr(",;=", *p))
    t = BREAK;
  *at = p + n;
  return t;
}

static void note(reader *r, size_t at, size_t drop, const char *put) {
  if (r->edits < EDITS) r->edit[r->edits] = (edit){at, drop, put};
  r->edits++;
}

/* The current operand ends at `at`. If it is the right operand of a comparison, notes the edits that make it
 * a call. */
static void finish(reader *r, size_t at) {
  frame *f = &r->frames[r->depth];
  if (f->compared && !f->chain && f->some) {
    note(r, f->first, 0, f->unequal ? " not _G.session.equal(" : " _G.session.equal(");
    note(r, f->op, 2, ",");
    note(r, at, 0, ")");
  }
  f->compared = f->chain = f->some = false;
}

static bool read_all(reader *r) {
  const char *p = r->s;
  for (;;) {
    p += strspn(p, " \t\r\n");
    const size_t at = (size_t)(p - r->s);
    const token t = next(&p);
    if (t == BAD) return false;
    frame *f = &r->frames[r->depth];
    const size_t behind = t == END ? at : (size_t)(p - r->s);
    if (t == EQUAL || t == UNEQUAL || t == RELATION) {
      f->chain |= f->compared || t == RELATION || !f->some;
      if (!f->compared) f->first = f->left, f->op = at, f->unequal = t == UNEQUAL;
      f->compared = true;
      f->some = false;
    } else if (t == OPEN) {
      f->some = true;
      if (++r->depth == DEEPEST) return false;
      r->frames[r->depth] = (frame){.left = behind};
    } else if (t == VALUE) {
      f->some = true;
    } else {
      finish(r, at);
      f->left = behind;
      if (t == END) return r->depth == 0;
      if (t == CLOSE && --r->depth < 0) return false;
    }
  }
}

char *ls_session_equalities(const char *expr) {
  reader r = {.s = expr};
  if (!read_all(&r) || r.edits > EDITS) r.edits = 0;
  size_t bytes = strlen(expr) + 1, at = 0;
  for (int i = 0; i < r.edits; i++) bytes += strlen(r.edit[i].put);
  char *out = ls_malloc(bytes), *to = out;
  /* Applies the edits in ascending order; of several at one offset, the one noted last comes first. */
  for (int done = 0; out && done < r.edits; done++) {
    const edit *e = NULL;
    int which = 0;
    for (int i = 0; i < r.edits; i++)
      if (r.edit[i].put && (!e || r.edit[i].at <= e->at)) e = &r.edit[i], which = i;
    memcpy(to, expr + at, e->at - at);
    to += e->at - at;
    at = e->at + e->drop;
    to = stpcpy(to, e->put);
    r.edit[which].put = NULL;
  }
  if (out) strcpy(to, expr + at);
  return out;
}
