#include "run/record/late_records.h"

#include <string.h>

#include "core/mem.h"
#include "run/devices/cuda.h"

typedef struct deferred {
  ls_record record;
  u64 ticket;
  const ls_prim *loop; /* the loop whose ring this is; NULL: the record of one launch */
  ls_ring_entry *ring; /* on the host; NULL: the entries are in the device's ring, from ring_at on */
  u32 ring_at, ring_used;
  u64 ring_begin;
  u32 *turns;     /* long loops: ring[i] is the sum of turns[i] runs of one step; NULL: one entry per run */
  ls_sizes sizes; /* the last member, because only its used entries, a small part, are copied */
} deferred;

enum { MOST = 1024 };
static deferred waiting[MOST];
static int waiting_count;
static u64 entries_waiting; /* number of entries in rings on the host */

f64 ls_cost_size(const char *name, size_t len, const void *context) {
  ls_cost_context *c = (ls_cost_context *)(uintptr_t)context;
  if (len == 5 && memcmp(name, "items", 5) == 0) return (f64)c->record->items;
  if (len == 5 && memcmp(name, "edges", 5) == 0) return c->record->edges;
  if (len == 4 && memcmp(name, "size", 4) == 0) return (f64)ls_dtype_size(c->record->type);
  int k = 0;
  for (int i = 0; i < c->record->prim->nargs; i++) {
    const ls_arg *arg = &c->record->prim->args[i];
    if (arg->role != LS_COUNT) continue;
    if (strlen(arg->name) == len && memcmp(arg->name, name, len) == 0) return (f64)c->record->counts[k];
    k++;
  }
  if (len == 1 && *name == 'm') c->every_edge = true;
  for (int i = 0; i < c->sizes->count; i++)
    if (c->sizes->size[i].len == len && memcmp(c->sizes->size[i].name, name, len) == 0)
      return (f64)c->sizes->size[i].value;
  return -1;
}

/* Is each item an edge: one of m edges, or one of a queue of edges? */
static bool items_are_edges(const ls_prim *p) {
  if (p->domain != LS_QUEUE) return strcmp(p->items, "m") == 0;
  for (int i = 0; i < p->nargs; i++)
    if (p->args[i].role == LS_QIN) return p->args[i].contract == LS_CONTRACT_edge_queue;
  return false;
}

/* Returns and resets the driver's own count of edges, which follows the row's COUNTs; 0 if the driver has not
 * counted. */
static u64 take_edges(ls_record *r) {
  int k = 0;
  for (int i = 0; i < r->prim->nargs; i++) k += r->prim->args[i].role == LS_COUNT;
  const u64 edges = r->counts[k];
  r->counts[k] = 0;
  return edges;
}

/* Evaluates a row's cost expression; its value goes to *at_most if it is only an upper bound (`bound`), else
 * to *touched. If the record sums several runs, the part that does not depend on items, edges and counts is
 * added once per run. */
static void put_cost(const char *cost, bool bound, ls_cost_context *context, f64 *touched, f64 *at_most) {
  f64 x, each = 0;
  ls_cost_context bounds = *context; /* a copy: `m` in a bound does not mean that all edges are visited */
  *touched = *at_most = 0;
  if (!*cost || ls_expr(cost, ls_cost_size, bound ? &bounds : context, &x)) return;
  if (context->record->turns > 1) {
    const ls_record nothing = {.prim = context->record->prim, .type = context->record->type};
    ls_cost_context empty = {context->sizes, &nothing, false};
    ls_expr(cost, ls_cost_size, &empty, &each);
    x += (f64)(context->record->turns - 1) * each;
  }
  *(bound ? at_most : touched) = x;
}

