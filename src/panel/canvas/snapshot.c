#include "panel/canvas/snapshot.h"

#include <string.h>

#include "core/mem.h"
#include "core/atomic_file.h"
#include "core/text.h"

/* --- looks ------------------------------------------------------------------------------------------- */

typedef struct look {
  const char *dark, *light;       /* colours of the text */
  const char *on_dark, *on_light; /* colours of the background; NULL: that of the page */
  bool bold;
} look;

static const look looks[LS_STYLES] = {
    [LS_TEXT_STYLE] = {"#d5d9e0", "#24292f", NULL, NULL, false},
    [LS_DIM] = {"#7d8799", "#6e7781", NULL, NULL, false},
    [LS_TITLE] = {"#a9b4c8", "#42506a", NULL, NULL, true},
    [LS_FOCUS] = {"#6cb6ff", "#0a5cc2", NULL, NULL, true},
    [LS_STATUS] = {"#e6ebf2", "#1b2330", "#2b3442", "#dfe5ee", false},
    [LS_KEY] = {"#9aa5b8", "#57606a", NULL, NULL, true},
    [LS_KEY_TEXT] = {"#d5d9e0", "#24292f", "#2b3442", "#dfe5ee", false},
    [LS_CURSOR] = {"#ffffff", "#000000", "#37445a", "#cddcf3", false},
    [LS_CURRENT] = {"#f0d98c", "#7a5200", NULL, NULL, true},
    [LS_BREAK] = {"#ff8a80", "#b3261e", NULL, NULL, true},
    [LS_CHANGED] = {"#f0a868", "#a04a00", NULL, NULL, true},
    [LS_FOUND] = {"#1b1f27", "#24292f", "#e8c95b", "#ffe08a", false},
    [LS_GOOD] = {"#7bc88a", "#1a7f37", NULL, NULL, false},
    [LS_WARN] = {"#e3b75e", "#8a5a00", NULL, NULL, false},
    [LS_BAD] = {"#ff7b72", "#c0281c", NULL, NULL, true},
    [LS_NUMBER] = {"#ffffff", "#0b0f14", NULL, NULL, true},
    [LS_KEYWORD] = {"#b39df3", "#6639ba", NULL, NULL, false},
    [LS_STRING] = {"#98c379", "#2a6f2b", NULL, NULL, false},
    [LS_COMMENT] = {"#7d8799", "#6e7781", NULL, NULL, false},
    [LS_BAR] = {"#5b9bd5", "#2f74b5", NULL, NULL, false},
    [LS_SERIES1] = {"#5fb3e6", "#0b69a3", NULL, NULL, false},
    [LS_SERIES2] = {"#f0a868", "#b25600", NULL, NULL, false},
    [LS_SERIES3] = {"#7bc88a", "#1a7f37", NULL, NULL, false},
    [LS_SERIES4] = {"#d291e4", "#8a3fa0", NULL, NULL, false},
    [LS_SERIES5] = {"#e6d06c", "#7a6300", NULL, NULL, false},
    [LS_SERIES6] = {"#ef8f9c", "#b4304a", NULL, NULL, false},
};

static const char page_dark[] = "#1b1f27", page_light[] = "#ffffff";

static const look *look_of(u8 style) { return &looks[style < LS_STYLES ? style : LS_TEXT_STYLE]; }

static void put_char(FILE *f, u32 ch) {
  char bytes[4];
  if (ch == '&')
    fputs("&amp;", f);
  else if (ch == '<')
    fputs("&lt;", f);
  else if (ch == '>')
    fputs("&gt;", f);
  else
    fwrite(bytes, 1, (size_t)ls_char_put(ch, bytes), f);
}

static void put_rules(FILE *f, bool light, const char *property) {
  for (int i = 0; i < LS_STYLES; i++)
    fprintf(f, ".s%d{%s:%s%s}\n", i, property, light ? looks[i].light : looks[i].dark,
            looks[i].bold ? ";font-weight:bold" : "");
}

/* --- SVG --------------------------------------------------------------------------------------------- */

/* Width, height and baseline of a cell in pixels, for a 14 px font whose characters are 0.602 em wide. */
static const f64 W = 8.43, H = 17, BASE = 12.8;

/* The directions of a rule that a canvas draws: up 1, down 2, left 4, right 8; 0 if ch is not a rule. */
static int directions(u32 ch) {
  for (int i = 1; i < 16; i++)
    if (ls_joints[i] == ch) return i;
  return 0;
}

