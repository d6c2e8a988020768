/* What flood, join_back, settle_joined and tarjan_rest share: a vertex's word in `link` once the hub is searched from. A tree edge
 * leads from the parent to v; so whoever reaches the hub again brings all its ancestors along, and much of the hub's
 * component is known before anything is searched backward. */
#ifndef TREE_H
#define TREE_H

#include "scc/scc.h"

LS_INLINE bool was_reached(u32 link) { return link != UNMET && link != ELSEWHERE; }
LS_INLINE bool is_joined(u32 link) { return link >> 31 && link != UNMET; }

/* *v reaches the hub, and so will its parent, which it becomes; false: that was known. Once a vertex is reached its word
 * takes on but one other value, so a plain store does; two threads that meet at a vertex may both go on. */
LS_INLINE bool join(u32 *link, u32 *v) {
  const u32 parent = load_relaxed(&link[*v]);
  if (parent & JOINED) return false;
  store_relaxed(&link[*v], parent | JOINED);
  *v = parent;
  return true;
}

/* v reaches the hub: so do its ancestors. Returns how many did not know; where threads meet, each may count one. */
LS_INLINE u32 climb(u32 *link, u32 v) {
  u32 count = 0;
  while (join(link, &v)) count++;
  return count;
}

#endif
