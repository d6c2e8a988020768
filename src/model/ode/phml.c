/* Reads documents in PHML and ISML 1.0 (insilico-model; Asai et al. 2013) into tables, as the simulator Flint
 * does. */
#ifdef LOCKSTEP_WITH_XML
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/formats.h"
#include "model/ode/phml_parts.h"

static u32 count_children(const xmlNode *parent, const char *local) {
  u32 n = 0;
  for (const xmlNode *c = ls_xml_first(parent); c; c = ls_xml_next(c)) n += ls_xml_is(c, local);
  return n;
}

/* *out: an attribute that must be present and not empty. */
static ls_status required(const phml *p, const xmlNode *n, const char *name, const char **out) {
  *out = phml_attribute(p, n, name);
  if (*out && **out) return LS_OK;
  return ls_ode_fail(p->m, ls_xml_line(n), "%s lacks the attribute %s", (const char *)n->name, name);
}

/* Reads an attribute like `required`. Fails if its value is in `ids`, because an earlier element has it; else
 * adds the value to `ids`, with the element's number. */
static ls_status own_id(const phml *p, const xmlNode *n, const char *name, ls_names *ids, u32 number,
                        const char **out) {
  const ls_status st = required(p, n, name, out);
  if (st) return st;
  if (ls_names_find(ids, *out) == LS_NO_NAME) return ls_names_put(ids, *out, number);
  return ls_ode_fail(p->m, ls_xml_line(n), "an earlier %s has the same %s, %s", (const char *)n->name, name,
                     *out);
}

/* --- units -----------------------------------------------------------------------------------------------
 */

static ls_status read_units(phml *p) {
  const xmlNode *set = ls_xml_child(p->root, "unit-set");
  ls_status st = LS_OK;
  if (!(p->units = ls_calloc(count_children(set, "unit"), sizeof *p->units))) return LS_EMEM;
  for (const xmlNode *n = ls_xml_child(set, "unit"); n && !st; n = ls_xml_same(n)) {
    unit *u = &p->units[p->unit_count];
    st = own_id(p, n, "unit-id", &p->unit_ids, p->unit_count++, &u->id);
    u->node = n;
    if (!st && !(u->name = phml_text(p, n, "name"))) st = LS_EMEM;
  }
  return st;
}

/* --- modules ---------------------------------------------------------------------------------------------
 */

static ls_status read_port(phml *p, const xmlNode *n, module *a) {
  port *out = &p->ports[p->port_count++];
  ls_status st = own_id(p, n, "port-id", &a->port_ids, a->ports++, &out->id);
  if (st) return st;
  const char *direction = phml_attribute(p, n, "direction");
  out->out = direction && strcmp(direction, "out") == 0;
  out->quantity = phml_attribute(p, n, "ref-physical-quantity-id");
  if (out->quantity && !*out->quantity) out->quantity = NULL;
  return LS_OK;
}

static ls_status read_quantity(phml *p, const xmlNode *n, module *a) {
  static const char *const skipped[] = {"morphology", "nominal", "func-expression"};
  quantity *out = &p->quantities[p->quantity_count++];
  const u32 number = a->quantities++;
  ls_status st = own_id(p, n, "physical-quantity-id", &a->quantity_ids, number, &out->id);
  if (!st) st = required(p, n, "type", &out->type);
  if (st) return st;
  out->node = n;
  for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
    if (strcmp(out->type, skipped[i]) == 0) out->skipped = true;
  if (!(out->name = phml_text(p, n, "name"))) return LS_EMEM;
  if (!*out->name && !out->skipped)
    return ls_ode_fail(p->m, ls_xml_line(n), "physical-quantity %s has no name", out->id);
  if (ls_names_find(&a->quantity_names, out->name) != LS_NO_NAME) return LS_OK;
  return ls_names_put(&a->quantity_names, out->name, number);
}

