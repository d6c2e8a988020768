/* Helpers for the loaders' tests: write files into a temporary folder, compare graphs. */
#ifndef LOAD_UTIL_H
#define LOAD_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "load/graph.h"
#include "load/load.h"

static char folder[] = "/tmp/lockstep-test-XXXXXX";

static int make_folder(void **unused) {
  (void)unused;
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static int remove_folder(void **unused) {
  (void)unused;
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return chdir("/") == 0 ? system(command) : 1;
}

static inline void put_file(const char *name, const void *text, size_t bytes) {
  FILE *f = fopen(name, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, bytes, f), bytes);
  assert_int_equal(fclose(f), 0);
}

static inline size_t get_file(const char *name, void *to, size_t room) {
  FILE *f = fopen(name, "rb");
  assert_non_null(f);
  size_t n = fread(to, 1, room, f);
  fclose(f);
  return n;
}

/* A graph as text, "0>1:5 1>0": its edges row by row, each with its weight if the graph has weights. */
static inline const char *show(const ls_graph *g) {
  static char text[4096];
  size_t at = 0;
  const u32 *off = g->off->host, *to = g->to->host;
  text[0] = 0;
  for (u32 v = 0; v < g->n; v++)
    for (u32 e = off[v]; e < off[v + 1] && at < sizeof text - 64; e++) {
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%u>%u", at ? " " : "", v, to[e]);
      f64 real;
      i64 integer;
      if (!g->w) continue;
      ls_buffer_get(g->w, e, &real, &integer);
      if (ls_dtype_is_real(g->wtype))
        at += (size_t)snprintf(text + at, sizeof text - at, ":%.9g", real);
      else
        at += (size_t)snprintf(text + at, sizeof text - at, ":%lld", (long long)integer);
    }
  return text;
}

static inline void assert_same_array(const ls_buffer *a, const ls_buffer *b) {
  assert_true(!a == !b);
  if (!a) return;
  assert_int_equal(a->type, b->type);
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->host, b->host, ls_buffer_bytes(a));
}

static inline void assert_same_graph(const ls_graph *a, const ls_graph *b) {
  assert_int_equal(a->n, b->n);
  assert_int_equal(a->m, b->m);
  assert_int_equal(a->wtype, b->wtype);
  assert_true(a->scale == b->scale);
  assert_same_array(a->off, b->off);
  assert_same_array(a->to, b->to);
  assert_same_array(a->w, b->w);
}

static u64 random_state = 88172645463325252u;

static inline u64 draw(void) { /* xorshift64, Marsaglia 2003 */
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

/* m random edges; with `both`, m / 2 distinct edges without loops, each in both directions. The weights cover
 * the type's range: large, small, negative, with fractions. */
static inline ls_graph *random_graph(u32 n, u64 m, ls_dtype type, bool both) {
  u32 *src = ls_malloc(m * 4), *dst = ls_malloc(m * 4);
  u64 *w = ls_malloc(m * 8);
  size_t wsize = ls_dtype_size(type);
  for (u64 e = 0; e < m; e++) {
    src[e] = (u32)(draw() % n);
    dst[e] = (u32)(draw() % n);
    if (both) { /* the e-th pair of a ring with chords */
      u64 k = e / 2;
      u32 u = (u32)(k % n), v = (u32)((u + 1 + k / n) % n);
      src[e] = e % 2 ? v : u;
      dst[e] = e % 2 ? u : v;
    }
    u64 x = both ? (e / 2) * 2654435761u : draw();
    i32 i = (i32)x;
    i64 l = (i64)(x >> 1) - (1ll << 61);
    f32 f = (f32)i / 1024;
    f64 d = (f64)l / 3e7;
    const void *value = type == LS_I32   ? (void *)&i
                        : type == LS_I64 ? (void *)&l
                        : type == LS_F32 ? (void *)&f
                                         : &d;
    memcpy((u8 *)w + e * wsize, value, wsize);
  }
  ls_graph *g;
  assert_int_equal(ls_graph_from_edges(n, m, src, dst, type == LS_NONE ? NULL : w, type, "random", &g),
                   LS_OK);
  ls_free(src);
  ls_free(dst);
  ls_free(w);
  return g;
}

#endif
