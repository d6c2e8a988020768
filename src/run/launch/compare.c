#include "run/launch/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ls_device *device_a, *device_b;
static char report[512];
static bool (*goes_on)(const char *report);
static u64 compared, not_compared; /* launches since compare was last turned on */

void ls_compare(ls_device *a, ls_device *b) {
  if (a) compared = not_compared = 0;
  device_a = a;
  device_b = b;
  report[0] = 0;
}

bool ls_compare_on(ls_device **a, ls_device **b) {
  *a = device_a;
  *b = device_b;
  return device_a && device_b;
}

const char *ls_compare_report(void) { return report; }

void ls_compare_tally(char *out, size_t bytes) {
  *out = '\0';
  if (!compared && !not_compared) return;
  const int used = snprintf(out, bytes, "%llu compared", (unsigned long long)compared);
  if (not_compared)
    snprintf(out + used, bytes - (size_t)used,
             ", %llu not compared (rule FIXPOINT, called one by one by a script)",
             (unsigned long long)not_compared);
}

void ls_compare_hook(bool (*hook)(const char *report)) { goes_on = hook; }

typedef struct sides {
  const ls_call *call;
  const ls_arg *arg;
  const ls_device *a, *b;
} sides;

static void element(char *out, size_t bytes, ls_buffer *b, u64 i) {
  f64 real = 0;
  i64 integer = 0;
  ls_buffer_get(b, i, &real, &integer);
  if (ls_dtype_is_real(b->type))
    snprintf(out, bytes, "%.17g", real);
  else if (b->type == LS_U64)
    snprintf(out, bytes, "%llu", (unsigned long long)integer);
  else
    snprintf(out, bytes, "%lld", (long long)integer);
}

static ls_status disagree(const sides *s, ls_buffer *x, ls_buffer *y, u64 i) {
  char in_x[40], in_y[40];
  element(in_x, sizeof in_x, x, i);
  element(in_y, sizeof in_y, y, i);
  snprintf(report, sizeof report, "compare: %s: %s[%llu]: %s %s, %s %s", s->call->prim->name, s->arg->name,
           (unsigned long long)i, s->a->name, in_x, s->b->name, in_y);
  return ls_fail(LS_EARG, "%s", report);
}

/* Sets *yes if both have the same elements. If one is valid only on a device, digests are compared, so that
 * it need not be copied. */
static ls_status same(ls_buffer *x, ls_buffer *y, bool *yes) {
  u64 of_x, of_y;
  *yes = false;
  if (ls_buffer_settle(x) || ls_buffer_settle(y)) return LS_EDEVICE;
  if (x->host_valid && y->host_valid) {
    *yes = memcmp(x->host, y->host, ls_buffer_bytes(x)) == 0;
    return LS_OK;
  }
  ls_status st = ls_buffer_digest(x, 0, ls_dtype_size(x->type), x->count, false, &of_x);
  if (!st) st = ls_buffer_digest(y, 0, ls_dtype_size(y->type), y->count, false, &of_y);
  *yes = !st && of_x == of_y;
  return st;
}

/* Two NaNs count as equal, because processors differ in the sign of the NaN that an operation yields. */
static bool both_nan(ls_buffer *x, ls_buffer *y, u64 i) {
  f64 a = 0, b = 0;
  i64 unused;
  if (!ls_dtype_is_real(x->type)) return false;
  ls_buffer_get(x, i, &a, &unused);
  ls_buffer_get(y, i, &b, &unused);
  return isnan(a) && isnan(b);
}

static ls_status compare_exactly(const sides *s, ls_buffer *x, ls_buffer *y) {
  const u8 *p = ls_buffer_read(x), *q = ls_buffer_read(y);
  if (!p || !q) return LS_EMEM;
  const size_t size = ls_dtype_size(x->type);
  for (u64 i = 0; i < x->count; i++)
    if (memcmp(p + i * size, q + i * size, size) != 0 && !both_nan(x, y, i)) return disagree(s, x, y, i);
  return LS_OK;
}

static ls_status compare_tolerantly(const sides *s, ls_buffer *x, ls_buffer *y) {
  if (!ls_dtype_is_real(x->type)) return compare_exactly(s, x, y);
  if (!ls_buffer_read(x) || !ls_buffer_read(y)) return LS_EMEM;
  const bool own = s->arg->agree == LS_TOLERANCE;
  const f64 relative = own ? s->arg->relative : x->type == LS_F32 ? 1e-5 : 1e-12;
  const f64 absolute = own ? s->arg->absolute : 0;
  for (u64 i = 0; i < x->count; i++) {
    f64 a = 0, b = 0;
    i64 unused;
    ls_buffer_get(x, i, &a, &unused);
    ls_buffer_get(y, i, &b, &unused);
    if (a != b && !(isnan(a) && isnan(b)) && !(fabs(a - b) <= absolute + relative * fmax(fabs(a), fabs(b))))
      return disagree(s, x, y, i);
  }
  return LS_OK;
}

