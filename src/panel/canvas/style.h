/* What a cell means, not how it looks: term.c maps styles to attributes and colours, snapshot.c to CSS.
 *
 * Colour is never the only signal: what a style says is also shown by a sign, a word or a place. */
#ifndef LS_PANEL_STYLE_H
#define LS_PANEL_STYLE_H

typedef enum ls_style {
  LS_TEXT_STYLE, /* plain */
  LS_DIM,        /* less important: units, rules, comments */
  LS_TITLE,      /* a pane's title, a table's head */
  LS_FOCUS,      /* the title of the pane that gets the keys; the column by which a table is sorted */
  LS_STATUS,     /* the status line */
  LS_KEY,        /* the key line: the key's name */
  LS_KEY_TEXT,   /* the key line: what it does */
  LS_CURSOR,     /* the line that keys act on */
  LS_CURRENT,    /* where the algorithm is stopped */
  LS_BREAK,      /* a breakpoint */
  LS_CHANGED,    /* differs from the step before */
  LS_FOUND,      /* what was searched for */
  LS_GOOD,
  LS_WARN,
  LS_BAD,
  LS_NUMBER,  /* a value that matters */
  LS_KEYWORD, /* source text */
  LS_STRING,
  LS_COMMENT,
  LS_BAR, /* bars and shades */
  LS_SERIES1,
  LS_SERIES2,
  LS_SERIES3,
  LS_SERIES4,
  LS_SERIES5,
  LS_SERIES6, /* series, components, classes: i modulo 6 */
  LS_STYLES   /* how many there are */
} ls_style;

#endif
