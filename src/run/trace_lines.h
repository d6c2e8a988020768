/* What each line of the scripts has cost: the records of the trace, summed by their `where`. Bounded: of more
 * than LS_TRACE_LINES lines the last to come are not told apart. */
#ifndef LS_RUN_TRACE_LINES_H
#define LS_RUN_TRACE_LINES_H

#include "run/cells.h"
#include "run/row.h"

enum { LS_TRACE_LINES = 1024, LS_WHERE = 40 };

typedef struct ls_line_stat {
  char where[LS_WHERE]; /* "scc.lua:18", filled up with zeros; "(other lines)" for those that had no room */
  ls_time_cell cost;    /* by primitives: a const ls_prim * */
} ls_line_stat;

/* For trace.c; where is filled up with zeros. */
void ls_trace_lines_add(const char where[LS_WHERE], const ls_prim *prim, f64 seconds, u64 turns);
void ls_trace_lines_reset(void);

f64 ls_trace_lines_total(void);                    /* seconds of all of them */
const ls_line_stat *ls_trace_line(const char *at); /* "scc.lua:18"; NULL: it has cost nothing */
/* The lines by their time, the most first. Returns how many there are, which may be more than max. */
int ls_trace_lines(const ls_line_stat **out, int max);

#endif
