#include "panel/views/graph_classes.h"

#include <stdio.h>
#include <string.h>

/* Does the buffer have one value for each of n vertices? Arrays of edges do not count, even if there are n
 * edges. */
static bool fits(const ls_seen *s, u32 n) { return s->count == n && !s->cols && !s->closed && !s->of_edges; }

const ls_seen *ls_graph_colour(const ls_view_data *m, u32 n, const char *name) {
  static const char *const usual[] = {"comp", "id", "dist", "policy", "mark"};
  const ls_seen *s = *name ? ls_view_data_buffer(m, name) : NULL;
  if (s && fits(s, n)) return s;
  for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
    for (int i = 0; i < m->nbuffers; i++)
      if (strcmp(m->buffers[i].field, usual[k]) == 0 && fits(&m->buffers[i], n)) return &m->buffers[i];
  for (int i = 0; i < m->nbuffers; i++)
    if (fits(&m->buffers[i], n)) return &m->buffers[i];
  return NULL;
}

const ls_seen *ls_graph_next_colour(const ls_view_data *m, u32 n, const char *name) {
  const ls_seen *now = ls_graph_colour(m, n, name);
  const int at = now ? (int)(now - m->buffers) : -1;
  for (int k = 1; k <= m->nbuffers; k++) {
    const ls_seen *s = &m->buffers[(at + k) % m->nbuffers];
    if (fits(s, n)) return s;
  }
  return now;
}

/* Classifies by components. A finished component of two or more vertices gets a letter and a colour; the sign
 * of a live vertex says whether the forward search, the backward search or both have reached it. */
static void by_component(const ls_seen *comp, const ls_seen *mark, u32 first, u32 count,
                         ls_vertex_class *out) {
  u32 of[LS_SAMPLE], marks[LS_SAMPLE], sizes[LS_SAMPLE] = {0}, letters = 0;
  if (!ls_seen_peek(comp, first, count, of)) return;
  const bool marked = mark && mark->type == LS_U32 && ls_seen_peek(mark, first, count, marks);
  for (u32 i = 0; i < count; i++)
    if (of[i] >= first && of[i] - first < count) sizes[of[i] - first]++;
  u32 number[LS_SAMPLE] = {0}; /* a component's number, from 1, at the index of its representative */
  for (u32 i = 0; i < count; i++) {
    ls_vertex_class *c = &out[i];
    if (of[i] == LS_NO_VERTEX) {
      static const char signs[] = "o><x"; /* index: 2 * backward + forward */
      static const ls_style styles[] = {LS_NUMBER, LS_SERIES2, LS_SERIES4, LS_CURRENT};
      const u32 way = marked && marks[i] != LS_NO_VERTEX ? marks[i] & 3 : 0;
      c->sign = signs[way];
      c->style = styles[way];
      c->group = marked && marks[i] != LS_NO_VERTEX ? marks[i] >> 2 : 0;
      continue;
    }
    c->group = of[i];
    c->live = false;
    c->settled = true;
    c->sign = '.';
    c->style = LS_DIM;
    const u32 root = of[i] - first;
    if (of[i] < first || root >= count || sizes[root] < 2) continue;
    if (!number[root]) number[root] = ++letters;
    const u32 k = number[root] - 1;
    c->sign = (char)(k < 26 ? 'a' + k : k < 52 ? 'A' + k - 26 : '#');
    c->style = (ls_style)(LS_SERIES1 + k % 6);
    c->settled = false;
  }
}

/* Classifies by value: the range of the known values is divided into six equal parts, with the signs 1 to
 * 6. */
static void by_value(const ls_seen *s, u32 first, u32 count, ls_vertex_class *out) {
  u64 raw[LS_SAMPLE];
  f64 low = 0, high = 0;
  bool any = false, none;
  if (!ls_seen_peek(s, first, count, raw)) return;
  for (u32 i = 0; i < count; i++) {
    const f64 x = ls_seen_value(s->type, raw, i, &none);
    if (none) continue;
    low = !any || x < low ? x : low;
    high = !any || x > high ? x : high;
    any = true;
  }
  for (u32 i = 0; i < count; i++) {
    const f64 x = ls_seen_value(s->type, raw, i, &none);
    char text[32];
    ls_seen_text(s->type, raw, i, text, sizeof text);
    if (strlen(text) < sizeof out[i].value)
      memcpy(out[i].value, text, strlen(text) + 1);
    else
      snprintf(out[i].value, sizeof out[i].value, "%.4g", x); /* a truncated number would be misread */
    const int part = !none && high > low ? (int)(5.999 * (x - low) / (high - low)) : 0;
    out[i].sign = none ? '.' : (char)('1' + part);
    out[i].style = none ? LS_DIM : (ls_style)(LS_SERIES1 + part);
    out[i].settled = none;
  }
}

/* Sets `next` if the buffer contains pointers: vertices or, in a policy, edge numbers. */
static void pointers(const ls_seen *s, u32 first, u32 count, const u32 *to, u32 edges, ls_vertex_class *out) {
  u32 raw[LS_SAMPLE];
  const bool policy = strcmp(s->field, "policy") == 0 && to;
  if (!(policy || ls_seen_points(s)) || s->type != LS_U32 || !ls_seen_peek(s, first, count, raw)) return;
  for (u32 i = 0; i < count; i++) {
    out[i].next = policy ? (raw[i] < edges ? to[raw[i]] : LS_NO_VERTEX) : raw[i];
    out[i].sign = raw[i] == LS_NO_VERTEX ? '.' : 'o';
    out[i].style = raw[i] == LS_NO_VERTEX ? LS_DIM : LS_TEXT_STYLE;
    out[i].settled = false;
  }
}

const ls_seen *ls_graph_marks(const ls_view_data *m, const ls_seen *comp) {
  char name[64];
  snprintf(name, sizeof name, "%.*smark", (int)(comp->field - comp->name), comp->name);
  return ls_view_data_buffer(m, name);
}

void ls_graph_classes(const ls_view_data *m, const ls_seen *colour, u32 first, u32 count, const u32 *to,
                      u32 edges, ls_vertex_class *out) {
  for (u32 i = 0; i < count; i++)
    out[i] = (ls_vertex_class){.sign = 'o', .style = LS_TEXT_STYLE, .live = true, .next = LS_NO_VERTEX};
  if (!colour || count > LS_SAMPLE) return;
  if (colour->labels) {
    by_component(colour, ls_graph_marks(m, colour), first, count, out);
  } else {
    by_value(colour, first, count, out);
    pointers(colour, first, count, to, edges, out);
  }
}

const char *ls_graph_legend(const ls_seen *colour, const ls_vertex_class *of, u32 count) {
  static const struct {
    char sign;
    const char *means;
  } signs[] = {{'o', "o live"}, {'>', "> forward"}, {'<', "< backward"}, {'x', "x both"}, {'.', ". alone"}};
  static char text[96];
  bool there[128] = {false}, letters = false; /* letters: does any vertex have the letter of a component? */
  if (!colour) return "";
  if (!colour->labels) return "number:value";
  for (u32 i = 0; i < count; i++) {
    if (of[i].live || of[i].sign == '.')
      there[(int)of[i].sign] = true;
    else
      letters = true;
  }
  size_t n = 0;
  text[0] = '\0';
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
    if (there[(int)signs[k].sign])
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? "  " : "", signs[k].means);
  if (letters) snprintf(text + n, sizeof text - n, "%sa.. components", n ? "  " : "");
  return text;
}
