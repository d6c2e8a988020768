/* The algorithm of yto.c for one type of integers: NUM can hold W and L, WIDE the product of two of them;
 * NAME(x) appends the type to a name. No include guard: yto.c includes it twice. */

typedef struct NAME(key) { /* the lambda = num / den at which the vertex would move; den = 0: never */
  NUM num, den;
} NAME(key);

typedef struct NAME(place) { /* the position of a vertex in the tree: W and L of its tree path */
  NUM w, l;
} NAME(place);

typedef struct NAME(yto) {
  const cycle_graph *c;
  const in_edges *in;
  NAME(place) * at;
  NAME(key) * key;
  u32 *best;                 /* the in-edge that gives the vertex its key; NONE if it never moves */
  u32 *heap, *where;         /* 4-ary heap: heap[where[v]] = v */
  u32 *parent, *up;          /* the in-edge of v that is in the tree (NONE: from the root); its source */
  u32 *child, *right, *left; /* the tree: first child, and siblings */
  u32 *subtree;              /* the vertices of the subtree that moves */
  u32 *mark;                 /* mark[v] == stamp: v is in that subtree */
  u32 stamp;
} NAME(yto);

static inline bool NAME(less)(NAME(key) a, NAME(key) b) {
  if (a.den == 0 || b.den == 0) return a.den != 0 && b.den == 0;
  return (WIDE)a.num * b.den < (WIDE)b.num * a.den;
}

/* --- the heap */

static void NAME(sift_up)(NAME(yto) * y, u32 i) {
  const u32 v = y->heap[i];
  while (i) {
    const u32 above = (i - 1) / 4;
    if (!NAME(less)(y->key[v], y->key[y->heap[above]])) break;
    y->heap[i] = y->heap[above];
    y->where[y->heap[i]] = i;
    i = above;
  }
  y->heap[i] = v;
  y->where[v] = i;
}

static void NAME(sift_down)(NAME(yto) * y, u32 i) {
  const u32 v = y->heap[i], n = y->c->n;
  for (;;) {
    const u64 first = 4ull * i + 1, end = first + 4 < n ? first + 4 : n;
    u32 least = i;
    NAME(key) k = y->key[v];
    for (u64 j = first; j < end; j++)
      if (NAME(less)(y->key[y->heap[j]], k)) {
        k = y->key[y->heap[j]];
        least = (u32)j;
      }
    if (least == i) break;
    y->heap[i] = y->heap[least];
    y->where[y->heap[i]] = i;
    i = least;
  }
  y->heap[i] = v;
  y->where[v] = i;
}

/* --- keys */

static inline NAME(key) NAME(key_of)(const NAME(yto) * y, u32 u, u32 v, i64 w, i64 t) {
  const NUM den = y->at[u].l + t - y->at[v].l;
  if (den <= 0) return (NAME(key)){0, 0};
  return (NAME(key)){y->at[u].w + w - y->at[v].w, den};
}

static void NAME(find_key)(NAME(yto) * y, u32 v) {
  NAME(key) k = {0, 0};
  u32 best = NONE;
  for (u32 i = y->in->off[v]; i < y->in->off[v + 1]; i++) {
    const NAME(key) x = NAME(key_of)(y, y->in->from[i], v, y->in->w[i], y->in->t ? y->in->t[i] : 1);
    if (NAME(less)(x, k)) k = x, best = i;
  }
  y->key[v] = k;
  y->best[v] = best;
}

/* --- the tree */

static void NAME(hang)(NAME(yto) * y, u32 v, u32 u, u32 in_edge) {
  y->up[v] = u;
  y->parent[v] = in_edge;
  y->left[v] = NONE;
  y->right[v] = y->child[u];
  if (y->child[u] != NONE) y->left[y->child[u]] = v;
  y->child[u] = v;
}

static void NAME(cut)(NAME(yto) * y, u32 v) {
  const u32 u = y->up[v];
  if (u == NONE) return; /* a child of the root, which has no list of children */
  if (y->left[v] != NONE)
    y->right[y->left[v]] = y->right[v];
  else
    y->child[u] = y->right[v];
  if (y->right[v] != NONE) y->left[y->right[v]] = y->left[v];
}

/* Lists and marks v's subtree. Returns the number of its vertices. */
static u32 NAME(list_subtree)(NAME(yto) * y, u32 v) {
  u32 count = 0;
  y->stamp++;
  y->subtree[count++] = v;
  y->mark[v] = y->stamp;
  for (u32 i = 0; i < count; i++)
    for (u32 x = y->child[y->subtree[i]]; x != NONE; x = y->right[x]) {
      y->mark[x] = y->stamp;
      y->subtree[count++] = x;
    }
  return count;
}

/* Moves v below u, then updates the keys in and around its subtree. */
static void NAME(move)(NAME(yto) * y, u32 v, u32 u, u32 in_edge, u32 count) {
  const cycle_graph *c = y->c;
  const i64 t = y->in->t ? y->in->t[in_edge] : 1;
  const NUM more_w = y->at[u].w + y->in->w[in_edge] - y->at[v].w, more_l = y->at[u].l + t - y->at[v].l;
  NAME(cut)(y, v);
  NAME(hang)(y, v, u, in_edge);
  for (u32 i = 0; i < count; i++) {
    y->at[y->subtree[i]].w += more_w;
    y->at[y->subtree[i]].l += more_l;
  }
  for (u32 i = 0; i < count; i++) {
    const u32 x = y->subtree[i];
    const NAME(key) before = y->key[x];
    NAME(find_key)(y, x);
    if (NAME(less)(before, y->key[x]))
      NAME(sift_down)(y, y->where[x]);
    else
      NAME(sift_up)(y, y->where[x]);
    for (u32 e = c->off[x]; e < c->off[x + 1]; e++) { /* keys of edges out of the subtree decrease */
      const u32 z = c->to[e];
      if (y->mark[z] == y->stamp) continue;
      const NAME(key) k = NAME(key_of)(y, x, z, c->w[e], time_of(c, e));
      if (!NAME(less)(k, y->key[z])) continue;
      u32 place = y->in->off[z];
      while (y->in->from[place] != x || y->in->w[place] != c->w[e] ||
             (y->in->t && y->in->t[place] != c->t[e]))
        place++;
      y->key[z] = k;
      y->best[z] = place;
      NAME(sift_up)(y, y->where[z]);
    }
  }
}

