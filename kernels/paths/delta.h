/* Delta-stepping (Meyer, Sanders 2003) as Lesnikov and Chernoskutov 2016 have it: what its kernels share.
 *
 *   where    where[v]: the bucket that has v, floor(dist[v] / delta); NO_BUCKET where none has.
 *   filled   filled[j]: how many vertices the bucket has that is j modulo the number of buckets.
 *   kept     kept[v]: is v in R, the vertices that have left the present bucket?
 *   offer    offer[e]: the distance that the request of edge e offers its target. */
#ifndef DELTA_H
#define DELTA_H

#include "paths/paths.h"

#define NO_BUCKET INT64_MAX

#endif
