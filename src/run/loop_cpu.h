#ifndef LS_RUN_LOOP_CPU_H
#define LS_RUN_LOOP_CPU_H

#include "run/launch.h"

/* Runs L->prim, a loop row, with the arguments in L->step; stops early after max_iterations, max_seconds, a
 * full ring or an interrupt. Fills iterations, loop_counts, finished and the ring. */
ls_status ls_loop_cpu(ls_launch *L);

#endif
