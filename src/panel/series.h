/* Series over the steps of the present run: the values of its iteration marks and the COUNTs of its
 * primitives. */
#ifndef LS_PANEL_SERIES_H
#define LS_PANEL_SERIES_H

#include "panel/canvas.h"

enum { LS_SERIES_MOST = 24, LS_SERIES_POINTS = 2048 };

typedef struct ls_series {
  char name[48];      /* "live"; of a COUNT "trim.trimmed" */
  bool mark;          /* of iteration marks */
  f64 last, previous; /* the newest value, and where count > 1 the one before */
  int count;
  u64 calls; /* of a COUNT: how often its primitive has run, of a long run in the part that is kept */
  f64 turn[LS_SERIES_POINTS];     /* of each point: the iteration's number, or of a COUNT which call it was */
  ls_xy points[LS_SERIES_POINTS]; /* x: the step within the run, from 1; of many in one place the largest */
} ls_series;

typedef struct ls_series_set {
  int count;
  u64 first, steps;                 /* x runs from first to steps: of a long run the end */
  ls_series series[LS_SERIES_MOST]; /* marks first */
} ls_series_set;

/* The present ones; made anew only where the trace has grown. Valid until the next call. */
const ls_series_set *ls_series_now(void);

#endif
