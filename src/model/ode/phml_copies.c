/* Creates the simulated modules: those outside of templates, and for every instance a copy of each module of
 * its template. An edge between modules of a template joins their copies in every instance. */
#ifdef LOCKSTEP_WITH_XML
#include <string.h>

#include "core/mem.h"
#include "model/ode/phml_parts.h"

enum { MOST_COPIES = 1 << 24 };

/* --- copies ----------------------------------------------------------------------------------------------
 */

/* Finds the template of every module, and the module's number among the modules of the template, in the order
 * of the file. */
static ls_status find_roots(phml *p, u32 *parts) {
  for (u32 i = 0; i < p->module_count; i++) {
    u32 above = i, steps = 0;
    while (above != NOBODY && p->modules[above].root != above) {
      above = p->modules[above].parent;
      if (++steps > p->module_count)
        return ls_ode_fail(p->m, ls_xml_line(p->modules[i].node),
                           "module %s is capsulated by itself, through other modules", p->modules[i].name);
    }
    if (above == NOBODY) continue;
    p->modules[i].root = above;
    p->modules[i].place = parts[above]++;
  }
  return LS_OK;
}

static void add_copy(phml *p, u32 module_index, u32 instance_index, const char *id, u32 at) {
  const module *a = &p->modules[module_index];
  p->copies[at] = (copy){module_index, instance_index, id, p->copied_ports, p->copied_quantities};
  p->copied_ports += a->ports;
  p->copied_quantities += a->quantities;
}

/* The alias-module-id that the instance gives to its copy of a module; NULL: none. */
static const char *alias_of(const phml *p, const instance *a, const char *module_id) {
  const xmlNode *set = ls_xml_child(a->node, "target-module-set");
  for (const xmlNode *n = ls_xml_child(set, "target-module"); n; n = ls_xml_same(n)) {
    const char *id = phml_attribute(p, n, "module-id");
    if (id && strcmp(id, module_id) == 0) return phml_attribute(p, n, "alias-module-id");
  }
  return NULL;
}

static ls_status copy_instance(phml *p, u32 index) {
  instance *a = &p->instances[index];
  u32 at = a->first_copy;
  for (u32 i = 0; i < p->module_count; i++) {
    if (p->modules[i].root != a->root) continue;
    const char *id = i == a->root ? a->id : alias_of(p, a, p->modules[i].id);
    if (id && i != a->root) {
      if (ls_names_find(&p->module_names, id) != LS_NO_NAME ||
          ls_names_find(&p->instance_names, id) != LS_NO_NAME ||
          ls_names_find(&p->alias_names, id) != LS_NO_NAME)
        return ls_ode_fail(p->m, ls_xml_line(a->node),
                           "instance %s has the alias-module-id %s, which another module or instance has",
                           a->id, id);
      ls_status st = ls_names_put(&p->alias_names, id, at);
      if (st) return st;
    }
    if (!id) {
      const size_t n = strlen(a->id), k = strlen(p->modules[i].id);
      char *both = ls_terms_memory(p->m->terms, n + k + 2);
      if (!both) return LS_EMEM;
      memcpy(both, a->id, n);
      both[n] = '/';
      memcpy(both + n + 1, p->modules[i].id, k);
      id = both;
    }
    add_copy(p, i, index, id, at++);
  }
  return LS_OK;
}

ls_status phml_make_copies(phml *p) {
  u32 *parts = ls_calloc(p->module_count, sizeof *parts);
  ls_status st = parts ? find_roots(p, parts) : LS_EMEM;
  u64 wanted = 0;
  for (u32 i = 0; i < p->module_count && !st; i++)
    if (p->modules[i].root == NOBODY) p->modules[i].copy = (u32)wanted++;
  for (u32 i = 0; i < p->instance_count && !st; i++) {
    p->instances[i].first_copy = (u32)wanted;
    if ((wanted += parts[p->instances[i].root]) > MOST_COPIES)
      st = ls_ode_fail(p->m, ls_xml_line(p->instances[i].node), "the instances have more than 2^24 modules");
  }
  ls_free(parts);
  if (!st && !(p->copies = ls_calloc(wanted, sizeof *p->copies))) st = LS_EMEM;
  for (u32 i = 0; i < p->module_count && !st; i++)
    if (p->modules[i].copy != NOBODY) add_copy(p, i, NOBODY, p->modules[i].id, p->modules[i].copy);
  for (u32 i = 0; i < p->instance_count && !st; i++) st = copy_instance(p, i);
  if (!st) p->copy_count = (u32)wanted;
  return st;
}

