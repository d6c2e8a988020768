#include "load/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/nearest.h"
#include "core/wait.h"
#include "load/graph.h"
#include "core/sink.h"
#include "core/source.h"

/* Each is defined in a source file of its own. */
extern const ls_format ls_format_lsg, ls_format_gr, ls_format_mtx, ls_format_tsv, ls_format_metis,
    ls_format_egr;

/* In the order in which looks_like is tried: the most reliable first. */
static const ls_format *const formats[] = {
    &ls_format_lsg, &ls_format_mtx, &ls_format_gr, &ls_format_tsv, &ls_format_metis, &ls_format_egr,
};
enum { FORMATS = sizeof formats / sizeof *formats };

const ls_format *ls_format_at(size_t i) { return i < FORMATS ? formats[i] : NULL; }

const ls_format *ls_format_find(const char *name) {
  for (int i = 0; i < FORMATS; i++)
    if (strcmp(formats[i]->name, name) == 0) return formats[i];
  return NULL;
}

const ls_format *ls_format_of_path(const char *path) {
  for (int i = 0; i < FORMATS; i++)
    for (const char *p = formats[i]->extensions; *p;) {
      char extension[16];
      size_t n = strcspn(p, " ");
      snprintf(extension, sizeof extension, "%.*s", (int)n, p);
      if (ls_path_ends(path, extension)) return formats[i];
      p += n + (p[n] == ' ');
    }
  return NULL;
}

static const char *names_of_formats(char out[128]) {
  size_t at = 0;
  for (int i = 0; i < FORMATS && at < 128; i++)
    at += (size_t)snprintf(out + at, 128 - at, "%s%s", i ? ", " : "", formats[i]->name);
  return out;
}

static ls_status unknown_format(const char *path, const char *name) {
  char all[128];
  const char *names[FORMATS];
  for (int i = 0; i < FORMATS; i++) names[i] = formats[i]->name;
  const char *near = ls_nearest(name, names, FORMATS);
  if (near) return ls_fail(LS_EARG, "%s: no format is called %s (did you mean %s?)", path, name, near);
  return ls_fail(LS_EARG, "%s: no format is called %s; there are %s", path, name, names_of_formats(all));
}

/* Formats that could be mistaken for edge lists, also with .gz. */
static const struct {
  const char *extension, *what;
} others[] = {
    {".hgr", "a hypergraph (hMETIS), whose edges have more than two ends"},
    {".hgraph", "a hypergraph, whose edges have more than two ends"},
    {".hmetis", "a hypergraph (hMETIS), whose edges have more than two ends"},
    {".adjlist", "an adjacency list"},
    {".multiline_adjlist", "an adjacency list"},
    {".adj", "an adjacency list"},
    {".lgl", "an adjacency list (LGL)"},
    {".ncol", "a list of names (LGL)"},
};

static ls_status refuse_other(const char *path) {
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ls_path_ends(path, others[i].extension))
      return ls_fail(
          LS_EINPUT,
          "%s: %s is %s, which is not read; expected an edge list (.tsv), .gr, .mtx, .graph, .egr or .lsg",
          path, others[i].extension, others[i].what);
  return LS_OK;
}

static const ls_format *recognise(const ls_source *s, const ls_load_options *o) {
  const ls_format *f = strcmp(s->path, "-") == 0 ? NULL : ls_format_of_path(s->path);
  for (int i = 0; i < FORMATS && !f; i++)
    if (formats[i]->looks_like && formats[i]->looks_like((const char *)s->head, s->head_bytes))
      if ((f = formats[i]) == &ls_format_tsv)
        ls_load_note(
            o, "read as an edge list (source, target [, weight]), by its first lines; {format = ...} selects "
               "another format");
  return f;
}

static ls_status check_options(const char *path, const ls_load_options *o) {
  if (o->scaled && (o->scale != 0 || o->weights != LS_NONE))
    return ls_fail(LS_EARG, "%s: with weights = \"scaled\" the type and the scale follow from the file",
                   path);
  if (o->scale == 0) return LS_OK;
  if (!ls_load_is_scale(o->scale))
    return ls_fail(LS_EARG, "%s: scale %g: expected a positive whole number up to 1e18", path, o->scale);
  if (o->weights == LS_F32 || o->weights == LS_F64)
    return ls_fail(LS_EARG, "%s: weights of type %s have no scale: a scale turns decimals into integers",
                   path, ls_dtype_name(o->weights));
  return LS_OK;
}

ls_status ls_graph_load(const char *path, const ls_load_options *o, ls_graph **out) {
  static const ls_load_options none = {.weights = LS_NONE};
  if (!o) o = &none;
  const ls_format *f = o->format ? ls_format_find(o->format) : NULL;
  if (o->format && !f) return unknown_format(path, o->format);
  ls_status st = check_options(path, o);
  if (st) return st;
  ls_source s;
  st = f ? LS_OK : refuse_other(path);
  if (st) return st;
  st = ls_source_open(&s, path);
  if (!st && !f) f = recognise(&s, o);
  if (!st && !f) {
    char all[128];
    ls_source_close(&s);
    return ls_fail(LS_EINPUT, "%s: the format is not recognised; give one of %s, as in {format = \"gr\"}",
                   path, names_of_formats(all));
  }
  if (!st && o->based && !f->bases) {
    ls_source_close(&s);
    return ls_fail(LS_EARG, "%s: base is an option of edge lists; the format %s defines the first id itself",
                   path, f->name);
  }
  if (!st) {
    st = f->load(&s, o, out);
    ls_source_close(&s);
    ls_progress_end();
  }
  if (st == LS_EMEM && strncmp(ls_error(), path, strlen(path)) != 0) ls_fail_prefix(st, "%s: ", path);
  return st;
}

static ls_status to_host(ls_buffer *const *arrays, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (arrays[i] && !ls_buffer_read(arrays[i])) return LS_EMEM;
  return LS_OK;
}

ls_status ls_graph_save(ls_graph *g, const char *path, const char *format) {
  const ls_format *f = format ? ls_format_find(format) : ls_format_of_path(path);
  if (format && !f) return unknown_format(path, format);
  if (!f) {
    char all[128];
    return ls_fail(LS_EARG, "%s: the name does not show the format; give one of %s", path,
                   names_of_formats(all));
  }
  if (!f->save) return ls_fail(LS_EARG, "%s: files of the format %s are read, not written", path, f->name);
  if (g->t && !f->times)
    return ls_fail(LS_EARG, "%s: the edges have times, which %s files don't hold; .gr and .lsg do", path,
                   f->name);
  ls_status st = to_host((ls_buffer *[]){g->off, g->to, g->w, g->t, g->ids}, 5);
  if (!st && f == &ls_format_lsg) {
    st = ls_graph_transpose(g);
    if (!st) st = to_host((ls_buffer *[]){g->roff, g->rto, g->rw, g->rt}, 4);
  }
  ls_sink s;
  if (!st) st = ls_sink_open(&s, path);
  if (!st) {
    s.total = g->m;
    st = ls_sink_close(&s, f->save(g, &s));
    ls_progress_end();
  }
  if (st == LS_EMEM && strncmp(ls_error(), path, strlen(path)) != 0) ls_fail_prefix(st, "%s: ", path);
  return st;
}
