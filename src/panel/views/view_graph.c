/* The graph view draws a small graph with its edges, coloured by a buffer; of a large graph, it draws a
 * summary of the degrees and of the states of the vertices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "data/vertex_names.h"
#include "panel/views/graph_classes.h"
#include "panel/views/graph_layout.h"
#include "panel/views/graph_summary.h"
#include "panel/views/view.h"

typedef struct picture {
  const ls_view_draw *d;
  ls_rect in;
  const ls_drawn_graph *g;
  ls_vertex_class of[LS_DRAWN_VERTICES];
  int row[LS_DRAWN_VERTICES], col[LS_DRAWN_VERTICES];
  char text[LS_DRAWN_VERTICES][40];
  bool named;    /* the graph has short names for its vertices: labels contain them if there is space */
  int label;     /* columns of the longest label; 1: only the sign */
  bool values;   /* labels contain the buffer's values, if it has any */
  bool pointers; /* edges that a policy or a tree has chosen are highlighted */
  bool parents;  /* `next` of a vertex is its parent */
} picture;

/* --- edges ------------------------------------------------------------------------------------------- */

/* Is the edge from u to v chosen? With parents, u is the `next` of v; else (policy, pointer) v is the `next`
 * of u. */
static bool chosen(const picture *p, u32 u, u32 v) {
  return p->parents ? p->of[v].next == u : p->of[u].next == v;
}

/* The importance of an edge: 0 removed, 1 between regions or components, 2 within one, 3 chosen. */
static int weight_of(const picture *p, u32 u, u32 v) {
  if (p->pointers) return chosen(p, u, v) ? 3 : 1;
  if (p->of[u].settled || p->of[v].settled) return 0;
  return p->of[u].live == p->of[v].live && p->of[u].group == p->of[v].group ? 2 : 1;
}

static ls_style style_of(const picture *p, u32 u, int weight) {
  if (weight < 2) return LS_DIM;
  if (weight == 3) return LS_CURRENT;
  return p->of[u].live ? LS_TEXT_STYLE : p->of[u].style;
}

/* Draws a dotted line, for a less important edge. */
static void dotted(const picture *p, int x0, int y0, int x1, int y1, int gap, ls_style style) {
  const int dx = abs(x1 - x0), dy = abs(y1 - y0), steps = dx > dy ? dx : dy;
  for (int i = 0; i <= steps; i += gap)
    ls_draw_dot(p->d->canvas, p->in, x0 + (x1 - x0) * i / (steps ? steps : 1),
                y0 + (y1 - y0) * i / (steps ? steps : 1), style);
}

static void draw_edge(const picture *p, u32 u, u32 v, int weight) {
  ls_canvas *c = p->d->canvas;
  const int wide = ls_dots_across(c), high = ls_dots_down(c);
  const int x0 = p->col[u] * wide + wide / 2, y0 = p->row[u] * high + high / 2;
  const int x1 = p->col[v] * wide + wide / 2, y1 = p->row[v] * high + high / 2;
  const ls_style style = style_of(p, u, weight);
  if (weight >= 2)
    ls_draw_segment(c, p->in, x0, y0, x1, y1, style);
  else if (weight == 1)
    dotted(p, x0, y0, x1, y1, 3, style);
  else
    dotted(p, x0, y0, x1, y1, 6, style);
}

/* Draws the arrow head of an edge, 3 columns before its end, if the edge is long enough. */
static void draw_head(const picture *p, u32 u, u32 v) {
  ls_canvas *c = p->d->canvas;
  const f64 dx = p->col[v] - p->col[u], dy = 2.0 * (p->row[v] - p->row[u]), length = sqrt(dx * dx + dy * dy);
  if (length < 5) return;
  const f64 part = (length - 3) / length;
  const int col = p->col[u] + (int)lround(part * (p->col[v] - p->col[u])),
            row = p->row[u] + (int)lround(part * (p->row[v] - p->row[u]));
  static const u32 arrows[8] = {0x2192, 0x2198, 0x2193, 0x2199, 0x2190, 0x2196, 0x2191, 0x2197};
  static const char signs[8] = {'>', '\\', 'v', '/', '<', '\\', '^', '/'};
  const int way = ((int)lround(atan2(dy, dx) / (M_PI / 4)) + 8) % 8;
  ls_draw_char(c, p->in, row, col, style_of(p, u, weight_of(p, u, v)),
               ls_canvas_ascii(c) ? (u32)signs[way] : arrows[way]);
}

/* --- vertices ---------------------------------------------------------------------------------------- */

