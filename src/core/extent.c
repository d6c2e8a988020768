#include "core/extent.h"

#include <ctype.h>

#include "core/words.h"

static ls_status wrong(const char *text, const char *at, const char *expected) {
  if (*at) return ls_fail(LS_EARG, "extent '%s': %s expected at '%s'", text, expected, at);
  return ls_fail(LS_EARG, "extent '%s': %s expected at its end", text, expected);
}

static ls_status read_number(const char *text, const char **at, u64 *factor) {
  u64 x = 0;
  while (isdigit((unsigned char)**at)) {
    if (__builtin_mul_overflow(x, 10u, &x) || __builtin_add_overflow(x, (u64)(**at - '0'), &x))
      return ls_fail(LS_EARG, "extent '%s': a number above 2^64", text);
    (*at)++;
  }
  if (__builtin_mul_overflow(*factor, x, factor))
    return ls_fail(LS_EARG, "extent '%s': a number above 2^64", text);
  return LS_OK;
}

ls_status ls_extent_read(const char *text, ls_extent *out) {
  const char *at = text;
  ls_extent x = {0};
  do {
    if (x.terms == LS_EXTENT_TERMS)
      return ls_fail(LS_EARG, "extent '%s': more than %d terms", text, LS_EXTENT_TERMS);
    x.term[x.terms].factor = 1;
    do {
      at = ls_skip_space(at);
      if (isdigit((unsigned char)*at)) {
        ls_status st = read_number(text, &at, &x.term[x.terms].factor);
        if (st) return st;
      } else if (isalpha((unsigned char)*at) || *at == '_') {
        if (x.term[x.terms].names == LS_EXTENT_NAMES)
          return ls_fail(LS_EARG, "extent '%s': more than %d sizes in a product", text, LS_EXTENT_NAMES);
        ls_size_name *name = &x.term[x.terms].name[x.term[x.terms].names++];
        name->text = at;
        name->len = (u32)ls_name_length(at);
        at += name->len;
      } else {
        return wrong(text, at, "a number or the name of a size");
      }
      at = ls_skip_space(at);
    } while (*at == '*' && at++);
    x.terms++;
  } while (*at == '+' && at++);
  if (*at == '/' || *at == '-')
    return ls_fail(LS_EARG,
                   "extent '%s': '%c' is not allowed in an extent, only '*' and '+' are; a new name, such as "
                   "\"words\", is a size that the buffer itself determines",
                   text, *at);
  if (*at) return wrong(text, at, "'*' or '+'");
  *out = x;
  return LS_OK;
}

/* Sets *product to the product of a term's factor and sizes other than `unknown`, and *power to how often
 * `unknown` occurs. Without `unknown` (NULL) every size must be known. */
static ls_status term_value(const ls_extent *x, int t, ls_size_of size, const void *ctx,
                            const ls_size_name *unknown, u64 *product, int *power) {
  *product = x->term[t].factor;
  *power = 0;
  for (int i = 0; i < x->term[t].names; i++) {
    const ls_size_name name = x->term[t].name[i];
    u64 value;
    if (unknown && ls_same_size(*unknown, name.text, name.len)) {
      ++*power;
      continue;
    }
    if (!size(ctx, name, &value))
      return ls_fail(LS_EARG, "no size is called '%.*s'", (int)name.len, name.text);
    if (__builtin_mul_overflow(*product, value, product))
      return ls_fail(LS_EARG, "more elements than 64 bits can count");
  }
  return LS_OK;
}

ls_status ls_extent_value(const ls_extent *x, ls_size_of size, const void *ctx, u64 *out) {
  u64 sum = 0;
  for (int t = 0; t < x->terms; t++) {
    u64 product;
    int power;
    ls_status st = term_value(x, t, size, ctx, NULL, &product, &power);
    if (st) return st;
    if (__builtin_add_overflow(sum, product, &sum))
      return ls_fail(LS_EARG, "more elements than 64 bits can count");
  }
  *out = sum;
  return LS_OK;
}

int ls_extent_unknown(const ls_extent *x, ls_size_of size, const void *ctx, ls_size_name *name) {
  int in_term = -1;
  for (int t = 0; t < x->terms; t++)
    for (int i = 0; i < x->term[t].names; i++) {
      const ls_size_name other = x->term[t].name[i];
      u64 value;
      if (size(ctx, other, &value)) continue;
      if (in_term >= 0 && (in_term != t || !ls_same_size(*name, other.text, other.len))) return 2;
      in_term = t;
      *name = other;
    }
  return in_term >= 0;
}

static u64 root(u64 x, int power) {
  if (power == 1) return x;
  u64 lo = 0, hi = power == 2 ? 0xffffffffu : power == 3 ? 2642245 : 65535;
  while (lo < hi) {
    const u64 mid = lo + (hi - lo + 1) / 2;
    u64 product = mid;
    for (int i = 1; i < power; i++) product *= mid;
    if (product <= x)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

u64 ls_extent_solve(const ls_extent *x, ls_size_name name, ls_size_of size, const void *ctx, u64 count) {
  u64 rest = count, by = 0;
  int power_of_it = 0;
  for (int t = 0; t < x->terms; t++) {
    u64 product;
    int power;
    if (term_value(x, t, size, ctx, &name, &product, &power)) return 0;
    if (power)
      by = product, power_of_it = power;
    else
      rest = rest < product ? 0 : rest - product;
  }
  return by ? root(rest / by, power_of_it) : 0;
}

/* A cache whose key is the address of the text: the extents of primitives and schemas are never freed. */
enum { KEPT = 1 << 12 };
static struct kept {
  const char *text;
  ls_extent extent;
} kept[KEPT];

const ls_extent *ls_extent_of(const char *text) {
  static ls_extent last;
  u32 at = (u32)((uintptr_t)text * 0x9e3779b1u) % KEPT;
  for (int tries = 0; tries < 16; tries++, at = (at + 1) % KEPT) {
    if (kept[at].text == text) return &kept[at].extent;
    if (kept[at].text) continue;
    if (ls_extent_read(text, &kept[at].extent)) return NULL;
    kept[at].text = text;
    return &kept[at].extent;
  }
  return ls_extent_read(text, &last) ? NULL : &last;
}
