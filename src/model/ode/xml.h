/* Reads untrusted XML by libxml2: nothing is fetched, no entity is defined or expanded (a document type
 * declaration is refused), and the depth (256) and the size are limited. */
#ifndef LS_MODEL_XML_H
#define LS_MODEL_XML_H

#include <libxml/tree.h>

#include "ode/model.h"

/* LS_EINPUT with path, line and what libxml2 says. The document is the caller's to free by xmlFreeDoc. */
ls_status ls_xml_parse(const char *path, const char *text, size_t bytes, xmlDoc **out);

static inline bool ls_xml_is(const xmlNode *n, const char *local) {
  return n && n->type == XML_ELEMENT_NODE && !xmlStrcmp(n->name, (const xmlChar *)local);
}
u32 ls_xml_line(const xmlNode *n);
xmlNode *ls_xml_first(const xmlNode *parent); /* the first child element; NULL is fine here and below */
xmlNode *ls_xml_next(const xmlNode *n);       /* the next sibling element */
xmlNode *ls_xml_child(const xmlNode *parent, const char *local);
xmlNode *ls_xml_same(const xmlNode *n); /* the next sibling element of the same name */

/* The value of the attribute whose local name is `name`, in any namespace, without surrounding white space.
 * The text is allocated in `a`. NULL: no such attribute, or no memory; ls_terms_status tells which. */
const char *ls_xml_attribute(ls_terms *a, const xmlNode *n, const char *name);
/* The text in an element, without surrounding white space; "" if there is none. NULL: no memory. */
const char *ls_xml_content(ls_terms *a, const xmlNode *n);
/* Parses the whole text as a number. False: it is not one. */
bool ls_xml_number(const char *text, f64 *out);

#endif
