/* A model of ordinary differential equations, whatever format it was read from.
 *
 * Variables are numbered from 0. A state x has d x/dt = equation and begins with `initial`; an algebraic
 * variable is `equation` at every time; a constant is computed once, at the start, from `initial`; a
 * parameter is a number. Constants and parameters keep their values unless an event or a jump changes them.
 * Equations refer to variables by number, and all values are in consistent units: a reader converts units if
 * its format requires that. */
#ifndef LS_ODE_MODEL_H
#define LS_ODE_MODEL_H

#include "ode/names.h"
#include "ode/term.h"

#define LS_NO_VARIABLE 0xffffffffu

typedef enum ls_role { LS_PARAMETER, LS_CONSTANT, LS_STATE, LS_ALGEBRAIC } ls_role;
const char *ls_role_name(ls_role r);

/* What the value of a species is; amount = concentration * size of the compartment. */
typedef enum ls_quantity { LS_PLAIN, LS_AMOUNT, LS_CONCENTRATION } ls_quantity;

typedef struct ls_variable {
  const char *name; /* unique in the model */
  const char *id;   /* the identifier in the file, or NULL; unique too */
  const char *unit; /* name of the unit, or NULL */
  ls_role role;
  const ls_term *initial;  /* NULL for algebraic ones */
  const ls_term *equation; /* NULL for parameters and constants */
  const ls_term *before;   /* the equation for times before the start, where rateOf is 0; NULL: `equation` */
  u32 line;                /* of the equation in the file, or of the definition; 0: unknown */
  const char *file;        /* the imported file that contains the line; NULL: the model's file */
  ls_quantity quantity;    /* of the value */
  ls_quantity shown;       /* quantity that is shown by default; LS_PLAIN: the value itself */
  u32 size;                /* the variable that is its compartment's size, or LS_NO_VARIABLE */
  bool port;               /* its value comes from a port of its module (PHML) */
  bool jumps;              /* an event or a jump may change it */
  bool set; /* changed by ls_ode_set; the next two fields then are `initial` and `role` as in the file */
  const ls_term *given;
  ls_role given_role;
} ls_variable;

typedef struct ls_assign {
  u32 variable;
  const ls_term *value;
} ls_assign;

/* Fires when its trigger becomes true (SBML level 3 version 2, section 4.11). */
typedef struct ls_event {
  const char *name;
  u32 line;
  const ls_term *trigger;
  const ls_term *delay, *priority; /* NULL: none */
  bool initial_value;              /* value of the trigger before the start */
  bool persistent; /* once triggered, it is executed even if the trigger becomes false during the delay */
  bool from_trigger_time; /* values are computed when it is triggered, not when it is executed */
  u32 count;
  ls_assign *assigns;
} ls_event;

/* An instantaneous assignment (PHML) at the beginning of every step, or after its end. Its value may be a
 * PIECEWISE whose last branch is KEEP. */
typedef struct ls_jump {
  bool after;
  ls_assign assign;
  u32 line;
} ls_jump;

/* A time series: linear interpolation between the values, constant before the first and after the last; t
 * ascends. */
typedef struct ls_series {
  const char *name;
  u64 count;
  const f64 *t, *x;
} ls_series;

typedef struct ls_ode {
  int refs;
  const char *path, *format, *title; /* title may be NULL */
  bool from_file; /* path is a file, so that files next to it can be read; else only a name */
  ls_terms *terms;
  ls_names names;
  u32 count, room;
  ls_variable *variables;
  u32 event_count, event_room;
  ls_event *events;
  u32 jump_count, jump_room;
  ls_jump *jumps;
  u32 series_count, series_room;
  ls_series *series;
  u32 streams;           /* number of streams of random numbers */
  bool nearest_samples;  /* a delay takes the nearest stored step (PHML) instead of interpolating */
  const char *time_unit; /* or NULL */

  u64 changes; /* how many times ls_ode_set and ls_ode_reset have changed the model */

  /* Settings in the file; 0 or NULL if absent. */
  f64 step, span;
  const char *method; /* "euler", "rk4"; NULL: a method with adaptive steps, or unspecified */
  u64 seed;

  /* Set by ls_ode_arrange; NULL before. */
  u32 *order; /* algebraic variables, each after those that its equation needs */
  u32 order_count;
  u32 *start_order; /* all variables, each after those that its initial value needs */
} ls_ode;

/* Makes an empty model. `path` is for messages. ls_ode_release frees the model. */
ls_status ls_ode_new(const char *path, ls_ode **out);
ls_ode *ls_ode_retain(ls_ode *m);
void ls_ode_release(ls_ode *m); /* NULL is fine */

/* Adds a variable; name and id are copied, id may be NULL. LS_EINPUT, with both lines, if the name or the id
 * is already in use. The caller sets the other fields. Pointers into m->variables become invalid. */
ls_status ls_ode_add(ls_ode *m, const char *name, const char *id, ls_role role, u32 line, u32 *out);
u32 ls_ode_find(const ls_ode *m, const char *name); /* by name or id; LS_NO_VARIABLE if there is none */
/* Adds an event with `assigns` assignments. All else in it is zero. */
ls_status ls_ode_add_event(ls_ode *m, u32 assigns, ls_event **out);
ls_status ls_ode_add_jump(ls_ode *m, ls_jump j);
ls_status ls_ode_add_series(ls_ode *m, const char *name, u64 count, const f64 *t, const f64 *x, u32 *out);

/* Fails with LS_EINPUT and the message "file:line: ..."; line 0: only the file. */
ls_status ls_ode_fail(const ls_ode *m, u32 line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same with the file and line of a variable. */
ls_status ls_ode_fail_at(const ls_ode *m, u32 variable, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
const char *ls_ode_path(const ls_ode *m, u32 variable); /* the file that contains the variable's line */
/* Prefixes the message with "file:line: " if st is LS_EINPUT and the message names no file yet. Returns st.
 */
ls_status ls_ode_at(const ls_ode *m, u32 line, ls_status st);
/* The same with the file and line of a variable, or only with the file if there is no such variable. */
ls_status ls_ode_at_variable(const ls_ode *m, u32 variable, ls_status st);

/* Finishes a model that has been read: checks that every variable has what its role requires, makes variables
 * of delayed expressions, and replaces rateOf by equations. LS_EINPUT, with the line, if something is
 * missing. */
ls_status ls_ode_complete(ls_ode *m);
/* To be called after ls_ode_complete: finds the order of computation. LS_EINPUT names the variables of an
 * algebraic loop, with their lines. */
ls_status ls_ode_arrange(ls_ode *m);

/* The variables that variable v depends on: to[off[v]] .. to[off[v + 1] - 1], ascending. If `start`, these
 * are the dependencies of its initial value, else those of its equation. KEEP depends on nothing. In
 * equations LAST depends on nothing either, and DELAY depends on the delayed variable only if `delays`. Both
 * arrays are from ls_malloc and owned by the caller. */
ls_status ls_ode_needs(const ls_ode *m, bool start, bool delays, u32 **off, u32 **to);

/* Sets a parameter or constant, or the initial value of a state, to a number. LS_EARG if the variable is
 * algebraic. */
ls_status ls_ode_set(ls_ode *m, u32 v, f64 x);
/* Undoes all calls of ls_ode_set. */
void ls_ode_reset(ls_ode *m);

#endif
