#ifdef LOCKSTEP_WITH_XML
#include "model/ode/cellml_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/cellml_paths.h"
#include "model/ode/read.h"

ls_status cellml_required(ls_ode *m, const xmlNode *n, const char *name, const char **out) {
  *out = ls_xml_attribute(m->terms, n, name);
  if (*out && **out) return LS_OK;
  if (ls_terms_status(m->terms) == LS_EMEM) return LS_EMEM;
  return ls_ode_fail(m, ls_xml_line(n), "%s lacks the attribute %s", (const char *)n->name, name);
}

/* --- the components of a file ----------------------------------------------------------------------------
 */

static ls_status add_component(ls_ode *m, cellml_file *f, const xmlNode *n) {
  const char *name;
  ls_status st = cellml_required(m, n, "name", &name);
  if (st) return st;
  if (ls_names_find(&f->number, name) != LS_NO_NAME)
    return ls_ode_fail(m, ls_xml_line(n), "two components are called %s", name);
  f->name[f->component_count] = name;
  return ls_names_put(&f->number, name, f->component_count++);
}

static ls_status find_components(ls_ode *m, cellml_file *f) {
  u32 count = 0;
  for (const xmlNode *n = ls_xml_child(f->model, "component"); n; n = ls_xml_same(n)) count++;
  for (u32 i = 0; i < f->import_count; i++)
    for (const xmlNode *n = ls_xml_child(f->imports[i].node, "component"); n; n = ls_xml_same(n)) count++;
  if (!(f->name = ls_terms_memory(m->terms, count * sizeof *f->name))) return LS_EMEM;
  ls_status st = LS_OK;
  for (const xmlNode *n = ls_xml_child(f->model, "component"); n && !st; n = ls_xml_same(n))
    st = add_component(m, f, n);
  for (u32 i = 0; i < f->import_count; i++)
    for (const xmlNode *n = ls_xml_child(f->imports[i].node, "component"); n && !st; n = ls_xml_same(n))
      st = add_component(m, f, n);
  return st;
}

/* Sets the parents of the components inside `in`, which is the component_ref of component `parent`, or a
 * group, for which `parent` is LS_NO_NAME. */
static ls_status encapsulate(ls_ode *m, cellml_file *f, const xmlNode *in, u32 parent) {
  for (const xmlNode *n = ls_xml_child(in, "component_ref"); n; n = ls_xml_same(n)) {
    const char *name;
    ls_status st = cellml_required(m, n, "component", &name);
    if (st) return st;
    const u32 i = ls_names_find(&f->number, name);
    if (i == LS_NO_NAME)
      return ls_ode_fail(m, ls_xml_line(n), "the group refers to component %s, which does not exist", name);
    if (parent != LS_NO_NAME && f->parent[i] != LS_NO_NAME && f->parent[i] != parent)
      return ls_ode_fail(
          m, ls_xml_line(n),
          "component %s is encapsulated by %s and by %s: only one component can encapsulate it", name,
          f->name[f->parent[i]], f->name[parent]);
    if (parent != LS_NO_NAME) f->parent[i] = parent;
    if ((st = encapsulate(m, f, n, i))) return st;
  }
  return LS_OK;
}

static ls_status find_encapsulation(ls_ode *m, cellml_file *f) {
  if (!(f->parent = ls_terms_memory(m->terms, f->component_count * sizeof *f->parent))) return LS_EMEM;
  for (u32 i = 0; i < f->component_count; i++) f->parent[i] = LS_NO_NAME;
  for (const xmlNode *n = ls_xml_child(f->model, "group"); n; n = ls_xml_same(n))
    for (const xmlNode *r = ls_xml_child(n, "relationship_ref"); r; r = ls_xml_same(r)) {
      const char *relationship = ls_xml_attribute(m->terms, r, "relationship");
      if (!relationship || strcmp(relationship, "encapsulation") != 0) continue;
      ls_status st = encapsulate(m, f, n, LS_NO_NAME);
      if (st) return st;
    }
  return LS_OK;
}

/* --- what one file imports of another --------------------------------------------------------------------
 */

