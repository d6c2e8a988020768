/* stats() as text. */
#ifndef LS_RUN_STATS_TEXT_H
#define LS_RUN_STATS_TEXT_H

#include "run/record/stats_columns.h"

enum { LS_STATS_MOST = 800 }; /* rows */

/* Adds one block per device, the busiest first, then the host gap and notes. n: at most LS_STATS_MOST; order:
 * that of the rows (NULL: unsorted). */
void ls_stats_text(ls_text *b, const ls_stat *rows, int n, const ls_stat_column *order);

#endif
