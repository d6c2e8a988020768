/* What the .cu files of src/run have in common. C++ only. */
#ifndef LS_RUN_CUDA_CHECK_H
#define LS_RUN_CUDA_CHECK_H

#include <unistd.h>

#include "run/devices/cuda.h"

extern "C" {
#include "core/wait.h"
}

enum { MAX_DEVICES = 16 };

/* If the call fails, returns ls_cuda_check's status from the enclosing function. */
#define CHECK(device, call, what)                                                                            \
  do {                                                                                                       \
    int check_ = (int)(call);                                                                                \
    if (check_) return ls_cuda_check((device), check_, (what));                                              \
  } while (0)

/* State of polling a device; zero at first. ls_look_again is called between two polls: if polling takes long,
 * it sleeps a little, and from time to time it serves ls_idle and returns true. */
struct ls_looks {
  f64 begun, idled;
};
static inline bool ls_look_again(ls_looks *l) {
  const f64 now = ls_now();
  if (l->begun == 0) l->begun = l->idled = now;
  const bool idle = now - l->idled > 0.03;
  if (idle) ls_cuda_idle(), l->idled = now;
  if (now - l->begun > 0.005) usleep(100);
  return idle;
}

#endif
