#include "load/graph.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"
#include "data/reduce.h"

u64 ls_load_most_bytes;

ls_status ls_load_room(const ls_source *s, u64 n, u64 m, ls_dtype wtype) {
  u64 most = ls_load_most_bytes, wanted = 4 * (n + 1) + (8 + ls_dtype_size(wtype)) * m;
  if (!most) most = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
  if (wanted <= most) return LS_OK;
  return ls_fail(LS_EMEM, "%s: %llu vertices and %llu edges need %llu bytes, this machine has %llu", s->path,
                 (unsigned long long)n, (unsigned long long)m, (unsigned long long)wanted,
                 (unsigned long long)most);
}

ls_status ls_load_finish(const ls_source *s, const ls_load_options *o, u32 n, u64 m, u32 *off, u32 *to,
                         void *w, ls_dtype wtype, i64 label_base, ls_graph **out) {
  const char *slash = strrchr(s->path, '/'), *name = slash ? slash + 1 : s->path;
  ls_status st = ls_graph_from_csr(n, m, off, to, w, wtype, strcmp(name, "-") == 0 ? "stdin" : name, out);
  if (st) return st;
  (*out)->label_base = label_base;
  if (o->scale > 0 && wtype != LS_NONE) (*out)->scale = o->scale;
  return LS_OK;
}

void ls_load_note(const ls_load_options *o, const char *fmt, ...) {
  if (!o->notes) return;
  const size_t at = strlen(o->notes);
  va_list ap;
  va_start(ap, fmt);
  const int n = vsnprintf(o->notes + at, LS_LOAD_NOTES - at, fmt, ap);
  va_end(ap);
  if (n < 0 || at + (size_t)n + 1 >= LS_LOAD_NOTES)
    o->notes[at] = 0;
  else
    strcpy(o->notes + at + n, "\n");
}

static ls_status ends_early(const ls_source *s, const char *what) {
  return ls_fail(LS_EINPUT, "%s: byte %llu: the file ends within %s", s->path, (unsigned long long)s->at,
                 what);
}

/* Reads in stretches, to check for an interrupt in between. */
static ls_status read_stretches(ls_source *s, u8 *to, u64 bytes, const char *what) {
  enum { STRETCH = 8 << 20 };
  for (u64 at = 0; at < bytes;) {
    size_t want = bytes - at < STRETCH ? (size_t)(bytes - at) : STRETCH, got;
    ls_status st = ls_source_read(s, to + at, want, &got);
    if (st) return st;
    if (got < want) return ends_early(s, what);
    if (ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "%s: interrupted", s->path);
    ls_source_progress(s);
    at += got;
  }
  return LS_OK;
}

ls_status ls_load_array(ls_source *s, u64 count, size_t size, const char *what, void **out) {
  enum { FIRST = 1 << 24 };
  u64 bytes = count * size, left, done = 0, room = bytes;
  *out = NULL;
  if (ls_source_left(s, &left)) {
    if (left < bytes)
      return ls_fail(LS_EINPUT, "%s: byte %llu: %s should take %llu bytes, the file has %llu more", s->path,
                     (unsigned long long)s->at, what, (unsigned long long)bytes, (unsigned long long)left);
  } else if (room > FIRST) {
    room = FIRST;
  }
  u8 *p = ls_malloc(room);
  ls_status st = p ? read_stretches(s, p, room, what) : LS_EMEM;
  for (done = room; !st && done < bytes; done = room) {
    room = bytes - room < room ? bytes : 2 * room;
    u8 *q = ls_realloc(p, room);
    if (q) p = q;
    st = q ? read_stretches(s, p + done, room - done, what) : LS_EMEM;
  }
  if (st)
    ls_free(p);
  else
    *out = p;
  return st;
}

enum { BLOCK = 1 << 16 }; /* elements that a thread checks at a time */

/* The first v below n for which off[v] > off[v + 1]; n if there is none. */
static u64 first_descent(const u32 *off, u64 n) {
  u64 first = n;
#pragma omp parallel for schedule(dynamic) reduction(min : first) if (n > 4 * BLOCK)
  for (u64 from = 0; from < n; from += BLOCK) {
    const u64 end = n - from < BLOCK ? n : from + BLOCK;
    u64 v = from;
    u32 wrong = 0;
    for (; v < end; v++) wrong |= off[v] > off[v + 1];
    if (!wrong) continue;
    for (v = from; off[v] <= off[v + 1]; v++) {}
    if (v < first) first = v;
  }
  return first;
}

/* The first e below count for which to[e] >= n; count if there is none. */
static u64 first_beyond(const u32 *to, u64 count, u32 n) {
  u64 first = count;
#pragma omp parallel for schedule(dynamic) reduction(min : first) if (count > 4 * BLOCK)
  for (u64 from = 0; from < count; from += BLOCK) {
    const u64 end = count - from < BLOCK ? count : from + BLOCK;
    u64 e = from;
    u32 top = 0;
    for (; e < end; e++) top = to[e] > top ? to[e] : top;
    if (top < n) continue;
    for (e = from; to[e] < n; e++) {}
    if (e < first) first = e;
  }
  return first;
}

ls_status ls_load_check_ends(const char *path, u64 at, u64 first, u64 count, u32 n, const u32 *to) {
  const u64 e = first_beyond(to, count, n);
  if (e == count) return LS_OK;
  return ls_fail(LS_EINPUT, "%s: byte %llu: edge %llu leads to vertex %u, not below n = %u", path,
                 (unsigned long long)(at + 4 * (first + e)), (unsigned long long)(first + e), to[e], n);
}

