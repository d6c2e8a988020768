#include "ode/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"

const char *ls_role_name(ls_role r) {
  static const char *const names[] = {"parameter", "constant", "state", "algebraic"};
  return names[r];
}

/* --- building --------------------------------------------------------------------------------------------
 */

static const char *copy(ls_ode *m, const char *s) { return ls_terms_text(m->terms, s, strlen(s)); }

ls_status ls_ode_new(const char *path, ls_ode **out) {
  ls_ode *m = ls_calloc(1, sizeof *m);
  *out = NULL;
  if (!m) return LS_EMEM;
  m->refs = 1;
  if (!(m->terms = ls_terms_new()) || !(m->path = copy(m, path))) {
    ls_ode_release(m);
    return LS_EMEM;
  }
  m->format = "model";
  *out = m;
  return LS_OK;
}

ls_ode *ls_ode_retain(ls_ode *m) {
  m->refs++;
  return m;
}

void ls_ode_release(ls_ode *m) {
  if (!m || --m->refs) return;
  ls_terms_free(m->terms);
  ls_names_free(&m->names);
  ls_free(m->variables);
  ls_free(m->events);
  ls_free(m->jumps);
  ls_free(m->series);
  ls_free(m->order);
  ls_free(m->start_order);
  ls_free(m);
}

/* Appends a zeroed item to an array of *count and returns it; NULL: no memory. */
static void *one_more(void **items, u32 *count, u32 *room, size_t size) {
  void *larger = ls_grown(*items, *count, room, 16, size);
  if (!larger) return NULL;
  *items = larger;
  return memset((char *)*items + size * (*count)++, 0, size);
}

u32 ls_ode_find(const ls_ode *m, const char *name) { return ls_names_find(&m->names, name); }

ls_status ls_ode_add(ls_ode *m, const char *name, const char *id, ls_role role, u32 line, u32 *out) {
  const char *const both[] = {name, id};
  for (int i = 0; i < 2; i++) {
    const u32 old = both[i] ? ls_ode_find(m, both[i]) : LS_NO_VARIABLE;
    if (old != LS_NO_VARIABLE)
      return ls_ode_fail(m, line, "%s is defined twice: also in line %u; give one of them another name",
                         both[i], m->variables[old].line);
  }
  ls_variable *v = one_more((void **)&m->variables, &m->count, &m->room, sizeof *v);
  if (!v) return LS_EMEM;
  *out = m->count - 1;
  v->role = role;
  v->line = line;
  v->size = LS_NO_VARIABLE;
  if (!(v->name = copy(m, name)) || (id && !(v->id = copy(m, id)))) return LS_EMEM;
  ls_status st = ls_names_put(&m->names, v->name, *out);
  return st || !id ? st : ls_names_put(&m->names, v->id, *out);
}

ls_status ls_ode_add_event(ls_ode *m, u32 assigns, ls_event **out) {
  ls_event *e = one_more((void **)&m->events, &m->event_count, &m->event_room, sizeof *e);
  if (!e || !(e->assigns = ls_terms_memory(m->terms, assigns * sizeof *e->assigns))) return LS_EMEM;
  e->count = assigns;
  *out = e;
  return LS_OK;
}

ls_status ls_ode_add_jump(ls_ode *m, ls_jump j) {
  ls_jump *place = one_more((void **)&m->jumps, &m->jump_count, &m->jump_room, sizeof *place);
  if (!place) return LS_EMEM;
  *place = j;
  return LS_OK;
}

ls_status ls_ode_add_series(ls_ode *m, const char *name, u64 count, const f64 *t, const f64 *x, u32 *out) {
  ls_series *s = one_more((void **)&m->series, &m->series_count, &m->series_room, sizeof *s);
  f64 *numbers = s ? ls_terms_memory(m->terms, 2 * count * sizeof *numbers) : NULL;
  if (!numbers || !(s->name = copy(m, name))) return LS_EMEM;
  memcpy(numbers, t, count * sizeof *t);
  memcpy(numbers + count, x, count * sizeof *x);
  s->count = count;
  s->t = numbers;
  s->x = numbers + count;
  *out = m->series_count - 1;
  return LS_OK;
}

static ls_status fail_in(const char *path, u32 line, const char *fmt, va_list args) {
  char text[1024];
  vsnprintf(text, sizeof text, fmt, args);
  if (line) return ls_fail(LS_EINPUT, "%s:%u: %s", path, line, text);
  return ls_fail(LS_EINPUT, "%s: %s", path, text);
}

ls_status ls_ode_fail(const ls_ode *m, u32 line, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const ls_status st = fail_in(m->path, line, fmt, args);
  va_end(args);
  return st;
}

const char *ls_ode_path(const ls_ode *m, u32 variable) {
  const char *file = m->variables[variable].file;
  return file ? file : m->path;
}

ls_status ls_ode_fail_at(const ls_ode *m, u32 variable, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const ls_status st = fail_in(ls_ode_path(m, variable), m->variables[variable].line, fmt, args);
  va_end(args);
  return st;
}

/* Does the message begin with a file of the model? */
static bool names_file(const ls_ode *m) {
  if (strncmp(ls_error(), m->path, strlen(m->path)) == 0) return true;
  for (u32 v = 0; v < m->count; v++) {
    const char *file = m->variables[v].file;
    if (file && strncmp(ls_error(), file, strlen(file)) == 0) return true;
  }
  return false;
}

ls_status ls_ode_at(const ls_ode *m, u32 line, ls_status st) {
  if (st != LS_EINPUT || names_file(m)) return st;
  if (line) return ls_fail_prefix(st, "%s:%u: ", m->path, line);
  return ls_fail_prefix(st, "%s: ", m->path);
}

ls_status ls_ode_at_variable(const ls_ode *m, u32 variable, ls_status st) {
  if (variable >= m->count || !m->variables[variable].file)
    return ls_ode_at(m, variable < m->count ? m->variables[variable].line : 0, st);
  if (st != LS_EINPUT || names_file(m)) return st;
  return ls_fail_prefix(st, "%s:%u: ", m->variables[variable].file, m->variables[variable].line);
}

ls_status ls_ode_set(ls_ode *m, u32 v, f64 x) {
  ls_variable *a = &m->variables[v];
  if (a->role == LS_ALGEBRAIC)
    return ls_fail(LS_EARG, "%s is computed by an equation (%s:%u): set what the equation needs", a->name,
                   ls_ode_path(m, v), a->line);
  const ls_term *number = ls_term_number(m->terms, x);
  if (!number) return LS_EMEM;
  if (!a->set) a->set = true, a->given = a->initial, a->given_role = a->role;
  a->initial = number;
  m->changes++;
  if (a->role == LS_CONSTANT) a->role = LS_PARAMETER;
  return LS_OK;
}

void ls_ode_reset(ls_ode *m) {
  m->changes++;
  for (u32 v = 0; v < m->count; v++) {
    ls_variable *a = &m->variables[v];
    if (!a->set) continue;
    a->set = false, a->initial = a->given, a->role = a->given_role;
  }
}
