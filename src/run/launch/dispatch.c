/* From a call to a launch: checks and synchronises the arguments, runs the row's body on the device, and
 * makes a trace record of its results. */
#include "run/launch/dispatch.h"

#include <stdio.h>
#include <string.h>

#include "core/async_job.h"
#include "core/mapping.h"
#include "core/mem.h"
#include "core/wait.h"
#include "ranks/ranks.h"
#include "ranks/rank_stats.h"
#include "run/launch/compare.h"
#include "run/devices/cuda.h"
#include "run/launch/contract.h"
#include "run/record/late_records.h"
#include "run/launch/variants.h"
#include "run/record/profiler_ranges.h"
#include "run/launch/sizes.h"
#include "run/record/timeline.h"

/* Launches with fewer items and edges than QUICK take milliseconds and run on the calling thread: waking the
 * worker and its thread pool would add 0.1 ms. A tile counts as OF_TILE items. */
enum { QUICK = 1 << 19, OF_TILE = 1 << 10 };

/* --- arguments to a device --------------------------------------------------------------------------- */

/* Binds the buffers to the device. *fresh: will the launch be the first to touch memory that it writes? */
static ls_status bind(const ls_call *c, ls_buffer *const *buffers, const ls_device *d, const ls_sizes *sizes,
                      ls_bind *out, bool *fresh) {
  const ls_prim *p = c->prim;
  memset(out, 0, sizeof *out);
  *fresh = false;
  for (int i = 0; i < p->nargs; i++) {
    const ls_role role = p->args[i].role;
    out->value[i] = c->values[i];
    if (role == LS_VALUE || role == LS_COUNT) continue;
    ls_buffer *b = buffers[i];
    /* A loop may end before it has overwritten what ls_call_makes says, except what its first step writes. */
    const bool makes = ls_call_makes(c, sizes, i) && (!p->loop || p->first >> i & 1);
    const ls_access access = !ls_arg_written(p, i) ? LS_READ : makes ? LS_OVERWRITE : LS_UPDATE;
    void *at = NULL;
    if (d->processor == LS_CUDA) {
      ls_status st = ls_buffer_on_device(b, d->index, access, &at);
      char which[LS_ARG_CHARS];
      if (st) return ls_fail_prefix(st, "%s: %s: ", p->name, ls_call_arg(c, i, which));
    } else {
      *fresh = *fresh || (access == LS_OVERWRITE && !b->host);
      at = access == LS_READ     ? (void *)(uintptr_t)ls_buffer_read(b)
           : access == LS_UPDATE ? ls_buffer_update(b)
                                 : ls_buffer_overwrite(b);
      if (!at) return LS_EMEM;
    }
    out->ptr[i] = at;
    out->size[i] = b->count;
  }
  if (!p->loop) ls_bind_queues(p, out);
  return LS_OK;
}

/* The number of threads of a row's domain: the value of the expression `items`. An EDGES or BEST domain
 * iterates over row offsets, so it has at most n threads. */
static ls_status domain_items(const ls_prim *p, const ls_launch *L, const ls_sizes *sizes, u64 *out) {
  f64 items = 0;
  const ls_record r = {.prim = p};
  ls_cost_context context = {sizes, &r, false};
  *out = 0;
  if (p->domain == LS_QUEUE || p->domain == LS_QUEUE_EDGES) return LS_OK; /* the queue stores its length */
  if (p->domain == LS_LOOP) {
    *out = L->n > L->m / 4 ? L->n : L->m / 4; /* sizes the grid; steps over queues take the queues' lengths */
    return LS_OK;
  }
  if (strcmp(p->items, "n") == 0)
    items = L->n;
  else if (strcmp(p->items, "m") == 0)
    items = L->m;
  else if (ls_expr(p->items, ls_cost_size, &context, &items))
    return ls_fail_prefix(LS_EARG, "%s: its items: ", p->name);
  *out = items < 0 ? 0 : (u64)items;
  if ((p->domain == LS_VERTEX_EDGES || p->domain == LS_VERTEX_BEST) && *out > L->n) *out = L->n;
  if (p->domain != LS_ELEMENT && p->domain != LS_LIBRARY && *out > UINT32_MAX)
    return ls_fail(LS_EARG, "%s: expected items (%s) below 2^32, got %llu", p->name, p->items,
                   (unsigned long long)*out);
  return LS_OK;
}

/* --- running ----------------------------------------------------------------------------------------- */

typedef struct cpu_job {
  ls_launch *L;
  ls_launch_fn run;
  ls_status status;
} cpu_job;

