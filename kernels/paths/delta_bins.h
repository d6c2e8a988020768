/* Delta-stepping with one set of bins per thread (Beamer, Asanovic, Patterson 2015; bucket fusion: Zhang et al. 2020); one call
 * does the whole search. Only on CPUs: cpu/delta_bins.h. */
#define DELTA_BINS_ARGS(A, W)                                                                               \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(IN, u32, source, "sources", vertex, "n") A(INOUT, W, dist, "n", EXACT) A(INOUT, u32, overflow, "1")     \
  A(VALUE, W, delta, "1") A(VALUE, W, cutoff, "1") A(VALUE, u32, targets, "1")                               \
  A(IN, u32, target, "targets", vertex, "n")                                                                \
  A(VALUE, u32, nearest, "1") A(INOUT, W, floor, "1")                                                       \
  A(COUNT, u32, buckets, "1") A(COUNT, u32, expanded, "1") A(COUNT, u32, improved, "1")
