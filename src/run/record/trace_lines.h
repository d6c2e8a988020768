/* The cost of each line of the scripts: the records of the trace, summed by their `where`. Bounded: the lines
 * that come after the first LS_TRACE_LINES are summed together. */
#ifndef LS_RUN_TRACE_LINES_H
#define LS_RUN_TRACE_LINES_H

#include "run/record/time_histogram.h"
#include "run/launch/row.h"

enum { LS_TRACE_LINES = 1024, LS_WHERE = 40 };

typedef struct ls_line_stat {
  char where[LS_WHERE]; /* "scc.lua:18", padded with zeros; "(other lines)": those that had no room */
  ls_time_cell cost;    /* by primitive: a const ls_prim * */
} ls_line_stat;

/* For trace.c; `where` is padded with zeros. */
void ls_trace_lines_add(const char where[LS_WHERE], const ls_prim *prim, f64 seconds, u64 turns);
void ls_trace_lines_reset(void);

f64 ls_trace_lines_total(void);                    /* total seconds */
const ls_line_stat *ls_trace_line(const char *at); /* "scc.lua:18"; NULL: it has cost nothing */
/* The lines by their time, largest first. Returns their number, which may exceed max. */
int ls_trace_lines(const ls_line_stat **out, int max);

#endif