static void complete(ls_record *r, const ls_sizes *sizes) {
  ls_cost_context context = {sizes, r, false};
  const ls_prim *p = r->prim;
  const bool library = p->domain == LS_LIBRARY && r->device->processor == LS_CPU;
  if (ls_domain_walks(p->domain) || library) r->edges = (f64)take_edges(r);
  put_cost(p->bytes, p->bytes_at_most, &context, &r->bytes, &r->bytes_at_most);
  put_cost(p->gathers, p->gathers_at_most, &context, &r->gathers, &r->gathers_at_most);
  f64 none;
  if (p->operations) put_cost(p->operations, false, &context, &r->operations, &none);
  if (items_are_edges(r->prim)) r->edges = (f64)r->items;
  if (context.every_edge && !ls_domain_walks(p->domain) && r->edges == 0)
    r->edges = (f64)(r->turns ? r->turns : 1) * (f64)ls_sizes_get(sizes, "m", 0);
  const u64 size = r->type < LS_DTYPES ? ls_dtype_size(r->type) : 4;
  r->footprint = size * ls_sizes_get(sizes, "n", ls_sizes_get(sizes, "k", 0));
  ls_trace_add(r);
}

static f64 seconds(const ls_device *d, u64 ns) {
  return d->processor == LS_CUDA ? ls_cuda_seconds(d->index, ns) : 1e-9 * (f64)ns;
}

/* Adds up the ring's entries of each step into one entry, in the order of the steps' first entries. Each sum
 * begins at the time at which the previous one ends. Returns the number of sums; turns[i]: the number of
 * entries in the i-th sum. */
static u32 sum_ring(ls_ring_entry *sum, u32 *turns, const ls_ring_entry *ring, u32 used) {
  u32 steps = 0;
  for (u32 i = 0; i < used; i++) {
    const ls_ring_entry *e = &ring[i];
    u32 s = 0;
    while (s < steps && sum[s].step != e->step) s++;
    if (s == steps) {
      sum[s] = (ls_ring_entry){.step = e->step, .iteration = e->iteration};
      turns[steps++] = 0;
    }
    turns[s]++;
    sum[s].items += e->items;
    sum[s].end += e->end > e->begin ? e->end - e->begin : 0;
    for (int k = 0; k < LS_MAX_COUNTS; k++) sum[s].counts[k] += e->counts[k];
  }
  u64 now = used ? ring[0].begin : 0;
  for (u32 s = 0; s < steps; s++) {
    sum[s].begin = now;
    now = sum[s].end += now;
  }
  return steps;
}

/* The sums of a launch: one for each step that has run. */
static u32 sums_of(ls_ring_entry *sum, u32 *turns, const ls_launch *L) {
  if (!L->on_cuda || L->by_host) return sum_ring(sum, turns, L->ring, L->ring_used);
  u32 steps = 0;
  for (int s = 0; s < L->loop->nsteps; s++) {
    if (!L->turns[s]) continue;
    sum[steps] = L->ring[s];
    turns[steps++] = L->turns[s];
  }
  return steps;
}

static void complete_ring(const deferred *w, const ls_ring_entry *ring) {
  for (u32 i = 0; i < w->ring_used; i++) {
    const ls_ring_entry *entry = &ring[i];
    ls_record r = w->record;
    r.seq = w->record.seq + i;
    r.prim = w->loop->loop->step[entry->step].prim;
    r.items = entry->items;
    r.iteration = entry->iteration;
    r.fused = true;
    r.first = entry->first;
    r.turns = w->turns ? w->turns[i] : 1;
    memcpy(r.counts, entry->counts, sizeof r.counts);
    if (w->ring) /* ns of the host's clock */
      r.begin = 1e-9 * (f64)entry->begin, r.end = 1e-9 * (f64)entry->end;
    else /* a device records only ends: a step begins when the one before it ended */
      r.begin = seconds(r.device, i ? ring[i - 1].end : w->ring_begin), r.end = seconds(r.device, entry->end);
    complete(&r, &w->sizes);
  }
}

enum { MOST_DEVICES = 16 };

/* Copies the device's whole ring, once per harvest. NULL if that fails: then the trace misses these entries,
 * but the run continues. */
