/* CellML 1.0 and 1.1: Cuellar et al., An overview of CellML 1.1, 2003; the specification of 1.0 at
 * cellml.org. Imports are handled by cellml_files.c, which reads the files, and cellml_instances.c, which
 * creates the imported components.
 *
 * Variables that are joined by connections become one variable of the model, named after the component that
 * provides its value. If another component declares it in other units, expressions there use the converted
 * value. */
#ifdef LOCKSTEP_WITH_XML
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/cellml_instances.h"
#include "model/ode/cellml_units.h"
#include "model/ode/formats.h"
#include "model/ode/mathml.h"

#define NOBODY 0xffffffffu

enum { MOST_IMPORTING = 1000000 }; /* maximum number of variables of a model with imports */

typedef struct part { /* a variable of a component */
  const xmlNode *node;
  u32 component;
  const char *name, *unit_name;
  cellml_unit unit;
  bool in;
  u32 joined;   /* union-find: a part nearer to the representative of its set of joined parts */
  u32 source;   /* for a representative: the part that provides the value of the set */
  u32 variable; /* for a source: the model's variable, or NOBODY (time) */
} part;

typedef struct cellml {
  ls_ode *m;
  cellml_files files;
  cellml_instances all;
  cellml_units units;
  part *parts;
  u32 part_count;
  ls_names part_names; /* "component.variable" */
  u32 time;            /* the part that is the variable of differentiation, or NOBODY */
} cellml;

typedef struct scope {
  cellml *c;
  u32 component;
} scope;

/* Returns the component with number `index`, and makes later messages name its file. */
static const cellml_component *at(cellml *c, u32 index) {
  const cellml_component *a = &c->all.component[index];
  c->m->path = a->file->path;
  return a;
}

/* The component's file, if it is not the loaded one; else NULL. */
static const char *file_of(const cellml *c, u32 index) {
  const cellml_file *f = c->all.component[index].file;
  return f == &c->files.file[0] ? NULL : f->path;
}

static const char *component_of(const cellml *c, const part *p) {
  return c->all.component[p->component].name;
}

/* --- components ------------------------------------------------------------------------------------------
 */

static bool is_in(const cellml *c, const xmlNode *n, const char *which) {
  const char *interface = ls_xml_attribute(c->m->terms, n, which);
  return interface && strcmp(interface, "in") == 0;
}

static ls_status read_part(cellml *c, const xmlNode *n, u32 index, part *p) {
  const cellml_component *a = &c->all.component[index];
  const char *whole;
  char text[512];
  *p = (part){.node = n, .component = index, .joined = c->part_count, .source = NOBODY, .variable = NOBODY};
  ls_status st = cellml_required(c->m, n, "name", &p->name);
  if (!st) st = cellml_required(c->m, n, "units", &p->unit_name);
  if (!st) st = cellml_unit_find(&c->units, a->file, a->node, p->unit_name, ls_xml_line(n), &p->unit);
  if (st) return st;
  p->in = is_in(c, n, "public_interface") || is_in(c, n, "private_interface");
  if (snprintf(text, sizeof text, "%s.%s", a->name, p->name) >= (int)sizeof text)
    return ls_ode_fail(c->m, ls_xml_line(n), "a name of more than %zu bytes", sizeof text - 1);
  if (ls_names_find(&c->part_names, text) != LS_NO_NAME)
    return ls_ode_fail(c->m, ls_xml_line(n), "%s is defined twice", text);
  if (!(whole = ls_terms_text(c->m->terms, text, strlen(text)))) return LS_EMEM;
  return ls_names_put(&c->part_names, whole, c->part_count);
}

static ls_status read_components(cellml *c) {
  size_t parts = 0;
  for (u32 i = 0; i < c->all.component_count; i++)
    for (const xmlNode *v = ls_xml_child(at(c, i)->node, "variable"); v; v = ls_xml_same(v))
      if (++parts > MOST_IMPORTING && c->files.count > 1)
        return ls_ode_fail(c->m, ls_xml_line(v),
                           "the model and its imports have more than %d variables together", MOST_IMPORTING);
  c->parts = ls_calloc(parts, sizeof *c->parts);
  if (!c->parts) return LS_EMEM;
  for (u32 i = 0; i < c->all.component_count; i++) {
    const cellml_component *a = at(c, i);
    if (ls_xml_child(a->node, "reaction"))
      return ls_ode_fail(c->m, ls_xml_line(ls_xml_child(a->node, "reaction")),
                         "reaction elements are not supported: write the rates as equations");
    for (const xmlNode *v = ls_xml_child(a->node, "variable"); v; v = ls_xml_same(v), c->part_count++) {
      ls_status st = read_part(c, v, i, &c->parts[c->part_count]);
      if (st) return st;
    }
  }
  return LS_OK;
}

