/* A model of ordinary differential equations, whatever format it was read from.
 *
 * Variables are numbered from 0. A state x has d x/dt = equation and begins with `initial`; an algebraic
 * variable is `equation` at every time; a constant is computed once, at the start, from `initial`; a
 * parameter is a number. Constants and parameters hold unless an event or a jump changes them. Equations name
 * variables by number; all are taken as numerically consistent: a reader converts units where its format asks
 * for it. */
#ifndef LS_MODEL_ODE_H
#define LS_MODEL_ODE_H

#include "model/ode/names.h"
#include "model/ode/term.h"

#define LS_NO_VARIABLE 0xffffffffu

typedef enum ls_role { LS_PARAMETER, LS_CONSTANT, LS_STATE, LS_ALGEBRAIC } ls_role;
const char *ls_role_name(ls_role r);

/* What a number stands for, where it is a species: its value times or by the size of its compartment is the
 * other quantity. */
typedef enum ls_quantity { LS_PLAIN, LS_AMOUNT, LS_CONCENTRATION } ls_quantity;

typedef struct ls_variable {
  const char *name; /* unique in the model */
  const char *id;   /* the format's own way to say it, or NULL; unique too */
  const char *unit; /* its name, or NULL */
  ls_role role;
  const ls_term *initial;  /* NULL for algebraic ones */
  const ls_term *equation; /* NULL for parameters and constants */
  const ls_term *before;   /* the equation before the start, where rateOf is 0; NULL: the same one */
  u32 line;                /* of the equation in the file, or of the definition; 0: unknown */
  const char *file;        /* the file of that line, where it is not the model's: an imported one; or NULL */
  ls_quantity quantity;    /* of the value */
  ls_quantity shown;       /* what is shown where nothing else is asked for; PLAIN: the value */
  u32 size;                /* the compartment, or LS_NO_VARIABLE */
  bool port;               /* takes what arrives at a port of its module (PHML) */
  bool jumps;              /* an event or a jump may change it */
  bool set;                /* by ls_ode_set; given and given_role are the file's */
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
  bool initial_value;              /* of the trigger, before the start */
  bool persistent;        /* once triggered, it is executed even if the trigger becomes false before */
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

/* Values over time, linear in between, held at the ends; t ascends. */
typedef struct ls_series {
  const char *name;
  u64 count;
  const f64 *t, *x;
} ls_series;

typedef struct ls_ode {
  int refs;
  const char *path, *format, *title; /* title may be NULL */
  bool from_file;                    /* path is a file, not the name of a text: others are beside it */
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
  u32 streams;           /* random numbers are drawn from so many */
  bool nearest_samples;  /* a delay takes the nearest stored step (PHML), not the value in between */
  const char *time_unit; /* or NULL */

  u64 changes; /* how many times ls_ode_set and ls_ode_reset have changed it */

  /* What the file asks for; 0 or NULL where it says nothing. */
  f64 step, span;
  const char *method; /* "euler", "rk4"; NULL: one that chooses its steps, or nothing is asked for */
  u64 seed;

  /* By ls_ode_arrange; NULL before. */
  u32 *order; /* algebraic variables, each after those that its equation needs */
  u32 order_count;
  u32 *start_order; /* all variables, each after those that its first value needs */
} ls_ode;

/* An empty model; path is for messages. Release frees it. */
ls_status ls_ode_new(const char *path, ls_ode **out);
ls_ode *ls_ode_retain(ls_ode *m);
void ls_ode_release(ls_ode *m); /* NULL is fine */

/* Adds a variable; the texts are copied, id and unit may be NULL. LS_EINPUT with both places where the name
 * or the id is taken. The variable's other fields are the caller's to set; pointers into m->variables move.
 */
ls_status ls_ode_add(ls_ode *m, const char *name, const char *id, ls_role role, u32 line, u32 *out);
u32 ls_ode_find(const ls_ode *m, const char *name); /* by name or id; LS_NO_VARIABLE */
/* The new element is zeroed. */
ls_status ls_ode_add_event(ls_ode *m, u32 assigns, ls_event **out);
ls_status ls_ode_add_jump(ls_ode *m, ls_jump j);
ls_status ls_ode_add_series(ls_ode *m, const char *name, u64 count, const f64 *t, const f64 *x, u32 *out);

/* LS_EINPUT with "file:line: " before the message; line 0: the file alone. */
ls_status ls_ode_fail(const ls_ode *m, u32 line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same with the file and line of a variable. */
ls_status ls_ode_fail_at(const ls_ode *m, u32 variable, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
const char *ls_ode_path(const ls_ode *m, u32 variable); /* the file of its line */
/* Puts "file:line: " before the message there is, where st is LS_EINPUT and the message names no file yet. */
ls_status ls_ode_at(const ls_ode *m, u32 line, ls_status st);
/* The same with the file and line of a variable, or, where the number is none of the model's, with the file.
 */
ls_status ls_ode_at_variable(const ls_ode *m, u32 variable, ls_status st);

/* To be called when all is there: every variable has what its role asks for, and rateOf is replaced by
 * equations. LS_EINPUT names the place of what is missing. */
ls_status ls_ode_complete(ls_ode *m);
/* Then: the order of computation. LS_EINPUT names the variables of an algebraic loop, and their places. */
ls_status ls_ode_arrange(ls_ode *m);

/* What each variable's value needs, as rows: the variables at to[off[v]] .. to[off[v + 1] - 1], ascending. At
 * the start that is its first value; else its equation, where KEEP, LAST and, unless `delays`, DELAY need
 * nothing. From ls_malloc: both are the caller's to free. */
ls_status ls_ode_needs(const ls_ode *m, bool start, bool delays, u32 **off, u32 **to);

/* Makes a parameter or the first value of a state a number. LS_EARG where the variable is algebraic. */
ls_status ls_ode_set(ls_ode *m, u32 v, f64 x);
/* Takes back all that ls_ode_set has changed. */
void ls_ode_reset(ls_ode *m);

/* The whole file as text with a zero behind it, from ls_malloc; "-" is standard input. LS_EINPUT where it
 * cannot be read or is larger than 256 MiB. */
ls_status ls_ode_file(const char *path, char **text, size_t *bytes);

/* Reads a model: PHML, CellML and SBML are known by the root element; what is no XML is our own format
 * (plain.c). `loops`: one with algebraic loops too, which is not arranged, and so cannot be simulated.
 * LS_EINPUT with file and line. */
ls_status ls_ode_read(const char *path, bool loops, ls_ode **out);
/* The same of a text, which ends with a zero; `name` stands for the file in messages. */
ls_status ls_ode_read_text(const char *name, const char *text, size_t bytes, bool loops, ls_ode **out);

#endif
