/* halo on CUDA. */
#include "exchange/cuda/halo_moves.cuh"

CUDA_LIBRARY(halo) { return halo_moved(L, stream, a->x, a->give, a->give_at, a->take, a->take_at, LS_REDUCTIONS); }
