/* The arrays that the kernels of delta-stepping share (Meyer, Sanders 2003; here in the form of Lesnikov,
 * Chernoskutov 2016).
 *
 *   where    where[v]: the bucket of v, floor(dist[v] / delta); NO_BUCKET if v is in none.
 *   filled   filled[j]: the number of vertices in bucket i, where j = i modulo the number of buckets.
 *   kept     kept[v]: is v in R, the set of vertices that have left the current bucket?
 *   offer    offer[e]: the distance that the request of edge e offers to its target. */
#ifndef DELTA_H
#define DELTA_H

#include "paths/paths.h"

#define NO_BUCKET INT64_MAX

#endif
