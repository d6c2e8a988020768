/* Iterates over the predecessors of v in the policy graph, which are found among the in-edges of v. With a summary
 * (policy_count_preds; the paper's gPredInfo) a vertex without predecessors costs one read, and the search for any other
 * begins at its first predecessor and ends at its last. Parallel edges are adjacent in a row; only the first counts.
 *
 * paper errs: 000, Algorithm 4, line 4: the search begins at M_n[index + first], in the row of another vertex; it must begin
 * at M_n[index] + first.
 *
 * paper errs: 000, Algorithm 4, line 7: M_c is the array of the transposed graph that the kernel is given, but M_pi has indices
 * of the edges of the graph itself. `to` and policy[u] are of one graph here. */
#ifndef POLICY_PREDS_H
#define POLICY_PREDS_H

#include "cycles/policy.h"

#define IS_PRED(a, k, v)                                                                                    \
  (!((k) > (a)->roff[v] && (a)->rto[(k)-1] == (a)->rto[k]) && (a)->policy[(a)->rto[k]] != NO_EDGE &&        \
   (a)->to[(a)->policy[(a)->rto[k]]] == (v))
/* Runs the next statement for every in-edge k of v that comes from a predecessor. */
#define EACH_PRED(a, v, k)                                                                                  \
  for (u32 k = (a)->roff[v] + ((a)->summary ? (a)->first_pred[v] : 0u),                                      \
           left_ = (a)->summary ? (a)->preds[v] : UNREACHED, last_ = (a)->roff[(v) + 1];                    \
       left_ && k < last_; k++)                                                                             \
    if (IS_PRED(a, k, v) && left_--)

#endif
