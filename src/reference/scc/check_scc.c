/* Checks strongly connected components by searches inside every class and a topological order of the classes
 * (Kahn 1962), neither of which is used by the algorithms that it checks. O(n + m) for any number of classes.
 */
#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "reference/reference.h"

typedef struct check {
  u32 n;
  const u32 *off, *to, *roff, *rto;
  const u32 *id;
  u32 *order; /* [n]: vertices, sorted by label */
  u32 *class; /* [n]: the class of each vertex, 0 .. classes-1 */
  u32 *begin; /* [classes + 1]: where each class begins in `order` */
  u32 *queue;
  u32 *degree; /* [classes]: number of in-edges from other, not yet removed classes */
  u32 *from;   /* [n]: the vertex from which the search reached this one */
  u8 *seen;
  u32 classes;
} check;

/* Sorts the vertices by label, 11 bits at a time, and numbers the classes. */
static void group(check *c) {
  enum { BITS = 11, DIGITS = 1 << BITS };
  u32 *in = c->queue, *out = c->order;
  for (u32 v = 0; v < c->n; v++) in[v] = v;
  for (int shift = 0; shift < 32; shift += BITS) {
    u32 place[DIGITS + 1] = {0};
    for (u32 v = 0; v < c->n; v++) place[(c->id[v] >> shift & (DIGITS - 1)) + 1]++;
    for (u32 k = 0; k < DIGITS; k++) place[k + 1] += place[k];
    for (u32 i = 0; i < c->n; i++) out[place[c->id[in[i]] >> shift & (DIGITS - 1)]++] = in[i];
    u32 *spare = in;
    in = out, out = spare;
  }
  if (in != c->order) memcpy(c->order, in, (size_t)c->n * sizeof *in);
  for (u32 i = 0; i < c->n; i++) {
    u32 v = c->order[i];
    if (i == 0 || c->id[v] != c->id[c->order[i - 1]]) c->begin[c->classes++] = i;
    c->class[v] = c->classes - 1;
  }
  c->begin[c->classes] = c->n;
}

/* Marks the vertices that can be reached from s over the given edges, only inside s's class unless
 * `everywhere`. Returns their number. */
static u32 search(check *c, const u32 *off, const u32 *to, u32 s, bool everywhere) {
  u32 head = 0, tail = 0;
  c->queue[tail++] = s;
  c->seen[s] = 1;
  c->from[s] = s;
  while (head < tail) {
    u32 v = c->queue[head++];
    for (u32 e = off[v]; e < off[v + 1]; e++) {
      u32 u = to[e];
      if (c->seen[u] || (!everywhere && c->class[u] != c->class[v])) continue;
      c->seen[u] = 1;
      c->from[u] = v;
      c->queue[tail++] = u;
    }
  }
  return tail;
}

static ls_status apart(const check *c, u32 a, u32 b) {
  return ls_fail(LS_EARG, "components: vertices %u and %u carry the label %u but %u does not reach %u",
                 a < b ? a : b, a < b ? b : a, c->id[a], a, b);
}

static ls_status together(const check *c, u32 x, u32 y) {
  u32 a = x < y ? x : y, b = x < y ? y : x;
  return ls_fail(LS_EARG, "components: vertices %u and %u lie on a cycle but carry the labels %u and %u", a,
                 b, c->id[a], c->id[b]);
}

/* Makes the error for r and x, which have the same label although their class contains no path from r to x
 * (forward) or from x to r: either there is no path at all, or it leads through a vertex that belongs to the
 * component but has another label. */
static ls_status explain(check *c, u32 r, u32 x, bool forward) {
  memset(c->seen, 0, c->n);
  search(c, forward ? c->off : c->roff, forward ? c->to : c->rto, r, true);
  if (!c->seen[x]) return forward ? apart(c, r, x) : apart(c, x, r);
  u32 outside = x;
  while (c->class[outside] == c->class[r]) outside = c->from[outside];
  memset(c->seen, 0, c->n);
  search(c, forward ? c->roff : c->off, forward ? c->rto : c->to, r, true);
  if (!c->seen[x]) return forward ? apart(c, x, r) : apart(c, r, x);
  return together(c, r, outside);
}

/* Checks that every class is strongly connected. */
static ls_status check_inside(check *c) {
  for (int backward = 0; backward <= 1; backward++) {
    const u32 *off = backward ? c->roff : c->off, *to = backward ? c->rto : c->to;
    memset(c->seen, 0, c->n);
    for (u32 k = 0; k < c->classes; k++) {
      u32 size = c->begin[k + 1] - c->begin[k], r = c->order[c->begin[k]];
      if (size == 1 || search(c, off, to, r, false) == size) continue;
      u32 i = c->begin[k];
      while (c->seen[c->order[i]]) i++;
      return explain(c, r, c->order[i], !backward);
    }
  }
  return LS_OK;
}

