#include "load/write.h"

#include <string.h>

#include "load/number.h"

static int power_of_ten(f64 scale) {
  f64 ten = 1;
  for (int places = 0; places <= 18; places++, ten *= 10)
    if (ten == scale) return places;
  return -1;
}

ls_rows ls_rows_of(const ls_graph *g) {
  return (ls_rows){.off = g->off->host,
                   .to = g->to->host,
                   .w = g->w ? g->w->host : NULL,
                   .wtype = g->wtype,
                   .scale = g->scale,
                   .places = power_of_ten(g->scale)};
}

static void write_real(ls_sink *s, f64 x, bool single) {
  char *to = ls_sink_room(s);
  int n = single ? ls_number_write_f32((f32)x, to) : ls_number_write(x, to);
  if (!strpbrk(to, ".e")) to[n++] = '.', to[n++] = '0';
  s->used += (size_t)n;
}

static void write_integer(ls_sink *s, i64 x, const ls_rows *r) {
  if (r->places == 0) {
    ls_sink_integer(s, x);
    return;
  }
  if (r->places < 0) {
    write_real(s, (f64)x / r->scale, false);
    return;
  }
  u64 ten = 1, left = x < 0 ? -(u64)x : (u64)x;
  for (int i = 0; i < r->places; i++) ten *= 10;
  if (x < 0) ls_sink_char(s, '-');
  ls_sink_integer(s, (i64)(left / ten));
  ls_sink_char(s, '.');
  for (left %= ten, ten /= 10; ten; left %= ten, ten /= 10) ls_sink_char(s, (char)('0' + left / ten));
}

void ls_write_edges(ls_sink *s, const ls_graph *g, char first, i64 base, char between, char no_weight) {
  const ls_rows rows = ls_rows_of(g);
  for (u32 v = 0; v < g->n && !s->st; v++)
    for (u32 e = rows.off[v]; e < rows.off[v + 1]; e++, s->done++) {
      if (first) ls_sink_char(s, first), ls_sink_char(s, between);
      ls_sink_integer(s, v + base);
      ls_sink_char(s, between);
      ls_sink_integer(s, rows.to[e] + base);
      if (g->w || no_weight) ls_sink_char(s, between);
      if (g->w)
        ls_write_weight(s, &rows, e);
      else if (no_weight)
        ls_sink_char(s, no_weight);
      if (g->t) {
        ls_sink_char(s, between);
        ls_sink_integer(s, g->ttype == LS_I32 ? ((const i32 *)g->t->host)[e] : ((const i64 *)g->t->host)[e]);
      }
      ls_sink_char(s, '\n');
    }
}

void ls_write_weight(ls_sink *s, const ls_rows *r, u64 e) {
  switch (r->wtype) {
  case LS_I32: write_integer(s, ((const i32 *)r->w)[e], r); break;
  case LS_I64: write_integer(s, ((const i64 *)r->w)[e], r); break;
  case LS_F32: write_real(s, (f64)((const f32 *)r->w)[e], true); break;
  default: write_real(s, ((const f64 *)r->w)[e], false);
  }
}
