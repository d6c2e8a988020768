#include "panel/canvas/pictures.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "panel/panel.h"
#include "panel/canvas/plot.h"
#include "panel/canvas/snapshot.h"
#include "panel/canvas/term.h"
#include "repl/commands/command.h"
#include "repl/repl.h"

typedef struct request {
  ls_text file;
  int cols, rows;
  const ls_view *view;
  bool light;
} request;

static ls_status read_words(const char *rest, request *r) {
  ls_status st = LS_OK;
  int cols, rows;
  char end;
  for (ls_text word = {0}; !st && ls_word(&rest, &word); ls_text_free(&word)) {
    const char *s = ls_text_str(&word);
    if (word.failed)
      st = LS_EMEM;
    else if (!r->file.s)
      ls_text_puts(&r->file, s);
    else if (sscanf(s, "%dx%d%c", &cols, &rows, &end) == 2) {
      r->cols = cols;
      r->rows = rows;
      if (cols < 1 || rows < 1 || cols > 1000 || rows > 1000)
        st = ls_fail(LS_EARG, "%s: columns and rows are from 1 to 1000", s);
    } else if (strcmp(s, "light") == 0)
      r->light = true;
    else if (!(r->view = ls_view_find(s)))
      st = ls_fail(LS_EARG, "%s is neither a size (as 80x24) nor a view nor `light`", s);
  }
  if (!st && !r->file.s) st = ls_fail(LS_EARG, "snapshot needs a file: .txt, .svg or .html");
  return st ? st : r->file.failed ? LS_EMEM : LS_OK;
}

/* Draws only one view, in a box with its title. */
static void draw_view(ls_canvas *c, const ls_view *v, ls_view_state *st) {
  const ls_rect all = ls_canvas_all(c);
  char caption[128];
  snprintf(caption, sizeof caption, "%s", v->title);
  ls_draw_box(c, all, LS_DIM);
  const ls_view_draw d = {c, ls_rect_inside(all), st, false, false, false};
  ls_view_draw_into(v, &d);
  if (v->caption) v->caption(st, caption, sizeof caption);
  int end = ls_draw_cut(c, all, 0, 3, all.cols - 6, LS_TITLE, caption);
  ls_draw_char(c, all, 0, 2, LS_TITLE, ' ');
  if (end < all.cols - 1) ls_draw_char(c, all, 0, end, LS_TITLE, ' ');
}

static ls_status snapshot(const char *rest) {
  request r = {.cols = 80, .rows = 24};
  ls_canvas c = {.symbols = ls_out.symbols, .utf8 = ls_out.symbols != LS_ASCII};
  if (ls_panel_is_on()) ls_term_size(&r.rows, &r.cols);
  ls_status st = read_words(rest, &r);
  if (!st) st = ls_canvas_resize(&c, r.rows, r.cols);
  if (!st) {
    ls_frame frame = *ls_panel_frame(); /* a copy, because drawing in another size changes the frame */
    frame.running = false;
    if (ls_panel_is_on()) frame.typing = (ls_typing){"> ", "", 0};
    int row, col;
    if (r.view)
      draw_view(&c, r.view, &frame.state[ls_view_number(r.view)]);
    else
      ls_frame_draw(&frame, &c, &row, &col);
    st = ls_snapshot_save(&c, r.file.s, r.light);
    if (!st) ls_note("(wrote %s)\n", r.file.s);
    if (!st && r.view == &ls_view_convergence && !ls_ends_in(r.file.s, ".txt"))
      ls_note("(a snapshot draws curves with characters; plot SERIES FILE.svg or FILE.pdf draws lines)\n");
  }
  ls_canvas_free(&c);
  ls_text_free(&r.file);
  return st;
}

static const ls_command commands[] = {
    {"plot", "plot [SERIES ...] [log] [iterations] [FILE.svg | FILE.png | FILE.pdf | FILE.csv]",
     "Draws series of the current run over its steps: values of iteration marks, and counts of primitives.\n"
     "iterations: over the numbers of the iterations, or, for a count, of the primitive's calls.\n"
     "Without a file it draws in the terminal; pictures are made by gnuplot, a .csv has the numbers. plot{...} in Lua plots lists, buffers and tables.",
     ls_plot_command, false},
    {"snapshot", "snapshot FILE.txt|.svg|.html [VIEW] [COLSxROWS] [light]",
     "Writes what the panel shows, or would show.\n"
     "With VIEW, only that view. If the panel is off and no size is given, it has 80x24. light: on white.\n"
     "A snapshot draws curves by characters, as the terminal does; for a figure in a paper: plot ... FILE.pdf or .svg.",
     snapshot, false},
    {NULL, NULL, NULL, NULL, false},
};

void ls_pictures_open(void) {
  ls_commands_add(commands);
  ls_plot_hook(ls_plot_draw);
}
