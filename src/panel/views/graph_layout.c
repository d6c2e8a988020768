#include "panel/views/graph_layout.h"

#include <math.h>
#include <string.h>

#include "core/random.h"

static ls_drawn_graph drawn;

/* Distances along edges in either direction; those of unreached vertices are one more than the largest. */
static void distances(u32 from, u32 *d) {
  u32 queue[LS_DRAWN_VERTICES], head = 0, tail = 0;
  for (u32 v = 0; v < drawn.n; v++) d[v] = LS_NO_VERTEX;
  d[from] = 0;
  queue[tail++] = from;
  while (head < tail) {
    const u32 u = queue[head++];
    for (u32 v = 0; v < drawn.n; v++) {
      if (d[v] != LS_NO_VERTEX) continue;
      bool edge = false;
      for (u32 e = drawn.off[u]; !edge && e < drawn.off[u + 1]; e++) edge = drawn.to[e] == v;
      for (u32 e = drawn.off[v]; !edge && e < drawn.off[v + 1]; e++) edge = drawn.to[e] == u;
      if (edge) d[v] = d[u] + 1, queue[tail++] = v;
    }
  }
  for (u32 v = 0; v < drawn.n; v++)
    if (d[v] == LS_NO_VERTEX) d[v] = d[queue[tail - 1]] + 1;
}

static u32 farthest(const u32 *d) {
  u32 best = 0;
  for (u32 v = 1; v < drawn.n; v++)
    if (d[v] > d[best]) best = v;
  return best;
}

static void spread(void) {
  f64 x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  for (u32 v = 0; v < drawn.n; v++) {
    x0 = fmin(x0, drawn.x[v]), x1 = fmax(x1, drawn.x[v]);
    y0 = fmin(y0, drawn.y[v]), y1 = fmax(y1, drawn.y[v]);
  }
  for (u32 v = 0; v < drawn.n; v++) {
    drawn.x[v] = x1 > x0 ? (drawn.x[v] - x0) / (x1 - x0) : 0.5;
    drawn.y[v] = y1 > y0 ? (drawn.y[v] - y0) / (y1 - y0) : 0.5;
  }
}

/* Force-directed layout: springs along edges, repulsion between all vertices. Fruchterman and Reingold 1991.
 * The initial positions are distances to vertices far apart (pivots, Brandes and Pich 2006), so that a grid
 * is drawn as a grid. */
static void springs(void) {
  u32 a[LS_DRAWN_VERTICES], b[LS_DRAWN_VERTICES], c[LS_DRAWN_VERTICES];
  const u32 n = drawn.n;
  distances(0, a);
  const u32 first = farthest(a);
  distances(first, a);
  const u32 second = farthest(a);
  distances(second, b);
  for (u32 v = 0; v < n; v++) c[v] = a[v] < b[v] ? a[v] : b[v];
  distances(farthest(c), c);
  for (u32 v = 0; v < n; v++) {
    drawn.x[v] = (f64)a[v] - (f64)b[v] + 0.3 * (f64)ls_mix(v + 1) / 0x1p64;
    drawn.y[v] = (f64)c[v] + 0.3 * (f64)ls_mix(v + 1000) / 0x1p64;
  }
  spread();
  const f64 k = 0.8 / sqrt((f64)n);
  const int rounds = n > 1 ? 300000 / (int)(n * n) + 20 : 0;
  for (int round = 0; round < rounds && round < 150; round++) {
    f64 dx[LS_DRAWN_VERTICES] = {0}, dy[LS_DRAWN_VERTICES] = {0};
    for (u32 u = 0; u < n; u++)
      for (u32 v = u + 1; v < n; v++) {
        const f64 x = drawn.x[u] - drawn.x[v], y = drawn.y[u] - drawn.y[v],
                  f = k * k / (x * x + y * y + 1e-6);
        dx[u] += x * f, dy[u] += y * f;
        dx[v] -= x * f, dy[v] -= y * f;
      }
    for (u32 u = 0; u < n; u++)
      for (u32 e = drawn.off[u]; e < drawn.off[u + 1]; e++) {
        const u32 v = drawn.to[e];
        const f64 x = drawn.x[u] - drawn.x[v], y = drawn.y[u] - drawn.y[v], f = sqrt(x * x + y * y) / k * 0.7;
        dx[u] -= x * f, dy[u] -= y * f;
        dx[v] += x * f, dy[v] += y * f;
      }
    const f64 most = 0.08 * (1 - (f64)round / rounds) + 0.002;
    for (u32 v = 0; v < n; v++) {
      const f64 length = sqrt(dx[v] * dx[v] + dy[v] * dy[v]), step = length > most ? most / length : 1;
      drawn.x[v] = fmin(1.3, fmax(-0.3, drawn.x[v] + dx[v] * step));
      drawn.y[v] = fmin(1.3, fmax(-0.3, drawn.y[v] + dy[v] * step));
    }
  }
  spread();
}