/* The names of all units that a file defines or imports; NULL: no memory. */
static const char **units_of(ls_ode *m, const cellml_file *f, size_t *count) {
  size_t room = 1;
  *count = 0;
  for (const xmlNode *n = ls_xml_child(f->model, "units"); n; n = ls_xml_same(n)) room++;
  for (u32 i = 0; i < f->import_count; i++)
    for (const xmlNode *n = ls_xml_child(f->imports[i].node, "units"); n; n = ls_xml_same(n)) room++;
  const char **names = ls_terms_memory(m->terms, room * sizeof *names);
  if (!names) return NULL;
  for (u32 i = 0; i <= f->import_count; i++) {
    const xmlNode *in = i < f->import_count ? f->imports[i].node : f->model;
    for (const xmlNode *n = ls_xml_child(in, "units"); n; n = ls_xml_same(n)) {
      const char *name = ls_xml_attribute(m->terms, n, "name");
      if (name) names[(*count)++] = name;
    }
  }
  return names;
}

static ls_status check_components(ls_ode *m, const xmlNode *import, const cellml_file *target) {
  ls_names taken = {0};
  ls_status st = LS_OK;
  for (const xmlNode *n = ls_xml_child(import, "component"); n && !st; n = ls_xml_same(n)) {
    const char *reference;
    char there[800];
    if ((st = cellml_required(m, n, "component_ref", &reference))) break;
    if (ls_names_find(&target->number, reference) == LS_NO_NAME) {
      cellml_there(reference, target->name, target->component_count, there, sizeof there);
      st = ls_ode_fail(m, ls_xml_line(n), "%s has no component %s%s", target->path, reference, there);
    } else if (ls_names_find(&taken, reference) != LS_NO_NAME) {
      st = ls_ode_fail(m, ls_xml_line(n),
                       "one import refers to component %s twice: write two import elements for two instances",
                       reference);
    } else {
      st = ls_names_put(&taken, reference, 0);
    }
  }
  ls_names_free(&taken);
  return st;
}

static ls_status check_units(ls_ode *m, const xmlNode *import, const cellml_file *target) {
  size_t count;
  if (!ls_xml_child(import, "units")) return LS_OK;
  const char **names = units_of(m, target, &count);
  if (!names) return LS_EMEM;
  for (const xmlNode *n = ls_xml_child(import, "units"); n; n = ls_xml_same(n)) {
    const char *name, *reference;
    char there[800];
    size_t i = 0;
    ls_status st = cellml_required(m, n, "name", &name);
    if (!st) st = cellml_required(m, n, "units_ref", &reference);
    if (st) return st;
    while (i < count && strcmp(names[i], reference) != 0) i++;
    if (i < count) continue;
    cellml_there(reference, names, count, there, sizeof there);
    return ls_ode_fail(m, ls_xml_line(n), "%s defines no units %s%s", target->path, reference, there);
  }
  return LS_OK;
}

/* --- reading ---------------------------------------------------------------------------------------------
 */

static ls_status check_version(ls_ode *m, const xmlNode *root) {
  const char *space = root->ns ? (const char *)root->ns->href : "";
  if (!ls_xml_is(root, "model") || !strstr(space, "cellml"))
    return ls_ode_fail(m, ls_xml_line(root), "expected a model in CellML, found the root element '%s'",
                       (const char *)root->name);
  if (strstr(space, "cellml/2"))
    return ls_ode_fail(m, ls_xml_line(root), "CellML 2.0 is not supported: 1.0 and 1.1 are");
  const xmlNode *import = ls_xml_child(root, "import");
  if (import && !strstr(space, "1.1"))
    return ls_ode_fail(
        m, ls_xml_line(import),
        "the model imports another file, which CellML 1.0 does not support: change its namespace "
        "to http://www.cellml.org/cellml/1.1#");
  return LS_OK;
}

static ls_status cycle(const cellml_files *files, u32 line, u32 from, u32 to) {
  char text[800] = "";
  u32 way[CELLML_DEEPEST_FILES], length = 0;
  size_t used = 0;
  for (u32 i = from; i != to; i = files->file[i].importer) way[length++] = i;
  while (length && used < sizeof text)
    used += (size_t)snprintf(text + used, sizeof text - used, "%.60s imports ",
                             files->file[way[--length]].relative);
  return ls_ode_fail(files->m, line, "the files import each other in a cycle: %.60s imports %s%.60s",
                     files->file[to].relative, text, files->file[to].relative);
}

