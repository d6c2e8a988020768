/* A canvas: a grid of styled characters, and drawing into rectangles of it.
 *
 * Independent of any terminal, so that every view is tested without one. Rows and columns of a drawing call
 * count from the upper left corner of its rectangle, and nothing is ever drawn outside of the rectangle. Text
 * is UTF-8. A `?` replaces invalid UTF-8, control characters and, unless the canvas is `utf8`, characters
 * that are not ASCII. */
#ifndef LS_PANEL_CANVAS_H
#define LS_PANEL_CANVAS_H

#include "core/error.h"
#include "core/output.h"
#include "core/types.h"
#include "panel/canvas/style.h"

enum {
  LS_CELL_LINES = 0x0f, /* the directions in which a rule leaves the cell: up, down, left, right */
  LS_CELL_REST = 0x10,  /* the right half of a wide character: ch is 0 */
};

typedef struct ls_cell {
  u32 ch; /* Unicode; never a control character */
  u8 style, flags;
} ls_cell;

typedef struct ls_rect {
  int row, col, rows, cols; /* rows or cols <= 0: empty */
} ls_rect;

typedef struct ls_canvas {
  int rows, cols;
  ls_symbols symbols; /* what rules, bars and plots are drawn with; taken as LS_ASCII if not utf8 */
  bool utf8;
  ls_cell *cells; /* by rows */
} ls_canvas;

/* Resizes a canvas, which may be a new one: {.symbols = ..., .utf8 = ...}. The contents become blank; on
 * failure (LS_EMEM) they are unchanged. The size may be 0 x 0. */
ls_status ls_canvas_resize(ls_canvas *c, int rows, int cols);
void ls_canvas_free(ls_canvas *c);
void ls_canvas_clear(ls_canvas *c);
/* The characters, one line per row, without trailing blanks; to be freed by ls_free. NULL: no memory. */
char *ls_canvas_text(const ls_canvas *c);
ls_rect ls_canvas_all(const ls_canvas *c);
bool ls_canvas_ascii(const ls_canvas *c);   /* is it drawn with ASCII characters only? */
bool ls_canvas_braille(const ls_canvas *c); /* may it have all symbols? */
/* The cell at a place of the canvas; NULL outside. */
ls_cell *ls_canvas_at(const ls_canvas *c, int row, int col);

/* --- text -------------------------------------------------------------------------------------------- */

/* Columns that a character takes: 0 (a combining one, which is never drawn), 1 or 2. */
int ls_char_width(u32 ch);
/* Reads one character and moves *s past it. '?' for invalid UTF-8; 0 at the end. */
u32 ls_char_next(const char **s);
/* Writes a character as UTF-8, not NUL-terminated; returns the number of bytes. */
int ls_char_put(u32 ch, char out[4]);
int ls_text_width(const char *text); /* columns of a text without tabs */

