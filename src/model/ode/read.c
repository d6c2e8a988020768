#include <string.h>

#include "core/mem.h"
#include "model/file_text.h"
#include "model/ode/formats.h"
#include "model/ode/read.h"

ls_status ls_ode_file(const char *path, char **text, size_t *bytes) {
  return ls_model_file_text(path, 256 << 20, text, bytes);
}

/* The text after the byte order mark that some editors write. */
static const char *after_mark(const char *text) {
  static const char mark[] = "\xef\xbb\xbf";
  return strncmp(text, mark, 3) == 0 ? text + 3 : text;
}

#ifdef LOCKSTEP_WITH_XML
#include "model/ode/xml.h"

static ls_status read_sbml(ls_ode *m, const char *text) {
#ifdef LOCKSTEP_WITH_SBML
  return ls_sbml_read(m, after_mark(text)); /* libSBML does not accept the mark */
#else
  (void)text;
  return ls_ode_fail(m, 0, "this build reads no SBML: install libsbml5-dev and build again");
#endif
}

enum { MOST_OPERANDS = 100000 };

/* Returns an operation with more than MOST_OPERANDS operands or pieces, or NULL. libSBML nests a sum of n
 * operands n deep and frees it by recursion; for each piece of a piecewise expression it searches the list of
 * all pieces. */
static const xmlNode *too_many_operands(const xmlNode *n) {
  u32 count = 0;
  for (const xmlNode *in = ls_xml_first(n); in; in = ls_xml_next(in)) {
    if (++count > MOST_OPERANDS && (ls_xml_is(n, "apply") || ls_xml_is(n, "piecewise"))) return n;
    const xmlNode *found = too_many_operands(in);
    if (found) return found;
  }
  return NULL;
}

static ls_status read_xml(ls_ode *m, const char *text, size_t bytes) {
  xmlDoc *doc;
  ls_status st = ls_xml_parse(m->path, text, bytes, &doc);
  if (st) return st;
  const xmlNode *root = xmlDocGetRootElement(doc);
  if (ls_xml_is(root, "insilico-model")) {
    st = ls_phml_read(m, doc);
  } else if (ls_xml_is(root, "sbml")) {
    const xmlNode *large = too_many_operands(root);
    if (large)
      st = ls_ode_fail(m, ls_xml_line(large),
                       "an operation on more than %d operands or pieces: define parameters for its parts",
                       MOST_OPERANDS);
    xmlFreeDoc(doc); /* parsed only to check it: libSBML does not refuse all that ls_xml_parse refuses */
    return st ? st : read_sbml(m, text);
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

#else
static ls_status read_xml(ls_ode *m, const char *text, size_t bytes) {
  (void)text, (void)bytes;
  return ls_ode_fail(m, 0, "this build reads no PHML, CellML or SBML: install libxml2-dev and build again");
}
#endif

static ls_status read_plain(ls_ode *m, const char *text, size_t bytes) {
  const char *zero = memchr(text, 0, bytes);
  u32 line = 1;
  if (!zero) return ls_plain_read(m, after_mark(text));
  for (const char *p = text; p < zero; p++) line += *p == '\n';
  return ls_ode_fail(m, line, "expected a model's text, found a zero byte");
}

static ls_status read_model(const char *name, const char *text, size_t bytes, bool loops, bool from_file,
                            ls_ode **out) {
  ls_ode *m;
  *out = NULL;
  ls_status st = ls_ode_new(name, &m);
  if (st) return st;
  m->from_file = from_file;
  const size_t blank = strspn(text, " \t\r\n\xef\xbb\xbf"); /* a byte order mark too */
  st = text[blank] == '<' ? read_xml(m, text, bytes) : read_plain(m, text, bytes);
  if (!st) st = ls_ode_complete(m);
  if (!st && !loops) st = ls_ode_arrange(m);
  if (st) {
    ls_ode_at(m, 0, st);
    ls_ode_release(m);
    return st;
  }
  *out = m;
  return LS_OK;
}

ls_status ls_ode_read_text(const char *name, const char *text, size_t bytes, bool loops, ls_ode **out) {
  return read_model(name, text, bytes, loops, false, out);
}

ls_status ls_ode_read(const char *path, bool loops, ls_ode **out) {
  char *text;
  size_t bytes;
  *out = NULL;
  ls_status st = ls_ode_file(path, &text, &bytes);
  if (st) return st;
  st = read_model(path, text, bytes, loops, strcmp(path, "-") != 0, out);
  ls_free(text);
  return st;
}
