/* Evaluates extents and cost models (ls_expr of row.h) by recursive descent. These expressions are few and
 * short, so each use parses the text again: what compiled expressions would save is less than the run-to-run
 * variation of a launch's time. */
#include <ctype.h>
#include <string.h>

#include "core/words.h"
#include "run/launch/row.h"

enum { MAX_DEPTH = 64 }; /* nested parentheses and signs: the host's stack is finite */

typedef struct reader {
  const char *text, *at;
  ls_size_fn size;
  const void *ctx;
  int depth;
  ls_status st;
} reader;

static f64 sum(reader *r);

static f64 wrong(reader *r, const char *expected) {
  if (!r->st)
    r->st = *r->at ? ls_fail(LS_EARG, "expression '%s': %s expected at '%s'", r->text, expected, r->at)
                   : ls_fail(LS_EARG, "expression '%s': %s expected at its end", r->text, expected);
  return 0;
}

static bool take(reader *r, char c) {
  r->at = ls_skip_space(r->at);
  if (*r->at != c) return false;
  r->at++;
  return true;
}

/* Digits with an optional fraction; not strtod, whose decimal point depends on the locale. */
static f64 number(reader *r) {
  f64 x = 0, place = 1;
  while (isdigit((unsigned char)*r->at)) x = 10 * x + (*r->at++ - '0');
  if (*r->at == '.')
    for (r->at++; isdigit((unsigned char)*r->at); r->at++) x += (*r->at - '0') * (place /= 10);
  return x;
}

static f64 name(reader *r) {
  const char *first = r->at;
  const size_t len = ls_name_length(first);
  r->at += len;
  f64 x = r->size ? r->size(first, len, r->ctx) : -1;
  if (x < 0 && !r->st)
    r->st = ls_fail(LS_EARG, "expression '%s': no size is called '%.*s'", r->text, (int)len, first);
  return x;
}

static f64 factor(reader *r) {
  if (r->depth >= MAX_DEPTH) return wrong(r, "less nesting");
  r->depth++;
  f64 x;
  if (take(r, '-')) {
    x = -factor(r);
  } else if (take(r, '(')) {
    x = sum(r);
    if (!r->st && !take(r, ')')) x = wrong(r, "')'");
  } else if (isdigit((unsigned char)*r->at)) {
    x = number(r);
  } else if (isalpha((unsigned char)*r->at) || *r->at == '_') {
    x = name(r);
  } else {
    x = wrong(r, "a number, a name or '('");
  }
  r->depth--;
  return x;
}

static f64 product(reader *r) {
  f64 x = factor(r);
  while (!r->st) {
    if (take(r, '*')) {
      x *= factor(r);
    } else if (take(r, '/')) {
      f64 by = factor(r);
      if (by == 0 && !r->st) r->st = ls_fail(LS_EARG, "expression '%s' divides by zero", r->text);
      x /= by;
    } else {
      break;
    }
  }
  return x;
}

static f64 sum(reader *r) {
  f64 x = product(r);
  while (!r->st) {
    if (take(r, '+'))
      x += product(r);
    else if (take(r, '-'))
      x -= product(r);
    else
      break;
  }
  return x;
}

ls_status ls_expr(const char *text, ls_size_fn size, const void *ctx, f64 *out) {
  reader r = {.text = text, .at = text, .size = size, .ctx = ctx};
  f64 x = sum(&r);
  r.at = ls_skip_space(r.at);
  if (!r.st && *r.at) wrong(&r, "an operator");
  if (!r.st) *out = x;
  return r.st;
}
