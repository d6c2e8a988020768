/* The devices that primitives run on: `cpu` (OpenMP, all cores), `cpu:1` (one thread, in order) and `cuda:k`.
 *
 * The list is made once. A program built without CUDA, or a machine without a GPU, has only the CPU
 * devices. */
#ifndef LS_RUN_DEVICE_H
#define LS_RUN_DEVICE_H

#include "core/error.h"
#include "core/types.h"

typedef enum ls_processor { LS_CPU, LS_CUDA } ls_processor;

typedef struct ls_device {
  ls_processor processor;
  int index;      /* CUDA ordinal */
  int threads;    /* CPU: threads used; CUDA: resident threads */
  char name[16];  /* "cpu", "cpu:1", "cuda:0" */
  char model[96]; /* "NVIDIA H200", "AMD EPYC" */
  u64 memory;     /* total bytes */
  u64 cache;      /* last-level cache, bytes */
  int units;      /* multiprocessors or cores */
  int capability; /* CUDA: 90 for 9.0 */
  bool lost;      /* a sticky error happened: nothing runs here any more */
  char why[160];  /* why it is lost: "relax: misaligned address" */
} ls_device;

int ls_devices(void);
ls_device *ls_device_at(int i);
/* "cpu", "cpu:1", "cuda", "cuda:1", "auto" (a CUDA device that is not lost, else the CPU). NULL with the
 * message set, which lists the devices. */
ls_device *ls_device_find(const char *name);
/* Returns LS_EDEVICE; the message says how the device was lost, and what to do. */
ls_status ls_device_fail_lost(const ls_device *d);
/* Returns LS_EARG; the message says how several devices work together: each in a process of its own. */
ls_status ls_device_only_one(void);

ls_device *ls_device_current(void); /* what primitives run on; first use picks "auto" */
void ls_device_use(ls_device *d);
ls_status ls_device_memory_free(const ls_device *d, u64 *bytes);
/* Limits the bytes that buffers may hold on devices of the current one's kind: on all CUDA devices together,
 * or, for a CPU, on the host. Not included in this limit: scratch memory, a device's control block and ring
 * (cuda_context.h), the memory that ranks expose to each other (LS_PEER_SLAB), staging memory, and the memory
 * of libraries. */
void ls_device_bound(u64 bytes);

#endif
