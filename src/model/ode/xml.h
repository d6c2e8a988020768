/* Reading XML by libxml2, from people one does not know: nothing is fetched, no entity is defined or expanded
 * (a document type declaration is refused), and the depth (256) and the size are limited. */
#ifndef LS_MODEL_XML_H
#define LS_MODEL_XML_H

#include <libxml/tree.h>

#include "model/ode/ode.h"

/* LS_EINPUT with path, line and what libxml2 says. The document is the caller's to free by xmlFreeDoc. */
ls_status ls_xml_parse(const char *path, const char *text, size_t bytes, xmlDoc **out);

static inline bool ls_xml_is(const xmlNode *n, const char *local) {
  return n && n->type == XML_ELEMENT_NODE && !xmlStrcmp(n->name, (const xmlChar *)local);
}
u32 ls_xml_line(const xmlNode *n);
xmlNode *ls_xml_first(const xmlNode *parent); /* the first element in it; NULL is fine here and below */
xmlNode *ls_xml_next(const xmlNode *n);       /* the next element beside it */
xmlNode *ls_xml_child(const xmlNode *parent, const char *local);
xmlNode *ls_xml_same(const xmlNode *n); /* the next beside it of the same name */

/* An attribute's value by its local name, whatever its namespace, without white space around it; NULL where
 * there is none. In the arena; NULL with LS_EMEM's message is told apart by ls_xml_has only where it matters.
 */
const char *ls_xml_attribute(ls_terms *a, const xmlNode *n, const char *name);
/* The text in an element, without white space around it; "" where there is none. NULL: no memory. */
const char *ls_xml_content(ls_terms *a, const xmlNode *n);
/* The whole text as a number. False: it is none. */
bool ls_xml_number(const char *text, f64 *out);

#endif
