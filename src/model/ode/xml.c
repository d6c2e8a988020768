#ifdef LOCKSTEP_WITH_XML
#include "model/ode/xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>

static void refuse(void *ctx, const xmlChar *name, const xmlChar *id, const xmlChar *system) {
  xmlParserCtxt *parser = ctx;
  (void)name, (void)id, (void)system;
  *(u32 *)parser->_private = (u32)xmlSAX2GetLineNumber(parser);
  xmlStopParser(parser);
}

enum { MOST_ATTRIBUTES = 10000 };

/* libxml2 compares every attribute of an element with all others: 100000 of them take minutes. The line of an
 * element with more than MOST_ATTRIBUTES; 0: none has as many. */
static u32 too_many_attributes(const char *text, size_t bytes) {
  static const char *const passed[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
  const char *end = text + bytes;
  u32 line = 1, count = 0;
  char quote = 0;
  bool inside = false; /* of an element's tag */
  for (const char *p = text; p < end; p++) {
    line += *p == '\n';
    for (size_t i = 0; i < sizeof passed / sizeof *passed && *p == '<' && !quote; i++) {
      const size_t n = strlen(passed[i][0]);
      if ((size_t)(end - p) < n || memcmp(p, passed[i][0], n) != 0) continue;
      const char *to = memmem(p, (size_t)(end - p), passed[i][1], strlen(passed[i][1]));
      for (to = to ? to : end - 1; p < to; p++) line += p[1] == '\n';
      break;
    }
    if (quote) {
      if (*p == quote) quote = 0;
    } else if (*p == '<') {
      inside = true;
      count = 0;
    } else if (*p == '>') {
      inside = false;
    } else if (inside && (*p == '"' || *p == '\'')) {
      quote = *p;
    } else if (inside && *p == '=' && ++count > MOST_ATTRIBUTES) {
      return line;
    }
  }
  return 0;
}

/* Some errors of libxml2 would be printed, whatever the options say. */
static void print_nothing(void *ctx, const char *format, ...) { (void)ctx, (void)format; }

ls_status ls_xml_parse(const char *path, const char *text, size_t bytes, xmlDoc **out) {
  u32 declared = 0;
  *out = NULL;
  const u32 full = too_many_attributes(text, bytes);
  if (full)
    return ls_fail(LS_EINPUT, "%s:%u: an element of more than %d attributes", path, full, MOST_ATTRIBUTES);
  xmlSetGenericErrorFunc(NULL, print_nothing);
  xmlParserCtxt *parser = xmlNewParserCtxt();
  if (!parser) return ls_fail(LS_EMEM, "%s: out of memory", path);
  parser->_private = &declared;
  parser->sax->internalSubset = refuse; /* before any entity is seen */
  xmlDoc *doc = xmlCtxtReadMemory(parser, text, (int)bytes, NULL, NULL,
                                  XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                      XML_PARSE_NOCDATA | XML_PARSE_COMPACT | XML_PARSE_BIG_LINES);
  ls_status st = LS_OK;
  if (declared) {
    st = ls_fail(
        LS_EINPUT,
        "%s:%u: a document type declaration is not supported, because entities are not expanded: remove it",
        path, declared);
  } else if (!doc || !parser->wellFormed || !xmlDocGetRootElement(doc)) {
    const xmlError *e = xmlCtxtGetLastError(parser);
    const char *why = e && e->message ? e->message : "no XML";
    const int length = (int)strcspn(why, "\n");
    if (strstr(why, "huge text node")) /* libxml2 reports it as lack of memory, without a line */
      st = ls_fail(LS_EINPUT, "%s:%d: a text or a comment of more than 10 MB", path,
                   xmlSAX2GetLineNumber(parser));
    else if (e && e->code == XML_ERR_NO_MEMORY)
      st = ls_fail(LS_EMEM, "%s: out of memory", path);
    else
      st = ls_fail(LS_EINPUT, "%s:%d: not well-formed XML: %.*s", path, e && e->line > 0 ? e->line : 1,
                   length, why);
  }
  if (st && doc) {
    xmlFreeDoc(doc);
    doc = NULL;
  }
  xmlFreeParserCtxt(parser);
  *out = doc;
  return st;
}

u32 ls_xml_line(const xmlNode *n) {
  const long line = xmlGetLineNo(n);
  return line > 0 ? (u32)line : 0;
}

static xmlNode *element(xmlNode *n) {
  while (n && n->type != XML_ELEMENT_NODE) n = n->next;
  return n;
}

xmlNode *ls_xml_first(const xmlNode *parent) { return parent ? element(parent->children) : NULL; }
xmlNode *ls_xml_next(const xmlNode *n) { return n ? element(n->next) : NULL; }

xmlNode *ls_xml_child(const xmlNode *parent, const char *local) {
  xmlNode *n = ls_xml_first(parent);
  while (n && !ls_xml_is(n, local)) n = ls_xml_next(n);
  return n;
}

xmlNode *ls_xml_same(const xmlNode *n) {
  xmlNode *next = ls_xml_next(n);
  while (next && !ls_xml_is(next, (const char *)n->name)) next = ls_xml_next(next);
  return next;
}

static const char *trimmed(ls_terms *a, const char *s) {
  static const char blank[] = " \t\r\n";
  s += strspn(s, blank);
  size_t n = strlen(s);
  while (n && strchr(blank, s[n - 1])) n--;
  return ls_terms_text(a, s, n);
}

const char *ls_xml_attribute(ls_terms *a, const xmlNode *n, const char *name) {
  for (const xmlAttr *p = n ? n->properties : NULL; p; p = p->next) {
    if (xmlStrcmp(p->name, (const xmlChar *)name)) continue;
    const xmlNode *t = p->children;
    if (!t) return "";
    if (!t->next && t->content) return trimmed(a, (const char *)t->content);
    xmlChar *all = xmlNodeListGetString(n->doc, p->children, 1);
    const char *out = all ? trimmed(a, (const char *)all) : "";
    xmlFree(all);
    return out;
  }
  return NULL;
}

const char *ls_xml_content(ls_terms *a, const xmlNode *n) {
  if (!n || !n->children) return "";
  const xmlNode *t = n->children;
  if (!t->next && t->type == XML_TEXT_NODE && t->content) return trimmed(a, (const char *)t->content);
  xmlChar *all = xmlNodeGetContent(n);
  const char *out = all ? trimmed(a, (const char *)all) : "";
  xmlFree(all);
  return out;
}

bool ls_xml_number(const char *text, f64 *out) {
  char *end;
  if (!*text || strspn(text, "0123456789+-.eE") != strlen(text)) return false;
  *out = strtod(text, &end);
  return !*end;
}
#endif