static bool is_rule(u32 ch) { return directions(ch) != 0; }
static bool is_braille(u32 ch) { return ch >= 0x2800 && ch <= 0x28ff; }
static bool is_block(u32 ch) { return ch >= 0x2580 && ch <= 0x2593; }
static bool is_shape(u32 ch) { return is_rule(ch) || is_braille(ch) || is_block(ch); }

static void put_block(FILE *f, u32 ch, f64 x, f64 y) {
  f64 w = W, h = H, opacity = 1;
  if (ch == 0x2580)
    h = H / 2;
  else if (ch >= 0x2581 && ch <= 0x2587)
    h = H * (ch - 0x2580) / 8, y += H - h;
  else if (ch >= 0x2589 && ch <= 0x258f)
    w = W * (0x2590 - ch) / 8;
  else if (ch == 0x2590)
    w = W / 2, x += w;
  else if (ch >= 0x2591)
    opacity = 0.25 * (ch - 0x2590);
  fprintf(f, "<path d='M%.2f %.2fh%.2fv%.2fh%.2fz'", x, y, w, h, -w);
  if (opacity < 1) fprintf(f, " opacity='%.2f'", opacity);
  fputs("/>", f);
}

/* Draws the shapes in columns [col, end) of a row; all have the same style. */
static void put_shapes(FILE *f, const ls_cell *cells, int row, int col, int end) {
  int kinds = 0;
  for (int i = col; i < end; i++)
    kinds |= is_rule(cells[i].ch) ? 1 : is_braille(cells[i].ch) ? 2 : is_block(cells[i].ch) ? 4 : 0;
  if (!kinds) return;
  const f64 y = row * H;
  if (kinds & 1) {
    fprintf(f, "<path class='s%d r' d='", cells[col].style);
    for (int i = col; i < end; i++) {
      if (!is_rule(cells[i].ch)) continue;
      const int to = directions(cells[i].ch);
      const f64 x = i * W, cx = x + W / 2, cy = y + H / 2;
      if (to & 3) fprintf(f, "M%.2f %.2fV%.2f", cx, to & 1 ? y : cy, to & 2 ? y + H : cy);
      if (to & 12) fprintf(f, "M%.2f %.2fH%.2f", to & 4 ? x : cx, cy, to & 8 ? x + W : cx);
    }
    fputs("'/>", f);
  }
  if (kinds & 2) {
    fprintf(f, "<path class='s%d d' d='", cells[col].style);
    for (int i = col; i < end; i++)
      for (int k = 0; is_braille(cells[i].ch) && k < 8; k++)
        if (cells[i].ch & ls_braille_bits[k / 2][k % 2])
          fprintf(f, "M%.2f %.2fh0", i * W + W * (k % 2 ? 0.75 : 0.25), y + H * (k / 2 + 0.5) / 4);
    fputs("'/>", f);
  }
  if (kinds & 4) {
    fprintf(f, "<g class='s%d' shape-rendering='crispEdges'>", cells[col].style);
    for (int i = col; i < end; i++)
      if (is_block(cells[i].ch)) put_block(f, cells[i].ch, i * W, y);
    fputs("</g>", f);
  }
}

/* Writes each word at its own position, so that a font of another width shifts nothing beyond the word. */
static void put_words(FILE *f, const ls_cell *cells, int row, int col, int end) {
  while (col < end) {
    if (cells[col].ch == ' ' || cells[col].ch == 0 || is_shape(cells[col].ch)) {
      col++;
      continue;
    }
    int last = col;
    while (last < end && cells[last].ch != ' ' && !is_shape(cells[last].ch)) last++;
    fprintf(f, "<text class='s%d' x='%.2f' y='%.2f' textLength='%.2f'>", cells[col].style, col * W,
            row * H + BASE, (last - col) * W);
    for (; col < last; col++)
      if (cells[col].ch) put_char(f, cells[col].ch);
    fputs("</text>", f);
  }
}

