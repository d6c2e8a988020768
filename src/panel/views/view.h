/* Views: what a pane can show. Each is one const struct in a file of its own, and a line in views.c.
 *
 * A view only reads: the stop, the trace, limits, the session's lists, and buffers by ls_buffer_peek. It
 * never runs user code, never launches a primitive, and takes less than 2 ms: of large buffers it samples at
 * most 4096 elements. While a primitive runs (`running`) it does not touch buffers. */
#ifndef LS_PANEL_VIEW_H
#define LS_PANEL_VIEW_H

#include "panel/canvas/canvas.h"

/* Keys that are not characters. */
enum {
  LS_KEY_UP = 0x110000, /* above Unicode */
  LS_KEY_DOWN,
  LS_KEY_LEFT,
  LS_KEY_RIGHT,
  LS_KEY_PAGE_UP,
  LS_KEY_PAGE_DOWN,
  LS_KEY_HOME,
  LS_KEY_END,
  LS_KEY_INSERT,
  LS_KEY_DELETE,
  LS_KEY_BACK_TAB,
  LS_KEY_F1, /* F2 follows, up to F12 */
  LS_KEY_F12 = LS_KEY_F1 + 11,
};

/* The state of a view between drawings. The panel moves `cursor` and `column` by arrows, PgUp, PgDn, Home and
 * End, unless the view handles the key itself; `draw` sets the limits, `lines` and `page`. */
typedef struct ls_view_state {
  int cursor;      /* the line that keys act on; < 0: let the view choose (the current line, the newest) */
  int scroll;      /* the first line shown */
  int column;      /* columns hidden at the left */
  int lines, page; /* set by draw: lines in all, and lines that fit. 0: the view does not scroll */
  int sort;        /* the column by which a table is sorted, as numbered by the view; 0: its default order */
  bool reverse;
  bool log;        /* a logarithmic scale */
  int choice;      /* one of several modes, as numbered by the view */
  char name[64];   /* the buffer or series that was selected; "": the view chooses */
  char search[64]; /* the text that is searched for (`/`); "": none */
} ls_view_state;

typedef struct ls_view_draw {
  ls_canvas *canvas;
  ls_rect in; /* blank when draw is called */
  ls_view_state *state;
  bool focused;
  bool running; /* something runs: its primitives own the buffers */
  bool keys;    /* the view may name its keys: on the screen, not in a snapshot of one view */
} ls_view_draw;

typedef struct ls_view {
  const char *name, *title;
  int min_rows, min_cols; /* in a smaller pane, only "(too small)" is shown */
  void (*draw)(const ls_view_draw *d);
  bool (*key)(ls_view_state *st, int key); /* true: handled. NULL: the view handles no keys */
  const char *keys;                        /* for the help view: "s sort, r reverse"; "" */
  /* A longer title: "convergence: edges left". NULL: the title. */
  void (*caption)(const ls_view_state *st, char *out, size_t bytes);
  /* Is there nothing to show yet? Then the pane is hidden, and others get its space. NULL: never empty. */
  bool (*empty)(void);
} ls_view;

extern const ls_view *const ls_views[];        /* terminated by NULL */
const ls_view *ls_view_find(const char *name); /* by its name or an unambiguous prefix; NULL: none */
/* Draws a view into the inside of a pane, or "(too small)". For the panel, snapshots and tests. */
void ls_view_draw_into(const ls_view *v, const ls_view_draw *d);
/* Sets lines and page, and clamps scroll and cursor so that the cursor is visible; to be called first in
 * `draw`. */
void ls_view_settle(const ls_view_draw *d, int lines, int page);
/* Does the text contain st->search, ignoring case? False if nothing is searched for. */
bool ls_view_matches(const ls_view_state *st, const char *text);

/* view_NAME.c */
extern const ls_view ls_view_roofline, ls_view_graph, ls_view_tiles, ls_view_phases, ls_view_timeline;
extern const ls_view ls_view_timing, ls_view_convergence, ls_view_buffers, ls_view_inspector, ls_view_devices;
extern const ls_view ls_view_lesson;
extern const ls_view ls_view_script, ls_view_log, ls_view_help;

/* Sets the text that the help view shows instead of the keys: lines no wider than the screen; colour
 * sequences are removed. NULL: the keys. */
void ls_help_text(const char *text);
bool ls_help_has_text(void);

#endif
