#include "data/stats_page.h"

#include <inttypes.h>
#include <stdio.h>

f64 ls_graph_mean_weight(const ls_graph *g, const ls_graph_stats *s) {
  return ls_number_real(s->wsum) / (f64)g->m;
}

static void add_degrees(ls_text *b, const char *which, const ls_graph *g, const ls_degrees *d) {
  char top[LS_VERTEX_CHARS];
  if (g->n)
    ls_text_printf(b, "\n  %-11s min %" PRIu32 "  mean %.4g  max %" PRIu32 ", at vertex %s", which, d->min,
                   d->mean, d->max, ls_graph_vertex_text(g, d->top, top));
}

static const char *bar(u64 count, u64 most) {
  static const char hashes[] = "####################"; /* 20 */
  u64 length = most ? (count * 20 + most - 1) / most : 0;
  return hashes + (20 - length);
}

static void add_histogram(ls_text *b, const ls_graph_stats *s) {
  u64 most = 0;
  int last = 0;
  for (int k = 0; k < LS_DEGREE_BINS; k++) {
    u64 larger = s->out.bins[k] > s->in.bins[k] ? s->out.bins[k] : s->in.bins[k];
    if (larger) last = k;
    if (larger > most) most = larger;
  }
  ls_text_printf(b, "\n  %-12s %10s %-20s %10s", "degree", "out", "", "in");
  for (int k = 0; k <= last; k++) {
    char range[48];
    u64 from = k ? 1ull << (k - 1) : 0, to = k ? (1ull << k) - 1 : 0;
    snprintf(range, sizeof range, from == to ? "%" PRIu64 : "%" PRIu64 "..%" PRIu64, from, to);
    const char *in = bar(s->in.bins[k], most);
    ls_text_printf(b, "\n  %-12s %10" PRIu64 " %-20s %10" PRIu64 "%s%s", range, s->out.bins[k],
                   bar(s->out.bins[k], most), s->in.bins[k], *in ? " " : "", in);
  }
}

static void add_components(ls_text *b, const ls_graph *g, const char *kind, u32 count, u32 largest) {
  ls_text_printf(b, "\n  %s components %" PRIu32 ", vertices in the largest %" PRIu32 " (%.3g %%)", kind,
                 count, largest, g->n ? 100.0 * largest / g->n : 0);
}

void ls_graph_stats_page(ls_text *b, ls_graph *g, const ls_graph_stats *s, const ls_strong *strong) {
  add_degrees(b, "out-degree", g, &s->out);
  add_degrees(b, "in-degree", g, &s->in);
  ls_text_printf(b, "\n  self loops %" PRIu64 ", parallel edges %" PRIu64 ", isolated vertices %" PRIu32,
                 s->self_loops, s->parallel, s->isolated);
  add_components(b, g, "weak", s->weak, s->largest);
  if (strong) add_components(b, g, "strong", strong->count, strong->largest);
  if (g->w && g->m) {
    char low[LS_NUMBER_CHARS], high[LS_NUMBER_CHARS];
    ls_text_printf(b, "\n  weights     min %s  mean %.6g  max %s, %" PRIu64 " negative",
                   ls_number_text(g->wtype, s->wmin, low), ls_graph_mean_weight(g, s),
                   ls_number_text(g->wtype, s->wmax, high), s->negative);
  }
  if (g->n) add_histogram(b, s);
}
