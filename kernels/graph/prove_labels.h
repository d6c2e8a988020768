/* Checks each component label by itself: a label is the least vertex of its component, so it must be at most v and be its own label.
 * Initialises the forest of prove_union: every vertex is a root. */
#include "language/kernel.h"

#define PROVE_LABELS_ARGS(A, W)                                                                             \
  A(IN, u32, id, "n") A(OUT, u32, link, "n", vertex, "n") A(COUNT, u32, labels, "1") A(COUNT, u32, wrong, "1")
ARGS(prove_labels, PROVE_LABELS_ARGS)

VERTEX_BODY(prove_labels) {
  (void)push;
  const u32 label = a->id[v];
  a->link[v] = v;
  count->labels += label == v;
  count->wrong += !(label <= v && a->id[label] == label);
}
