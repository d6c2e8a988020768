/* A stop: where a run is, what ran last, and why it stopped. */
#ifndef LS_SESSION_STOP_H
#define LS_SESSION_STOP_H

#include "run/record/trace.h"

typedef enum ls_stop_kind {
  LS_STOP_AFTER,  /* after the primitive in `record` */
  LS_STOP_BEFORE, /* before a primitive */
  LS_STOP_LINE,   /* at a line of Lua */
  LS_STOP_MARK,   /* at an iteration mark */
  LS_STOP_ERROR,  /* where an uncaught error was raised: the run cannot go on */
} ls_stop_kind;

typedef struct ls_stop {
  ls_stop_kind kind;
  bool recorded; /* does `record` hold the last primitive of this algorithm? */
  ls_record record;
  bool repeated; /* had that primitive run before? If so, `previous` holds its counts then */
  u64 previous[LS_MAX_COUNTS];
  u32 mark;        /* the iteration mark, 0: none yet */
  char name[40];   /* BEFORE: the primitive's name, or "a primitive" */
  char marks[160]; /* MARK: "improved 12 lambda 3.5" */
  char where[64];  /* "scc.lua:18" */
  char why[240];   /* the reasons: "break 2", "until moved == 0", "interrupted"; "" after a plain step */
  char ranks[160]; /* AFTER: what all ranks have done (ls_load_balance_stop); "" if there is one rank */
  char text[120];  /* what was started: "scc(g)" */
} ls_stop;

bool ls_session_paused(void); /* is an algorithm paused at a stop? */
/* The current stop; NULL if nothing is paused. */
const ls_stop *ls_session_stop(void);
/* "#30 relax 1.31 ms frontier 1386->812 GB/s 2610 (61 %) sssp.lua:18  break 2" */
void ls_session_stop_line(const ls_stop *stop, char *out, size_t bytes);

/* --- for the layers above ---------------------------------------------------------------------------- */

extern struct stop_state {
  bool paused;
  ls_stop now; /* the current stop; while running: what is known so far of the next one */
} the_stop;

/* stop_why adds a reason for the next stop; stop_forget_why deletes all reasons. */
void stop_why(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void stop_forget_why(void);

#endif
