/* Counts the wrong distances of a certificate: those that no path attains, those that are NaN or infinite, and those beyond the
 * limit of a search that ended early. */
#include "paths/certificate.h"

#define UNPROVED_ARGS(A, W)                                                                                 \
  A(VALUE, u32, rows, "1") A(VALUE, u32, base, "1") A(VALUE, u32, k, "1") A(IN, W, dist, "rows*n")           \
  A(VALUE, u32, limited, "1") A(VALUE, W, limit, "1") A(IN, u32, proved, "k*n")                             \
  A(COUNT, u32, unproved, "1") A(COUNT, u32, strange, "1") A(COUNT, u32, beyond, "1")
ARGS(unproved, UNPROVED_ARGS)

ELEMENT_BODY(unproved) {
  (void)push;
  if (i >= (u64)PROBLEMS(a) * a->n) return;
  const W mine = a->dist[CELL(a, 0, i)];
  if (mine == NO_PATH) return;
  count->unproved += !a->proved[i];
  count->strange += !(mine - mine == 0); /* NaN or infinite */
  count->beyond += a->limited && mine > a->limit;
}