static ls_status open_file(cellml_files *files, u32 line, const char *relative, char *real, u32 *out) {
  ls_ode *m = files->m;
  const char *top = files->file[0].path, *slash = strrchr(top, '/');
  const int folder = slash ? (int)(slash - top) + 1 : 0;
  const size_t bytes = (size_t)folder + strlen(relative) + 1;
  char *text, *path;
  if (files->count == CELLML_MOST_FILES) {
    free(real);
    return ls_ode_fail(m, line, "the model has more than %d files", CELLML_MOST_FILES);
  }
  cellml_file *f = &files->file[ *out = files->count++];
  f->real = real; /* from here on freed by cellml_files_end */
  path = ls_terms_memory(m->terms, bytes);
  if (!path) return LS_EMEM;
  snprintf(path, bytes, "%.*s%s", folder, top, relative);
  f->path = path;
  f->relative = path + folder;
  ls_status st = ls_ode_file(path, &text, &f->bytes);
  if (st) return st;
  m->path = path;
  st = ls_xml_parse(path, text, f->bytes, &f->doc);
  ls_free(text);
  if (!st) f->model = xmlDocGetRootElement(f->doc);
  return st ? st : check_version(m, f->model);
}

static ls_status read_imports(cellml_files *files, u32 index, u32 depth);

static ls_status read_import(cellml_files *files, u32 index, cellml_import *import, u32 depth) {
  ls_ode *m = files->m;
  cellml_file *f = &files->file[index];
  const u32 line = ls_xml_line(import->node);
  const cellml_top top = {m, files->file[0].path, files->folder};
  const char *href;
  char relative[CELLML_PATH_BYTES], *real;
  ls_status st = cellml_required(m, import->node, "href", &href);
  if (!st) st = cellml_path(&top, f->relative, line, href, relative, &real);
  if (st) return st;
  u32 to = 0;
  while (to < files->count && strcmp(files->file[to].real, real) != 0) to++;
  const bool fresh = to == files->count,
             deep = depth + (fresh ? 1 : files->file[to].height) > CELLML_DEEPEST_FILES;
  if (!fresh || deep) free(real);
  if (!fresh && files->file[to].reading) return cycle(files, line, index, to);
  if (deep) return ls_ode_fail(m, line, "the chain of imports has more than %d files", CELLML_DEEPEST_FILES);
  if (fresh) {
    st = open_file(files, line, relative, real, &to);
    if (st) return st;
    files->file[to].importer = index;
    st = read_imports(files, to, depth + 1);
    if (!st) st = find_encapsulation(m, &files->file[to]);
    if (st) return st;
  }
  import->file = to;
  if (files->file[to].height + 1 > f->height) f->height = files->file[to].height + 1;
  m->path = f->path;
  st = check_components(m, import->node, &files->file[to]);
  return st ? st : check_units(m, import->node, &files->file[to]);
}

static ls_status read_imports(cellml_files *files, u32 index, u32 depth) {
  ls_ode *m = files->m;
  cellml_file *f = &files->file[index];
  f->reading = true;
  f->height = 1;
  for (const xmlNode *n = ls_xml_child(f->model, "import"); n; n = ls_xml_same(n)) f->import_count++;
  if (!(f->imports = ls_terms_memory(m->terms, f->import_count * sizeof *f->imports))) return LS_EMEM;
  u32 i = 0;
  ls_status st = LS_OK;
  for (const xmlNode *n = ls_xml_child(f->model, "import"); n; n = ls_xml_same(n))
    f->imports[i++] = (cellml_import){.node = n};
  for (i = 0; i < f->import_count && !st; i++) st = read_import(files, index, &f->imports[i], depth);
  if (st) return st;
  f->reading = false;
  return find_components(m, f);
}

ls_status cellml_files_read(cellml_files *files, ls_ode *m, const xmlDoc *doc) {
  *files = (cellml_files){.m = m};
  if (!(files->file = ls_calloc(CELLML_MOST_FILES, sizeof *files->file))) return LS_EMEM;
  files->count = 1;
  cellml_file *f = files->file;
  const char *slash = strrchr(m->path, '/');
  f->path = m->path;
  f->relative = slash ? slash + 1 : m->path;
  f->model = xmlDocGetRootElement(doc);
  f->importer = LS_NO_NAME;
  if (m->from_file) {
    const char *folder = slash ? ls_terms_text(m->terms, m->path, (size_t)(slash - m->path) + 1) : ".";
    if (!folder) return LS_EMEM;
    f->real = realpath(m->path, NULL); /* if the model is a link, the folder is that of the link */
    if (f->real) files->folder = realpath(folder, NULL);
  }
  ls_status st = check_version(m, f->model);
  return st ? st : read_imports(files, 0, 1);
}

void cellml_files_end(cellml_files *files) {
  for (u32 i = 0; i < files->count; i++) {
    free(files->file[i].real);
    if (files->file[i].doc) xmlFreeDoc(files->file[i].doc);
    ls_names_free(&files->file[i].number);
  }
  free(files->folder);
  ls_free(files->file);
}
#endif
