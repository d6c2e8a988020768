/* Named ranges for profilers (NVTX): nsys and ncu show them next to kernels, and ncu can select kernels by
 * them. A program built without CUDA has none. They cost nothing unless a profiler is attached. They nest.
 * Called on the main thread only. */
#ifndef LS_RUN_PROFILER_RANGES_H
#define LS_RUN_PROFILER_RANGES_H

#include <stdbool.h>

bool ls_ranges_wanted(void);           /* is a profiler attached? */
void ls_range_begin(const char *name); /* copied by the profiler */
void ls_range_end(void);

#endif
