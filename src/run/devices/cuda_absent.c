/* Stubs of the CUDA functions for a program without CUDA, which has no device to call them for. */
#ifndef LOCKSTEP_WITH_CUDA

#include "run/devices/cuda.h"
#include "run/devices/cuda_scalars.h"

ls_status ls_cuda_wait(ls_launch *L, u64 ticket, f64 *begin, f64 *end, u64 *items) {
  (void)L, (void)ticket, (void)begin, (void)end, (void)items;
  return ls_fail(LS_EDEVICE, "this program was built without CUDA");
}

ls_status ls_cuda_read_ring(int device, ls_ring_entry *out) {
  (void)device, (void)out;
  return ls_fail(LS_EDEVICE, "this program was built without CUDA");
}

ls_status ls_cuda_contract(int device, ls_contract kind, bool wide, const void *p, u64 first, u64 last,
                           u64 bound, u64 *at) {
  (void)device, (void)kind, (void)wide, (void)p, (void)first, (void)last, (void)bound, (void)at;
  return ls_fail(LS_EDEVICE, "this program was built without CUDA");
}

bool ls_cuda_is_waiting(void) { return false; }

bool ls_cuda_ring_is_short(int device) { return (void)device, false; }

void ls_cuda_staging_give_away(int device, bool beside) { (void)device, (void)beside; }

ls_status ls_cuda_fork(int device) {
  (void)device;
  return ls_fail(LS_EDEVICE, "this program was built without CUDA");
}

f64 ls_cuda_seconds(int device, u64 device_ns) { return (void)device, 1e-9 * (f64)device_ns; }

#endif
