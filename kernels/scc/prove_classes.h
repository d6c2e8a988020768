/* Checks each component label by itself: a label is a vertex of its component, so it must be its own label.
 * Initialises the searches of prove_within, which start at all labels. */
#include "scc/scc.h"

#define PROVE_CLASSES_ARGS(A, W)                                                                            \
  A(IN, u32, id, "n") A(OUT, u32, reached, "n") A(QOUT, u32, front, "n+1", vertex_queue, "n")               \
  A(COUNT, u32, labels, "1") A(COUNT, u32, wrong, "1")
ARGS(prove_classes, PROVE_CLASSES_ARGS)

VERTEX_BODY(prove_classes) {
  const u32 label = a->id[v];
  a->reached[v] = label == v;
  count->wrong += !(label < a->n && a->id[label] == label);
  if (label != v) return;
  count->labels++;
  PUSH(front, v);
}