/* --- connections -----------------------------------------------------------------------------------------
 */

static u32 part_in(const cellml *c, u32 index, const char *name) {
  char text[512];
  if (snprintf(text, sizeof text, "%s.%s", c->all.component[index].name, name) >= (int)sizeof text)
    return NOBODY;
  /* A name with a dot may match another component's variable. */
  const u32 i = ls_names_find(&c->part_names, text);
  return i != LS_NO_NAME && c->parts[i].component == index ? i : NOBODY;
}

static u32 root_of(const cellml *c, u32 i) {
  while (c->parts[i].joined != i) i = c->parts[i].joined = c->parts[c->parts[i].joined].joined;
  return i;
}

static ls_status join(cellml *c, const xmlNode *map, const char *const names[2], const u32 number[2]) {
  u32 p[2];
  for (int i = 0; i < 2; i++) {
    const char *name;
    ls_status st = cellml_required(c->m, map, i ? "variable_2" : "variable_1", &name);
    if (st) return st;
    if ((p[i] = part_in(c, number[i], name)) == NOBODY)
      return ls_ode_fail(c->m, ls_xml_line(map),
                         "a connection joins %s of component %s, which has no such variable", name, names[i]);
  }
  const part *a = &c->parts[p[0]], *b = &c->parts[p[1]];
  if (!cellml_unit_alike(&a->unit, &b->unit))
    return ls_ode_fail(c->m, ls_xml_line(map),
                       "a connection joins %s.%s [%s] and %s.%s [%s], which cannot be converted", names[0],
                       a->name, a->unit_name, names[1], b->name, b->unit_name);
  const u32 x = root_of(c, p[0]), y = root_of(c, p[1]);
  c->parts[x].joined = y;
  return LS_OK;
}

static ls_status read_connections(cellml *c, const cellml_instance *in) {
  c->m->path = in->file->path;
  for (const xmlNode *n = ls_xml_child(in->file->model, "connection"); n; n = ls_xml_same(n)) {
    const xmlNode *who = ls_xml_child(n, "map_components");
    const char *names[2];
    u32 number[2];
    if (!who) return ls_ode_fail(c->m, ls_xml_line(n), "a connection lacks map_components");
    for (int i = 0; i < 2; i++) {
      ls_status st = cellml_required(c->m, who, i ? "component_2" : "component_1", &names[i]);
      if (st) return st;
      if (ls_names_find(&in->file->number, names[i]) == LS_NO_NAME)
        return ls_ode_fail(c->m, ls_xml_line(who), "a connection joins component %s, which does not exist",
                           names[i]);
      number[i] = ls_names_find(&in->component, names[i]);
    }
    if (!cellml_connected(in, names[0], names[1])) continue;
    for (const xmlNode *map = ls_xml_child(n, "map_variables"); map; map = ls_xml_same(map)) {
      ls_status st = join(c, map, names, number);
      if (st) return st;
    }
  }
  return LS_OK;
}

static ls_status find_sources(cellml *c) {
  for (u32 i = 0; i < c->part_count; i++) {
    if (c->parts[i].in) continue;
    part *root = &c->parts[root_of(c, i)];
    const part *p = &c->parts[i];
    if (root->source != NOBODY) {
      const part *other = &c->parts[root->source];
      const char *theirs = at(c, other->component)->file->path, *own = at(c, p->component)->file->path;
      return ls_ode_fail(c->m, ls_xml_line(p->node),
                         "%s.%s and %s.%s (%s%sline %u) are joined, but neither has the interface \"in\": "
                         "give it to one of them",
                         component_of(c, p), p->name, component_of(c, other), other->name,
                         own == theirs ? "" : theirs, own == theirs ? "" : ", ", ls_xml_line(other->node));
    }
    root->source = i;
  }
  for (u32 i = 0; i < c->part_count; i++) {
    const part *p = &c->parts[i];
    if (c->parts[root_of(c, i)].source != NOBODY) continue;
    const bool imported = at(c, p->component)->instance != 0;
    return ls_ode_fail(
        c->m, ls_xml_line(p->node),
        "%s.%s has the interface \"in\", but no connection gives it a value: add a connection%s",
        component_of(c, p), p->name,
        imported ? " to the file that imports the component (an import brings only those between "
                   "a component and what it encapsulates)"
                 : "");
  }
  return LS_OK;
}

