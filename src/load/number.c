#include "load/number.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C locale, in which the decimal point is '.', whatever the user's locale is. */
static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static const f64 tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Digits of up to 53 bits and a power of ten up to 1e22 are both exact as doubles, so one rounding gives the
 * nearest double (Clinger 1990). All other numbers go to strtod. */
static f64 nearest(const char *text, const ls_number *x) {
  if (!x->cut && x->digits <= 1ull << 53 && x->exponent >= -22 && x->exponent <= 22) {
    f64 d = (f64)x->digits;
    d = x->exponent < 0 ? d / tens[-x->exponent] : d * tens[x->exponent];
    return x->minus ? -d : d;
  }
  pthread_once(&c_locale_once, make_c_locale);
  return c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
}

const char *ls_number_read_any(const char *p, ls_number *x) {
  const char *text = p;
  *x = (ls_number){.whole = true};
  if (*p == '-' || *p == '+') x->minus = *p++ == '-';
  bool any = false;
  i64 exponent = 0;
  for (int fraction = 0;; p++) {
    if (*p == '.' && !fraction) {
      fraction = 1;
      x->whole = false;
      continue;
    }
    unsigned digit = (unsigned)(*p - '0');
    if (digit > 9) break;
    any = true;
    if (x->digits <= (UINT64_MAX - 9) / 10 && !x->cut) {
      x->digits = x->digits * 10 + digit;
      exponent -= fraction;
    } else {
      x->cut |= true;
      exponent += !fraction;
    }
  }
  if (!any) return NULL;
  if ((*p | 32) == 'e') {
    const char *q = p + 1;
    bool minus = *q == '-';
    if (*q == '-' || *q == '+') q++;
    if ((unsigned)(*q - '0') > 9) return NULL;
    i64 e = 0;
    for (; (unsigned)(*q - '0') < 10; q++)
      if (e < 1000000) e = e * 10 + (*q - '0');
    exponent += minus ? -e : e;
    x->whole = false;
    p = q;
  }
  if (exponent > 1000000) exponent = 1000000;
  if (exponent < -1000000) exponent = -1000000;
  x->exponent = (i32)exponent;
  if (x->whole) {
    u64 most = x->minus ? (u64)INT64_MAX + 1 : INT64_MAX;
    x->wide = x->cut || x->digits > most;
    x->i = x->minus ? (i64)-x->digits : (i64)x->digits;
  }
  if (!x->whole || x->wide) x->d = nearest(text, x);
  return p;
}

bool ls_number_scaled(const ls_number *x, u64 scale, i64 *out, bool *overflow) {
  *overflow = false;
  if (x->whole && !x->wide) {
    *overflow = __builtin_mul_overflow(x->i, (i64)scale, out);
    return !*overflow;
  }
  if (x->wide || (x->cut && x->exponent >= 0)) return *overflow = true, false;
  if (x->cut) return false;
  if (x->digits == 0) return *out = 0, true;
  unsigned __int128 v = (unsigned __int128)x->digits * scale;
  i32 e = x->exponent;
  for (; e < 0 && v % 10 == 0; e++) v /= 10;
  if (e < 0) return false;
  const unsigned __int128 most = (u64)INT64_MAX;
  for (; e > 0 && v <= most; e--) v *= 10;
  if (v > most) return *overflow = true, false;
  *out = x->minus ? -(i64)v : (i64)v;
  return true;
}

static int write_shortest(f64 x, bool single, char *out) {
  pthread_once(&c_locale_once, make_c_locale);
  locale_t before = uselocale(c_locale ? c_locale : (locale_t)0);
  int n = 0;
  for (int digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
    n = snprintf(out, 32, "%.*g", digits, x);
    if (single ? strtof(out, NULL) == (f32)x : strtod(out, NULL) == x) break;
  }
  uselocale(before);
  return n;
}

int ls_number_write(f64 x, char *out) { return write_shortest(x, false, out); }
int ls_number_write_f32(f32 x, char *out) { return write_shortest((f64)x, true, out); }
