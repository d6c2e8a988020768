/* What the lines of an edge list mean: which column is what, where ids begin, which vertices there are. tsv.c
 * reads the edges by it. */
#ifndef LS_LOAD_EDGE_LIST_H
#define LS_LOAD_EDGE_LIST_H

#include "load/edge_text.h"

enum { EDGE_LIST_COLUMNS = 32 };

typedef enum edge_list_column { COLUMN_SOURCE, COLUMN_TARGET, COLUMN_WEIGHT, COLUMN_UNREAD } edge_list_column;

typedef struct edge_list {
  int columns;
  u8 column[EDGE_LIST_COLUMNS]; /* edge_list_column */
  bool named;                   /* the file says which column is which */
  bool commas;                  /* the first line has a comma: an unread field ends at the next one */
  bool sizes;                   /* the file says how many vertices and edges there are */
  u64 n, m;                     /* as the file says, else 0 */
  bool konect;                  /* a header of KONECT: ids go from base to limit - 1 + base */
  bool both_ways;               /* each line is an edge and its reverse */
  bool two_sided; /* targets have ids of their own: their vertices come after the `shift` sources */
  u32 base, shift;
  u64 limit[2]; /* of sources, of targets */
} edge_list;

/* Reads comments and a line of names, and looks at the first edge, which is read again afterwards. */
ls_status edge_list_head(edge_text *t, edge_list *h);

/* Behind a field: blanks, a comma, blanks. */
static inline const char *edge_list_separator(const char *p) {
  p = ls_blanks(p);
  return *p == ',' ? ls_blanks(p + 1) : p;
}

#endif