static part *source_of(const cellml *c, u32 p) { return &c->parts[c->parts[root_of(c, p)].source]; }

/* --- expressions -----------------------------------------------------------------------------------------
 */

/* Converts x from the unit `from` to the unit `to`. */
static const ls_term *converted(ls_ode *m, const ls_term *x, const cellml_unit *from, const cellml_unit *to) {
  if (cellml_unit_same(from, to)) return x;
  const ls_term *t = ls_term_2(m->terms, LS_TIMES_OP, ls_term_number(m->terms, from->factor / to->factor), x);
  const f64 shift = (from->offset - to->offset) / to->factor;
  return shift == 0 ? t : ls_term_2(m->terms, LS_PLUS_OP, t, ls_term_number(m->terms, shift));
}

static const ls_term *name(void *ctx, const char *text, const xmlNode *n) {
  const scope *s = ctx;
  cellml *c = s->c;
  const u32 p = part_in(c, s->component, text);
  if (p == NOBODY) {
    ls_ode_fail(c->m, ls_xml_line(n),
                "component %s has no variable '%s': add it to the component, and also a connection if "
                "another component computes it",
                c->all.component[s->component].name, text);
    return NULL;
  }
  const part *source = source_of(c, p);
  const bool time = source == &c->parts[c->time == NOBODY ? 0 : c->time] && c->time != NOBODY;
  const ls_term *x =
      ls_term_leaf(c->m->terms, time ? LS_TIME_OP : LS_VARIABLE_OP, time ? 0 : source->variable);
  return converted(c->m, x, &source->unit, &c->parts[p].unit);
}

/* Calls f for every equation of every component. */
static ls_status each_equation(cellml *c,
                               ls_status (*f)(cellml *c, u32 component_index, const ls_equation *e)) {
  for (u32 i = 0; i < c->all.component_count; i++)
    for (const xmlNode *math = ls_xml_child(at(c, i)->node, "math"); math; math = ls_xml_same(math))
      for (const xmlNode *n = ls_xml_first(math); n; n = ls_xml_next(n)) {
        ls_equation e;
        ls_status st = ls_mathml_equation(c->m, n, &e);
        if (!st) st = f(c, i, &e);
        if (st) return st;
      }
  return LS_OK;
}

static ls_status find_time(cellml *c, u32 index, const ls_equation *e) {
  if (!e->rate) return LS_OK;
  const u32 p = part_in(c, index, e->by);
  if (p == NOBODY)
    return ls_ode_fail(c->m, e->line, "component %s has no variable '%s'", c->all.component[index].name,
                       e->by);
  const u32 source = c->parts[root_of(c, p)].source;
  if (c->time != NOBODY && c->time != source)
    return ls_ode_fail(c->m, e->line, "derivatives by %s and by %s: only one variable can be time", e->by,
                       c->parts[c->time].name);
  c->time = source;
  return LS_OK;
}

static ls_status read_equation(cellml *c, u32 index, const ls_equation *e) {
  ls_ode *m = c->m;
  const u32 p = part_in(c, index, e->left);
  if (p == NOBODY)
    return ls_ode_fail(m, e->line, "component %s has no variable '%s'", c->all.component[index].name,
                       e->left);
  const part *source = source_of(c, p), *own = &c->parts[p];
  if (source->variable == NOBODY)
    return ls_ode_fail(m, e->line, "an equation computes %s, which is time", e->left);
  scope s = {c, index};
  const ls_mathml reader = {.m = m, .name = name, .ctx = &s};
  const ls_term *t = ls_mathml_right(&reader, e);
  if (t && e->rate) { /* time has the units of its source; offsets do not affect a rate */
    const part *by = &c->parts[part_in(c, index, e->by)], *time = &c->parts[c->time];
    cellml_unit from = own->unit, to = source->unit;
    from.factor /= by->unit.factor;
    to.factor /= time->unit.factor;
    from.offset = to.offset = 0;
    t = converted(m, t, &from, &to);
  } else if (t) {
    t = converted(m, t, &own->unit, &source->unit);
  }
  if (!t) return ls_ode_at(m, e->line, ls_terms_status(m->terms));
  ls_variable *v = &m->variables[source->variable];
  if (v->equation) {
    const char *first = ls_ode_path(m, source->variable);
    const bool here = strcmp(first, m->path) == 0;
    return ls_ode_fail(m, e->line, "a second equation for %s: the first is in %s%sline %u", v->name,
                       here ? "" : first, here ? "" : ", ", v->line);
  }
  v->equation = t;
  v->role = e->rate ? LS_STATE : LS_ALGEBRAIC;
  v->line = e->line;
  v->file = file_of(c, index);
  return LS_OK;
}