static int order32(const void *a, const void *b) {
  const u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return (x > y) - (x < y);
}
static int order64(const void *a, const void *b) {
  const u64 x = *(const u64 *)a, y = *(const u64 *)b;
  return (x > y) - (x < y);
}

static int order128(const void *a, const void *b) {
  const int first = order64(a, b);
  return first ? first : order64((const u64 *)a + 1, (const u64 *)b + 1);
}

static size_t item_bytes(const ls_arg *arg, const ls_buffer *b) {
  return (arg->wide ? 2 : 1) * ls_dtype_size(b->type);
}

static ls_status queue_length(const ls_arg *arg, ls_buffer *b, u64 *out) {
  u64 length = 0;
  const u64 room = ls_queue_room(arg, b->count);
  ls_status st = ls_buffer_peek(b, 0, 1, &length);
  *out = length < room ? length : room; /* the length may be unset if the loop made no iteration */
  return st;
}

static ls_status same_items(const ls_arg *arg, ls_buffer *x, ls_buffer *y, bool *yes) {
  u64 used[2], of[2];
  ls_buffer *const both[2] = {x, y};
  ls_status st = LS_OK;
  for (int i = 0; !st && i < 2; i++) {
    const size_t size = item_bytes(arg, both[i]);
    st = queue_length(arg, both[i], &used[i]);
    if (!st) st = ls_buffer_digest(both[i], size, size, used[i], true, &of[i]); /* skips the length */
  }
  *yes = !st && used[0] == used[1] && of[0] == of[1];
  return st;
}

/* Compares queues as sets: the items of both are sorted (in copies); a difference is reported by its position
 * in that order. */
static ls_status compare_queues(const sides *s, ls_buffer *x, ls_buffer *y) {
  ls_buffer *p = NULL, *q = NULL;
  ls_status st = ls_buffer_copy(x, LS_HOST, &p);
  if (!st) st = ls_buffer_copy(y, LS_HOST, &q);
  if (!st) {
    const bool long_length = x->type == LS_U64;
    const size_t size = item_bytes(s->arg, x);
    const u64 each = s->arg->wide ? 2 : 1;
    u64 used[2] = {0};
    ls_buffer *both[2] = {p, q};
    for (int i = 0; !st && i < 2; i++) {
      u8 *items = ls_buffer_update(both[i]);
      st = items ? queue_length(s->arg, both[i], &used[i]) : LS_EMEM;
      if (!st) qsort(items + size, used[i], size, s->arg->wide ? order128 : long_length ? order64 : order32);
    }
    if (!st && used[0] != used[1]) st = disagree(s, p, q, 0);
    for (u64 i = each; !st && i < each * (used[0] + 1); i++)
      if (long_length ? ((u64 *)p->host)[i] != ((u64 *)q->host)[i]
                      : ((u32 *)p->host)[i] != ((u32 *)q->host)[i])
        st = disagree(s, p, q, i);
  }
  ls_buffer_release(p);
  ls_buffer_release(q);
  return st;
}

static ls_status compare_output(const sides *s, ls_buffer *x, ls_buffer *y) {
  const ls_agree rule = s->arg->agree ? s->arg->agree : s->call->prim->agree;
  const bool queue = ls_arg_is_queue(s->arg);
  bool yes;
  if (rule == LS_TIE || x->count == 0) return LS_OK;
  ls_status st = queue ? same_items(s->arg, x, y, &yes) : same(x, y, &yes);
  if (st || yes) return st;
  if (queue) return compare_queues(s, x, y);
  return rule == LS_TOLERANCE ? compare_tolerantly(s, x, y) : compare_exactly(s, x, y);
}

/* Is argument i the second queue of a pair that a loop swaps? It holds leftovers of the last iteration, not a
 * result. */
static bool scratch(const ls_prim *p, int i) {
  for (int k = 0; p->loop && k < p->loop->npairs; k++)
    if (p->loop->pair[k][1] == i) return true;
  return false;
}