static void draw_vertex(const picture *p, u32 v) {
  const int width = ls_text_width(p->text[v]);
  int col = p->col[v];
  if (col + width > p->in.cols) col = p->in.cols - width;
  ls_draw_text(p->d->canvas, p->in, p->row[v], col < 0 ? 0 : col, p->of[v].style, p->text[v]);
}

enum { LONGEST_NAME = 14 };

/* The graph's name for a vertex, such as that of a state of an automaton; false if it has none, or if the
 * name is long or contains a space or a character that is not printable ASCII. */
static bool short_name(const ls_graph *g, u32 v, char name[LONGEST_NAME + 2]) {
  if (!g->vertex_names) return false;
  g->vertex_names->vertex(g->vertex_names, ls_graph_label(g, v), name, LONGEST_NAME + 2);
  const size_t length = strlen(name);
  for (size_t i = 0; i < length; i++)
    if (name[i] <= ' ' || name[i] > '~') return false;
  return length > 0 && length <= LONGEST_NAME;
}

static bool all_named(const ls_graph *g) {
  char name[LONGEST_NAME + 2];
  for (u32 v = 0; v < g->n; v++)
    if (!short_name(g, v, name)) return false;
  return true;
}

typedef enum labels { NAMES, VALUES, NUMBERS, SIGNS } labels; /* from the longest to the shortest */

/* Writes the labels: for SIGNS, only the sign; else "a12" (sign and number), "12" (number) or "12:8" (number
 * and value), and for NAMES the vertex's name after that. */
static void write_labels(picture *p, labels kind) {
  p->label = 1;
  for (u32 v = 0; v < p->g->n; v++) {
    const ls_vertex_class c = p->of[v];
    char *text = p->text[v];
    if (kind == SIGNS)
      snprintf(text, sizeof p->text[v], "%c", c.sign);
    else if (*c.value && p->values && kind <= VALUES)
      snprintf(text, sizeof p->text[v], "%u:%s", v, c.value);
    else if (*c.value)
      snprintf(text, sizeof p->text[v], "%u", v);
    else
      snprintf(text, sizeof p->text[v], "%c%u", c.sign, v);
    char name[LONGEST_NAME + 2];
    const size_t used = strlen(text);
    if (kind == NAMES && short_name(ls_view_data_now()->graph, v, name))
      snprintf(text + used, sizeof p->text[v] - used, " %s", name);
    const int width = ls_text_width(text);
    if (width > p->label) p->label = width;
  }
}

/* Converts positions to cells of the rectangle, leaving columns at the right for the last label. */
static void place(picture *p, ls_layout layout) {
  const ls_drawn_graph *g = p->g;
  int wide = p->in.cols - p->label, high = p->in.rows - 1;
  f64 squeeze = 1; /* so that a circle looks round: a cell is twice as high as wide */
  if (layout == LS_CIRCLE && wide > 3 * high) squeeze = 3.0 * high / wide;
  for (u32 v = 0; v < g->n; v++) {
    const f64 x = 0.5 + (g->x[v] - 0.5) * squeeze;
    p->row[v] = (int)lround(g->y[v] * (high > 0 ? high : 0));
    p->col[v] = (int)lround(x * (wide > 0 ? wide : 0));
  }
}

/* Would the label of v, drawn at that row and column, overlap or touch the label of u? */
static bool meets(const picture *p, u32 u, u32 v, int row, int col) {
  const int after = col - p->col[u];
  return p->row[u] == row && after <= ls_text_width(p->text[u]) && -after <= ls_text_width(p->text[v]);
}

static bool overlap(const picture *p) {
  for (u32 u = 0; u < p->g->n; u++)
    for (u32 v = 0; v < u; v++)
      if (meets(p, u, v, p->row[v], p->col[v])) return true;
  return false;
}

static bool is_free(const picture *p, u32 v, int row, int col) {
  if (row < 0 || row >= p->in.rows || col < 0 || col > p->in.cols - p->label) return false;
  for (u32 u = 0; u < v; u++)
    if (meets(p, u, v, row, col)) return false;
  return true;
}

/* Moves each vertex whose label would overlap another one to the nearest free place, if there is one
 * nearby. */
static void spread(picture *p) {
  for (u32 v = 0; v < p->g->n; v++) {
    const int row = p->row[v], col = p->col[v], far = 4 * (p->label + 1);
    bool found = is_free(p, v, row, col);
    for (int away = 1; away <= far && !found; away++) /* 2 * down, because a cell is twice as high as wide. */
      for (int down = 0; down <= 2 && 2 * down <= away && !found; down++)
        for (int way = 0; way < 4 && !found; way++) {
          const int r = row + (way & 1 ? -down : down), c = col + (way & 2 ? -1 : 1) * (away - 2 * down);
          found = is_free(p, v, r, c);
          if (found) p->row[v] = r, p->col[v] = c;
        }
  }
}

