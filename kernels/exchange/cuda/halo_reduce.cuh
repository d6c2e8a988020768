/* halo_reduce on CUDA. */
#include "exchange/cuda/halo_moves.cuh"

CUDA_LIBRARY(halo_reduce) { return halo_moved(L, stream, a->x, a->take, a->take_at, a->give, a->give_at, a->op); }
