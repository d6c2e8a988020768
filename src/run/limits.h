/* What a device can do at most, measured: the yardstick beside every kernel. */
#ifndef LS_RUN_LIMITS_H
#define LS_RUN_LIMITS_H

#include "run/device.h"

enum { LS_GATHER_SIZES = 8, LS_MINPLUS_TYPES = 5 };

/* The types whose min-plus updates are measured. */
extern const ls_dtype ls_minplus_types[LS_MINPLUS_TYPES];
/* "minplus_f32": the name of the i-th of them, in the cache file and in Lua. */
const char *ls_minplus_name(int i, char out[24]);

typedef struct ls_limits {
  f64 copy;                          /* bytes/s, read plus written, of a large copy */
  f64 gather_bytes[LS_GATHER_SIZES]; /* array sizes at which what follows was measured, ascending */
  f64 stream[LS_GATHER_SIZES];     /* bytes/s by the quickest of reading, filling and copying so many bytes */
  f64 gather[LS_GATHER_SIZES];     /* random 4-byte gathers a second at that size */
  f64 atomic_min[LS_GATHER_SIZES]; /* random 4-byte atomicMin a second at that size */
  f64 minplus[LS_DTYPES];          /* min-plus updates a second, by their type; 0: not measured */
  f64 multiply_add_f64;            /* x * a + b a second, in one instruction where there is one */
  f64 launch, launch_readback;     /* seconds: a launch; a launch whose flag is read back */
  f64 transfer;                    /* bytes/s between host and device (pinned); CPU: 0 */
} ls_limits;

/* Measures in under two seconds the first time, then from the cache file
 * ($XDG_CACHE_HOME/lockstep/limits-MODEL.txt). */
ls_status ls_limits_of(ls_device *d, bool again, ls_limits *out);
/* The same if it is cached in memory or on disk, without measuring. */
bool ls_limits_known(const ls_device *d, ls_limits *out);
/* Gathers a second from an array of that many bytes, interpolated. */
f64 ls_limits_gather(const ls_limits *l, f64 bytes);
/* Bytes a second of work that touches that many: what is small is served by caches. Interpolated. */
f64 ls_limits_stream(const ls_limits *l, f64 bytes);

/* Min-plus updates a second of numbers of that type; 0: not measured. */
f64 ls_limits_updates(const ls_limits *l, ls_dtype type);

/* Bytes a second that come from other ranks at most, as ranks.limits() has measured it; 0: it has not. */
void ls_limits_set_link(f64 rate);
f64 ls_limits_link(void);

/* The seconds that some work takes at least, by each limit; 0: that limit says nothing. */
typedef struct ls_least {
  f64 mem, irr;                 /* of what was touched */
  f64 mem_at_most, irr_at_most; /* of what it was at most, where only that is known */
  f64 ops;                      /* of its operations */
  f64 link;                     /* of what came from other ranks */
} ls_least;

/* The share of the tightest limit that the work reached in so many seconds, 0..1. *bound says which limit,
 * "mem", "irr", "ops" or "link". Accesses that are quicker than those at random were near each other: they
 * have reached that limit, 1. Negative, with "", where it is not known: where the tighter limit may be one of
 * which only a bound is known, and where the work was quicker than memory in order, which then is no limit.
 */
f64 ls_limits_share(const ls_least *least, f64 seconds, const char **bound);
/* Where the share is not known: what it is at most, 0..1, by the bounds. Negative, with "", where they say
 * nothing. */
f64 ls_limits_share_at_most(const ls_least *least, f64 seconds, const char **bound);
/* Were operations quicker than their limit, which no cache allows? Then the limit was measured while other
 * programs kept the device busy. */
bool ls_limits_too_low(const ls_least *least, f64 seconds);

/* Measures a CUDA device, on the calling thread. (limits_cuda.cu, where LOCKSTEP_WITH_CUDA is defined) */
ls_status ls_limits_cuda(ls_device *d, ls_limits *out);

#endif
