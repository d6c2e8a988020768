#include "run/record/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/spent.h"
#include "core/wait.h"
#include "ranks/rank_stats.h"
#include "run/devices/limits.h"
#include "run/record/timeline.h"

/* --- statistics ------------------------------------------------------------------------------------------
 */

/* A histogram over the logarithm of the time, as in Gil Tene's HdrHistogram: the exponent and the first six
 * bits of the mantissa are the bucket's number, so a bucket's width is at most 1/64 of its value and its
 * middle at most 0.8 % off. It spans 2^-30 s (a nanosecond) to 2^17 s (a day and a half); times outside count
 * in the outermost buckets, while min and max are exact. */
enum { SUB_BITS = 6, LOWEST = -30, HIGHEST = 17, BUCKETS = (HIGHEST - LOWEST) << SUB_BITS };

/* Amounts touched are summed in classes, by the power of two of the size that determines their limit: the
 * bytes of a launch, or the array from which it gathers. */
enum { CLASSES = 48 };

typedef struct by_size {
  f64 amount, size; /* size: weighted by amount */
} by_size;

typedef struct stat {
  const ls_prim *prim;
  const ls_device *device;
  bool first;
  u64 calls;
  f64 total, min, max, edges;
  f64 edge_time; /* time of the records whose edges are known */
  u64 moved;     /* bytes from other ranks */
  u64 fresh;     /* calls that were the first to touch memory that they wrote */
  by_size bytes[CLASSES], gathers[CLASSES];
  f64 operations[LS_DTYPES]; /* by the type of the row's elements */
  u64 buckets[BUCKETS];
} stat;

static int bucket_of(f64 seconds) {
  u64 bits;
  memcpy(&bits, &seconds, sizeof bits);
  i64 b = (i64)(bits >> (52 - SUB_BITS)) - ((i64)(1023 + LOWEST) << SUB_BITS);
  return seconds <= 0 || b < 0 ? 0 : b < BUCKETS ? (int)b : BUCKETS - 1;
}

static f64 middle_of(int bucket) {
  u64 bits = ((u64)bucket + ((u64)(1023 + LOWEST) << SUB_BITS)) << (52 - SUB_BITS);
  bits |= 1ull << (52 - SUB_BITS - 1);
  f64 seconds;
  memcpy(&seconds, &bits, sizeof seconds);
  return seconds;
}

static u64 turns_of(const ls_record *r) { return r->turns ? r->turns : 1; }

/* Adds `turns` runs that took `seconds` together, each about as long as the others. */
static void stat_time(stat *s, f64 seconds, u64 turns) {
  const f64 one = seconds / (f64)turns;
  if (!s->calls || one < s->min) s->min = one;
  if (!s->calls || one > s->max) s->max = one;
  s->calls += turns;
  s->total += seconds;
  s->buckets[bucket_of(one)] += turns;
}

static f64 at_rank(const stat *s, u64 rank) {
  u64 below = 0;
  int b = 0;
  while (b < BUCKETS - 1 && (below += s->buckets[b]) <= rank) b++;
  f64 x = middle_of(b);
  return x < s->min ? s->min : x > s->max ? s->max : x;
}

static f64 median(const stat *s) {
  if (s->calls <= 2) return s->total / (f64)s->calls;
  return 0.5 * (at_rank(s, (s->calls - 1) / 2) + at_rank(s, s->calls / 2));
}

/* Are the times consistent? A busy machine, calls of different sizes and new memory all spread them. */
static bool is_settled(const stat *s) {
  const f64 middle = median(s), average = s->total / (f64)s->calls;
  return s->calls >= 3 && 2 * s->fresh < s->calls && average <= 1.25 * middle && average >= 0.8 * middle &&
         s->min >= 0.5 * middle;
}

/* The minimum time by each limit, in seconds. What the row touched is known exactly, or only as an upper
 * bound. */
static ls_least least_of(const ls_prim *p, f64 mem, f64 irr, f64 ops, u64 moved) {
  const f64 link = ls_limits_link();
  ls_least least = {.ops = ops, .link = link > 0 ? (f64)moved / link : 0};
  *(p->bytes_at_most ? &least.mem_at_most : &least.mem) = mem;
  *(p->gathers_at_most ? &least.irr_at_most : &least.irr) = irr;
  return least;
}