ls_status ls_load_check_rows(const char *path, u32 n, u64 m, const u32 *off, u64 at, const u32 *to,
                             u64 to_at) {
  if (off[0] != 0)
    return ls_fail(LS_EINPUT, "%s: byte %llu: the first offset is %u, not 0", path, (unsigned long long)at,
                   off[0]);
  const u64 v = first_descent(off, n);
  if (v != n)
    return ls_fail(LS_EINPUT, "%s: byte %llu: offset %u of vertex %llu is less than the previous offset, %u",
                   path, (unsigned long long)(at + 4 * (v + 1)), off[v + 1], (unsigned long long)v + 1,
                   off[v]);
  if (off[n] != m)
    return ls_fail(LS_EINPUT, "%s: byte %llu: the last offset is %u, the number of edges %llu", path,
                   (unsigned long long)(at + 4ull * n), off[n], (unsigned long long)m);
  return ls_load_check_ends(path, to_at, 0, m, n, to);
}

ls_status ls_load_check_weights(const char *path, u64 at, u64 first, u64 count, ls_dtype type,
                                const void *w) {
  const u64 e = ls_weights_not_finite(type, w, count);
  char text[LS_NUMBER_CHARS];
  if (e == count) return LS_OK;
  return ls_fail(LS_EINPUT, "%s: byte %llu: edge %llu has weight %s: weights are finite numbers", path,
                 (unsigned long long)(at + (first + e) * ls_dtype_size(type)),
                 (unsigned long long)(first + e), ls_number_text(type, ls_number_at(type, w, e), text));
}

ls_status ls_load_check_times(const char *path, u64 at, u64 first, u64 count, ls_dtype type, const void *t) {
  for (u64 e = 0; e < count; e++)
    if (type == LS_I32 ? ((const i32 *)t)[e] < 0 : ((const i64 *)t)[e] < 0)
      return ls_fail(LS_EINPUT, "%s: byte %llu: edge %llu has a negative time", path,
                     (unsigned long long)(at + (first + e) * ls_dtype_size(type)),
                     (unsigned long long)(first + e));
  return LS_OK;
}

/* --- a transpose ------------------------------------------------------------------------------------- */

/* An edge into a vertex: its source, and the bits of its weight and its time. */
typedef struct in_edge {
  u64 from, w, t;
} in_edge;

static int by_all(const void *a, const void *b) {
  const in_edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->w != y->w) return x->w < y->w ? -1 : 1;
  return x->t < y->t ? -1 : x->t > y->t;
}

static u64 bits_at(const ls_buffer *b, u64 e) {
  u64 bits = 0;
  if (b) memcpy(&bits, (const u8 *)b->host + e * ls_dtype_size(b->type), ls_dtype_size(b->type));
  return bits;
}

static void take_row(const ls_graph *g, u64 from, u64 count, in_edge *out) {
  for (u64 i = 0; i < count; i++)
    out[i] =
        (in_edge){((const u32 *)g->rto->host)[from + i], bits_at(g->rw, from + i), bits_at(g->rt, from + i)};
  qsort(out, count, sizeof *out, by_all);
}

static bool same_bytes(const ls_buffer *a, const ls_buffer *b) {
  return !a || !a->count || memcmp(a->host, b->host, ls_buffer_bytes(a)) == 0;
}

/* The first vertex whose in-edges differ in a and b; n if there is none. *st becomes LS_EMEM if memory is
 * short. */
static u32 first_other_row(const ls_graph *a, const ls_graph *b, ls_status *st) {
  const u32 *x = a->roff->host, *y = b->roff->host, n = a->n;
  u32 v = 0;
  u64 most = 0;
  for (; v < n && x[v + 1] == y[v + 1]; v++) most = x[v + 1] - x[v] > most ? x[v + 1] - x[v] : most;
  const bool offsets = v == n;
  if (offsets && same_bytes(a->rto, b->rto) && same_bytes(a->rw, b->rw) && same_bytes(a->rt, b->rt)) return n;
  if (!offsets) return v;
  in_edge *rows = ls_malloc(2 * most * sizeof *rows);
  if (!rows) *st = LS_EMEM;
  for (v = 0; v < n && rows; v++) {
    const u64 count = x[v + 1] - x[v];
    take_row(a, x[v], count, rows);
    take_row(b, x[v], count, rows + most);
    if (memcmp(rows, rows + most, count * sizeof *rows) != 0) break;
  }
  ls_free(rows);
  return v;
}

ls_status ls_load_check_transpose(const char *path, const ls_graph *g) {
  if (!g->roff) return LS_OK;
  ls_graph mine = *g; /* it shares g's arrays, except those that are made here */
  mine.roff = mine.rto = mine.rw = mine.rt = NULL;
  ls_status st = ls_graph_transpose(&mine);
  const u32 v = st ? g->n : first_other_row(&mine, g, &st);
  if (!st && v < g->n)
    st = ls_fail(LS_EINPUT, "%s: the transpose is wrong: its edges into vertex %u are not those of the graph",
                 path, v);
  ls_buffer *const made[] = {mine.roff, mine.rto, mine.rw, mine.rt};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) ls_buffer_release(made[i]);
  return st;
}

bool ls_load_is_scale(f64 scale) { return scale >= 1 && scale <= 1e18 && scale == floor(scale); }
