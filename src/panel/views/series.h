/* Series over the steps of the current run: the values of its iteration marks and the COUNTs of its
 * primitives. */
#ifndef LS_PANEL_SERIES_H
#define LS_PANEL_SERIES_H

#include "panel/canvas/canvas.h"

enum { LS_SERIES_MOST = 24, LS_SERIES_POINTS = 2048 };

typedef struct ls_series {
  char name[48];      /* such as "live" for a mark, "trim.trimmed" for a COUNT */
  bool mark;          /* a value of iteration marks, not a COUNT */
  f64 last, previous; /* the newest value and, if count > 1, the one before it */
  int count;
  u64 calls; /* of a COUNT: the number of calls of its primitive, in the part of the run that is kept */
  f64 turn[LS_SERIES_POINTS];     /* for each point: the number of the iteration; of a COUNT, of the call */
  ls_xy points[LS_SERIES_POINTS]; /* x: the step in the run, from 1. Of crowded points the largest is kept */
} ls_series;

typedef struct ls_series_set {
  int count;
  u64 first, steps;                 /* x is from first to steps: a long run loses its beginning */
  ls_series series[LS_SERIES_MOST]; /* marks first */
} ls_series_set;

/* The series of the current run; recomputed only if the trace has changed. Valid until the next call. */
const ls_series_set *ls_series_now(void);

#endif