static f64 seconds_of_updates(const ls_limits *l, ls_dtype type, f64 updates) {
  const f64 rate = ls_limits_updates(l, type);
  return rate > 0 ? updates / rate : 0;
}

f64 ls_trace_share(const ls_record *r) {
  ls_limits l;
  const char *bound;
  if (!r->device || !ls_limits_known(r->device, &l)) return -1;
  const f64 bytes = r->bytes + r->bytes_at_most, gathers = r->gathers + r->gathers_at_most;
  const ls_least least = least_of(r->prim, bytes / ls_limits_stream(&l, bytes / (f64)turns_of(r)),
                                  gathers / ls_limits_gather(&l, (f64)r->footprint),
                                  seconds_of_updates(&l, r->type, r->operations), r->moved);
  return ls_limits_share(&least, r->end - r->begin, &bound);
}

/* The statistics, hashed by (primitive, device, first launch or not). Never resized: a program has fewer than
 * TABLE rows. */
enum { TABLE = 1024 };
static stat *table[TABLE];
static int entries;
static stat host_gap;

static stat *stat_of(const ls_prim *prim, const ls_device *device, bool first) {
  u64 key = (u64)(uintptr_t)prim * 31 + (u64)(uintptr_t)device + first;
  u32 at = (u32)((key * 0x9e3779b97f4a7c15ull) >> 54);
  while (table[at] && (table[at]->prim != prim || table[at]->device != device || table[at]->first != first))
    at = (at + 1) % TABLE;
  if (table[at] || entries >= TABLE * 3 / 4) return table[at];
  stat *s = ls_calloc(1, sizeof *s);
  if (!s) return NULL;
  s->prim = prim;
  s->device = device;
  s->first = first;
  entries++;
  return table[at] = s;
}

static void add_sized(by_size all[CLASSES], f64 amount, f64 size) {
  if (amount <= 0) return;
  const int c = size < 1 ? 0 : ilogb(size);
  by_size *here = &all[c < CLASSES ? c : CLASSES - 1];
  here->amount += amount;
  here->size += amount * size;
}

static f64 sum_of(const by_size all[CLASSES]) {
  f64 sum = 0;
  for (int c = 0; c < CLASSES; c++) sum += all[c].amount;
  return sum;
}

/* The minimum time for these amounts, in seconds, at the rates for their sizes. */
static f64 seconds_of(const by_size all[CLASSES], const ls_limits *l, f64 (*rate)(const ls_limits *, f64)) {
  f64 sum = 0;
  for (int c = 0; c < CLASSES; c++)
    if (all[c].amount > 0) sum += all[c].amount / rate(l, all[c].size / all[c].amount);
  return sum;
}

static void stat_add(stat *s, const ls_record *r) {
  const f64 turns = (f64)turns_of(r);
  stat_time(s, r->end > r->begin ? r->end - r->begin : 0, turns_of(r));
  s->edges += r->edges;
  s->moved += r->moved;
  if (r->fresh) s->fresh += turns_of(r);
  if (r->type < LS_DTYPES) s->operations[r->type] += r->operations;
  if (r->edges > 0 && r->end > r->begin) s->edge_time += r->end - r->begin;
  const f64 bytes = r->bytes + r->bytes_at_most;
  add_sized(s->bytes, bytes, bytes / turns);
  add_sized(s->gathers, r->gathers + r->gathers_at_most, (f64)r->footprint);
}

/* --- the ring --------------------------------------------------------------------------------------------
 */

enum { RECORDS = 1 << 16, FEWEST = 16 };

static bool enabled = true;
static u64 next_seq = 1, lost;
static u64 before_run; /* the last number handed out before the current run */
static ls_record *ring;
static u64 capacity = RECORDS; /* requested; reduced if memory was short at first use */
static u64 added, kept;        /* records added so far; records now in the ring */
static f64 epoch, last_end;
static bool paused = true; /* the time until the next record is no gap */
static void (*harvest)(void);

void ls_trace_enable(bool on) {
  enabled = on;
  paused = true;
}

bool ls_trace_enabled(void) { return enabled; }
u64 ls_trace_next_seq(void) { return next_seq++; }
u64 ls_trace_seq(void) { return next_seq - 1; }
u64 ls_trace_number(u64 seq) { return seq > before_run ? seq - before_run : 0; }
void ls_trace_on_read(void (*f)(void)) { harvest = f; }

