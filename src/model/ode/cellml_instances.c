#ifdef LOCKSTEP_WITH_XML
#include "model/ode/cellml_instances.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"

enum { LONGEST_NAME = 512, DEEPEST = 256, LEAST_BYTES = 4096 };

/* The outermost imported component that is i or encapsulates it; LS_NO_NAME: i is not imported. */
static u32 top_of(const cellml_instance *a, u32 i) {
  u32 top = LS_NO_NAME;
  for (int depth = 0; i != LS_NO_NAME && depth <= DEEPEST; depth++, i = a->file->parent[i])
    if (a->given[i]) top = i;
  return top;
}

/* The name of component i in the whole model; NULL: it is not imported. */
static ls_status full_name(const cellml_instances *a, u32 instance, u32 i, u32 line, int depth,
                           const char **out) {
  const cellml_instance *in = &a->instance[instance];
  ls_ode *m = a->files->m;
  char text[LONGEST_NAME];
  *out = in->given ? in->given[i] : in->file->name[i];
  if (*out || in->file->parent[i] == LS_NO_NAME) return LS_OK;
  if (depth == DEEPEST)
    return ls_ode_fail(m, line,
                       "component %s belongs to an encapsulation of more than %d levels, or to a cycle",
                       in->file->name[i], DEEPEST);
  ls_status st = full_name(a, instance, in->file->parent[i], line, depth + 1, out);
  if (st || !*out) return st;
  const int length = snprintf(text, sizeof text, "%s.%s", *out, in->file->name[i]);
  if (length >= (int)sizeof text)
    return ls_ode_fail(m, line, "a name of more than %zu bytes", sizeof text - 1);
  return (*out = ls_terms_text(m->terms, text, (size_t)length)) ? LS_OK : LS_EMEM;
}

static ls_status add_instance(cellml_instances *a, const cellml_file *f) {
  cellml_instance *larger = ls_grown(a->instance, a->count, &a->room, 16, sizeof *larger);
  if (!larger) return LS_EMEM;
  a->instance = larger;
  a->instance[a->count++] = (cellml_instance){.file = f};
  return LS_OK;
}

static ls_status add_component(cellml_instances *a, cellml_component c, const char *local) {
  cellml_component *larger =
      ls_grown(a->component, a->component_count, &a->component_room, 16, sizeof *larger);
  if (!larger) return LS_EMEM;
  a->component = larger;
  a->component[a->component_count] = c;
  return ls_names_put(&a->instance[c.instance].component, local, a->component_count++);
}

static ls_status fill(cellml_instances *a, u32 instance);

/* Creates the instance for an import element of instance `outer`. Of the components that the element names,
 * the new instance gets only those that `outer` has. */
static ls_status make(cellml_instances *a, u32 outer, const cellml_import *import) {
  ls_ode *m = a->files->m;
  const cellml_file *from = a->instance[outer].file, *f = &a->files->file[import->file];
  const u32 inner = a->count;
  u32 wanted = 0;
  if (!ls_xml_child(import->node, "component")) return LS_OK; /* only units */
  a->bytes += f->bytes < LEAST_BYTES ? LEAST_BYTES : f->bytes;
  if (a->bytes > CELLML_MOST_INSTANCE_BYTES)
    return ls_ode_fail(
        m, ls_xml_line(import->node),
        "the imported files, counted per instance and as at least 4 KiB each, have more than %zu MiB together",
        CELLML_MOST_INSTANCE_BYTES >> 20);
  ls_status st = add_instance(a, f);
  const char **given = st ? NULL : ls_calloc(f->component_count, sizeof *given);
  if (!given) return LS_EMEM;
  a->instance[inner].given = given;
  for (const xmlNode *n = ls_xml_child(import->node, "component"); n; n = ls_xml_same(n)) {
    const char *name, *reference;
    st = cellml_required(m, n, "name", &name);
    if (!st) st = cellml_required(m, n, "component_ref", &reference);
    if (st) return st;
    const u32 i = ls_names_find(&f->number, reference);
    st = full_name(a, outer, ls_names_find(&from->number, name), ls_xml_line(n), 0, &given[i]);
    if (st) return st;
    wanted += given[i] != NULL;
  }
  if (wanted && (st = fill(a, inner))) return st;
  m->path = from->path;
  for (const xmlNode *n = ls_xml_child(import->node, "component"); n && wanted; n = ls_xml_same(n)) {
    const char *name = ls_xml_attribute(m->terms, n, "name");
    const char *reference = ls_xml_attribute(m->terms, n, "component_ref");
    if (!name || !reference) return LS_EMEM;
    const u32 number = ls_names_find(&a->instance[inner].component, reference);
    if (number == LS_NO_NAME) continue; /* the outer instance does not have it */
    if ((st = ls_names_put(&a->instance[outer].component, name, number))) return st;
  }
  return LS_OK;
}

/* Adds the components of an instance, in the order of its file. */
static ls_status fill(cellml_instances *a, u32 instance) {
  ls_ode *m = a->files->m;
  const cellml_file *f = a->instance[instance].file;
  u32 imports = 0;
  m->path = f->path;
  for (const xmlNode *n = ls_xml_first(f->model); n; n = ls_xml_next(n)) {
    ls_status st = LS_OK;
    if (ls_xml_is(n, "import")) {
      st = make(a, instance, &f->imports[imports++]);
    } else if (ls_xml_is(n, "component")) {
      cellml_component c = {.node = n, .file = f, .instance = instance};
      const char *local;
      st = cellml_required(m, n, "name", &local);
      if (!st) st = full_name(a, instance, ls_names_find(&f->number, local), ls_xml_line(n), 0, &c.name);
      if (!st && c.name) st = add_component(a, c, local);
    }
    if (st) return st;
  }
  return LS_OK;
}

ls_status cellml_instances_make(cellml_instances *a, const cellml_files *files) {
  *a = (cellml_instances){.files = files};
  ls_status st = add_instance(a, &files->file[0]);
  return st ? st : fill(a, 0);
}

void cellml_instances_end(cellml_instances *a) {
  for (u32 i = 0; i < a->count; i++) {
    ls_free(a->instance[i].given);
    ls_names_free(&a->instance[i].component);
  }
  ls_free(a->instance);
  ls_free(a->component);
}

bool cellml_connected(const cellml_instance *a, const char *one, const char *two) {
  if (!a->given) return true;
  const u32 x = ls_names_find(&a->file->number, one), y = ls_names_find(&a->file->number, two);
  if (x == LS_NO_NAME || y == LS_NO_NAME) return false;
  const u32 top = top_of(a, x);
  return top != LS_NO_NAME && top == top_of(a, y);
}
#endif