static ls_status read_module(phml *p, const xmlNode *n, module *out) {
  ls_status st = required(p, n, "module-id", &out->id);
  if (st) return st;
  const xmlNode *property = ls_xml_child(n, "property");
  out->node = n;
  out->type = phml_attribute(p, n, "type");
  if (!out->type) out->type = "functional-unit";
  if (!(out->name = phml_text(p, property, "name"))) return LS_EMEM;
  const xmlNode *by = ls_xml_child(ls_xml_child(property, "capsulation"), "capsulated-by");
  if (by) out->parent_id = phml_attribute(p, by, "module-id");
  out->parent = out->root = out->copy = NOBODY;
  if (ls_names_find(&p->module_names, out->id) != LS_NO_NAME)
    return ls_ode_fail(p->m, ls_xml_line(n), "two modules have the module-id %s", out->id);
  if ((st = ls_names_put(&p->module_names, out->id, (u32)(out - p->modules)))) return st;

  out->first_port = p->port_count;
  for (const xmlNode *c = ls_xml_child(ls_xml_child(n, "port-set"), "port"); c && !st; c = ls_xml_same(c))
    st = read_port(p, c, out);
  out->first_quantity = p->quantity_count;
  const xmlNode *set = ls_xml_child(n, "physical-quantity-set");
  for (const xmlNode *c = ls_xml_child(set, "physical-quantity"); c && !st; c = ls_xml_same(c))
    st = read_quantity(p, c, out);
  if (!st && ls_xml_child(n, "import"))
    st = ls_ode_fail(p->m, ls_xml_line(ls_xml_child(n, "import")),
                     "module %s imports another model, which is not supported: load that model by itself",
                     out->name);
  return st;
}

static ls_status read_modules(phml *p) {
  const xmlNode *set = ls_xml_child(p->root, "module-set");
  u32 modules = 0, ports = 0, quantities = 0;
  if (!set) return ls_ode_fail(p->m, ls_xml_line(p->root), "there is no module-set: nothing to simulate");
  for (const xmlNode *n = ls_xml_child(set, "module"); n; n = ls_xml_same(n)) {
    modules++;
    ports += count_children(ls_xml_child(n, "port-set"), "port");
    quantities += count_children(ls_xml_child(n, "physical-quantity-set"), "physical-quantity");
  }
  p->modules = ls_calloc(modules, sizeof *p->modules);
  p->ports = ls_calloc(ports, sizeof *p->ports);
  p->quantities = ls_calloc(quantities, sizeof *p->quantities);
  if (!p->modules || !p->ports || !p->quantities) return LS_EMEM;
  for (const xmlNode *n = ls_xml_child(set, "module"); n; n = ls_xml_same(n)) {
    ls_status st = read_module(p, n, &p->modules[p->module_count++]);
    if (st) return st;
  }
  for (u32 i = 0; i < p->module_count; i++) {
    module *a = &p->modules[i];
    if (!a->parent_id || !*a->parent_id) continue;
    if ((a->parent = ls_names_find(&p->module_names, a->parent_id)) == LS_NO_NAME)
      return ls_ode_fail(p->m, ls_xml_line(a->node), "module %s is capsulated by %s, which is not a module",
                         a->name, a->parent_id);
  }
  return LS_OK;
}

/* --- templates and instances -----------------------------------------------------------------------------
 */

static ls_status read_templates(phml *p, ls_names *templates) {
  const xmlNode *set = ls_xml_child(p->root, "template-set");
  for (const xmlNode *n = ls_xml_child(set, "template"); n; n = ls_xml_same(n)) {
    const char *id, *of;
    ls_status st = required(p, n, "template-id", &id);
    if (!st) st = required(p, n, "ref-module-id", &of);
    if (st) return st;
    const u32 of_module = ls_names_find(&p->module_names, of);
    if (of_module == LS_NO_NAME)
      return ls_ode_fail(p->m, ls_xml_line(n), "template %s is made of module %s, which does not exist", id,
                         of);
    if (ls_names_find(templates, id) != LS_NO_NAME)
      return ls_ode_fail(p->m, ls_xml_line(n), "an earlier template has the same template-id, %s", id);
    p->modules[of_module].root = of_module;
    if ((st = ls_names_put(templates, id, of_module))) return st;
  }
  return LS_OK;
}