void ls_trace_pause(void) {
  paused = true;
  ls_rank_stats_stands(true);
  ls_timeline_pause();
}

u64 ls_trace_lost(void) { return lost; }
f64 ls_trace_epoch(void) { return epoch; }

static bool held;

void ls_trace_hold(bool on) { held = on; }

/* Completes late records. Not reentrant: harvesting may wait for a device, waiting serves the idle hook, and
 * that may read the trace. */
static void bring_in(void) {
  static bool at_it;
  if (!harvest || at_it || held) return;
  at_it = true;
  harvest();
  at_it = false;
}

static bool have_ring(void) {
  for (u64 n = capacity; !ring && n >= FEWEST; n /= 2)
    if ((ring = ls_malloc(n * sizeof *ring))) capacity = n;
  return ring != NULL;
}

/* The gap before a record, in seconds, if the host caused it by requesting the work only after all earlier
 * work had ended; else 0. */
static f64 gap_before(const ls_record *r) {
  f64 gap =
      !paused && !r->beside && r->host_begin >= last_end && r->begin > last_end ? r->begin - last_end : 0;
  if (r->end > last_end) last_end = r->end;
  paused = false;
  return gap;
}

/* LOCKSTEP_MASK_TIMES=1 in the environment: times are computed from the records' numbers, so that pictures of
 * a run can be compared as a whole. */
static bool masked(void) {
  static int known = -1;
  if (known < 0) known = getenv("LOCKSTEP_MASK_TIMES") != NULL;
  return known;
}

static void mask(ls_record *r) {
  r->skipped = 0;
  r->host_begin = 2e-5 * (f64)r->seq;
  r->begin = r->host_begin + 1e-6;
  r->end = r->begin + 1e-6 * (f64)(2 + r->seq * 7 % 13);
}

void ls_trace_when(const ls_record *r, f64 *begin, f64 *end) {
  *begin = r->begin - r->skipped;
  *end = r->end - r->skipped;
}

/* The first record after each pause for the user. Their times are used for records that are no longer
 * in the ring. */
enum { STARTS = 256 };
static struct {
  u64 seq;
  f64 begin, skipped;
} starts[STARTS];
static u64 started;

