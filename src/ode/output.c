#include <math.h>

#include "core/mem.h"
#include "core/wait.h"
#include "ode/parts.h"

const char *ls_method_name(ls_method m) {
  static const char *const names[] = {"euler", "rk4", "dopri5", "cvode"};
  return names[m];
}

bool ls_method_built(ls_method m) {
#ifdef LOCKSTEP_WITH_SUNDIALS
  return m < LS_METHODS;
#else
  return m < LS_METHODS && m != LS_CVODE;
#endif
}

void ls_course_free(ls_course *c) {
  for (u32 k = 0; k < c->columns && c->x; k++) ls_free(c->x[k]);
  ls_free(c->t);
  ls_free(c->x);
  ls_free(c->line);
  *c = (ls_course){0};
}

static ls_status new_course(ls_course *c, const ls_simulation *o) {
  const u64 rows = o->stream ? 1 : o->intervals + 1;
  *c = (ls_course){.kept = rows};
  if (rows > (1ull << 58) / (o->columns + 1) || rows * (o->columns + 1) * sizeof(f64) > ls_mem_available())
    return ls_fail(
        LS_EMEM,
        "%llu rows of %u variables are %.3g GB, but %.3g GB are free: ask for fewer variables or steps",
        (unsigned long long)rows, o->columns, (f64)rows * (o->columns + 1) * 8e-9,
        (f64)ls_mem_available() * 1e-9);
  c->columns = o->columns;
  c->t = ls_malloc(rows * sizeof *c->t);
  c->x = ls_calloc(o->columns, sizeof *c->x);
  c->line = ls_malloc((o->columns + 1) * sizeof *c->line);
  if (!c->t || !c->x || !c->line) return LS_EMEM;
  for (u32 k = 0; k < o->columns; k++)
    if (!(c->x[k] = ls_malloc(rows * sizeof *c->x[k]))) return LS_EMEM;
  return LS_OK;
}

/* The value of an output column, which shows a species as an amount or as a concentration. */
static f64 shown(const ode_system *s, const ls_column *c) {
  const ls_variable *v = &s->m->variables[c->variable];
  const f64 x = s->value[c->variable];
  if (c->quantity == LS_PLAIN || c->quantity == v->quantity || v->quantity == LS_PLAIN ||
      v->size == LS_NO_VARIABLE)
    return x;
  return c->quantity == LS_AMOUNT ? x * s->value[v->size] : x / s->value[v->size];
}

void ode_write_row(const ode_system *s, const ls_simulation *o, ls_course *c) {
  const u64 at = o->stream ? 0 : c->rows;
  if (c->rows > o->intervals) return;
  c->t[at] = s->t;
  for (u32 k = 0; k < o->columns; k++) c->x[k][at] = c->line[k + 1] = shown(s, &o->column[k]);
  c->line[0] = s->t;
  if (o->stream && !c->failed) c->failed = ls_stream_row(o->stream, c->line);
  c->rows++;
}

ls_status ls_ode_simulate(ls_ode *m, const ls_simulation *o, ls_course *out) {
  ode_system s = {0};
  ode_events e = {0};
  const bool fixed = o->method == LS_EULER || o->method == LS_RK4;
  *out = (ls_course){0};
  ls_status st = m->order ? LS_OK : ls_ode_arrange(m);
  if (!st) st = new_course(out, o);
  if (!st) st = ode_system_new(&s, m, o->start, o->dt > 0 ? o->dt : 1, o->seed);
  ls_simulation own = *o;
  if (!st && own.atol == 0) {
    own.atol = 1e-3 * own.rtol;
    ode_scale_by_values(&s);
  }
  if (!st) st = ode_events_new(&e, &s);
  if (!st) st = fixed ? ode_run_fixed(&s, &e, &own, out) : ode_run_adaptive(&s, &e, &own, out);
  if (!st) st = out->failed;
  out->events = e.executed;
  out->reached = s.t;
  ode_events_free(&e);
  ode_system_free(&s);
  return st;
}
