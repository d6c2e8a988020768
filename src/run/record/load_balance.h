/* Load balance: how the work is divided among the ranks, as text for a stop's line, `stats` and the panel. */
#ifndef LS_RUN_LOAD_BALANCE_H
#define LS_RUN_LOAD_BALANCE_H

#include "ranks/rank_stats.h"
#include "run/record/trace.h"

/* Number of lines of ls_load_balance_line: a head, one per rank, and one about the slowest; 0 if there is one
 * rank. */
int ls_load_balance_lines(void);
void ls_load_balance_line(int i, char *out, size_t bytes);

/* Text for a stop of rank 0 after a primitive: "3 ranks: grown 812, slowest 2: 1.31 ms". Waits at most 0.1 s
 * for the other ranks, which continue meanwhile, to reach their next exchange. "" if there is one rank. */
void ls_load_balance_stop(const ls_record *r, char *out, size_t bytes);

#endif
