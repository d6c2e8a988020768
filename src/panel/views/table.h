/* Tables in views. Columns have fixed widths, so that nothing jumps between redraws; in a narrow pane the
 * least important ones are left out. */
#ifndef LS_PANEL_TABLE_H
#define LS_PANEL_TABLE_H

#include "panel/views/view.h"
#include "run/record/trace.h"

enum { LS_TABLE_COLUMNS = 16 };

typedef struct ls_column {
  const char *title;
  int width;      /* minimum, enough for the title */
  int most;       /* maximum, if there is space; 0: `width` */
  bool right;     /* right-aligned: numbers */
  int importance; /* the least important column is left out first; the most important one stays */
  int sort;       /* value of ls_view_state.sort that sorts by this column; 0: none */
} ls_column;

typedef struct ls_table {
  const ls_view_draw *d;
  const ls_column *columns;
  int count;
  int at[LS_TABLE_COLUMNS], width[LS_TABLE_COLUMNS]; /* at < 0: left out */
} ls_table;

void ls_table_begin(ls_table *t, const ls_view_draw *d, const ls_column *columns, int count);
/* Draws the titles in row `row`. sorted: the `sort` of the column by which rows are sorted; down: largest
 * first. */
void ls_table_head(const ls_table *t, int row, int sorted, bool down);
/* Draws a cell. Text that is too long is cut; a number that is too long is shown as #. */
void ls_table_cell(const ls_table *t, int row, int column, ls_style style, const char *text);
/* Draws the known share of the tightest limit as a bar. */
void ls_table_limit(const ls_table *t, int row, int column, const ls_stat *s);

#endif