/* Chooses the longest kind of label that fits, and places the vertices. Springs spread the vertices out, so
 * labels fit if the area is large enough for all of them. In a circle or in layers, long labels may overlap
 * in a pane of any size, so labels fit only if none overlap. */
static void label_and_place(picture *p, ls_layout layout) {
  for (labels kind = p->named ? NAMES : VALUES; kind <= SIGNS; kind++) {
    if (layout == LS_SPRINGS && kind == NUMBERS) continue;
    write_labels(p, kind);
    place(p, layout);
    if (layout == LS_SPRINGS ? (i64)p->g->n * p->label * 3 <= (i64)p->in.rows * p->in.cols : !overlap(p))
      return;
  }
}

static void draw_picture(picture *p, ls_layout layout) {
  label_and_place(p, layout);
  if (p->label > 1 && layout == LS_SPRINGS) spread(p);
  const ls_drawn_graph *g = p->g;
  for (int weight = 0; weight <= 3; weight++)
    for (u32 u = 0; u < g->n; u++)
      for (u32 e = g->off[u]; e < g->off[u + 1]; e++)
        if (g->to[e] != u && weight_of(p, u, g->to[e]) == weight) draw_edge(p, u, g->to[e], weight);
  const int least = p->pointers ? 3 : 1;
  for (u32 u = 0; u < g->n && g->m <= 160; u++)
    for (u32 e = g->off[u]; e < g->off[u + 1]; e++)
      if (g->to[e] != u && weight_of(p, u, g->to[e]) >= least) draw_head(p, u, g->to[e]);
  for (int live = 0; live < 2; live++) /* settled vertices first, the others on top */
    for (u32 v = 0; v < g->n; v++)
      if (p->of[v].settled == !live) draw_vertex(p, v);
}

/* --- the matrix -------------------------------------------------------------------------------------- */

/* Draws the adjacency matrix, with sources as rows: one cell per edge or, if there is no space, one dot. */
static void draw_matrix(const picture *p) {
  ls_canvas *c = p->d->canvas;
  const ls_drawn_graph *g = p->g;
  const int label = snprintf(NULL, 0, "%u", g->n - 1) + 2;
  const bool cells = (int)g->n + 1 <= p->in.rows && (int)(2 * g->n) + label <= p->in.cols;
  const ls_rect dots = p->in;
  char text[16];
  for (u32 u = 0; u < g->n && cells; u++) {
    snprintf(text, sizeof text, "%c%u", p->of[u].sign, u);
    ls_draw_text(c, p->in, 1 + (int)u, 0, p->of[u].style, text);
    snprintf(text, sizeof text, "%u", u % 10);
    ls_draw_text(c, p->in, 0, label + 2 * (int)u, p->of[u].style, text);
    for (u32 v = 0; v < g->n; v++)
      ls_draw_char(c, p->in, 1 + (int)u, label + 2 * (int)v, LS_DIM,
                   u == v ? (ls_canvas_ascii(c) ? '\\' : 0x2572) : ' ');
  }
  for (u32 u = 0; u < g->n; u++)
    for (u32 e = g->off[u]; e < g->off[u + 1]; e++) {
      const u32 v = g->to[e];
      const int weight = weight_of(p, u, v);
      static const u32 marks[4] = {0xb7, 0x25cb, 0x25cf, 0x25a0};
      if (cells)
        ls_draw_char(c, p->in, 1 + (int)u, label + 2 * (int)v, style_of(p, u, weight),
                     ls_canvas_ascii(c) ? (u32) ".o#@"[weight] : marks[weight]);
      else
        ls_draw_dot(c, dots, (int)v, (int)u, style_of(p, u, weight));
    }
}

static bool matrix_fits(const ls_canvas *c, ls_rect in, u32 n) {
  return (int)n <= in.rows * ls_dots_down(c) && (int)n <= in.cols * ls_dots_across(c);
}

/* --- the view ---------------------------------------------------------------------------------------- */