static ls_status compare_counts(const ls_call *c, const ls_device *a, const ls_device *b, const ls_outcome *x,
                                const ls_outcome *y) {
  int k = 0;
  for (int i = 0; i < c->prim->nargs; i++) {
    if (c->prim->args[i].role != LS_COUNT) continue;
    if (x->counts[k] != y->counts[k]) {
      snprintf(report, sizeof report, "compare: %s: %s: %s %llu, %s %llu", c->prim->name,
               c->prim->args[i].name, a->name, (unsigned long long)x->counts[k], b->name,
               (unsigned long long)y->counts[k]);
      return ls_fail(LS_EARG, "%s", report);
    }
    k++;
  }
  return LS_OK;
}

/* Did queues overflow, so that items were lost? */
static bool has_lost(const ls_prim *p, const ls_outcome *out) {
  int k = 0;
  for (int i = 0; i < p->nargs; i++) {
    if (p->args[i].role != LS_COUNT) continue;
    if (out->counts[k++] && p->args[i].lost) return true;
  }
  return false;
}

/* Runs the call on b with the copies, and compares its outputs with a's. */
static ls_status hold_against(const ls_call *c, const ls_call *copies, const ls_sizes *sizes,
                              const ls_device *a, const ls_device *b, ls_run_fn run, const ls_outcome *out) {
  const ls_prim *p = c->prim;
  ls_outcome other;
  memset(&other, 0, sizeof other);
  const bool traced = ls_trace_enabled();
  ls_trace_enable(false); /* the trace records only a's run */
  ls_status st = run(copies, copies->buffers, b, sizes, &other);
  ls_trace_enable(traced);
  /* a loop that was stopped early has no result yet, and devices may stop it at different places */
  const bool cut = p->domain == LS_LOOP && !(out->finished && other.finished);
  const bool lost = has_lost(p, out) || has_lost(p, &other);
  for (int i = 0; !st && !cut && i < p->nargs; i++) {
    const sides s = {c, &p->args[i], a, b};
    if (lost && ls_arg_is_queue(s.arg)) continue; /* which items were lost is not determined */
    if (ls_arg_written(p, i) && !scratch(p, i) && c->buffers[i])
      st = compare_output(&s, c->buffers[i], copies->buffers[i]);
  }
  /* counters of a loop show only how it reached its fixpoint; those of a row are results, unless ties decide
   * them */
  if (!st && p->domain != LS_LOOP && p->agree != LS_TIE) st = compare_counts(c, a, b, out, &other);
  return report[0] && goes_on && goes_on(report) ? LS_OK : st;
}

static int side_of(const ls_device *d) { return d->processor == LS_CUDA ? d->index : LS_HOST; }

int ls_compare_side(void) { return device_b ? side_of(device_b) : LS_HOST; }

/* Copies argument i for b. An argument that the row overwrites as a whole is only allocated. */
static ls_status copy_for(const ls_call *c, const ls_sizes *sizes, int i, const ls_device *d,
                          ls_buffer **out) {
  ls_buffer *of = c->buffers[i];
  if (!c->prim->loop && ls_call_makes(c, sizes, i)) return ls_buffer_new(of->type, of->rows, of->cols, out);
  return ls_buffer_copy(of, side_of(d), out);
}

ls_status ls_compare_run(const ls_call *c, const ls_sizes *sizes, ls_device *a, ls_device *b, ls_run_fn run,
                         ls_outcome *out) {
  const ls_prim *p = c->prim;
  /* a single pass of a fixpoint may differ; only its whole loop is compared */
  const bool alone = p->agree == LS_FIXPOINT && p->domain != LS_LOOP;
  ls_call copies = *c;
  ls_status st = LS_OK;
  const bool beside = ls_buffer_beside(true); /* the journal need not record copies */
  for (int i = 0; i < p->nargs; i++) {
    copies.buffers[i] = NULL;
    if (st || alone || !c->buffers[i]) continue;
    if (ls_arg_written(p, i))
      st = copy_for(c, sizes, i, b, &copies.buffers[i]);
    else
      copies.buffers[i] = ls_buffer_retain(c->buffers[i]);
  }
  ls_buffer_beside(beside);
  report[0] = 0;
  if (!st) st = run(c, c->buffers, a, sizes, out);
  if (!st && !alone) st = hold_against(c, &copies, sizes, a, b, run, out);
  if (!st && !alone) compared++;
  if (!st && alone && !c->stepped) not_compared++;
  for (int i = 0; i < p->nargs; i++) ls_buffer_release(copies.buffers[i]);
  return st;
}

ls_status ls_compare_loop(const ls_call *done, const ls_call *before, const ls_sizes *sizes, ls_device *a,
                          ls_device *b, ls_run_fn run) {
  const ls_outcome out = {.finished = true};
  report[0] = 0;
  const ls_status st = hold_against(done, before, sizes, a, b, run, &out);
  if (!st) compared++;
  return st;
}
