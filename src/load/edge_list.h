/* The head of an edge list: what the columns mean, where ids begin, how many vertices there are. tsv.c reads
 * the edges. */
#ifndef LS_LOAD_EDGE_LIST_H
#define LS_LOAD_EDGE_LIST_H

#include "load/edge_text.h"

enum { EDGE_LIST_COLUMNS = 32 };

typedef enum edge_list_column { COLUMN_SOURCE, COLUMN_TARGET, COLUMN_WEIGHT, COLUMN_UNREAD } edge_list_column;

typedef struct edge_list {
  int columns;
  u8 column[EDGE_LIST_COLUMNS]; /* edge_list_column */
  bool named;                   /* the file says which column is which */
  bool commas;                  /* the first line has a comma: unread fields end at a comma, not at a blank */
  bool sizes;                   /* the file says how many vertices and edges there are */
  u64 n, m;                     /* as the file says, else 0 */
  bool konect;                  /* the header is KONECT's: ids are from base to limit - 1 + base */
  bool both_ways;               /* each line is an edge and its reverse */
  bool two_sided;               /* targets have separate ids: their vertices come after the `shift` sources */
  u32 base, shift;
  u64 limit[2]; /* number of ids of sources, of targets */
} edge_list;

/* Reads comments and the line of column names, if any, and inspects the first edge, which it pushes back. */
ls_status edge_list_head(edge_text *t, edge_list *h);

/* Skips what follows a field: blanks, at most one comma, blanks. */
static inline const char *edge_list_separator(const char *p) {
  p = ls_blanks(p);
  return *p == ',' ? ls_blanks(p + 1) : p;
}

#endif
