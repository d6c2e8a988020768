/* Time series of PHML: a column of a CSV file next to the model. */
#ifdef LOCKSTEP_WITH_XML
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/phml_parts.h"
#include "model/ode/read.h"

typedef struct table {
  char *text;
  u64 count, room;
  f64 *t, *x;
} table;

/* The number of the column with this name in the header line, where a unit in brackets may follow the name.
 * -1: there is none. */
static int column_of(const char *header, const char *name) {
  const size_t n = strlen(name);
  int at = 0;
  for (const char *s = header;; s++, at++) {
    s += strspn(s, " \t\"");
    const size_t length = strcspn(s, ",\r\n");
    if (length >= n && strncmp(s, name, n) == 0 && (length == n || strchr(" \t\"(", s[n]))) return at;
    s += length;
    if (*s != ',') return -1;
  }
}

static ls_status add_row(table *t, f64 time, f64 x) {
  if (t->count == t->room) {
    const u64 room = t->room ? 2 * t->room : 256;
    f64 *times = ls_realloc(t->t, room * sizeof *times);
    if (!times) return LS_EMEM;
    t->t = times;
    f64 *values = ls_realloc(t->x, room * sizeof *values);
    if (!values) return LS_EMEM;
    t->x = values;
    t->room = room;
  }
  t->t[t->count] = time;
  t->x[t->count++] = x;
  return LS_OK;
}

static ls_status read_rows(const char *path, table *t, int column) {
  u32 line = 2;
  for (char *s = t->text + strcspn(t->text, "\n"); *s; line++) {
    s++; /* the newline */
    f64 row[2] = {0, 0};
    const size_t length = strcspn(s, "\n");
    if (strspn(s, " \t\r") >= length) {
      s += length;
      continue;
    }
    char *at = s;
    for (int k = 0; k <= column; k++) {
      char *stop;
      const f64 x = strtod(at, &stop);
      if (stop == at || stop > s + length || (k < column && *(stop += strspn(stop, " \t")) != ','))
        return ls_fail(LS_EINPUT, "%s:%u: expected a number in column %d", path, line, k + 1);
      if (k == 0) row[0] = x;
      if (k == column) row[1] = x;
      at = stop + 1;
    }
    if (t->count && !(row[0] > t->t[t->count - 1]))
      return ls_fail(LS_EINPUT, "%s:%u: time %g does not come after %g", path, line, row[0],
                     t->t[t->count - 1]);
    ls_status st = add_row(t, row[0], row[1]);
    if (st) return st;
    s += length;
  }
  return t->count ? LS_OK : ls_fail(LS_EINPUT, "%s: no rows", path);
}

static ls_status read_table(const char *path, const char *element, table *t) {
  size_t bytes;
  ls_status st = ls_ode_file(path, &t->text, &bytes);
  if (st) return st;
  const int column = column_of(t->text, element);
  if (column < 1) return ls_fail(LS_EINPUT, "%s:1: no column is called '%s'", path, element);
  return read_rows(path, t, column);
}

/* The path of a file in the model's folder or below it. Other paths are refused, because the model may be
 * untrusted. */
static ls_status beside(const phml *p, const xmlNode *n, const char *name, char *out, size_t room) {
  const char *slash = strrchr(p->m->path, '/');
  const int folder = slash ? (int)(slash - p->m->path) + 1 : 0;
  if (!name || !*name || *name == '/' || strstr(name, ".."))
    return ls_ode_fail(p->m, ls_xml_line(n), "a time series must be a file in the model's folder, found '%s'",
                       name ? name : "");
  if (snprintf(out, room, "%.*s%s", folder, p->m->path, name) >= (int)room)
    return ls_ode_fail(p->m, ls_xml_line(n), "a file name of more than %zu bytes", room - 1);
  return LS_OK;
}

ls_status phml_series(phml *p, const xmlNode *module_node, const xmlNode *reference, const ls_term **out) {
  ls_ode *m = p->m;
  const char *id = phml_attribute(p, reference, "timeseries-id");
  const char *element = phml_attribute(p, reference, "element-id");
  const xmlNode *const holders[] = {module_node, p->root};
  const xmlNode *found = NULL;
  for (int i = 0; i < 2 && !found; i++)
    for (const xmlNode *n = ls_xml_child(ls_xml_child(holders[i], "timeseries-set"), "timeseries"); n;
         n = ls_xml_same(n)) {
      const char *own = phml_attribute(p, n, "timeseries-id");
      if (!own || !id || strcmp(own, id) != 0) continue;
      if (found)
        return ls_ode_fail(m, ls_xml_line(n), "an earlier timeseries has the same timeseries-id, %s", id);
      found = n;
    }
  if (!found || !element)
    return ls_ode_fail(m, ls_xml_line(reference),
                       "there is no time series %s, or the reference to it lacks the attribute element-id",
                       id);
  const char *format = phml_attribute(p, found, "format");
  if (!format || strcmp(format, "csv") != 0)
    return ls_ode_fail(m, ls_xml_line(found),
                       "a time series in the format '%s' is not supported: write it as csv",
                       format ? format : "");
  char path[4096], name[600];
  ls_status st = beside(p, found, phml_attribute(p, found, "iref"), path, sizeof path);
  if (st) return st;
  table t = {0};
  u32 index = 0;
  snprintf(name, sizeof name, "%.500s", element);
  st = read_table(path, element, &t);
  if (!st) st = ls_ode_add_series(m, name, t.count, t.t, t.x, &index);
  ls_free(t.text);
  ls_free(t.t);
  ls_free(t.x);
  if (st) return ls_ode_at(m, ls_xml_line(found), st);
  const ls_term *time = ls_term_leaf(m->terms, LS_TIME_OP, 0);
  *out = ls_term_indexed(m->terms, LS_SERIES_OP, index, 1, &time);
  return *out ? LS_OK : LS_EMEM;
}
#endif
