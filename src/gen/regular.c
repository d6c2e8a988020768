/* Structured graphs: ring, path, star, complete, grid, torus, and disjoint copies of a graph. */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "gen/make.h"

static u32 one(u32 v, u32 *to) {
  if (to) *to = v;
  return 1;
}

static u32 ring_row(const void *arg, u32 v, u32 *to) {
  u32 n = *(const u32 *)arg;
  return one(v + 1 < n ? v + 1 : 0, to);
}

static u32 path_row(const void *arg, u32 v, u32 *to) {
  return v + 1 < *(const u32 *)arg ? one(v + 1, to) : 0;
}

static u32 inward_row(const void *arg, u32 v, u32 *to) {
  (void)arg;
  return v ? one(0, to) : 0;
}

static u32 outward_row(const void *arg, u32 v, u32 *to) {
  u32 n = *(const u32 *)arg;
  if (v) return 0;
  for (u32 i = 1; to && i < n; i++) to[i - 1] = i;
  return n - 1;
}

static u32 complete_row(const void *arg, u32 v, u32 *to) {
  u32 n = *(const u32 *)arg;
  for (u32 i = 0; to && i < n; i++)
    if (i != v) *to++ = i;
  return n - 1;
}

static ls_status shape(const char *kind, u32 n, u64 seed, ls_gen_weights w, ls_make_row row, ls_graph **out) {
  char name[64];
  snprintf(name, sizeof name, "%s(%u)", kind, n);
  return ls_make_from_rows(&(ls_make){.name = name, .n = n, .seed = seed, .weights = w, .arg = &n}, row, out);
}

ls_status ls_gen_ring(u32 n, u64 seed, ls_gen_weights w, ls_graph **out) {
  return shape("ring", n, seed, w, ring_row, out);
}

ls_status ls_gen_path(u32 n, u64 seed, ls_gen_weights w, ls_graph **out) {
  return shape("path", n, seed, w, path_row, out);
}

ls_status ls_gen_star(u32 n, bool inward, u64 seed, ls_gen_weights w, ls_graph **out) {
  return shape(inward ? "star_in" : "star", n, seed, w, inward ? inward_row : outward_row, out);
}

ls_status ls_gen_complete(u32 n, u64 seed, ls_gen_weights w, ls_graph **out) {
  return shape("complete", n, seed, w, complete_row, out);
}

/* --- grid -------------------------------------------------------------------------------------------- */

typedef struct grid {
  u32 rows, cols;
  bool wrap_rows, wrap_cols;
  u64 key, one_way; /* one_way: a threshold for ls_happens */
} grid;

/* Does the street from vertex `from`, its left or upper end, have an edge forwards (right or down) or
 * backwards? Street 2v leads right from v, 2v + 1 down. */
static bool drivable(const grid *g, u32 from, bool down, bool forwards) {
  u64 street = 2ull * from + down;
  if (!ls_happens(ls_draw(g->key, 2 * street), g->one_way)) return true;
  return forwards == (ls_draw(g->key, 2 * street + 1) & 1);
}

static u32 grid_row(const void *arg, u32 v, u32 *to) {
  const grid *g = arg;
  u32 r = v / g->cols, c = v % g->cols, degree = 0, last_row = (g->rows - 1) * g->cols;
  bool has_up = r > 0 || g->wrap_rows, has_left = c > 0 || g->wrap_cols;
  bool has_right = c + 1 < g->cols || g->wrap_cols, has_down = r + 1 < g->rows || g->wrap_rows;
  u32 up = r > 0 ? v - g->cols : v + last_row, left = c > 0 ? v - 1 : v + g->cols - 1;
  u32 right = c + 1 < g->cols ? v + 1 : v - (g->cols - 1),
      down = r + 1 < g->rows ? v + g->cols : v - last_row;
  const struct {
    bool open;
    u32 target;
  } ways[4] = {{has_up && drivable(g, up, true, false), up},
               {has_left && drivable(g, left, false, false), left},
               {has_right && drivable(g, v, false, true), right},
               {has_down && drivable(g, v, true, true), down}};
  for (int i = 0; i < 4; i++) {
    if (!ways[i].open) continue;
    if (to) to[degree] = ways[i].target;
    degree++;
  }
  return degree;
}

