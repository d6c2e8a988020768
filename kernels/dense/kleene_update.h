/* Updates the rows of one vertex's predecessors in the Kleene star of an acyclic graph. Goto 2011, section 4: blocks of
 * `columns` x `rows` threads, the paper's B and C. Bodies: cpu/kleene_update.h, cuda/kleene_update.cuh.
 *
 * The paper writes [X]ij for the arc j -> i, takes the vertices from first to last, and updates the rows of a vertex's
 * successors. Here row i of K holds the paths from i, as in every matrix of this program; so vertices are taken from last to
 * first, and the rows of predecessors are updated. The in-arcs roff, rto and rw are the paper's Ptr, Idx and Val. */
#include "dense/dense.h"
#include "dense/plain.h"

#define KLEENE_UPDATE_ARGS(A, W)                                                                            \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(IN, W, rw, "m")                  \
  A(INOUT, W, K, "n*n") A(INOUT, u32, overflow, "1") A(VALUE, u32, vertex, "1", vertex, "n")                \
  A(VALUE, u32, columns, "1", block_edge, "1") A(VALUE, u32, rows, "1", block_edge, "1")                    \
  A(VALUE, u32, arcs, "1")
