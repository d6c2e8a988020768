#include "gen/make.h"

#include <math.h>
#include <stdatomic.h>

#include "core/mem.h"
#include "core/random.h"
#include "core/wait.h"

enum { BLOCK = 1 << 14 };

ls_status ls_make_blocks(const char *what, u64 count, void (*body)(void *, u64, u64), void *arg) {
  u64 blocks = (count + BLOCK - 1) / BLOCK;
  _Atomic u64 done = 0;
#pragma omp parallel for schedule(dynamic, 4) if (blocks > 4)
  for (u64 b = 0; b < blocks; b++) {
    if (ls_interrupted()) continue;
    u64 first = b * BLOCK, last = first + BLOCK < count ? first + BLOCK : count;
    body(arg, first, last);
    ls_progress(what, atomic_fetch_add(&done, last - first), count);
  }
  return ls_interrupted() ? ls_fail(LS_EINTERRUPTED, "%s: interrupted", what) : LS_OK;
}

ls_status ls_make_room(const char *name, u64 n, u64 m, u64 bytes) {
  if (n > LS_MAX_VERTICES)
    return ls_fail(LS_EARG, "%s: %llu vertices are more than %llu", name, (unsigned long long)n,
                   (unsigned long long)LS_MAX_VERTICES);
  if (m > LS_MAX_EDGES)
    return ls_fail(LS_EARG, "%s: %llu edges are more than 2^32 - 1", name, (unsigned long long)m);
  u64 free = ls_mem_available();
  if (bytes > free)
    return ls_fail(LS_EMEM, "%s: out of memory: %llu bytes (%.1f GiB) wanted, %.1f GiB free", name,
                   (unsigned long long)bytes, (f64)bytes * 0x1p-30, (f64)free * 0x1p-30);
  return LS_OK;
}

/* --- weights ----------------------------------------------------------------------------------------- */

static ls_status check_weights(const ls_make *k) {
  ls_gen_weights w = k->weights;
  if (w.timed &&
      !(w.tlo >= 0 && w.tlo <= w.thi && w.thi <= 0x1p53 && w.tlo == floor(w.tlo) && w.thi == floor(w.thi)))
    return ls_fail(LS_EARG, "%s: times from %.17g to %.17g: expected whole numbers from 0 on", k->name, w.tlo,
                   w.thi);
  if (w.type == LS_NONE) return LS_OK;
  if (w.type != LS_I32 && w.type != LS_I64 && !ls_dtype_is_real(w.type))
    return ls_fail(LS_EARG, "%s: weights are i32, i64, f32 or f64, not %s", k->name, ls_dtype_name(w.type));
  if (!(w.lo <= w.hi) || !isfinite(w.lo) || !isfinite(w.hi))
    return ls_fail(LS_EARG, "%s: weights from %g to %g: not a range", k->name, w.lo, w.hi);
  if (ls_dtype_is_real(w.type)) return LS_OK;
  f64 most = w.type == LS_I32 ? (f64)INT32_MAX : 0x1p53;
  if (w.lo != floor(w.lo) || w.hi != floor(w.hi) || w.hi > most ||
      w.lo < (w.type == LS_I32 ? -most - 1 : -most))
    return ls_fail(LS_EARG, "%s: weights from %.17g to %.17g are no range of %s", k->name, w.lo, w.hi,
                   ls_dtype_name(w.type));
  return LS_OK;
}

static void put_weight(const ls_make *k, void *w, u64 e, u64 draw) {
  f64 lo = k->weights.lo, width = k->weights.hi - lo;
  u64 values = ls_dtype_is_real(k->weights.type) ? 0 : (u64)width + 1;
  switch (k->weights.type) {
  case LS_I32: ((i32 *)w)[e] = (i32)((i64)lo + (i64)ls_below(draw, values)); break;
  case LS_I64: ((i64 *)w)[e] = (i64)lo + (i64)ls_below(draw, values); break;
  case LS_F32: ((f32 *)w)[e] = (f32)(lo + (f64)(draw >> 11) * 0x1p-53 * width); break;
  default: ((f64 *)w)[e] = lo + (f64)(draw >> 11) * 0x1p-53 * width; break;
  }
}

static void fill_weights(const ls_make *k, void *w, u64 first, u64 last) {
  u64 key = ls_key(k->seed, LS_USE_WEIGHT);
  for (u64 e = first; e < last; e++) put_weight(k, w, e, ls_draw(key, e));
}

typedef struct time_job {
  const ls_make *k;
  ls_dtype type;
  void *t;
} time_job;

static void fill_times(void *arg, u64 first, u64 last) {
  const time_job *j = arg;
  u64 key = ls_key(j->k->seed, LS_USE_TIME), lo = (u64)j->k->weights.tlo,
      values = (u64)j->k->weights.thi - lo + 1;
  for (u64 e = first; e < last; e++) {
    u64 time = lo + ls_below(ls_draw(key, e), values);
    if (j->type == LS_I32)
      ((i32 *)j->t)[e] = (i32)time;
    else
      ((i64 *)j->t)[e] = (i64)time;
  }
}

