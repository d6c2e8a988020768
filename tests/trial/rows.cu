/* The trial's rows on CUDA, and one kernel that runs any loop over them. */
#include "driver/loop.cuh"
#define W none
#include "rows.h"

#define CUDA_ROW(name, ARGS_MACRO, DOMAIN, items) CUDA_DRIVER(name, ARGS_MACRO, DOMAIN)
TRIAL_ROWS(CUDA_ROW)
CUDA_LOOP(trial_loop, large, true, true, ROW(trial_stir), ROW(trial_set), ROW(trial_deal), ROW(trial_take), ROW(trial_pour),
          ROW(trial_sink), ROW(trial_pile), ROW(trial_light), ROW(trial_heavy), ROW(trial_least), ROW(trial_turn))
