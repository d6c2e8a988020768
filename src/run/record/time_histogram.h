/* Cells of a time axis: which kinds of work took most of each cell's time, and how much of it was busy.
 *
 * Bounded memory: a cell distinguishes LS_CELL_KINDS kinds of work. A further kind replaces the smallest one
 * and inherits its time (the "space saving" of Metwally, Agrawal and El Abbadi 2005), so that a kind that
 * takes most of a cell is never missed. */
#ifndef LS_RUN_TIME_HISTOGRAM_H
#define LS_RUN_TIME_HISTOGRAM_H

#include "core/types.h"

enum { LS_CELL_KINDS = 4 };

typedef struct ls_work_part {
  const void *what; /* NULL: none */
  f64 seconds;
  u64 count; /* pieces of work that begin here */
} ls_work_part;

typedef struct ls_time_cell {
  ls_work_part part[LS_CELL_KINDS];
  f64 busy;  /* seconds of all kinds */
  u64 count; /* pieces of work that begin here */
} ls_time_cell;

/* Cell i covers [from + i * width, from + (i + 1) * width). */
typedef struct ls_time_histogram {
  f64 from, width;
  int count;
  ls_time_cell *cell; /* the caller's, zeroed */
} ls_time_histogram;

/* Adds work from `begin` to `end`, as far as it lies within the cells. Work that takes no time counts in the
 * cell where it begins. */
void ls_time_histogram_add(ls_time_histogram *c, const void *what, f64 begin, f64 end);
/* Makes each cell twice as wide, so that the second half of them is free. */
void ls_time_histogram_double(ls_time_histogram *c);
/* Adds work of one kind to a cell; `what` is not NULL. */
void ls_time_cell_work(ls_time_cell *c, const void *what, f64 seconds, u64 count);
/* Adds one cell's work to another's. */
void ls_time_cell_add(ls_time_cell *to, const ls_time_cell *from);
/* The kind of work with the most time; NULL if the cell is empty. */
const ls_work_part *ls_time_cell_most(const ls_time_cell *c);

#endif