/* Returns the column after the text, whether drawn or clipped. A tab goes to the next multiple of 8. */
int ls_draw_text(ls_canvas *c, ls_rect in, int row, int col, ls_style style, const char *text);
int ls_draw_format(ls_canvas *c, ls_rect in, int row, int col, ls_style style, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* Draws the text so that it ends before column `end`. The beginning of a long text is clipped by `in`. */
void ls_draw_right(ls_canvas *c, ls_rect in, int row, int end, ls_style style, const char *text);
/* Draws at most `width` columns; a cut text ends in `…` (`~` in ASCII). */
int ls_draw_cut(ls_canvas *c, ls_rect in, int row, int col, int width, ls_style style, const char *text);
/* Draws the text broken between words into several lines; returns how many. c == NULL: only counts them. */
int ls_draw_words(ls_canvas *c, ls_rect in, int row, int col, ls_style style, const char *text);
void ls_draw_char(ls_canvas *c, ls_rect in, int row, int col, ls_style style, u32 ch);
/* Changes the style of cells, but not their characters. */
void ls_draw_style(ls_canvas *c, ls_rect in, int row, int col, int cols, ls_style style);
void ls_draw_blank(ls_canvas *c, ls_rect in); /* spaces in the plain style */

/* --- rules and boxes: crossing rules are joined ------------------------------------------------------ */

void ls_draw_across(ls_canvas *c, ls_rect in, int row, int col, int cols, ls_style style);
void ls_draw_down(ls_canvas *c, ls_rect in, int row, int col, int rows, ls_style style);
void ls_draw_box(ls_canvas *c, ls_rect box, ls_style style);
extern const u32
    ls_joints[16]; /* the rules by the directions in which they leave the cell; the first is ' ' */
ls_rect ls_rect_inside(ls_rect box);                    /* without a border of 1 */
ls_rect ls_rect_cut(ls_rect in, int rows_at_top);       /* without its first rows */
ls_rect ls_rect_columns(ls_rect in, int col, int cols); /* some of its columns */

/* --- amounts ----------------------------------------------------------------------------------------- */

/* Draws a bar of share * width columns, 0 <= share <= 1 (else clamped; NaN: none), in steps of an eighth of a
 * column with LS_BRAILLE, of a half with LS_HALF_BLOCK, and as '#' with LS_ASCII. A share above 0 is always
 * visible. */
void ls_draw_bar(ls_canvas *c, ls_rect in, int row, int col, int width, f64 share, ls_style style);
/* Draws a bar on a dotted track of its full length. */
void ls_draw_track(ls_canvas *c, ls_rect in, int row, int col, int width, f64 share, ls_style style);
/* Draws one cell shaded by 0 <= share <= 1. */
void ls_draw_heat(ls_canvas *c, ls_rect in, int row, int col, f64 share, ls_style style);

/* --- dots: plots and drawn graphs -------------------------------------------------------------------- */

/* Dots in a cell, across and down: 2 x 4 with LS_BRAILLE, 1 x 2 with LS_HALF_BLOCK and LS_ASCII. */
int ls_dots_across(const ls_canvas *c);
int ls_dots_down(const ls_canvas *c);
extern const u8 ls_braille_bits[4][2]; /* of a dot, by its row and column, above 0x2800 */
/* x counts to the right and y downwards, both from 0, in dots of the rectangle. All dots of a cell get the
 * style of the last one drawn. */
void ls_draw_dot(ls_canvas *c, ls_rect in, int x, int y, ls_style style);
void ls_draw_segment(ls_canvas *c, ls_rect in, int x0, int y0, int x1, int y1, ls_style style);

typedef struct ls_xy {
  f64 x, y;
} ls_xy;

typedef struct ls_axes {
  f64 x0, x1, y0, y1; /* values at the edges of the rectangle; x0 < x1, y0 < y1, y0 at the bottom */
  bool log_x, log_y;  /* values <= 0 are drawn at the edge */
} ls_axes;

/* Points that are not numbers are left out; a line has a gap there. */
void ls_draw_line(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_xy *points, int count,
                  ls_style style);
void ls_draw_scatter(ls_canvas *c, ls_rect in, const ls_axes *axes, const ls_xy *points, int count,
                     ls_style style);
/* The dot of a point, clamped into the rectangle; false if a coordinate is not a number. */
bool ls_axes_place(const ls_canvas *c, ls_rect in, const ls_axes *axes, ls_xy point, int *x, int *y);

/* --- numbers in few columns -------------------------------------------------------------------------- */

/* Each function writes to out and returns it. At most 5 characters, "812", "9.46k", "1.21M"; times, "41.2ms",
 * up to 6. */
char *ls_short_count(f64 value, char out[16]);
/* Writes all digits of a whole number of up to seven digits; an estimate becomes "~" and ls_short_count. */
char *ls_full_count(f64 value, bool estimate, char out[16]);
char *ls_short_time(f64 seconds, char out[16]);
char *ls_short_bytes(f64 bytes, char out[16]);

#endif
