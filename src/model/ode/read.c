#include <string.h>

#include "core/mem.h"
#include "model/ode/formats.h"

#ifdef LOCKSTEP_WITH_XML
#include "model/ode/xml.h"

static ls_status read_sbml(ls_ode *m, const char *text) {
#ifdef LOCKSTEP_WITH_SBML
  return ls_sbml_read(m, text);
#else
  (void)text;
  return ls_ode_fail(m, 0, "this build reads no SBML: install libsbml5-dev and build again");
#endif
}

static ls_status read_any(ls_ode *m, const char *text, size_t bytes) {
  xmlDoc *doc;
  ls_status st = ls_xml_parse(m->path, text, bytes, &doc);
  if (st) return st;
  const xmlNode *root = xmlDocGetRootElement(doc);
  if (ls_xml_is(root, "insilico-model")) {
    st = ls_phml_read(m, doc);
  } else if (ls_xml_is(root, "sbml")) {
    xmlFreeDoc(doc); /* it was looked at because libSBML does not refuse what ls_xml_parse does */
    return read_sbml(m, text);
  } else if (ls_xml_is(root, "model") && root->ns && strstr((const char *)root->ns->href, "cellml")) {
    st = ls_cellml_read(m, doc);
  } else {
    st = ls_ode_fail(m, ls_xml_line(root),
                     "expected a model in PHML (insilico-model), CellML (model) or SBML (sbml), "
                     "found the root element '%s'",
                     (const char *)root->name);
  }
  xmlFreeDoc(doc);
  return st;
}

ls_status ls_ode_read(const char *path, bool loops, ls_ode **out) {
  ls_ode *m = NULL;
  char *text = NULL;
  size_t bytes;
  *out = NULL;
  ls_status st = ls_xml_text(path, &text, &bytes);
  if (!st) st = ls_ode_new(path, &m);
  if (!st) st = read_any(m, text, bytes);
  ls_free(text);
  if (!st) st = ls_ode_complete(m);
  if (!st && !loops) st = ls_ode_arrange(m);
  if (st) {
    if (m) ls_ode_at(m, 0, st);
    ls_ode_release(m);
    return st;
  }
  *out = m;
  return LS_OK;
}
#else
ls_status ls_ode_read(const char *path, bool loops, ls_ode **out) {
  (void)loops;
  *out = NULL;
  return ls_fail(LS_EINPUT, "%s: this build reads no models: install libxml2-dev and build again", path);
}
#endif
