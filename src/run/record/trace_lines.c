#include "run/record/trace_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

enum { TABLE = 2 * LS_TRACE_LINES };

static ls_line_stat *table[TABLE]; /* by the hash of `where`; never resized */
static ls_line_stat *last;         /* the last one used, which is usually needed next, too */
static ls_line_stat others = {.where = "(other lines)"};
static int entries;
static f64 total;

static u32 place_of(const char where[LS_WHERE]) {
  u64 hash = 0;
  for (int i = 0; i < LS_WHERE; i += 8) {
    u64 word;
    memcpy(&word, where + i, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  }
  u32 at = (u32)(hash >> 32) % TABLE;
  while (table[at] && memcmp(table[at]->where, where, LS_WHERE) != 0) at = (at + 1) % TABLE;
  return at;
}

static ls_line_stat *entry_of(const char where[LS_WHERE]) {
  if (last && memcmp(last->where, where, LS_WHERE) == 0) return last;
  const u32 at = place_of(where);
  if (!table[at] && entries < LS_TRACE_LINES && (table[at] = ls_calloc(1, sizeof **table))) {
    memcpy(table[at]->where, where, LS_WHERE);
    entries++;
  }
  return table[at] ? last = table[at] : &others;
}

void ls_trace_lines_add(const char where[LS_WHERE], const ls_prim *prim, f64 seconds, u64 turns) {
  if (!*where || !(seconds >= 0)) return;
  ls_time_cell_work(&entry_of(where)->cost, prim, seconds, turns);
  total += seconds;
}

void ls_trace_lines_reset(void) {
  for (int i = 0; i < TABLE; i++) {
    ls_free(table[i]);
    table[i] = NULL;
  }
  memset(&others.cost, 0, sizeof others.cost);
  last = NULL;
  entries = 0;
  total = 0;
}

f64 ls_trace_lines_total(void) { return total; }

const ls_line_stat *ls_trace_line(const char *at) {
  char where[LS_WHERE] = {0};
  snprintf(where, sizeof where, "%s", at);
  return table[place_of(where)];
}

static int compare(const void *a, const void *b) {
  const ls_line_stat *x = *(const ls_line_stat *const *)a, *y = *(const ls_line_stat *const *)b;
  if (x->cost.busy != y->cost.busy) return x->cost.busy > y->cost.busy ? -1 : 1;
  return strcmp(x->where, y->where);
}

int ls_trace_lines(const ls_line_stat **out, int max) {
  static const ls_line_stat *order[LS_TRACE_LINES + 1];
  int n = 0;
  for (int i = 0; i < TABLE; i++)
    if (table[i]) order[n++] = table[i];
  if (others.cost.count) order[n++] = &others;
  qsort(order, (size_t)n, sizeof *order, compare);
  for (int i = 0; i < n && i < max; i++) out[i] = order[i];
  return n;
}