static void circle(void) {
  for (u32 v = 0; v < drawn.n; v++) {
    const f64 angle = 2 * M_PI * v / drawn.n;
    drawn.x[v] = 0.5 + 0.5 * sin(angle);
    drawn.y[v] = 0.5 - 0.5 * cos(angle);
  }
}

/* The layer of a vertex is its distance, by breadth-first search, from the vertices without in-edges.
 * Whenever the search ends before all vertices are reached (cycles), the smallest unreached one becomes
 * another source. */
static void layers(void) {
  const u32 n = drawn.n;
  u32 level[LS_DRAWN_VERTICES], in[LS_DRAWN_VERTICES] = {0}, queue[LS_DRAWN_VERTICES], head = 0, tail = 0,
                                last = 0;
  for (u32 e = 0; e < drawn.m; e++) in[drawn.to[e]]++;
  for (u32 v = 0; v < n; v++) {
    level[v] = in[v] ? LS_NO_VERTEX : 0;
    if (!in[v]) queue[tail++] = v;
  }
  for (u32 v = 0; tail < n || head < tail;) {
    if (head == tail) {
      while (level[v] != LS_NO_VERTEX) v++;
      level[v] = 0;
      queue[tail++] = v;
    }
    const u32 u = queue[head++];
    for (u32 e = drawn.off[u]; e < drawn.off[u + 1]; e++) {
      const u32 t = drawn.to[e];
      if (level[t] != LS_NO_VERTEX) continue;
      level[t] = level[u] + 1;
      if (level[t] > last) last = level[t];
      queue[tail++] = t;
    }
  }
  u32 size[LS_DRAWN_VERTICES] = {0}, placed[LS_DRAWN_VERTICES] = {0};
  for (u32 v = 0; v < n; v++) size[level[v]]++;
  for (u32 i = 0; i < n; i++) { /* in the order of the search, so that few edges cross */
    const u32 v = queue[i], l = level[v];
    drawn.x[v] = last ? (f64)l / last : 0.5;
    drawn.y[v] = (placed[l]++ + 0.5) / size[l];
  }
}

const ls_drawn_graph *ls_graph_places(ls_graph *g, ls_layout layout) {
  static const ls_buffer *seen;
  static ls_layout laid = LS_LAYOUTS;
  if (g->n == 0 || g->n > LS_DRAWN_VERTICES || g->m > LS_DRAWN_EDGES) return NULL;
  u32 off[LS_DRAWN_VERTICES + 1], to[LS_DRAWN_EDGES];
  if (ls_buffer_peek(g->off, 0, (u64)g->n + 1, off) || ls_buffer_peek(g->to, 0, g->m, to)) return NULL;
  const bool same = seen == g->off && laid == layout && drawn.n == g->n && drawn.m == g->m &&
                    memcmp(drawn.off, off, (g->n + 1) * sizeof *off) == 0 &&
                    memcmp(drawn.to, to, g->m * sizeof *to) == 0;
  if (same) return &drawn;
  drawn.n = g->n;
  drawn.m = (u32)g->m;
  memcpy(drawn.off, off, (g->n + 1) * sizeof *off);
  memcpy(drawn.to, to, g->m * sizeof *to);
  seen = g->off;
  laid = layout;
  if (layout == LS_SPRINGS)
    springs();
  else if (layout == LS_LAYERS)
    layers();
  else
    circle();
  return &drawn;
}
