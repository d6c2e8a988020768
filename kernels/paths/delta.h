/* Delta-stepping (Meyer, Sanders 2003) in the form of Lesnikov and Chernoskutov 2016: the arrays that its kernels share.
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