/* Makes the times of m edges; j->t is NULL if none are wanted. */
static ls_status make_times(const ls_make *k, u64 m, time_job *j) {
  *j = (time_job){k, k->weights.thi <= INT32_MAX ? LS_I32 : LS_I64, NULL};
  if (!k->weights.timed) return LS_OK;
  j->t = ls_malloc(m * ls_dtype_size(j->type));
  if (!j->t) return LS_EMEM;
  return k->worth ? LS_OK : ls_make_blocks(k->name, m, fill_times, j);
}

/* --- from edges -------------------------------------------------------------------------------------- */

typedef struct edge_job {
  const ls_make *k;
  ls_make_edge edge;
  u32 *src, *dst;
  void *w;
} edge_job;

static void make_edges(void *arg, u64 first, u64 last) {
  edge_job *j = arg;
  for (u64 e = first; e < last; e++) j->edge(j->k->arg, e, &j->src[e], &j->dst[e]);
  if (j->w) fill_weights(j->k, j->w, first, last);
}

ls_status ls_make_from_edges(const ls_make *k, u64 m, ls_make_edge edge, ls_graph **out) {
  size_t wsize = ls_dtype_size(k->weights.type);
  ls_status st = check_weights(k);
  if (!st) st = ls_make_room(k->name, k->n, m, 2 * m * (8 + wsize) + 8ull * k->n);
  if (st) return st;
  edge_job j = {k, edge, ls_malloc(m * sizeof(u32)), ls_malloc(m * sizeof(u32)),
                wsize ? ls_malloc(m * wsize) : NULL};
  st = j.src && j.dst && (j.w || !wsize) ? LS_OK : LS_EMEM;
  if (!st) st = ls_make_blocks(k->name, m, make_edges, &j);
  time_job times = {0};
  if (!st) st = make_times(k, m, &times);
  if (!st) st = ls_graph_from_edges(k->n, m, j.src, j.dst, j.w, k->weights.type, k->name, out);
  if (!st && times.t && (st = ls_graph_list_times(*out, j.src, times.t, times.type))) ls_graph_release(*out);
  ls_free(times.t);
  ls_free(j.src);
  ls_free(j.dst);
  ls_free(j.w);
  return st;
}

/* --- from rows --------------------------------------------------------------------------------------- */

typedef struct row_job {
  const ls_make *k;
  ls_make_row row;
  u32 *off, *to;
  void *w;
  i32 *t; /* only for k->worth */
} row_job;

static void count_rows(void *arg, u64 first, u64 last) {
  row_job *j = arg;
  const ls_make *k = j->k;
  for (u64 v = first; v < last; v++)
    j->off[v + 1] = k->worth ? k->worth(k->arg, (u32)v, NULL, NULL, NULL) : j->row(k->arg, (u32)v, NULL);
}

static void fill_rows(void *arg, u64 first, u64 last) {
  row_job *j = arg;
  for (u64 v = first; v < last; v++) {
    const u32 at = j->off[v];
    if (j->k->worth)
      j->k->worth(j->k->arg, (u32)v, j->to + at, (i32 *)j->w + at, j->t ? j->t + at : NULL);
    else
      j->row(j->k->arg, (u32)v, j->to + at);
  }
  if (!j->w || j->k->worth) return;
  if (!j->k->draw) {
    fill_weights(j->k, j->w, j->off[first], j->off[last]);
    return;
  }
  for (u64 v = first; v < last; v++)
    for (u64 e = j->off[v]; e < j->off[v + 1]; e++)
      put_weight(j->k, j->w, e, j->k->draw(j->k->arg, (u32)v, j->to[e]));
}

ls_status ls_make_from_rows(const ls_make *k, ls_make_row row, ls_graph **out) {
  size_t wsize = ls_dtype_size(k->weights.type);
  row_job j = {.k = k, .row = row};
  u64 m = 0;
  ls_status st = check_weights(k);
  if (!st) st = ls_make_room(k->name, k->n, 0, 4ull * k->n);
  if (!st && !(j.off = ls_malloc(((size_t)k->n + 1) * sizeof *j.off))) st = LS_EMEM;
  if (!st) st = ls_make_blocks(k->name, k->n, count_rows, &j);
  if (!st) {
    j.off[0] = 0;
    for (u32 v = 0; v < k->n; v++) {
      m += j.off[v + 1];
      j.off[v + 1] = (u32)m; /* m beyond 32 bits is refused below */
    }
    st = ls_make_room(k->name, k->n, m, m * (4 + wsize + (k->weights.timed ? 4 : 0)));
  }
  if (!st && !(j.to = ls_malloc(m * sizeof *j.to))) st = LS_EMEM;
  if (!st && wsize && !(j.w = ls_malloc(m * wsize))) st = LS_EMEM;
  time_job times = {0};
  if (!st) st = make_times(k, m, &times);
  if (k->worth) j.t = times.t;
  if (!st) st = ls_make_blocks(k->name, k->n, fill_rows, &j);
  if (st) {
    ls_free(j.off);
    ls_free(j.to);
    ls_free(j.w);
    ls_free(times.t);
    return st;
  }
  st = ls_graph_from_csr(k->n, m, j.off, j.to, j.w, k->weights.type, k->name, out);
  if (st) ls_free(times.t);
  if (!st && times.t && (st = ls_graph_take_times(*out, times.t, times.type))) ls_graph_release(*out);
  return st;
}