static void run_cpu(void *arg) {
  cpu_job *job = arg;
  ls_queues_empty(&job->L->bind);
  job->status = job->run(job->L);
}

static ls_status launch(ls_launch *L, const ls_device *d) {
  bool variant; /* a kernel that was compiled at run time may run for any length of time */
  cpu_job job = {L, ls_launcher(L->prim, d->processor, L->type, &variant), LS_OK};
  if (L->prim->loop && (variant || d->processor == LS_CPU)) job.run = ls_loop_by_host;
  if (!job.run) return ls_fail(LS_EARG, "%s: there is no body for %s", L->prim->name, d->name);
  L->by_host = d->processor == LS_CUDA && job.run == ls_loop_by_host;
  if (d->processor == LS_CUDA) return job.run(L);
  const u64 items = L->prim->domain == LS_TILE ? L->items * OF_TILE : L->items;
  ls_work(run_cpu, &job, items + L->m < QUICK && !variant);
  return job.status;
}

/* Does the call need results of the launch (counters, full queues), so that it has to wait? */
static bool is_asked(const ls_prim *p) {
  for (int i = 0; i < p->nargs; i++)
    if (p->args[i].role == LS_COUNT) return true;
  return ls_fills_queues(p);
}

static void start_launch(ls_launch *L, const ls_call *c, const ls_device *d, const ls_sizes *sizes) {
  memset(L, 0, sizeof *L);
  L->prim = c->prim;
  L->type = c->type;
  L->n = (u32)ls_sizes_get(sizes, "n", 0);
  L->m = (u32)ls_sizes_get(sizes, "m", ls_sizes_get(sizes, "k", 0));
  L->threads = d->threads;
  L->serial = d->processor == LS_CPU && d->threads == 1;
  L->on_cuda = d->processor == LS_CUDA;
  L->device = d->index;
  L->block = c->block;
  L->traced = ls_trace_enabled();
}

static void start_record(ls_record *r, const ls_call *c, const ls_device *d) {
  memset(r, 0, sizeof *r);
  r->seq = ls_trace_enabled() ? ls_trace_next_seq() : 0; /* the second run of compare has none */
  r->prim = c->prim;
  r->type = c->type;
  r->device = d;
  r->host_begin = ls_now();
  ls_rank_stats_stands(false);
  r->skipped = ls_timeline_skipped();
  if (c->where) snprintf(r->where, sizeof r->where, "%s", c->where);
}

/* One launch of a row, with what its record needs from before and after it. */
typedef struct one_launch {
  ls_launch L;
  ls_record record;
  /* Of an exchange, when it began: seconds that exchanges had waited, and bytes that they had received. */
  f64 waits;
  u64 got;
} one_launch;

static ls_status prepare(const ls_call *c, ls_buffer *const *buffers, const ls_device *d,
                         const ls_sizes *sizes, one_launch *o) {
  start_launch(&o->L, c, d, sizes);
  bool fresh;
  ls_status st = bind(c, buffers, d, sizes, &o->L.bind, &fresh);
  if (!st) st = domain_items(c->prim, &o->L, sizes, &o->L.items);
  if (st) return st;
  start_record(&o->record, c, d);
  if (ls_prim_exchanges(c->prim)) o->waits = ls_rank_stats_waits(), o->got = ls_rank_stats_got();
  o->record.begin = o->record.host_begin;
  o->record.fresh = fresh;
  o->record.items = o->L.bind.qin && d->processor == LS_CPU ? ls_queue_items(&o->L.bind) : o->L.items;
  return LS_OK;
}

static void keep_record(one_launch *o, const ls_sizes *sizes) {
  ls_record *r = &o->record;
  if (ls_prim_exchanges(r->prim)) {
    r->waits = ls_rank_stats_waits() - o->waits;
    r->moved = ls_rank_stats_got() - o->got;
  }
  memcpy(r->counts, o->L.counts, sizeof r->counts);
  r->first = o->L.first;
  if (o->L.traced) ls_late_records_record(r, sizes, o->L.on_cuda ? o->L.ticket : 0);
}

