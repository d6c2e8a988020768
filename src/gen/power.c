#include "gen/power.h"

#include <math.h>

/* ln m for m in [sqrt 1/2, sqrt 2]: 2 atanh((m-1)/(m+1)), |argument| <= 0.1716, so that 10 terms reach 1e-17.
 */
static f64 log_near_one(f64 m) {
  f64 z = (m - 1) / (m + 1), z2 = z * z, sum = 0;
  for (int k = 19; k >= 1; k -= 2) sum = sum * z2 + 1.0 / k;
  return 2 * z * sum;
}

/* e^x for |x| <= ln 2 / 2: its Taylor series to x^14, with a remainder of 1e-19. */
static f64 exp_near_zero(f64 x) {
  static const f64 factorials[] = {1,     1,      2,       6,        24,        120,        720,        5040,
                                   40320, 362880, 3628800, 39916800, 479001600, 6227020800, 87178291200};
  f64 sum = 0;
  for (int k = 14; k >= 0; k--) sum = sum * x + 1 / factorials[k];
  return sum;
}

f64 ls_power(f64 x, f64 y) {
  const f64 ln2 = 0x1.62e42fefa39efp-1;
  int exponent;
  f64 m = frexp(x, &exponent); /* exact, like ldexp and floor below */
  if (m < 0x1.6a09e667f3bcdp-1) m *= 2, exponent--;
  f64 whole = exponent * y + log_near_one(m) / ln2 * y; /* log2 of the result */
  f64 k = floor(whole + 0.5);
  return ldexp(exp_near_zero((whole - k) * ln2), (int)k);
}