static ls_status read_instances(phml *p) {
  const xmlNode *set = ls_xml_child(p->root, "instance-set");
  ls_names templates = {0};
  ls_status st = read_templates(p, &templates);
  if (!st && !(p->instances = ls_calloc(count_children(set, "instance"), sizeof *p->instances))) st = LS_EMEM;
  for (const xmlNode *n = ls_xml_child(set, "instance"); n && !st; n = ls_xml_same(n)) {
    const xmlNode *of = ls_xml_child(n, "instance-of");
    const char *id = of ? phml_attribute(p, of, "template-id") : NULL;
    if (!id) continue; /* ISML lists modules here too */
    instance *a = &p->instances[p->instance_count];
    if ((st = required(p, n, "module-id", &a->id))) break;
    a->node = n;
    a->label = phml_attribute(p, n, "label");
    if ((a->root = ls_names_find(&templates, id)) == LS_NO_NAME)
      st =
          ls_ode_fail(p->m, ls_xml_line(n), "instance %s is of template %s, which does not exist", a->id, id);
    else if (ls_names_find(&p->module_names, a->id) != LS_NO_NAME ||
             ls_names_find(&p->instance_names, a->id) != LS_NO_NAME)
      st = ls_ode_fail(p->m, ls_xml_line(n), "another module or instance has the module-id %s", a->id);
    else
      st = ls_names_put(&p->instance_names, a->id, p->instance_count++);
  }
  ls_names_free(&templates);
  return st;
}

/* --- edges -----------------------------------------------------------------------------------------------
 */

/* Fails because an edge names a missing port; the message lists the ports of the module, as far as they fit.
 */
static ls_status no_such_port(const phml *p, const module *a, u32 line, const char *id) {
  enum { NAMED = 8 };
  char ports[256];
  size_t length = 0;
  for (u32 i = 0; i < a->ports && i <= NAMED && length < sizeof ports; i++)
    length += (size_t)snprintf(ports + length, sizeof ports - length, "%s%s", i ? ", " : "",
                               i < NAMED ? p->ports[a->first_port + i].id : "...");
  if (!a->ports)
    return ls_ode_fail(p->m, line,
                       "an edge joins port %s of module %s, which has no ports: add the port to its port-set",
                       id, a->name);
  return ls_ode_fail(p->m, line,
                     "an edge joins port %s of module %s, which has no such port: expected one of %s, or add "
                     "the port to its port-set",
                     id, a->name, ports);
}

static ls_status read_end(const phml *p, const xmlNode *n, u32 line, end *out) {
  if (!n) return ls_ode_fail(p->m, line, "an edge lacks its tail or its head: give it both, or take it out");
  const char *id, *port_id;
  ls_status st = required(p, n, "module-id", &id);
  if (!st) st = required(p, n, "port-id", &port_id);
  if (st) return st;
  u32 at;
  out->instance = NOBODY;
  if ((at = ls_names_find(&p->module_names, id)) != LS_NO_NAME) {
    out->module = at;
  } else if ((at = ls_names_find(&p->instance_names, id)) != LS_NO_NAME) {
    out->instance = at;
    out->module = p->instances[at].root;
  } else if ((at = ls_names_find(&p->alias_names, id)) != LS_NO_NAME) {
    out->instance = p->copies[at].instance;
    out->module = p->copies[at].module;
  } else {
    return ls_ode_fail(p->m, ls_xml_line(n),
                       "an edge joins module %s, which does not exist: add the module, or take the edge out",
                       id);
  }
  out->port = ls_names_find(&p->modules[out->module].port_ids, port_id);
  if (out->port != LS_NO_NAME) return LS_OK;
  return no_such_port(p, &p->modules[out->module], ls_xml_line(n), port_id);
}

static ls_status read_edges(phml *p) {
  const xmlNode *set = ls_xml_child(p->root, "edge-set");
  if (!(p->edges = ls_calloc(count_children(set, "edge"), sizeof *p->edges))) return LS_EMEM;
  for (const xmlNode *n = ls_xml_child(set, "edge"); n; n = ls_xml_same(n)) {
    const char *type = phml_attribute(p, n, "type");
    if (type && (strcmp(type, "structural") == 0 || strcmp(type, "capsular") == 0)) continue;
    edge *e = &p->edges[p->edge_count++];
    e->line = ls_xml_line(n);
    ls_status st = read_end(p, ls_xml_child(n, "tail"), e->line, &e->tail);
    if (!st) st = read_end(p, ls_xml_child(n, "head"), e->line, &e->head);
    if (st) return st;
  }
  return LS_OK;
}