/* Rules, blocks and braille are drawn as shapes, so that no font needs to have them. */
static void write_svg(const ls_canvas *c, FILE *f, bool light) {
  const f64 margin = 8;
  fprintf(
      f,
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='%.0f %.0f %.2f %.2f' width='%.0f' height='%.0f'>\n"
      "<style>\ntext{font:14px 'DejaVu Sans Mono',Menlo,'Liberation Mono',Consolas,monospace;white-space:pre}\n",
      -margin, -margin, c->cols * W + 2 * margin, c->rows * H + 2 * margin, c->cols * W + 2 * margin,
      c->rows * H + 2 * margin);
  put_rules(f, light, "fill");
  for (int i = 0; i < LS_STYLES; i++) {
    const char *colour = light ? looks[i].light : looks[i].dark;
    fprintf(f, ".s%d.r,.s%d.d{stroke:%s;fill:none}\n", i, i, colour);
  }
  fputs(".r{stroke-width:1;stroke-linecap:square}.d{stroke-width:2.6;stroke-linecap:round}\n</style>\n", f);
  fprintf(f, "<rect x='%.0f' y='%.0f' width='100%%' height='100%%' rx='6' fill='%s'/>\n", -margin, -margin,
          light ? page_light : page_dark);
  for (int row = 0; row < c->rows; row++) {
    const ls_cell *cells = c->cells + (size_t)row * (size_t)c->cols;
    for (int col = 0, end; col < c->cols; col = end) {
      for (end = col + 1; end < c->cols && cells[end].style == cells[col].style;) end++;
      const look *l = look_of(cells[col].style);
      const char *behind = light ? l->on_light : l->on_dark;
      if (behind)
        fprintf(f, "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='%s'/>", col * W, row * H,
                (end - col) * W, H, behind);
      put_shapes(f, cells, row, col, end);
      put_words(f, cells, row, col, end);
    }
    fputc('\n', f);
  }
  fputs("</svg>\n", f);
}

/* --- HTML -------------------------------------------------------------------------------------------- */

static void write_html(const ls_canvas *c, FILE *f, bool light) {
  fprintf(
      f,
      "<!DOCTYPE html>\n<meta charset='utf-8'><title>lockstep</title>\n<style>\n"
      "body{background:%s}pre{font:14px/1.22 'DejaVu Sans Mono',Menlo,'Liberation Mono',Consolas,monospace}\n"
      "i{display:inline-block;width:1ch;font-style:normal;overflow:visible}\n",
      light ? page_light : page_dark);
  put_rules(f, light, "color");
  for (int i = 0; i < LS_STYLES; i++) {
    const char *behind = light ? looks[i].on_light : looks[i].on_dark;
    if (behind) fprintf(f, ".s%d{background:%s}\n", i, behind);
  }
  fputs("</style>\n<pre>", f);
  for (int row = 0; row < c->rows; row++) {
    const ls_cell *cells = c->cells + (size_t)row * (size_t)c->cols;
    for (int col = 0, end; col < c->cols; col = end) {
      for (end = col + 1; end < c->cols && cells[end].style == cells[col].style;) end++;
      fprintf(f, "<span class='s%d'>", cells[col].style);
      for (int i = col; i < end; i++) {
        if (cells[i].ch == 0) continue;
        bool fixed =
            cells[i].ch >= 0x2500 && cells[i].ch <= 0x28ff; /* may come from a font of another width */
        if (fixed) fputs("<i>", f);
        put_char(f, cells[i].ch);
        if (fixed) fputs("</i>", f);
      }
      fputs("</span>", f);
    }
    fputc('\n', f);
  }
  fputs("</pre>\n", f);
}

/* --- files ------------------------------------------------------------------------------------------- */

typedef struct picture {
  const ls_canvas *c;
  const char *path;
  bool light;
} picture;

static ls_status write_picture(FILE *f, void *arg) {
  const picture *p = arg;
  if (ls_ends_in(p->path, ".svg")) {
    write_svg(p->c, f, p->light);
  } else if (ls_ends_in(p->path, ".html")) {
    write_html(p->c, f, p->light);
  } else {
    char *text = ls_canvas_text(p->c);
    if (!text) return LS_EMEM;
    fputs(text, f);
    ls_free(text);
  }
  return LS_OK;
}

ls_status ls_snapshot_save(const ls_canvas *c, const char *path, bool light) {
  if (!ls_ends_in(path, ".txt") && !ls_ends_in(path, ".svg") && !ls_ends_in(path, ".html"))
    return ls_fail(LS_EARG, "%s: a snapshot is a .txt, .svg or .html file", path);
  return ls_atomic_file_write_all(path, write_picture, &(picture){c, path, light});
}