static ls_status run_once(const ls_call *c, ls_buffer *const *buffers, const ls_device *d,
                          const ls_sizes *sizes, ls_outcome *out) {
  one_launch o;
  if (ls_ranks() > 1 && ls_prim_exchanges(c->prim))
    ls_trace_last(); /* completes the records: the exchange sends the times to other ranks */
  ls_status st = prepare(c, buffers, d, sizes, &o);
  if (!st) st = launch(&o.L, d);
  if (st) return st;
  o.record.end = ls_now();
  if (d->processor == LS_CUDA && is_asked(c->prim)) {
    u64 items;
    st = ls_cuda_wait(&o.L, o.L.ticket, &o.record.begin, &o.record.end, &items);
    if (st) return st;
    o.record.items = items ? items : o.L.items;
    o.L.ticket = 0;
  }
  memcpy(out->counts, o.L.counts, sizeof out->counts);
  keep_record(&o, sizes);
  return ls_queues_full(&o.L);
}

/* Adds the steps' counters to those of the loop, by name. */
static void add_loop_counts(const ls_launch *L, ls_outcome *out) {
  const ls_prim *p = L->prim;
  for (int s = 0; s < p->loop->nsteps; s++) {
    const ls_step *step = &p->loop->step[s];
    int k = 0;
    for (int i = 0; i < step->prim->nargs; i++) {
      if (step->prim->args[i].role != LS_COUNT) continue;
      int at = 0;
      for (int j = 0; j < step->arg[i]; j++) at += p->args[j].role == LS_COUNT;
      out->counts[at] += L->loop_counts[s][k++];
    }
  }
}

static void keep_ring(const ls_call *c, const ls_device *d, const ls_sizes *sizes, const ls_launch *L,
                      f64 begun) {
  if (!L->ring_used) return;
  ls_record r;
  start_record(&r, c, d);
  r.host_begin = begun;
  for (u32 i = 1; i < L->ring_used; i++) ls_trace_next_seq();
  ls_late_records_ring(&r, sizes, L);
}

static ls_status size_of_text(const ls_call *c, const ls_sizes *sizes, const char *text, u64 *out) {
  const ls_record r = {.prim = c->prim};
  ls_cost_context context = {sizes, &r, false};
  f64 x = 0;
  if (ls_expr(text, ls_cost_size, &context, &x)) return ls_fail_prefix(LS_EARG, "%s: ", c->prim->name);
  if (x < 0 || x > 0x1p53)
    return ls_fail(LS_EARG, "%s: the size %s is %g, expected 0 to 2^53", c->prim->name, text, x);
  *out = (u64)x;
  return LS_OK;
}

ls_status ls_call_size(const ls_call *c, const char *text, u64 *out) {
  ls_sizes sizes;
  ls_status st = ls_sizes_solve(c, &sizes);
  return st ? st : size_of_text(c, &sizes, text, out);
}

/* Evaluates the limits of a loop's FORs. */
static ls_status find_limits(const ls_call *c, const ls_sizes *sizes, u32 *limit) {
  const ls_loop *loop = c->prim->loop;
  for (int v = 0; v < loop->nvars; v++) {
    u64 x = 0;
    ls_status st = size_of_text(c, sizes, loop->limit[v], &x);
    if (!st && x > UINT32_MAX)
      st = ls_fail(LS_EARG, "%s: FOR(%s) has the limit %s, expected one below 2^32", c->prim->name,
                   loop->var[v], loop->limit[v]);
    if (st) return st;
    limit[v] = (u32)x;
  }
  return LS_OK;
}

/* Sets where a loop begins: with its ONCE group or, if it has begun before, after that group, skipping the
 * first c->done iterations of an outermost FOR. */
static void begin_loop(const ls_call *c, ls_launch *L) {
  const ls_loop_code *code = &c->prim->loop->code;
  memset(&L->at, 0, sizeof L->at);
  memset(L->var, 0, sizeof L->var);
  if (!c->begun) return;
  L->at.op = code->begun_at;
  if (!code->main_var || !c->done) return;
  const u32 v = code->main_var - 1u;
  L->var[v] = c->done < L->limit[v] ? (u32)c->done : L->limit[v];
  L->at.op = code->begun_at + 1u;
  if (L->var[v] < L->limit[v]) return;
  while (code->op[L->at.op].kind != LS_OP_END) L->at.op++;
}

/* Sets when the run halts. An interrupted run still completes its iteration. */
static void bound_loop(const ls_call *c, ls_loop_at *at, bool interrupted) {
  const u64 none = UINT32_MAX;
  at->last_iteration = c->max_iterations && c->max_iterations < none ? (u32)c->max_iterations : UINT32_MAX;
  if (interrupted) at->last_iteration = at->iterations + 1;
  at->most_passes = c->max_repeats && c->max_repeats < none ? (u32)c->max_repeats : UINT32_MAX;
}

