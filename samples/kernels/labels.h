/* Label propagation: every vertex takes the least label of its in-neighbours, until no label changes. In a symmetric graph all
 * vertices of a component then have the same label. One thread per edge: several threads may lower the same label, so they
 * use an atomic minimum.
 *
 *   kernel.load("labels.h")
 *   g = gen.grid{64, 64}
 *   label = buffer.new("u32", g.n)
 *   labels_first(label)
 *   labels(g, label) */
#include "language/kernel.h"

PRIM(labels_first, LABELS_FIRST_ARGS, UNTYPED, VERTEX, "n", EXACT, "4*n", "0",
     "labels_first(label): label[v] = v.")
PRIM(labels_lower, LABELS_LOWER_ARGS, UNTYPED, VERTEX_EDGES, "n", FIXPOINT, "8*n + 4*m", "edges",
     "labels_lower(g, label): one pass; each edge v -> t lowers the label of t to that of v.\n"
     "Returns how many labels were lowered.")

#define LABELS_FIRST_ARGS(A, W) A(OUT, u32, label, "n")
ARGS(labels_first, LABELS_FIRST_ARGS)

VERTEX_BODY(labels_first) { a->label[v] = v; }

#define LABELS_LOWER_ARGS(A, W)                                                                   \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, label, "n") \
  A(COUNT, u32, lowered, "1")
ARGS(labels_lower, LABELS_LOWER_ARGS)

SELECT(labels_lower) { return true; }

EDGES_BODY(labels_lower) {
  const u32 mine = load_relaxed(&a->label[v]), t = a->to[e];
  if (mine >= load_cached(&a->label[t])) return;
  if (mine < atomic_min(&a->label[t], mine)) count->lowered++;
}

LOOP(labels, UNTYPED, "labels(g, label): labels_lower until no label changes.")
  REPEAT
    STEP(labels_lower)
  UNTIL(lowered)
END_LOOP(labels)
