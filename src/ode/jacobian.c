#include "ode/jacobian.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

static bool meet(const u64 *a, const u64 *b, u32 words) {
  u64 both = 0;
  for (u32 w = 0; w < words; w++) both |= a[w] & b[w];
  return both != 0;
}

typedef struct gathering {
  const u64 *of; /* for each variable: bit set of the states on which it depends */
  u64 *into;
  u32 words;
} gathering;

static bool gather(void *ctx, const ls_term *t) {
  const gathering *g = ctx;
  if (t->op != LS_VARIABLE_OP) return true;
  for (u32 w = 0; w < g->words; w++) g->into[w] |= g->of[(u64)t->index * g->words + w];
  return true;
}

/* Finds the rates that depend on each state, also through algebraic variables. Algebraic variables are
 * visited in the order of their computation, so that the dependencies of their operands are known. */
static ls_status find_rows(ode_groups *g, const ode_system *s) {
  const ls_ode *m = s->m;
  const u64 words = g->words;
  u64 *of = ls_calloc((m->count + 1) * words, sizeof *of);
  if (!of) return LS_EMEM;
  for (u32 j = 0; j < g->states; j++) of[s->state[j] * words + j / 64] |= 1ull << j % 64;
  for (u32 k = 0; k < m->order_count; k++) {
    const u32 v = m->order[k];
    gathering into = {of, of + v * words, g->words};
    ls_term_walk(m->variables[v].equation, gather, &into);
  }
  u64 *const of_rate = of + m->count * words;
  for (u32 i = 0; i < g->states; i++) {
    gathering into = {of, of_rate, g->words};
    memset(of_rate, 0, words * sizeof *of_rate);
    ls_term_walk(m->variables[s->state[i]].equation, gather, &into);
    for (u32 j = 0; j < g->states; j++)
      if (of_rate[j / 64] >> j % 64 & 1) g->rows[j * words + i / 64] |= 1ull << i % 64;
  }
  ls_free(of);
  return LS_OK;
}

/* Puts each column into the first group in which no column has a row in common with it. */
static ls_status find_groups(ode_groups *g) {
  u64 *taken = ls_calloc((u64)g->states * g->words, sizeof *taken); /* rows of each group */
  if (!taken) return LS_EMEM;
  for (u32 j = 0; j < g->states; j++) {
    const u64 *rows = g->rows + (u64)j * g->words;
    u32 k = 0;
    while (k < g->count && meet(rows, taken + (u64)k * g->words, g->words)) k++;
    if (k == g->count) g->count++;
    for (u32 w = 0; w < g->words; w++) taken[(u64)k * g->words + w] |= rows[w];
    g->group[j] = k;
  }
  ls_free(taken);
  return LS_OK;
}

ls_status ode_groups_new(ode_groups *g, const ode_system *s) {
  *g = (ode_groups){.states = s->states, .words = s->states / 64 + 1};
  g->rows = ls_calloc((u64)g->states * g->words, sizeof *g->rows);
  g->group = ls_malloc(g->states * sizeof *g->group);
  ls_status st = g->rows && g->group ? find_rows(g, s) : LS_EMEM;
  return st ? st : find_groups(g);
}

void ode_groups_free(ode_groups *g) {
  ls_free(g->rows);
  ls_free(g->group);
  *g = (ode_groups){0};
}

bool ode_derivatives(const ode_groups *g, ode_system *s, const f64 *y, const f64 *rate, const f64 *step,
                     f64 *moved, f64 *other, f64 *const *column) {
  for (u32 k = 0; k < g->count; k++) {
    for (u32 j = 0; j < g->states; j++) moved[j] = g->group[j] == k ? y[j] + step[j] : y[j];
    ode_move(s, s->t, moved);
    ode_rates(s, other);
    for (u32 j = 0; j < g->states; j++) {
      const u64 *rows = g->rows + (u64)j * g->words;
      if (g->group[j] != k) continue;
      const f64 over = 1 / step[j];
      for (u32 i = 0; i < g->states; i++)
        if (rows[i / 64] >> i % 64 & 1) {
          if (!isfinite(other[i])) return false;
          column[j][i] = over * (other[i] - rate[i]);
        }
    }
  }
  return true;
}
