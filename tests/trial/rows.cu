/* The trial's rows on CUDA, and one kernel that runs any loop over them. */
#include "driver/library.cuh"
#include "driver/loop.cuh"
#define W none
#include "rows.h"

#define CUDA_ROW(name, ARGS_MACRO, DOMAIN, items) CUDA_DRIVER(name, ARGS_MACRO, DOMAIN)
TRIAL_ROWS(CUDA_ROW)
TRIAL_MEMORY_ROWS(CUDA_ROW)
CUDA_LOOP(trial_loop, large, true, true, ROW(trial_stir), ROW(trial_set), ROW(trial_deal), ROW(trial_take), ROW(trial_pour),
          ROW(trial_sink), ROW(trial_pile), ROW(trial_light), ROW(trial_heavy), ROW(trial_least), ROW(trial_turn))
/* All blocks of a loop get the dynamic shared memory that any of its rows requests, so this row has a loop of its own. */
CUDA_LOOP(trial_memory_loop, small, true, false, ROW(trial_stir), ROW(trial_roll))

/* The threads add to the COUNT `odd`, and to *some in scratch memory, from which the COUNT `some` is then written. */
static __global__ void odds(const u32 *x, u32 *y, u32 round, u64 n, unsigned long long *odd, u32 *some) {
  const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] % 4 == 0) atomicAdd(some, 1u);
  if (x[i] % 2 == 0) return;
  y[i] += 3 * round + 1;
  atomicAdd(odd, 1ull);
}
static __global__ void widened(unsigned long long *to, const u32 *from) { *to = *from; }

CUDA_LIBRARY_COUNTS(trial_odds, TRIAL_ODDS_ARGS)
CUDA_LIBRARY(trial_odds) {
  void *some;
  const ls_status st = ls_cuda_scratch(L, sizeof(u32), &some);
  if (st) return st;
  CUDA_TRY(L, cudaMemsetAsync(some, 0, sizeof(u32), stream));
  odds<<<(u32)(L->items / 64 + 1), 64, 0, stream>>>(a->x, a->y, a->round, L->items, count->odd, (u32 *)some);
  widened<<<1, 1, 0, stream>>>(count->some, (const u32 *)some);
  CUDA_TRY(L, cudaGetLastError());
  return LS_OK;
}
CUDA_LIBRARY_DRIVER(trial_odds, TRIAL_ODDS_ARGS)