/* --- variables -------------------------------------------------------------------------------------------
 */

static ls_status add_variables(cellml *c) {
  for (u32 i = 0; i < c->part_count; i++) {
    part *p = &c->parts[i];
    if (c->parts[root_of(c, i)].source != i || i == c->time) continue;
    at(c, p->component);
    char text[512];
    snprintf(text, sizeof text, "%s.%s", component_of(c, p), p->name);
    ls_status st = ls_ode_add(c->m, text, NULL, LS_PARAMETER, ls_xml_line(p->node), &p->variable);
    if (st) return st;
    c->m->variables[p->variable].unit = p->unit_name;
    c->m->variables[p->variable].file = file_of(c, p->component);
  }
  if (c->time != NOBODY) c->m->time_unit = c->parts[c->time].unit_name;
  return LS_OK;
}

/* Reads the attribute initial_value of part i, if present: a number or, in CellML 1.1, a variable of the
 * component. It may belong to any part of a set of joined parts, and is stored in the set's variable. */
static ls_status first_value(cellml *c, u32 i) {
  ls_ode *m = c->m;
  part *p = &c->parts[i], *source = source_of(c, i);
  const char *text = ls_xml_attribute(m->terms, p->node, "initial_value");
  if (!text || !*text || source->variable == NOBODY) return LS_OK;
  ls_variable *v = &m->variables[source->variable];
  f64 x;
  const ls_term *t;
  at(c, p->component);
  if (v->role == LS_ALGEBRAIC) return LS_OK; /* its equation determines it */
  if (ls_xml_number(text, &x)) {
    t = ls_term_number(m->terms, x);
    if (t && !cellml_unit_same(&p->unit, &source->unit)) {
      const cellml_unit *a = &p->unit, *b = &source->unit;
      t = ls_term_number(m->terms, x * (a->factor / b->factor) + (a->offset - b->offset) / b->factor);
    }
  } else {
    scope s = {c, p->component};
    if (!(t = name(&s, text, p->node))) return ls_terms_status(m->terms);
    t = converted(m, t, &p->unit, &source->unit);
    if (v->role == LS_PARAMETER) v->role = LS_CONSTANT;
  }
  return (v->initial = t) ? LS_OK : ls_terms_status(m->terms);
}

ls_status ls_cellml_read(ls_ode *m, const xmlDoc *doc) {
  cellml c = {.m = m, .time = NOBODY};
  const char *path = m->path;
  const xmlNode *root = xmlDocGetRootElement(doc);
  m->format = strstr((const char *)root->ns->href, "1.1") ? "CellML 1.1" : "CellML 1.0";
  m->title = ls_xml_attribute(m->terms, root, "name");
  ls_status st = cellml_files_read(&c.files, m, doc);
  if (!st) st = cellml_instances_make(&c.all, &c.files);
  cellml_units_begin(&c.units, &c.files);
  if (!st) st = read_components(&c);
  for (u32 i = 0; i < c.all.count && !st; i++) st = read_connections(&c, &c.all.instance[i]);
  if (!st) st = find_sources(&c);
  if (!st) st = each_equation(&c, find_time);
  if (!st) st = add_variables(&c);
  if (!st) st = each_equation(&c, read_equation);
  for (u32 i = 0; i < c.part_count && !st; i++) st = first_value(&c, i);
  if (!st) m->path = path; /* after a failure m->path stays the file with the error, for the message */
  cellml_instances_end(&c.all);
  cellml_files_end(&c.files);
  ls_free(c.parts);
  ls_names_free(&c.part_names);
  return st;
}
#endif