/* --- the initial tree: shortest paths over edges that take no time, which form no cycle */

static ls_status NAME(begin_timeless)(NAME(yto) * y) {
  const cycle_graph *c = y->c;
  u32 *waits = ls_calloc(c->n, sizeof *waits), *ready = ls_malloc((size_t)c->n * sizeof *ready), count = 0;
  ls_status st = waits && ready ? LS_OK : LS_EMEM;
  for (u32 u = 0; u < c->n && !st; u++)
    for (u32 e = c->off[u]; e < c->off[u + 1]; e++) waits[c->to[e]] += c->t[e] == 0;
  for (u32 v = 0; v < c->n && !st; v++)
    if (!waits[v]) ready[count++] = v;
  for (u32 i = 0; i < count && !st; i++) {
    const u32 v = ready[i];
    u32 best = NONE;
    for (u32 k = y->in->off[v]; k < y->in->off[v + 1]; k++) {
      if (y->in->t[k]) continue;
      const NUM w = y->at[y->in->from[k]].w + y->in->w[k];
      if (w < y->at[v].w) y->at[v].w = w, best = k;
    }
    if (best != NONE) NAME(hang)(y, v, y->in->from[best], best);
    for (u32 e = c->off[v]; e < c->off[v + 1]; e++)
      if (!c->t[e] && --waits[c->to[e]] == 0) ready[count++] = c->to[e];
  }
  ls_free(waits);
  ls_free(ready);
  return st;
}

/* Offers the cycle that in-edge `place` from u to v closes: the tree path from v down to u, then the edge. */
static ls_status NAME(report)(NAME(yto) * y, u32 v, u32 u, u32 place, cycle_best *best) {
  const cycle_graph *c = y->c;
  const in_edges *in = y->in;
  u32 *edges = y->subtree;
  u64 count = 0;
  u32 to = v, from = u, via = place;
  for (;;) {
    edges[count++] = edge_like(c, from, to, in->w[via], in->t ? in->t[via] : 1);
    if (from == v) break;
    to = from;
    via = y->parent[to];
    from = y->up[to];
  }
  reverse_edges(edges, count);
  return ls_cycle_offer(best, c, edges, count);
}

/* Stores the lengths of the tree paths at the optimum, as potentials. */
static ls_status NAME(keep)(const NAME(yto) * y, cycle_best *best) {
  ls_i128 *d = ls_malloc((size_t)y->c->n * sizeof *d);
  if (!d) return LS_EMEM;
  for (u32 v = 0; v < y->c->n; v++) d[v] = best->q * y->at[v].w - best->p * y->at[v].l;
  ls_status st = ls_cycle_keep(best, y->c, d);
  ls_free(d);
  return st;
}

static ls_status NAME(run)(NAME(yto) * y, cycle_best *best) {
  const u32 n = y->c->n;
  for (u32 v = 0; v < n; v++) {
    y->heap[v] = y->where[v] = v;
    NAME(find_key)(y, v);
  }
  for (u32 i = n / 4 + 1; i-- > 0;)
    if (i < n) NAME(sift_down)(y, i);
  for (u64 moves = 0;; moves++) {
    const u32 v = y->heap[0], place = y->best[v];
    if (y->key[v].den == 0) return best->found ? NAME(keep)(y, best) : LS_OK; /* no more cycles */
    if (best->found && !ratio_less(y->key[v].num, y->key[v].den, best->p, best->q))
      return NAME(keep)(y, best); /* no better cycle */
    const u32 u = y->in->from[place], count = NAME(list_subtree)(y, v);
    if (y->mark[u] == y->stamp) {
      ls_status st = NAME(report)(y, v, u, place, best);
      return st ? st : NAME(keep)(y, best);
    }
    NAME(move)(y, v, u, place, count);
    best->iterations++;
    if ((moves & 0xfff) == 0 && ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
  }
}

static ls_status NAME(solve)(const cycle_graph *c, const in_edges *in, cycle_best *best) {
  const size_t n = c->n;
  NAME(yto) y = {.c = c, .in = in};
  u32 *block = ls_malloc(10 * n * sizeof *block);
  y.at = ls_calloc(n, sizeof *y.at);
  y.key = ls_malloc(n * sizeof *y.key);
  ls_status st = block && y.at && y.key ? LS_OK : LS_EMEM;
  if (!st) {
    u32 **const arrays[] = {&y.best,  &y.heap,  &y.where, &y.parent,  &y.up,
                            &y.child, &y.right, &y.left,  &y.subtree, &y.mark};
    for (size_t i = 0; i < 10; i++) *arrays[i] = block + i * n;
    memset(block, 0xff, 10 * n * sizeof *block);
    if (c->t) st = NAME(begin_timeless)(&y);
    if (!st) st = NAME(run)(&y, best);
  }
  ls_free(block);
  ls_free(y.at);
  ls_free(y.key);
  return st;
}
