/* Tables in views: columns of fixed width, so that nothing jumps; the least important go first where it is
 * narrow. */
#ifndef LS_PANEL_TABLE_H
#define LS_PANEL_TABLE_H

#include "panel/view.h"

enum { LS_TABLE_COLUMNS = 16 };

typedef struct ls_column {
  const char *title;
  int width;      /* at least; titles fit */
  int most;       /* may grow to that where there is room; 0: keeps its width */
  bool right;     /* numbers */
  int importance; /* the lowest goes first; the highest stays whatever happens */
  int sort;       /* of ls_view_state.sort: this column; 0: none */
} ls_column;

typedef struct ls_table {
  const ls_view_draw *d;
  const ls_column *columns;
  int count;
  int at[LS_TABLE_COLUMNS], width[LS_TABLE_COLUMNS]; /* at < 0: left out */
} ls_table;

void ls_table_begin(ls_table *t, const ls_view_draw *d, const ls_column *columns, int count);
/* The heads in row `row`. `sorted` is the column's `sort` that rows are sorted by; down: largest first. */
void ls_table_head(const ls_table *t, int row, int sorted, bool down);
/* A cell. Text that is too long is cut; a number that is too long shows as #. */
void ls_table_cell(const ls_table *t, int row, int column, ls_style style, const char *text);

#endif