static ls_status run_loop(const ls_call *c, ls_buffer *const *buffers, const ls_device *d,
                          const ls_sizes *sizes, ls_outcome *out) {
  static ls_ring_entry *ring;
  if (!ring && !(ring = ls_malloc((LS_RING + LS_MAX_STEPS) * sizeof *ring))) return LS_EMEM;
  const ls_loop *loop = c->prim->loop;
  u64 step_items[LS_MAX_STEPS];
  ls_loop_at at = {0};
  u32 var[LS_MAX_VARS];
  bool first = true;
  ls_status full;
  ls_launch L;
  do { /* slices of 50 ms, to drain the ring and serve the keyboard */
    ls_late_records_make_room(d);
    start_launch(&L, c, d, sizes);
    bool fresh; /* ignored: only records of single launches need it, not those of a loop's steps */
    ls_status st = bind(c, buffers, d, sizes, &L.bind, &fresh);
    if (!st) st = find_limits(c, sizes, L.limit);
    if (st) return st;
    if (first) {
      begin_loop(c, &L);
    } else {
      L.at = at;
      memcpy(L.var, var, sizeof var);
    }
    first = false;
    bound_loop(c, &L.at, out->interrupted);
    ls_to_step(loop->code.op, L.limit, &L.at, L.var);
    L.loop = loop;
    L.step_items = step_items;
    st = domain_items(c->prim, &L, sizes, &L.items);
    for (int s = 0; !st && s < loop->nsteps; s++) { /* the grid must have enough threads for every step */
      const ls_prim *step = loop->step[s].prim;
      st = domain_items(step, &L, sizes, &step_items[s]);
      const u64 threads = step->domain == LS_TILE ? step_items[s] * OF_TILE : step_items[s];
      if (!st && step->domain != LS_LIBRARY && threads > L.items) L.items = threads;
    }
    if (st) return st;
    L.ring = ring;
    L.summed = L.traced && ls_late_records_in_sums(c->prim, ls_timeline_skipped());
    L.max_seconds = 0.05;
    const f64 begun = ls_now();
    if (!L.at.finished && !L.at.halted) st = launch(&L, d); /* a FOR may have no iteration */
    if (st) return st;
    full = ls_queues_full(&L);
    add_loop_counts(&L, out);
    keep_ring(c, d, sizes, &L, begun);
    at = L.at;
    memcpy(var, L.var, sizeof var);
    out->finished = at.finished;
    out->iterations = at.iterations + (at.finished && !loop->code.has_main);
    out->entered = at.op >= loop->code.begun_at;
    if (!at.finished) ls_idle();
    out->interrupted = !at.finished && (out->interrupted || ls_pausing());
  } while (!at.finished && !at.halted && !full);
  for (int p = 0; p < loop->npairs; p++)
    if (at.swaps >> p & 1) ls_buffer_swap(buffers[loop->pair[p][0]], buffers[loop->pair[p][1]]);
  return full;
}

/* Copies the buffers that the call writes, to restore them if it fails. */
static ls_status keep_outputs(const ls_call *c, ls_buffer *const *buffers, const ls_device *d,
                              ls_buffer **before) {
  const int side = d->processor == LS_CUDA ? d->index : LS_HOST;
  const bool beside = ls_buffer_beside(true); /* the journal need not record copies */
  ls_status st = LS_OK;
  for (int i = 0; !st && i < c->prim->nargs; i++)
    if (buffers[i] && ls_arg_written(c->prim, i)) st = ls_buffer_copy(buffers[i], side, &before[i]);
  ls_buffer_beside(beside);
  return st;
}

/* Gives up the memory of an exchange that failed: other ranks, or MPI, may still use it. */
static void give_away(const ls_call *c, ls_buffer *const *buffers, const ls_device *d) {
  if (d->processor == LS_CUDA) {
    ls_cuda_staging_give_away(d->index, c->beside);
    return;
  }
  for (int i = 0; i < c->prim->nargs; i++) {
    if (!buffers[i]) continue;
    if (ls_arg_written(c->prim, i))
      ls_buffer_give_away(buffers[i]);
    else
      ls_buffer_retain(buffers[i]); /* never released: it may still be read */
  }
}

/* The exchange that overlaps with kernels. */
static struct {
  ls_call call; /* holds references to its buffers */
  const ls_device *device;
  ls_sizes sizes;
  one_launch one;
  u64 losses;
} away;

static ls_status run_away(void *unused) {
  (void)unused;
  ls_launch *L = &away.one.L;
  L->begun = ls_now();
  const ls_status st = launch(L, away.device);
  away.one.record.begin = L->begun;
  away.one.record.end = ls_now();
  return st;
}

