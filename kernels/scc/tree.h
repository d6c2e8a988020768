/* The search tree that flood stores in `link`; join_back, settle_joined and tarjan_rest read it.
 *
 *   reached   flood has found a path from the hub to v. link[v] holds the parent of v: the vertex from which v was reached.
 *   tree      the edges from parents to children; its root is the hub.
 *   joined    v is known to reach the hub, so v is in the component of the hub. All ancestors of v in the tree reach v,
 *             and so join too: much of the component is known before any backward search. */
#ifndef TREE_H
#define TREE_H

#include "scc/scc.h"

LS_INLINE bool was_reached(u32 link) { return link != LINK_UNREACHED && link != LINK_SETTLED; }
LS_INLINE bool is_joined(u32 link) { return link >> 31 && link != LINK_UNREACHED; }

/* Marks the reached vertex *v as joined and replaces *v by its parent; false: it had joined before. The link of a reached
 * vertex changes only once, so a plain store is enough; two threads at the same vertex may both return true. */
LS_INLINE bool join_and_climb(u32 *link, u32 *v) {
  const u32 parent = load_relaxed(&link[*v]);
  if (parent & LINK_JOINED) return false;
  store_relaxed(&link[*v], parent | LINK_JOINED);
  *v = parent;
  return true;
}

/* Marks v and all its ancestors as joined. Returns how many had not joined before; two threads at the same vertex may both
 * count it. */
LS_INLINE u32 join_ancestors(u32 *link, u32 v) {
  u32 count = 0;
  while (join_and_climb(link, &v)) count++;
  return count;
}

#endif
