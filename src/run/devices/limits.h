/* The measured limits of a device, with which every kernel is compared. */
#ifndef LS_RUN_LIMITS_H
#define LS_RUN_LIMITS_H

#include "run/devices/device.h"

enum { LS_GATHER_SIZES = 8, LS_MINPLUS_TYPES = 5 };

/* The types whose min-plus updates are measured. */
extern const ls_dtype ls_minplus_types[LS_MINPLUS_TYPES];
/* "minplus_f32": the name of the i-th of them in the cache file and in Lua. */
const char *ls_minplus_name(int i, char out[24]);

typedef struct ls_limits {
  f64 copy;                          /* bytes/s, read plus written, of a large copy */
  f64 gather_bytes[LS_GATHER_SIZES]; /* array sizes at which the following were measured, ascending */
  f64 stream[LS_GATHER_SIZES];     /* bytes/s of the fastest of reading, filling and copying, at that size */
  f64 gather[LS_GATHER_SIZES];     /* random 4-byte gathers per second at that size */
  f64 atomic_min[LS_GATHER_SIZES]; /* random 4-byte atomicMin per second at that size */
  f64 minplus[LS_DTYPES];          /* min-plus updates per second, by element type; 0: not measured */
  f64 multiply_add_f64;            /* x * a + b per second, in one instruction if the processor has one */
  f64 launch, launch_readback;     /* seconds: of a launch; of a launch whose flag is read back */
  f64 transfer;                    /* bytes/s between host and device (pinned); CPU: 0 */
} ls_limits;

/* Measures the limits, in under two seconds, the first time or if `again`; otherwise reads them from the
 * cache file ($XDG_CACHE_HOME/lockstep/limits-MODEL.txt). */
ls_status ls_limits_of(ls_device *d, bool again, ls_limits *out);
/* Sets *out if the limits are cached in memory or on disk; never measures. False: they are not cached. */
bool ls_limits_known(const ls_device *d, ls_limits *out);
/* Gathers per second from an array of `bytes` bytes, interpolated. */
f64 ls_limits_gather(const ls_limits *l, f64 bytes);
/* Bytes per second of work that touches `bytes` bytes (small amounts stay in caches), interpolated. */
f64 ls_limits_stream(const ls_limits *l, f64 bytes);

/* Min-plus updates per second of elements of that type; 0: not measured. */
f64 ls_limits_updates(const ls_limits *l, ls_dtype type);

/* The maximum rate, in bytes/s, at which data arrives from other ranks, as measured by ranks.limits(); 0: not
 * measured. */
void ls_limits_set_link(f64 rate);
f64 ls_limits_link(void);

/* The minimum time, in seconds, that some work takes according to each limit; 0: that limit does not
 * apply. */
typedef struct ls_least {
  f64 mem, irr;                 /* for what was touched: bytes of memory; irregular accesses */
  f64 mem_at_most, irr_at_most; /* for an upper bound of what was touched, if only that is known */
  f64 ops;                      /* for its operations */
  f64 link;                     /* for data from other ranks */
} ls_least;

/* The share (0 to 1) of the tightest limit that the work reached in `seconds`. *bound: that limit, "mem",
 * "irr", "ops" or "link". If irregular accesses were faster than random ones, because their addresses were
 * close to each other, the share is 1. Negative, with *bound = "", if the share is unknown: only an upper
 * bound is known for a limit that may be the tightest, or the work was faster than a limit, which therefore
 * does not apply. */
f64 ls_limits_share(const ls_least *least, f64 seconds, const char **bound);
/* If the share is unknown: an upper bound of the share (0 to 1), with the members _at_most taken as exact.
 * Negative, with *bound = "", if this gives no bound. */
f64 ls_limits_share_at_most(const ls_least *least, f64 seconds, const char **bound);
/* Were operations faster than their limit? No cache makes that possible: the limit was measured while other
 * programs used the device. */
bool ls_limits_too_low(const ls_least *least, f64 seconds);

/* Measures a CUDA device, on the calling thread. (limits_cuda.cu, if LOCKSTEP_WITH_CUDA is defined) */
ls_status ls_limits_cuda(ls_device *d, ls_limits *out);

#endif
