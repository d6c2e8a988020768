/* Makes keys by which a list of edges is sorted into rows: the source, then the edge's index, so that the edges of a row stay in
 * order. */
#include "language/kernel.h"

#define SOURCE_KEYS_ARGS(A, W) A(IN, u32, src, "m") A(OUT, u64, key, "m")
ARGS(source_keys, SOURCE_KEYS_ARGS)

EDGE_BODY(source_keys) {
  UNUSED_BODY;
  a->key[e] = (u64)a->src[e] << 32 | e;
}
