/* DIMACS, 9th implementation challenge (2006): "p sp N M", then one line "a U V W" per arc; 1-based. Our
 * extension: a fourth number, "a U V W T", is the arc's transit time; either all arcs have one or none has.
 */
#include <string.h>

#include "core/text.h"
#include "load/format.h"
#include "load/edge_text.h"
#include "load/write.h"

typedef struct head {
  u64 n, m;
  bool unweighted; /* the file has our saver's line `no_weights`: each weight is 1 and is dropped */
} head;

static const char no_weights[] = "c no weights: written as 1\n";

static bool read_weight(edge_piece *pc, const char **p) {
  if (pc->text->weighted) return edge_piece_read_weight(pc, p);
  *p = ls_blanks(*p);
  if (**p == '1' && ls_ends_word((*p)[1])) return ++*p, true;
  return edge_piece_expected(pc, "1, since the file says that it has no weights", *p);
}

static void parse(edge_piece *pc) {
  const head *h = pc->format;
  const char *p = pc->at;
  while (p < pc->end) {
    pc->line++;
    if (*p != 'a') {
      p = ls_blanks(p);
      if (*p == '\n') {
        p++;
        continue;
      }
      if (*p == 'c') {
        p = ls_line_end(p) + 1;
        continue;
      }
    }
    if (*p != 'a' || !ls_ends_word(p[1])) {
      char word[48];
      edge_piece_fail(pc, *p == 'p' ? "a second problem line" : "expected an arc \"a U V W\", found %s",
                      edge_text_word(p, word));
      return;
    }
    p++;
    u64 u = 0, v = 0;
    if (!edge_piece_vertex(pc, &p, 1, h->n, &u) || !edge_piece_vertex(pc, &p, 1, h->n, &v) ||
        !read_weight(pc, &p) || (pc->t && !edge_piece_read_time(pc, &p)))
      return;
    if (!pc->t && *ls_blanks(p) != '\n') {
      char word[48];
      edge_piece_fail(pc, "expected the end of the line, since the first arc has no time; found %s",
                      edge_text_word(p, word));
      return;
    }
    if (!edge_piece_line_end(pc, &p)) return;
    edge_piece_edge(pc, u, v);
  }
}

static const edge_text_form form = {.comments = "c", .bytes_per_edge = 8, .parse = parse};

static ls_status read_head(edge_text *t, head *h) {
  const char *line;
  char word[48];
  while ((line = edge_text_line(t))) {
    const char *p = ls_blanks(line);
    if (strncmp(line, no_weights, sizeof no_weights - 1) == 0) h->unweighted = true;
    if (*p == '\n' || *p == 'c') continue;
    if (*p != 'p' || !ls_ends_word(p[1])) return edge_text_expected(t, "the problem line \"p sp N M\"", p);
    p = ls_blanks(p + 1);
    if (strncmp(p, "sp", 2) != 0 || !ls_ends_word(p[2]))
      return edge_text_fail(t, "expected a shortest-path problem \"p sp N M\", found \"p %s\"",
                            edge_text_word(p, word));
    p = edge_text_natural(t, p + 2, "the number of vertices", LS_MAX_VERTICES, &h->n);
    if (p) p = edge_text_natural(t, p, "the number of arcs", LS_MAX_EDGES, &h->m);
    if (!p) return LS_EINPUT;
    if (*ls_blanks(p) != '\n') return edge_text_expected(t, "the end of the line", p);
    return LS_OK;
  }
  return t->st ? ls_fail(t->st, "%s", t->message)
               : edge_text_fail(t, "the file ends before its problem line \"p sp N M\"");
}

/* Sets t->timed if the first arc has a time. The parsers require the same of all others. */
static ls_status look_at_first_arc(edge_text *t) {
  const char *line;
  while ((line = edge_text_line(t))) {
    const char *p = ls_blanks(line);
    if (*p == '\n' || *p == 'c') continue;
    int words = 0;
    for (; *p != '\n'; p = ls_blanks(p), words++)
      while (!ls_ends_word(*p)) p++;
    t->timed = words > 4;
    edge_text_unread(t, line);
    return LS_OK;
  }
  return t->st ? ls_fail(t->st, "%s", t->message) : LS_OK;
}

static ls_status load(ls_source *s, const ls_load_options *o, ls_graph **out) {
  edge_text t;
  head h = {0};
  edge_text_open(&t, s, o, &form);
  ls_status st = read_head(&t, &h);
  t.weighted = !h.unweighted || o->weights != LS_NONE;
  if (!st) st = look_at_first_arc(&t);
  if (!st) st = edge_text_edges(&t, &h);
  if (!st && t.edges != h.m)
    st = edge_text_fail(&t, "expected %llu arc%s, as announced, found %llu", (unsigned long long)h.m,
                        ls_plural(h.m), (unsigned long long)t.edges);
  if (!st) st = edge_text_graph(&t, h.n, 1, out);
  edge_text_close(&t);
  return st;
}

static ls_status save(const ls_graph *g, ls_sink *s) {
  ls_sink_text(s, "c %.200s\n", g->name);
  if (!g->w) ls_sink_text(s, "%s", no_weights);
  if (g->scale != 1) ls_sink_text(s, "c load with scale = %.17g to get these integers back\n", g->scale);
  ls_sink_text(s, "p sp %u %llu\n", g->n, (unsigned long long)g->m);
  ls_write_edges(s, g, 'a', 1, ' ', '1');
  return s->st;
}

/* Comments, then a problem line. */
static bool looks_like(const char *head_text, size_t bytes) {
  const char *p = head_text, *end = p + bytes;
  while (p < end && (*p == 'c' || *p == '\n' || *p == '\r')) {
    if (*p == 'c' && p + 1 < end && !ls_ends_word(p[1])) return false;
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return false;
    p++;
  }
  return end - p > 5 && strncmp(p, "p sp", 4) == 0;
}

const ls_format ls_format_gr = {
    "gr", ".gr", "DIMACS 9th challenge: p sp N M, a U V W [T]; 1-based", looks_like, load, save, true, false,
};