u64 ls_trace_from(u64 seq) {
  u64 low = ls_trace_first(), high = ls_trace_last() + 1;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    const ls_record *r = ls_trace_get(middle);
    if (r && r->seq >= seq)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

f64 ls_trace_began(u64 seq) {
  f64 begin = 0, end;
  const ls_record *oldest = ls_trace_get(ls_trace_first());
  if (oldest && oldest->seq <= seq) {
    const u64 i = ls_trace_from(seq), last = ls_trace_last();
    ls_trace_when(ls_trace_get(i < last ? i : last), &begin, &end);
    return begin;
  }
  for (u64 i = started > STARTS ? started - STARTS : 0; i < started; i++) {
    begin = starts[i % STARTS].begin;
    if (starts[i % STARTS].seq >= seq) break;
  }
  return begin;
}

static void add_to_timeline(const ls_record *r, f64 gap) {
  static const char waits[] = "gap";
  f64 begin, end;
  ls_trace_when(r, &begin, &end);
  if (!started || starts[(started - 1) % STARTS].skipped != r->skipped) {
    starts[started % STARTS].seq = r->seq;
    starts[started % STARTS].begin = begin;
    starts[started++ % STARTS].skipped = r->skipped;
  }
  if (r->device)
    ls_timeline_add(r->beside ? LS_LANE_EXCHANGES : LS_LANE_KERNELS, r->device->name, r->prim, begin, end);
  if (gap > 0) ls_timeline_add(LS_LANE_HOST, "", waits, begin - gap, begin);
}

/* The last exchanges that overlapped with kernels. The times of those kernels may arrive later than the
 * exchange's. */
enum { EXCHANGES = 16 };
static struct { f64 begin, end; } exchanges[EXCHANGES];
static u64 exchanged;

static f64 common(f64 begin, f64 end, const ls_record *r) {
  const f64 from = fmax(begin, r->begin), to = fmin(end, r->end);
  return to > from ? to - from : 0;
}

/* Seconds in which this record overlapped with an exchange or, if the record is such an exchange, with
 * kernels. */
static f64 at_once(const ls_record *r) {
  f64 sum = 0;
  if (r->beside) {
    exchanges[exchanged % EXCHANGES].begin = r->begin;
    exchanges[exchanged++ % EXCHANGES].end = r->end;
    for (u64 i = added; i > added - kept; i--) {
      const ls_record *k = ls_trace_get(i);
      if (k->beside) continue;
      if (k->end <= r->begin) break;
      if (!ls_prim_exchanges(k->prim)) sum += common(r->begin, r->end, k);
    }
  } else if (!ls_prim_exchanges(r->prim)) {
    for (u64 i = 0; i < exchanged && i < EXCHANGES; i++)
      sum += common(exchanges[i].begin, exchanges[i].end, r);
  }
  return sum;
}

void ls_trace_add(const ls_record *given) {
  if (!enabled) return;
  ls_record own = *given;
  const ls_record *r = &own;
  if (masked()) mask(&own);
  if (epoch == 0) epoch = r->host_begin;
  f64 gap = gap_before(r);
  if (gap > 0) stat_time(&host_gap, gap, 1);
  stat *s = stat_of(r->prim, r->device, r->first);
  if (s) stat_add(s, r);
  ls_trace_lines_add(r->where, r->prim, r->end > r->begin ? r->end - r->begin : 0, turns_of(r));
  f64 seconds = r->end > r->begin ? r->end - r->begin : 0;
  if (ls_prim_exchanges(r->prim) &&
      seconds < r->waits) /* waits are timed on the host; on a shared device the exchange may begin later */
    seconds = r->waits;
  ls_rank_stats_ran(r->prim->name, ls_prim_exchanges(r->prim), seconds, turns_of(r), r->counts);
  if (!r->beside) ls_spend(LS_SPENT_KERNELS, r->end - r->begin);
  const f64 hidden = at_once(r);
  if (hidden > 0) ls_rank_stats_hid(hidden);
  add_to_timeline(r, gap);
  bool recorded = have_ring();
  if (recorded) {
    ls_record *place = &ring[added++ % capacity];
    *place = *r;
    place->gap = gap;
    place->number = ls_trace_number(r->seq);
    if (kept < capacity) kept++;
  }
  if (!s || !recorded) lost++;
}

void ls_trace_begin_run(void) {
  bring_in(); /* late records belong to the run before */
  before_run = ls_trace_seq();
}

void ls_trace_prepared(void) {
  if (ls_trace_number(ls_trace_seq()) == 1) before_run = ls_trace_seq();
}

u64 ls_trace_first(void) {
  bring_in();
  return added - kept + 1;
}

u64 ls_trace_last(void) {
  bring_in();
  return added;
}

const ls_record *ls_trace_get(u64 i) {
  return i && i <= added && i > added - kept ? &ring[(i - 1) % capacity] : NULL;
}

ls_status ls_trace_resize(u64 records) {
  if (records < FEWEST || records > UINT32_MAX)
    return ls_fail(LS_EARG, "the trace keeps %d to %u records, not %llu", FEWEST, UINT32_MAX,
                   (unsigned long long)records);
  bring_in();
  if (ring) {
    ls_record *fresh = ls_malloc(records * sizeof *fresh);
    if (!fresh) return LS_EMEM;
    if (kept > records) kept = records;
    for (u64 i = added - kept; i < added; i++) fresh[i % records] = ring[i % capacity];
    ls_free(ring);
    ring = fresh;
  }
  capacity = records;
  return LS_OK;
}

int ls_trace_stats(ls_stat *rows, int max) {
  bring_in();
  const stat *order[TABLE];
  int n = 0;
  for (int i = 0; i < TABLE; i++) {
    if (!table[i]) continue;
    int at = n++; /* insertion sort: there are a few dozen */
    while (at > 0 && order[at - 1]->total < table[i]->total) order[at] = order[at - 1], at--;
    order[at] = table[i];
  }
  if (host_gap.calls) order[n++] = &host_gap;
  for (int i = 0; i < n && i < max; i++) {
    const stat *s = order[i];
    rows[i] = (ls_stat){.prim = s->prim,
                        .device = s->device,
                        .first = s->first,
                        .calls = s->calls,
                        .total = s->total,
                        .min = s->min,
                        .max = s->max,
                        .median = median(s),
                        .average = s->total / (f64)s->calls,
                        .edges = s->edges,
                        .edge_time = s->edge_time,
                        .limit = -1,
                        .limit_at_most = -1,
                        .bound = ""};
    snprintf(rows[i].name, sizeof rows[i].name, "%s%s", s->prim ? s->prim->name : "(host gap)",
             s->first ? " (first)" : "");
    if (!s->prim || s->first) continue;
    rows[i].settled = is_settled(s);
    *(s->prim->bytes_at_most ? &rows[i].bytes_at_most : &rows[i].bytes) = sum_of(s->bytes);
    *(s->prim->gathers_at_most ? &rows[i].gathers_at_most : &rows[i].gathers) = sum_of(s->gathers);
    ls_limits l;
    if (!s->device || !ls_limits_known(s->device, &l)) continue;
    f64 ops = 0;
    for (int t = 0; t < LS_DTYPES; t++) ops += seconds_of_updates(&l, (ls_dtype)t, s->operations[t]);
    const ls_least least = least_of(s->prim, seconds_of(s->bytes, &l, ls_limits_stream),
                                    seconds_of(s->gathers, &l, ls_limits_gather), ops, s->moved);
    rows[i].too_low = ls_limits_too_low(&least, s->total);
    rows[i].limit = ls_limits_share(&least, s->total, &rows[i].bound);
    if (rows[i].limit < 0) rows[i].limit_at_most = ls_limits_share_at_most(&least, s->total, &rows[i].bound);
  }
  return n;
}

/* --- marks -----------------------------------------------------------------------------------------------
 */

enum { SERIES = 64, POINTS = 1 << 14 };

typedef struct series {
  char name[32];
  ls_point *points;
  u64 count, room;
} series;

static series all_series[SERIES];
static int nseries;
static u32 run, last_mark;

static series *series_of(const char *name) {
  for (int i = 0; i < nseries; i++)
    if (strncmp(all_series[i].name, name, sizeof all_series[i].name - 1) == 0) return &all_series[i];
  if (nseries == SERIES) return NULL;
  series *s = &all_series[nseries++];
  *s = (series){0};
  strncpy(s->name, name, sizeof s->name - 1);
  return s;
}

/* Makes room for one more point. A full series drops every second point of its older half, which keeps its
 * shape and the points of the current run. */
static bool make_room(series *s) {
  if (s->count < s->room) return true;
  if (s->room < POINTS) {
    ls_point *points = ls_grown(s->points, s->count, &s->room, 64, sizeof *points);
    if (points) {
      s->points = points;
      return true;
    }
  }
  u64 half = s->count / 2, to = 0;
  if (half < 2) return false;
  for (u64 i = 0; i < half; i += 2) s->points[to++] = s->points[i];
  memmove(s->points + to, s->points + half, (s->count - half) * sizeof *s->points);
  s->count = to + s->count - half;
  return true;
}

void ls_trace_mark(u32 mark, const char *const *names, const f64 *values, int count) {
  if (!enabled) return;
  if (mark <= last_mark || run == 0) run++;
  last_mark = mark;
  f64 now = masked() ? 2e-5 * (f64)ls_trace_seq() + 5e-6 : ls_now();
  for (int i = 0; i < count; i++) {
    series *s = series_of(names[i]);
    if (s && make_room(s)) s->points[s->count++] = (ls_point){run, mark, now, values[i]};
  }
}

int ls_trace_series(void) { return nseries; }

const char *ls_trace_series_name(int i) { return i >= 0 && i < nseries ? all_series[i].name : NULL; }

const ls_point *ls_trace_points(int i, u64 *count) {
  *count = i >= 0 && i < nseries ? all_series[i].count : 0;
  return *count ? all_series[i].points : NULL;
}

void ls_trace_reset(void) {
  bring_in(); /* late records belong to the past */
  for (int i = 0; i < TABLE; i++) {
    ls_free(table[i]);
    table[i] = NULL;
  }
  entries = 0;
  for (int i = 0; i < nseries; i++) ls_free(all_series[i].points);
  nseries = 0;
  run = last_mark = 0;
  memset(&host_gap, 0, sizeof host_gap);
  ls_trace_lines_reset();
  ls_timeline_reset();
  ls_rank_stats_reset();
  started = exchanged = 0;
  ls_free(ring);
  ring = NULL;
  added = kept = lost = 0;
  epoch = last_end = 0;
  paused = true;
}