static ls_status end_away(void *unused, ls_status st) {
  (void)unused;
  ls_call *c = &away.call;
  if (!st) st = ls_mapping_lost_since(away.losses);
  if (!st) keep_record(&away.one, &away.sizes);
  if (st && ls_exchange_holds()) give_away(c, c->buffers, away.device);
  for (int i = 0; i < c->prim->nargs; i++) ls_buffer_release(c->buffers[i]);
  return st;
}

/* Begins an exchange that overlaps with kernels. Code that uses its buffers waits for it first. */
static ls_status send_away(const ls_call *c, const ls_device *d, const ls_sizes *sizes, ls_outcome *out) {
  static const ls_async_job job = {.run = run_away, .ended = end_away};
  ls_status st = ls_async_job_finish(); /* until then `away` belongs to the previous exchange */
  if (st) return st;
  away.call = *c;
  away.call.where = NULL; /* the record has a copy */
  away.device = d;
  away.sizes = *sizes;
  away.losses = ls_mapping_losses();
  st = prepare(c, c->buffers, d, sizes, &away.one);
  away.one.record.beside = away.one.L.beside = true;
  if (!st && d->processor == LS_CUDA) st = ls_cuda_fork(d->index);
  if (st) return st;
  for (int i = 0; i < c->prim->nargs; i++) ls_buffer_retain(c->buffers[i]);
  out->beside = ls_async_job_begin(&job);
  for (int i = 0; i < c->prim->nargs; i++)
    if (c->buffers[i]) c->buffers[i]->away = out->beside;
  return LS_OK;
}

static ls_status run_on(const ls_call *c, ls_buffer *const *buffers, const ls_device *d,
                        const ls_sizes *sizes, ls_outcome *out) {
  if (d->lost) return ls_device_fail_lost(d);
  ls_device *one, *other;
  if (c->beside && ls_ranks() > 1 && !ls_compare_on(&one, &other)) return send_away(c, d, sizes, out);
  ls_buffer *before[LS_MAX_ARGS] = {NULL};
  bool guarded = false;
  ls_status st = ls_variants_ready(c->prim, c->type, d, &guarded);
  if (!st && guarded) st = keep_outputs(c, buffers, d, before);
  if (!st) {
    st = c->prim->loop ? run_loop(c, buffers, d, sizes, out) : run_once(c, buffers, d, sizes, out);
    if (st && ls_exchange_holds()) give_away(c, buffers, d);
    for (int i = 0; st && i < c->prim->nargs; i++)
      if (before[i]) ls_buffer_swap(buffers[i], before[i]);
  }
  for (int i = 0; i < c->prim->nargs; i++) ls_buffer_release(before[i]);
  return st;
}

/* Stores the call's number in each buffer that the call has written, and marks its queues as queues, even
 * those that belong to no state. */
static void mark_changed(const ls_call *c) {
  const u64 last = ls_trace_seq();
  for (int i = 0; i < c->prim->nargs; i++) {
    const ls_arg *arg = &c->prim->args[i];
    if (ls_arg_written(c->prim, i)) c->buffers[i]->changed_step = last;
    if (ls_arg_is_queue(arg) && !arg->wide) c->buffers[i]->queue = true;
  }
}

ls_status ls_compare_stepped(const ls_call *done, const ls_call *before) {
  ls_sizes sizes;
  ls_device *a, *b;
  if (!ls_compare_on(&a, &b)) return LS_OK;
  ls_status st = ls_sizes_solve(before, &sizes);
  return st ? st : ls_compare_loop(done, before, &sizes, a, b, run_on);
}

ls_status ls_dispatch(ls_call *c, ls_outcome *out) {
  ls_sizes sizes;
  ls_device *a, *b;
  memset(out, 0, sizeof *out);
  ls_range_begin(c->prim->name);
  ls_status st = ls_sizes_solve(c, &sizes);
  if (!st) st = ls_contract_check(c, &sizes);
  const u64 losses = ls_mapping_losses();
  if (!st && ls_trace_enabled()) ls_timeline_resume();
  if (!st)
    st = ls_compare_on(&a, &b) ? ls_compare_run(c, &sizes, a, b, run_on, out)
                               : run_on(c, c->buffers, ls_device_current(), &sizes, out);
  if (!st) st = ls_mapping_lost_since(losses);
  if (!st) {
    mark_changed(c);
    ls_contract_note(c, &sizes, out);
  }
  ls_range_end();
  return st;
}