/* The chosen layout, if the graph fits; else LS_LAYOUTS, the summary. */
static ls_layout layout_for(const ls_view_draw *d, ls_rect in, const ls_graph *g) {
  if (g->n > LS_DRAWN_VERTICES || g->m > LS_DRAWN_EDGES || in.rows < 3) return LS_LAYOUTS;
  const ls_layout wanted = (ls_layout)(d->state->choice % (LS_LAYOUTS + 1));
  const bool roomy = (i64)g->n * 8 <= (i64)in.rows * in.cols;
  if (wanted == LS_MATRIX) return matrix_fits(d->canvas, in, g->n) ? LS_MATRIX : LS_LAYOUTS;
  if (wanted == LS_LAYOUTS || !roomy) return LS_LAYOUTS;
  return wanted;
}

/* Names the keys in the last row. */
static void draw_keys(const ls_view_draw *d) {
  ls_draw_right(d->canvas, d->in, d->in.rows - 1, d->in.cols, LS_DIM,
                d->focused ? "c colour  m layout  v values  ^Xz zoom"
                           : "^Xo focus: c colour, m layout; ^Xz zoom");
}

/* The legend of the signs or the labels. */
static const char *legend_of(const picture *p, const ls_seen *colour) {
  const bool values = *p->of[0].value;
  return p->label <= 1 && values ? "1 least .. 6 greatest  . none" : ls_graph_legend(colour, p->of, p->g->n);
}

static void draw(const ls_view_draw *d) {
  static picture p;
  const ls_view_data *m = ls_view_data_now();
  if (!m->graph) {
    ls_draw_cut(d->canvas, d->in, 0, 0, d->in.cols, LS_DIM,
                d->running ? "its picture comes at the next stop"
                           : "no graph yet: g = gen.grid{4, 4}, or load FILE");
    return;
  }
  const ls_seen *colour = ls_graph_colour(m, m->graph->n, d->state->name);
  ls_rect in = ls_rect_cut(d->in, 0);
  enum { BOTH = 104 }; /* columns for the longest legend and the keys in one row */
  const bool keys = d->keys && in.rows >= 5, legend = in.rows >= 6;
  if (keys) draw_keys(d);
  const ls_rect all = {in.row, in.col, in.rows - keys, in.cols};
  in.rows -= keys && legend && in.cols < BOTH ? 2 : keys || legend;
  const ls_layout layout = layout_for(d, in, m->graph);
  const ls_drawn_graph *g = layout < LS_LAYOUTS ? ls_graph_places(m->graph, layout) : NULL;
  if (!g) {
    ls_graph_summary(d, all, m, colour);
    return;
  }
  p = (picture){.d = d, .in = in, .g = g, .values = !d->state->log, .named = all_named(m->graph)};
  ls_graph_classes(m, colour, 0, g->n, g->to, g->m, p.of);
  for (u32 v = 0; v < g->n; v++) p.pointers = p.pointers || p.of[v].next != LS_NO_VERTEX;
  p.parents = p.pointers && strcmp(colour->field, "parent") == 0;
  if (layout == LS_MATRIX)
    draw_matrix(&p);
  else
    draw_picture(&p, layout);
  if (legend) ls_draw_cut(d->canvas, d->in, in.rows, 0, d->in.cols, LS_DIM, legend_of(&p, colour));
}

static bool key(ls_view_state *st, int k) {
  const ls_view_data *m = ls_view_data_now();
  if (k == 'm') {
    st->choice = (st->choice + 1) % (LS_LAYOUTS + 1);
  } else if (k == 'v') {
    st->log = !st->log;
  } else if (k == 'c' && m->graph) {
    const ls_seen *next = ls_graph_next_colour(m, m->graph->n, st->name);
    if (next) snprintf(st->name, sizeof st->name, "%s", next->name);
  } else {
    return k == 'c';
  }
  return true;
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  static const char *const names[] = {"", ", circle", ", layers", ", matrix", ", summary"};
  const ls_view_data *m = ls_view_data_now();
  char n[16], edges[16];
  if (!m->graph) {
    snprintf(out, bytes, "graph");
    return;
  }
  const ls_seen *colour = ls_graph_colour(m, m->graph->n, st->name);
  snprintf(out, bytes, "graph: %s %s, %s edge%s%s%s%s", ls_short_count(m->graph->n, n),
           m->graph->n == 1 ? "vertex" : "vertices", ls_short_count((f64)m->graph->m, edges),
           ls_plural(m->graph->m), colour ? ", by " : "", colour ? colour->name : "",
           names[st->choice % (LS_LAYOUTS + 1)]);
}

static bool empty(void) { return ls_view_data_now()->graph == NULL; }

const ls_view ls_view_graph = {"graph",
                               "graph",
                               2,
                               12,
                               draw,
                               key,
                               "c colour by another buffer, m springs circle layers matrix summary, v values",
                               caption,
                               empty};