/* Every remaining class has an in-edge from another remaining class, so following such edges backward finds a
 * cycle of classes. The error names two adjacent classes of that cycle. */
static ls_status name_cycle(check *c) {
  memset(c->seen, 0, c->n);
  u32 k = 0;
  while (c->degree[k] == 0) k++;
  while (!c->seen[k]) { /* here seen and from are indexed by class */
    c->seen[k] = 1;
    u32 before = k;
    for (u32 i = c->begin[k]; i < c->begin[k + 1] && before == k; i++)
      for (u32 v = c->order[i], e = c->roff[v]; e < c->roff[v + 1] && before == k; e++) {
        u32 p = c->class[c->rto[e]];
        if (p != k && c->degree[p] > 0) before = p;
      }
    c->from[k] = before;
    k = before;
  }
  return together(c, c->order[c->begin[c->from[k]]], c->order[c->begin[k]]);
}

/* Checks that the graph of classes is acyclic. */
static ls_status check_between(check *c) {
  for (u32 v = 0; v < c->n; v++)
    for (u32 e = c->off[v]; e < c->off[v + 1]; e++)
      c->degree[c->class[c->to[e]]] += c->class[c->to[e]] != c->class[v];
  u32 head = 0, tail = 0;
  for (u32 k = 0; k < c->classes; k++)
    if (c->degree[k] == 0) c->queue[tail++] = k;
  while (head < tail) {
    u32 k = c->queue[head++];
    for (u32 i = c->begin[k]; i < c->begin[k + 1]; i++)
      for (u32 v = c->order[i], e = c->off[v]; e < c->off[v + 1]; e++) {
        u32 u = c->class[c->to[e]];
        if (u != k && --c->degree[u] == 0) c->queue[tail++] = u;
      }
  }
  return tail == c->classes ? LS_OK : name_cycle(c);
}

static ls_status check_names(const check *c) {
  for (u32 v = 0; v < c->n; v++)
    if (c->id[v] >= c->n || c->class[c->id[v]] != c->class[v])
      return ls_fail(LS_EARG, "components: the label %u of vertex %u is not a vertex of its component",
                     c->id[v], v);
  return LS_OK;
}

static ls_status check_sizes(const check *c, const ls_scc_claim *claim) {
  if (claim->count != c->classes)
    return ls_fail(LS_EARG, "components: the result has %llu size%s, there %s %u component%s",
                   (unsigned long long)claim->count, ls_plural(claim->count), c->classes == 1 ? "is" : "are",
                   c->classes, ls_plural(c->classes));
  for (u32 k = 0; k < c->classes; k++)
    if (claim->sizes[k] != c->begin[k + 1] - c->begin[k])
      return ls_fail(LS_EARG, "components: sizes[%u] is %u, but %u %s the label %u", k, claim->sizes[k],
                     c->begin[k + 1] - c->begin[k],
                     c->begin[k + 1] - c->begin[k] == 1 ? "vertex has" : "vertices have",
                     c->id[c->order[c->begin[k]]]);
  return LS_OK;
}

ls_status ls_check_scc(ls_graph *g, const ls_scc_claim *claim, u32 *classes) {
  check c = {.n = g->n, .id = claim->id};
  size_t words = (size_t)g->n + 1;
  ls_status st = ls_graph_transpose(g);
  if (!st) {
    c.off = ls_buffer_read(g->off), c.to = ls_buffer_read(g->to);
    c.roff = ls_buffer_read(g->roff), c.rto = ls_buffer_read(g->rto);
    c.order = ls_malloc(words * sizeof *c.order);
    c.class = ls_malloc(words * sizeof *c.class);
    c.begin = ls_malloc(words * sizeof *c.begin);
    c.queue = ls_malloc(words * sizeof *c.queue);
    c.degree = ls_calloc(words, sizeof *c.degree);
    c.from = ls_malloc(words * sizeof *c.from);
    c.seen = ls_malloc(words);
    bool all =
        c.off && c.to && c.roff && c.rto && c.order && c.class && c.begin && c.queue && c.degree && c.from;
    st = all && c.seen ? LS_OK : LS_EMEM;
  }
  if (!st) {
    group(&c);
    st = check_inside(&c);
    if (!st) st = check_between(&c);
    if (!st && claim->named) st = check_names(&c);
    if (!st && claim->sizes) st = check_sizes(&c, claim);
    if (classes) *classes = c.classes;
  }
  void *const arrays[] = {c.order, c.class, c.begin, c.queue, c.degree, c.from, c.seen};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) ls_free(arrays[i]);
  return st;
}
