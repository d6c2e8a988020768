/* Looks up the words of a row by name: roles, types, domains, agreements and contracts. */
#ifndef LS_COMPILE_ROW_WORDS_H
#define LS_COMPILE_ROW_WORDS_H

#include "run/launch/row.h"

#define LS_ROLES_TEXT "IN OFF START END INOUT OUT QIN QOUT QAHEAD QMORE VALUE COUNT LOST"
#define LS_DOMAINS_TEXT                                                                                      \
  "VERTEX VERTEX_WALK EDGE ELEMENT QUEUE VERTEX_EDGES QUEUE_EDGES VERTEX_BEST TILE GRID CPU_LIBRARY"

/* Each looks up a word and stores its meaning in *arg or *out; false: there is no such word. */
bool ls_role_find(const char *name, ls_arg *arg);
bool ls_type_find(const char *name, ls_arg *arg);
bool ls_domain_find(const char *name, ls_domain *out);
bool ls_agree_find(const char *name, ls_agree *out);
bool ls_types_of_set(const char *name, u32 *out); /* "FOR_W" */
/* The names of all sets of element types: " FOR_W FOR_INTEGERS ...". */
const char *ls_sets_text(void);
/* The role nearest to a misspelt word; NULL: none is near. */
const char *ls_role_nearest(const char *name);

#endif
