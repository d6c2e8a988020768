/* How the work is divided among the ranks, as text: for a stop's line, `stats` and the panel. */
#ifndef LS_RUN_DIVISION_H
#define LS_RUN_DIVISION_H

#include "ranks/shares.h"
#include "run/trace.h"

/* How many lines ls_division_line has: a head, one a rank, and which is the slowest; 0 where there is one
 * rank. */
int ls_divisions(void);
void ls_division_line(int i, char *out, size_t bytes);

/* At a stop of rank 0 behind a primitive: "3 ranks: grown 812, slowest 2: 1.31 ms". The others run on
 * meanwhile: it waits 0.1 s at most until they have come to their next exchange. "" where there is one rank.
 */
void ls_division_stop(const ls_record *r, char *out, size_t bytes);

#endif