const xmlNode *phml_part(const phml *p, const copy *c, const quantity *q, const char *name) {
  const instance *a = c->instance == NOBODY ? NULL : &p->instances[c->instance];
  const xmlNode *set = a ? ls_xml_child(a->node, "target-module-set") : NULL;
  for (const xmlNode *n = ls_xml_child(set, "target-module"); n; n = ls_xml_same(n)) {
    const char *id = phml_attribute(p, n, "module-id");
    if (!id || strcmp(id, p->modules[c->module].id) != 0) continue;
    const xmlNode *quantities = ls_xml_child(n, "target-physical-quantity-set");
    const xmlNode *t = ls_xml_child(quantities ? quantities : n, "target-physical-quantity");
    for (; t; t = ls_xml_same(t)) {
      const char *which = phml_attribute(p, t, "physical-quantity-id");
      const xmlNode *part = which && strcmp(which, q->id) == 0 ? ls_xml_child(t, name) : NULL;
      if (part && ls_xml_child(part, "definition")) return part;
    }
  }
  return ls_xml_child(q->node, name);
}

/* --- edges -----------------------------------------------------------------------------------------------
 */

/* The copied port at an edge's end: in the instance that the end names, else in instance i of its template.
 */
static u32 copied_port(const phml *p, const end *e, u32 i) {
  const module *a = &p->modules[e->module];
  const u32 at = a->root == NOBODY
                     ? a->copy
                     : p->instances[e->instance != NOBODY ? e->instance : i].first_copy + a->place;
  return p->copies[at].first_port + e->port;
}

/* The template of the end's module, if the end names no instance; else NOBODY. */
static u32 template_of(const phml *p, const end *e) {
  return e->instance == NOBODY ? p->modules[e->module].root : NOBODY;
}

/* Calls f for every pair of copied ports that the edge joins. */
static ls_status each_pair(phml *p, const edge *e, void (*f)(phml *p, u32 tail, u32 head)) {
  const u32 t = template_of(p, &e->tail), h = template_of(p, &e->head);
  if (t == NOBODY && h == NOBODY) {
    f(p, copied_port(p, &e->tail, 0), copied_port(p, &e->head, 0));
    return LS_OK;
  }
  if (t != NOBODY && h != NOBODY && t != h)
    return ls_ode_fail(p->m, e->line, "an edge joins two templates: join their instances instead");
  for (u32 i = 0; i < p->instance_count; i++)
    if (p->instances[i].root == (t != NOBODY ? t : h))
      f(p, copied_port(p, &e->tail, i), copied_port(p, &e->head, i));
  return LS_OK;
}

static void count_pair(phml *p, u32 tail, u32 head) {
  (void)tail;
  p->come_off[head + 2]++;
}

static void put_pair(phml *p, u32 tail, u32 head) { p->come[p->come_off[head + 1]++] = tail; }

ls_status phml_join_ports(phml *p) {
  const u32 n = p->copied_ports;
  p->port_copy = ls_malloc(n * sizeof *p->port_copy);
  p->come_off = ls_calloc((size_t)n + 2, sizeof *p->come_off);
  if (!p->port_copy || !p->come_off) return LS_EMEM;
  for (u32 c = 0; c < p->copy_count; c++)
    for (u32 k = 0; k < p->modules[p->copies[c].module].ports; k++)
      p->port_copy[p->copies[c].first_port + k] = c;
  for (u32 i = 0; i < p->edge_count; i++) {
    ls_status st = each_pair(p, &p->edges[i], count_pair);
    if (st) return st;
  }
  for (u32 i = 1; i <= n + 1; i++) p->come_off[i] += p->come_off[i - 1];
  if (!(p->come = ls_malloc(p->come_off[n + 1] * sizeof *p->come))) return LS_EMEM;
  /* Row h begins at come_off[h + 1]; filling advances come_off[h + 1] to the row's end, where row h + 1
   * begins. */
  for (u32 i = 0; i < p->edge_count; i++) each_pair(p, &p->edges[i], put_pair);
  return LS_OK;
}
#endif
