/* Views: what a pane can show. One const struct each, one file each, and a line in views.c.
 *
 * A view only reads: the stop, the trace, limits, the session's lists, and buffers by ls_buffer_peek. It
 * never runs anything of the user's, never launches a primitive, and takes under 2 ms: of large buffers it
 * samples at most 4096 elements. While a primitive runs (`running`) it touches no buffer. */
#ifndef LS_PANEL_VIEW_H
#define LS_PANEL_VIEW_H

#include "panel/canvas.h"

/* Keys that are no characters. */
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

/* What a pane remembers of the view that it shows. The panel moves `cursor`, `scroll` and `column` on arrows,
 * PgUp, PgDn, Home and End that the view has not taken; `draw` says in `lines` and `page` how far. */
typedef struct ls_view_state {
  int cursor;      /* the line that keys act on; < 0: let the view choose (the current line, the newest) */
  int scroll;      /* the first line shown */
  int column;      /* columns hidden at the left */
  int lines, page; /* set by draw: lines in all, and lines that fit. 0: the view does not scroll */
  int sort;        /* the column that a table is sorted by, as its view counts; 0: its own order */
  bool reverse;
  bool log;        /* a logarithmic scale */
  int choice;      /* which of several things, as its view counts */
  char name[64];   /* of the buffer or series that is looked at; "": the view's choice */
  char search[64]; /* what `/` was given; "": nothing */
} ls_view_state;

typedef struct ls_view_draw {
  ls_canvas *canvas;
  ls_rect in; /* blank when draw is called */
  ls_view_state *state;
  bool focused;
  bool running; /* a run is under way: its primitives own the buffers */
  bool keys;    /* its keys may be named: it is no picture on paper */
} ls_view_draw;

typedef struct ls_view {
  const char *name, *title;
  int min_rows, min_cols; /* with less it shows its title alone */
  void (*draw)(const ls_view_draw *d);
  bool (*key)(ls_view_state *st, int key); /* true: taken. NULL: takes none */
  const char *keys;                        /* for the help view: "s sort, r reverse"; "" */
  /* More than the title: "convergence: edges left". NULL: the title. */
  void (*caption)(const ls_view_state *st, char *out, size_t bytes);
  bool (*empty)(
      void); /* is there nothing to show yet? Then others get its room. NULL: it always has something */
} ls_view;

extern const ls_view *const ls_views[];        /* ended by NULL */
const ls_view *ls_view_find(const char *name); /* exact, or an unambiguous beginning; NULL: none */
/* Draws view into a pane's inside, or says that it is too small. For the panel, snapshots and tests. */
void ls_view_draw_into(const ls_view *v, const ls_view_draw *d);
/* Keeps cursor and scroll within `lines`, and the cursor on the page; for draw, before it draws. */
void ls_view_settle(const ls_view_draw *d, int lines, int page);
/* Does the text contain what is searched for? (Letters' case is ignored; false where nothing is.) */
bool ls_view_matches(const ls_view_state *st, const char *text);

/* view_NAME.c */
extern const ls_view ls_view_roofline, ls_view_graph, ls_view_tiles, ls_view_phases, ls_view_timeline;
extern const ls_view ls_view_timing, ls_view_convergence, ls_view_buffers, ls_view_inspector, ls_view_devices;
extern const ls_view ls_view_lesson;
extern const ls_view ls_view_script, ls_view_log, ls_view_help;

/* What the help view shows instead of the keys: lines that fit the screen, with colours or not; NULL: the
 * keys. */
void ls_help_text(const char *text);
bool ls_help_has_text(void);

#endif
