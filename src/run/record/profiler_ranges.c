#include "run/record/profiler_ranges.h"

#ifdef LOCKSTEP_WITH_NVTX

#include <nvtx3/nvToolsExt.h>

bool ls_ranges_wanted(void) {
  static int known = -1;
  if (known >= 0) return known;
  known = nvtxRangePushA("lockstep") >= 0; /* negative: no profiler listens */
  if (known) nvtxRangePop();
  return known;
}

void ls_range_begin(const char *name) {
  if (ls_ranges_wanted()) nvtxRangePushA(name);
}

void ls_range_end(void) {
  if (ls_ranges_wanted()) nvtxRangePop();
}

#else

bool ls_ranges_wanted(void) { return false; }
void ls_range_begin(const char *name) { (void)name; }
void ls_range_end(void) {}

#endif
