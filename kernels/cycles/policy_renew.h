/* Keeps in `work` the regions in which a choice has changed; the other regions are finished. Barnat et al. 2011, section 3.3. */
#include "cycles/policy.h"

#define POLICY_RENEW_ARGS(A, W) A(INOUT, u32, work, "n") A(INOUT, u32, work_next, "n")
ARGS(policy_renew, POLICY_RENEW_ARGS)

VERTEX_BODY(policy_renew) {
  (void)push, (void)count;
  a->work[v] = a->work_next[v];
  a->work_next[v] = 0;
}