/* --- settings of the run ---------------------------------------------------------------------------------
 */

static ls_status read_settings(phml *p) {
  ls_ode *m = p->m;
  const xmlNode *header = ls_xml_child(p->root, "header");
  const xmlNode *n = ls_xml_child(header, "numerical-configuration");
  const xmlNode *time = ls_xml_child(n, "time-discretization"),
                *span = ls_xml_child(n, "simulation-time-span");
  const xmlNode *algorithm = ls_xml_child(n, "algorithm");
  f64 step_seconds = 1, span_seconds = 1;
  if (!(m->title = phml_text(p, header, "model-name"))) return LS_EMEM;
  m->step = 0.01;
  m->span = 100;
  m->method = "rk4";
  const char *text = phml_text(p, time, "step");
  if (!text) return LS_EMEM;
  if (*text && (!ls_xml_number(text, &m->step) || !(m->step > 0)))
    return ls_ode_fail(m, ls_xml_line(time), "the step must be a positive number, found '%s'", text);
  const char *step_unit = time ? phml_attribute(p, time, "unit-id") : NULL;
  if (step_unit) {
    ls_status st = phml_seconds(p, step_unit, ls_xml_line(time), &step_seconds);
    if (st) return st;
    m->time_unit = phml_unit_name(p, step_unit);
  }
  if (span) {
    if (!(text = ls_xml_content(m->terms, span))) return LS_EMEM;
    if (*text && (!ls_xml_number(text, &m->span) || !(m->span > 0)))
      return ls_ode_fail(m, ls_xml_line(span), "the time span must be a positive number, found '%s'", text);
    const char *span_unit = phml_attribute(p, span, "unit-id");
    span_seconds = step_seconds;
    ls_status st = span_unit ? phml_seconds(p, span_unit, ls_xml_line(span), &span_seconds) : LS_OK;
    if (st) return st;
    if (span_seconds != step_seconds) m->span *= span_seconds / step_seconds;
  }
  const char *method = phml_attribute(p, ls_xml_child(algorithm, "integration"), "name");
  if (method && (strcmp(method, "euler") == 0 || strcmp(method, "euler-maruyama") == 0)) m->method = "euler";
  if (method && strcmp(method, "ark") == 0) m->method = NULL; /* adaptive steps, like the default */
  const char *seed = phml_attribute(p, ls_xml_child(algorithm, "random-generator"), "seed");
  if (seed) m->seed = strtoull(seed, NULL, 10);
  return LS_OK;
}

ls_status ls_phml_read(ls_ode *m, const xmlDoc *doc) {
  phml p = {.m = m, .root = xmlDocGetRootElement(doc)};
  m->format = "PHML";
  m->nearest_samples = true;
  ls_status st = read_units(&p);
  if (!st) st = read_settings(&p);
  if (!st) st = read_modules(&p);
  if (!st) st = read_instances(&p);
  if (!st) st = phml_make_copies(&p);
  if (!st) st = read_edges(&p);
  if (!st) st = phml_join_ports(&p);
  if (!st) st = phml_make_variables(&p);
  for (u32 i = 0; i < p.module_count; i++) {
    ls_names_free(&p.modules[i].port_ids);
    ls_names_free(&p.modules[i].quantity_ids);
    ls_names_free(&p.modules[i].quantity_names);
  }
  ls_free(p.units);
  ls_free(p.modules);
  ls_free(p.ports);
  ls_free(p.quantities);
  ls_free(p.instances);
  ls_free(p.edges);
  ls_free(p.copies);
  ls_free(p.come_off);
  ls_free(p.come);
  ls_free(p.port_copy);
  ls_free(p.variable);
  ls_names_free(&p.unit_ids);
  ls_names_free(&p.module_names);
  ls_names_free(&p.instance_names);
  ls_names_free(&p.alias_names);
  return st;
}
#endif
