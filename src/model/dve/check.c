/* Checks a state space against its model, without using the search's hash table, hash function or numbering:
 * every step of every expanded state leads where the graph says, no state occurs twice, and levels are the
 * distances from the initial state. */
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/dve/model.h"
#include "model/dve/space.h"
#include "model/dve/steps.h"

typedef struct checking {
  const ls_dve_space *s;
  const u32 *off, *to; /* NULL: no graph */
  const i32 *w, *t;
  u32 *table; /* hash table of state numbers, with another hash function; LS_NO_VERTEX: free */
  u64 mask;
  u8 *found; /* [n]: 1 once a step from the state's parent has led to the state */
  u64 transitions;
} checking;

static u64 hash(const u32 *state, u32 words) {
  u64 h = 14695981039346656037ull; /* FNV-1a by words */
  for (u32 i = 0; i < words; i++) h = (h ^ state[i]) * 1099511628211ull;
  return h ^ h >> 31;
}

static bool same(const ls_dve_space *s, const u32 *a, const u32 *b) {
  return memcmp(a, b, ls_dve_words(s->model) * sizeof *a) == 0;
}

/* The slot of the state in the table, or the free slot where it would be inserted. */
static u64 place(const checking *c, const u32 *state) {
  u64 at = hash(state, ls_dve_words(c->s->model)) & c->mask;
  while (c->table[at] != LS_NO_VERTEX && !same(c->s, state, ls_dve_state(c->s, c->table[at])))
    at = (at + 1) & c->mask;
  return at;
}

static ls_status fill_table(checking *c) {
  const ls_dve_space *s = c->s;
  for (c->mask = 64; c->mask < 2 * s->n; c->mask *= 2) {}
  c->table = ls_malloc(c->mask * sizeof *c->table);
  c->found = ls_calloc(s->n, 1);
  if (!c->table || !c->found) return LS_EMEM;
  memset(c->table, 0xff, c->mask * sizeof *c->table);
  c->mask--;
  for (u64 v = 0; v < s->n; v++) {
    const u64 at = place(c, ls_dve_state(s, v));
    if (c->table[at] != LS_NO_VERTEX)
      return ls_fail(LS_EARG, "states %u and %llu are the same", c->table[at], (unsigned long long)v);
    c->table[at] = (u32)v;
    if (v % 65536 == 0 && ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  return LS_OK;
}

static ls_status check_steps(checking *c, u64 v, u32 level, dve_steps *steps) {
  const ls_dve_space *s = c->s;
  const u32 words = ls_dve_words(s->model);
  const unsigned long long name = v;
  u32 fault;
  steps->count = 0;
  const ls_status st = dve_steps_from(&s->model->program, ls_dve_state(s, v), steps, &fault);
  if (st) return st;
  if (c->off && c->off[v + 1] - c->off[v] != steps->count)
    return ls_fail(LS_EARG, "state %llu has %llu steps, but %u edges in the graph", name,
                   (unsigned long long)steps->count, c->off[v + 1] - c->off[v]);
  c->transitions += steps->count;
  for (u64 i = 0; i < steps->count; i++) {
    const u64 e = c->off ? c->off[v] + i : 0;
    const u32 to = c->off ? c->to[e] : c->table[place(c, steps->states + i * words)];
    if (to == LS_NO_VERTEX || !same(s, steps->states + i * words, ls_dve_state(s, to)))
      return ls_fail(LS_EARG, "step %llu of state %llu leads to a wrong or missing state",
                     (unsigned long long)i, name);
    if ((c->w && c->w[e] != steps->cost[i]) || (c->t && c->t[e] != steps->time[i]))
      return ls_fail(LS_EARG, "step %llu of state %llu has a wrong cost or time in the graph",
                     (unsigned long long)i, name);
    if (level + 1 < s->levels && to >= s->level[level + 2])
      return ls_fail(LS_EARG, "a step from level %u leads to state %u, beyond the next level", level, to);
    if (s->parent[to] == v) c->found[to] = 1;
  }
  return LS_OK;
}

static ls_status check_all(checking *c) {
  const ls_dve_space *s = c->s;
  dve_steps steps = {0};
  ls_status st = LS_OK;
  u32 level = 0;
  if (!same(s, ls_dve_state(s, 0), ls_dve_initial(s->model)))
    return ls_fail(LS_EARG, "state 0 is not the initial state");
  for (u64 v = 0; v < s->expanded && !st; v++) {
    while (v >= s->level[level + 1]) level++;
    st = check_steps(c, v, level, &steps);
    if (!st && v % 4096 == 0) ls_progress("checking states", v, s->n);
    if (!st && v % 4096 == 0 && ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  dve_steps_free(&steps);
  level = 0;
  for (u64 v = 1; v < s->n && !st; v++) {
    while (v >= s->level[level + 1]) level++;
    const u32 parent = s->parent[v];
    if (!c->found[v] || level == 0 || parent < s->level[level - 1] || parent >= s->level[level])
      st = ls_fail(LS_EARG, "state %llu has no parent in the previous level with a step to it",
                   (unsigned long long)v);
  }
  if (!st && c->transitions != s->m)
    st = ls_fail(LS_EARG, "the model has %llu transitions, but the state space records %llu",
                 (unsigned long long)c->transitions, (unsigned long long)s->m);
  return st;
}

ls_status ls_dve_check(ls_dve_space *s, ls_graph *g) {
  checking c = {.s = s};
  if (g) {
    c.off = ls_buffer_read(g->off);
    c.to = ls_buffer_read(g->to);
    c.w = g->w ? ls_buffer_read(g->w) : NULL;
    c.t = g->t ? ls_buffer_read(g->t) : NULL;
    if (!c.off || !c.to || (g->w && !c.w) || (g->t && !c.t)) return LS_EMEM;
  }
  ls_status st = fill_table(&c);
  if (!st) st = check_all(&c);
  ls_free(c.table);
  ls_free(c.found);
  return st;
}