ls_status ls_gen_grid(u32 rows, u32 cols, bool wrap, f64 one_way, u64 seed, ls_gen_weights w,
                      ls_graph **out) {
  const char *kind = wrap ? "torus" : "grid";
  if ((u64)rows * cols > LS_MAX_VERTICES)
    return ls_fail(LS_EARG, "%s: %u x %u vertices are more than %llu", kind, rows, cols,
                   (unsigned long long)LS_MAX_VERTICES);
  if (!(one_way >= 0 && one_way <= 1))
    return ls_fail(LS_EARG, "%s: one_way = %g is not a probability", kind, one_way);
  grid g = {rows, cols, wrap && rows > 2, wrap && cols > 2, ls_key(seed, LS_USE_EDGE), ls_threshold(one_way)};
  char name[96];
  snprintf(name, sizeof name, "%s(%u,%u,%g,%llu)", kind, rows, cols, one_way, (unsigned long long)seed);
  return ls_make_from_rows(&(ls_make){.name = name, .n = rows * cols, .seed = seed, .weights = w, .arg = &g},
                           grid_row, out);
}

/* --- copies ------------------------------------------------------------------------------------------ */

typedef struct copying {
  const u32 *off, *to;
  const u8 *w, *t;
  size_t wsize, tsize;
  u32 n;
  u64 m;
  u32 *new_off, *new_to;
  u8 *new_w, *new_t;
} copying;

static void copy_rows(void *arg, u64 first, u64 last) {
  copying *c = arg;
  for (u64 v = first; v < last; v++) {
    u32 copy = (u32)(v / c->n), old = (u32)(v % c->n), shift = copy * c->n;
    u64 at = (u64)copy * c->m + c->off[old];
    u32 degree = c->off[old + 1] - c->off[old];
    c->new_off[v + 1] = (u32)(at + degree);
    for (u32 i = 0; i < degree; i++) c->new_to[at + i] = c->to[c->off[old] + i] + shift;
    if (c->w) memcpy(c->new_w + at * c->wsize, c->w + c->off[old] * c->wsize, degree * c->wsize);
    if (c->t) memcpy(c->new_t + at * c->tsize, c->t + c->off[old] * c->tsize, degree * c->tsize);
  }
}

ls_status ls_gen_copies(ls_graph *g, u32 k, ls_graph **out) {
  copying c = {.n = g->n, .m = g->m, .wsize = ls_dtype_size(g->wtype), .tsize = ls_dtype_size(g->ttype)};
  u64 n = (u64)g->n * k, m = g->m * k;
  char name[256];
  snprintf(name, sizeof name, "%u copies of %.200s", k, g->name);
  ls_status st = ls_make_room(name, n, m, 4 * n + m * (4 + c.wsize + c.tsize));
  if (st) return st;
  c.off = ls_buffer_read(g->off);
  c.to = ls_buffer_read(g->to);
  c.w = g->w ? ls_buffer_read(g->w) : NULL;
  c.t = g->t ? ls_buffer_read(g->t) : NULL;
  if (!c.off || !c.to || (g->w && !c.w) || (g->t && !c.t)) return LS_EMEM;
  c.new_off = ls_malloc((n + 1) * sizeof(u32));
  c.new_to = ls_malloc(m * sizeof(u32));
  c.new_w = g->w ? ls_malloc(m * c.wsize) : NULL;
  c.new_t = g->t ? ls_malloc(m * c.tsize) : NULL;
  st = c.new_off && c.new_to && (c.new_w || !g->w) && (c.new_t || !g->t) ? LS_OK : LS_EMEM;
  if (!st) {
    c.new_off[0] = 0;
    st = ls_make_blocks(name, n, copy_rows, &c);
  }
  if (!st) {
    st = ls_graph_from_csr((u32)n, m, c.new_off, c.new_to, c.new_w, g->wtype, name, out);
    if (st) {
      ls_free(c.new_t);
      return st;
    }
    (*out)->scale = g->scale;
    if (c.new_t && (st = ls_graph_take_times(*out, c.new_t, g->ttype))) ls_graph_release(*out);
    return st;
  }
  ls_free(c.new_off);
  ls_free(c.new_to);
  ls_free(c.new_w);
  ls_free(c.new_t);
  return st;
}