static ls_ring_entry *fetch(const ls_device *d, ls_ring_entry **fetched) {
  ls_ring_entry **ring = &fetched[d->index % MOST_DEVICES];
  if (*ring || d->lost) return *ring;
  *ring = ls_malloc((LS_RING + LS_MAX_STEPS) * sizeof **ring);
  if (*ring && ls_cuda_read_ring(d->index, *ring)) {
    ls_free(*ring);
    *ring = NULL;
  }
  return *ring;
}

static void harvest(void) {
  if (ls_cuda_is_waiting()) return; /* called while waiting for a launch: waits must not be nested */
  ls_ring_entry *fetched[MOST_DEVICES] = {NULL};
  const int count = waiting_count;
  waiting_count = 0; /* reset first, because waiting may call back */
  entries_waiting = 0;
  for (int i = 0; i < count; i++) {
    deferred *w = &waiting[i];
    const ls_device *d = w->record.device;
    if (w->loop) {
      const ls_ring_entry *there = w->ring ? w->ring : fetch(d, fetched);
      if (there) complete_ring(w, w->ring ? there : there + w->ring_at);
      ls_free(w->ring);
      ls_free(w->turns);
      continue;
    }
    if (w->ticket) {
      ls_launch L = {.prim = w->record.prim, .device = d->index};
      u64 items;
      if (d->lost || ls_cuda_wait(&L, w->ticket, &w->record.begin, &w->record.end, &items)) continue;
      if (items) w->record.items = items; /* the length of a queue; for other domains it is already known */
      memcpy(w->record.counts, L.counts, sizeof w->record.counts);
    }
    complete(&w->record, &w->sizes);
  }
  for (int i = 0; i < MOST_DEVICES; i++) ls_free(fetched[i]);
}

static deferred *next(const ls_record *r, const ls_sizes *sizes) {
  static bool registered;
  if (!registered) ls_trace_on_read(harvest);
  registered = true;
  if (waiting_count == MOST) harvest();
  deferred *w = &waiting[waiting_count++];
  w->record = *r;
  w->sizes.count = sizes->count;
  memcpy(w->sizes.size, sizes->size, (size_t)sizes->count * sizeof sizes->size[0]);
  w->ticket = 0;
  w->loop = NULL;
  w->ring = NULL;
  w->turns = NULL;
  return w;
}

/* The loop to which the newest records belong, and how many of its ring entries were traced since the last
 * record of another row or the last stop. */
static struct {
  const ls_prim *loop;
  f64 skipped;
  u64 turns;
} running;

void ls_late_records_record(const ls_record *r, const ls_sizes *sizes, u64 ticket) {
  running.loop = NULL;
  next(r, sizes)->ticket = ticket;
}

bool ls_late_records_in_sums(const ls_prim *loop, f64 skipped) {
  if (running.loop != loop || running.skipped != skipped) running.turns = 0;
  running.loop = loop;
  running.skipped = skipped;
  return running.turns >= LS_RING;
}

void ls_late_records_ring(const ls_record *r, const ls_sizes *sizes, const ls_launch *L) {
  ls_ring_entry *copy = NULL;
  u32 *turns = NULL, used = L->ring_used;
  running.turns += L->ring_used;
  if (!L->on_cuda || L->by_host || L->summed) {
    ls_ring_entry sum[LS_MAX_STEPS];
    if (L->summed && !(turns = ls_malloc(LS_MAX_STEPS * sizeof *turns))) return;
    if (L->summed) used = sums_of(sum, turns, L);
    copy = ls_malloc(used * sizeof *copy);
    if (!copy) {
      ls_free(turns);
      return;
    }
    memcpy(copy, L->summed ? sum : L->ring, used * sizeof *copy);
  }
  deferred *w = next(r, sizes);
  w->loop = L->prim;
  w->ring = copy;
  w->turns = turns;
  w->ring_at = L->ring_at;
  w->ring_used = used;
  w->ring_begin = L->ring_begin;
  if (copy) entries_waiting += used;
}

void ls_late_records_make_room(const ls_device *d) {
  if (waiting_count == MOST || entries_waiting > 2 * LS_RING ||
      (d->processor == LS_CUDA && ls_cuda_ring_is_short(d->index)))
    harvest();
}
