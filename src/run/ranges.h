/* Named ranges for profilers (NVTX): nsys and ncu show them beside kernels, and ncu selects kernels by them.
 * There are none where the program is built without CUDA, and they cost nothing unless a profiler has put
 * itself into the program. They nest. All of this is the main thread's. */
#ifndef LS_RUN_RANGES_H
#define LS_RUN_RANGES_H

#include <stdbool.h>

bool ls_ranges_wanted(void);           /* does a profiler listen? */
void ls_range_begin(const char *name); /* copied by who listens */
void ls_range_end(void);

#endif
