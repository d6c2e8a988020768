/* The predecessors of v in the policy graph, over the in-edges. With a summary (policy_count_preds) vertices
 * without any cost one look, and the others start at the first and end at the last: the paper's gPredInfo.
 * Parallel edges stand side by side in a row and count once. */
#ifndef POLICY_PREDS_H
#define POLICY_PREDS_H

#include "policy/policy.h"

#define IS_PRED(a, k, v)                                                                                    \
  (!((k) > (a)->roff[v] && (a)->rto[(k)-1] == (a)->rto[k]) && (a)->policy[(a)->rto[k]] != NO_EDGE &&        \
   (a)->to[(a)->policy[(a)->rto[k]]] == (v))
/* Runs the statement that follows for every predecessor's place k among the in-edges of v. */
#define EACH_PRED(a, v, k)                                                                                  \
  for (u32 k = (a)->roff[v] + ((a)->summary ? (a)->first_pred[v] : 0),                                      \
           left_ = (a)->summary ? (a)->preds[v] : UNREACHED, last_ = (a)->roff[(v) + 1];                    \
       left_ && k < last_; k++)                                                                             \
    if (IS_PRED(a, k, v) && left_--)

#endif
