/* What the kernels of the SCC family share: a vertex's mark.
 *
 * mark = region * 4 + 2 * backward + forward. A region is named by its pivot's identifier, so that one
 * comparison tells whether two vertices lie in one region. Settled vertices lie in a region of their own
 * that is never searched. */
#ifndef SCC_H
#define SCC_H

#include "language/kernel.h"

enum { FORWARD = 1, BACKWARD = 2, BOTH = 3 };
#define SETTLED 0xffffffffu

LS_INLINE bool same_region(u32 mark, u32 other) { return ((mark ^ other) >> 2) == 0; }

/* A vertex's word in `link` once the hub is searched from (tree.h): its parent in the tree, and */
#define UNMET 0xffffffffu     /* not reached */
#define ELSEWHERE 0x7fffffffu /* settled before the search */
#define JOINED 0x80000000u    /* beside the parent: v reaches the hub */

/* A bijection of identifiers, to break ties without favouring a corner of the graph. */
LS_INLINE u32 scatter_id(u32 v) { return v * 0x9e3779b1u; }
LS_INLINE u32 gather_id(u32 h) { return h * 0x0e8b2f51u; }

#endif
