/* Cells on a time axis: for each stretch of time what was busy most in it, and how full it is.
 *
 * Pure and of bounded size: a cell tells LS_CELL_KINDS kinds of work apart. Where there are more, the
 * smallest of them makes room and leaves its time to the newcomer (the "space saving" of Metwally, Agrawal
 * and El Abbadi 2005), so that what takes most of a cell is never missed. */
#ifndef LS_RUN_CELLS_H
#define LS_RUN_CELLS_H

#include "core/types.h"

enum { LS_CELL_KINDS = 4 };

typedef struct ls_work_part {
  const void *what; /* NULL: none */
  f64 seconds;
  u64 count; /* of those that begin here */
} ls_work_part;

typedef struct ls_time_cell {
  ls_work_part part[LS_CELL_KINDS];
  f64 busy;  /* seconds in all */
  u64 count; /* stretches that begin here */
} ls_time_cell;

/* Cell i reaches from `from` + i * width on. */
typedef struct ls_cells {
  f64 from, width;
  int count;
  ls_time_cell *cell; /* the caller's, zeroed */
} ls_cells;

/* What lies outside is left out. One that takes no time counts in the cell where it begins. */
void ls_cells_add(ls_cells *c, const void *what, f64 begin, f64 end);
/* Makes each cell twice as wide, so that the second half of them is free. */
void ls_cells_double(ls_cells *c);
/* Adds so much work of one kind to a cell; what is not NULL. */
void ls_time_cell_work(ls_time_cell *c, const void *what, f64 seconds, u64 count);
/* Adds one cell's work to another's. */
void ls_time_cell_add(ls_time_cell *to, const ls_time_cell *from);
/* The part with the most time in it; NULL: nothing. */
const ls_work_part *ls_time_cell_most(const ls_time_cell *c);

#endif
