#include "data/csr.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "core/mem.h"
#include "core/wait.h"

/* A two-level sort, as in a partitioned hash join. First, edges are distributed to buckets, each a range of
 * consecutive vertices; one histogram per run determines where each run writes. Then each bucket, small
 * enough for a core's cache, is sorted by counting. Runs do not depend on the number of threads, so neither
 * does the result. Buckets are written directly into the output arrays, and a run's memory is freed as soon
 * as it is distributed. Pages of the output that are not written yet take no memory, so list and rows
 * together never take much more than the list did. */
enum { BUCKET_EDGES_LOG = 15, MAX_BUCKETS = 1024 };

typedef struct sort {
  u32 n;
  u64 m;
  u32 buckets;
  int shift; /* bucket of a key: key >> shift */
  size_t wsize;
  const u32 *rows;
  u32 *place;  /* [run][bucket]: counts, then the place of the run's next edge in the bucket */
  u32 *starts; /* [bucket + 1] */
  u32 *key;    /* [m], by bucket */
  u32 *off, *to;
  u8 *w;
} sort;

static void choose_buckets(sort *s) {
  u32 wanted = 1;
  while (wanted < MAX_BUCKETS && (u64)wanted << BUCKET_EDGES_LOG < s->m) wanted *= 2;
  u32 last = s->n ? s->n - 1 : 0;
  while (s->shift < 31 && last >> s->shift >= wanted) s->shift++;
  s->buckets = (last >> s->shift) + 1;
}

/* Disables huge pages: with them, the first scattered writes would make the whole of a large array resident.
 */
static void page_by_page(void *p, size_t bytes) {
  const uintptr_t page = 4096, from = ((uintptr_t)p + page - 1) & ~(page - 1),
                  end = ((uintptr_t)p + bytes) & ~(page - 1);
  if (bytes >= 4u << 20) madvise((void *)from, end - from, MADV_NOHUGEPAGE);
}

static void count_run(const sort *s, const ls_edge_run *run, u32 *counts) {
  memset(counts, 0, s->buckets * sizeof *counts);
  for (u64 i = 0; i < run->count; i++) counts[run->key[i] >> s->shift]++;
}

static void place_counts(sort *s, size_t nruns) {
  u32 sum = 0;
  for (u32 b = 0; b < s->buckets; b++) {
    s->starts[b] = sum;
    for (size_t r = 0; r < nruns; r++) {
      u32 *cell = &s->place[r * s->buckets + b], count = *cell;
      *cell = sum;
      sum += count;
    }
  }
  s->starts[s->buckets] = sum;
}

/* The row that contains edge e, by binary search. */
static u32 row_of(const u32 *rows, u32 n, u64 e) {
  u32 lo = 0, hi = n; /* rows[lo] <= e < rows[hi] */
  while (hi - lo > 1) {
    u32 mid = lo + (hi - lo) / 2;
    if (rows[mid] <= e)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

static inline __attribute__((always_inline)) void place_run(const sort *s, const ls_edge_run *run, u32 *next,
                                                            u64 first, size_t wsize, bool transposing) {
  u32 v = transposing && run->count ? row_of(s->rows, s->n, first) : 0;
  for (u64 i = 0; i < run->count; i++) {
    u32 key = run->key[i], at = next[key >> s->shift]++;
    if (transposing)
      while (s->rows[v + 1] <= first + i) v++;
    s->key[at] = key;
    s->to[at] = transposing ? v : run->other[i];
    if (wsize) memcpy(s->w + at * wsize, (const u8 *)run->w + i * wsize, wsize);
  }
}

static void place_any_run(const sort *s, const ls_edge_run *run, u32 *next, u64 first) {
  if (s->rows) {
    switch (s->wsize) {
    case 0: place_run(s, run, next, first, 0, true); break;
    case 4: place_run(s, run, next, first, 4, true); break;
    default: place_run(s, run, next, first, 8, true);
    }
  } else {
    switch (s->wsize) {
    case 0: place_run(s, run, next, first, 0, false); break;
    case 4: place_run(s, run, next, first, 4, false); break;
    default: place_run(s, run, next, first, 8, false);
    }
  }
}

static inline __attribute__((always_inline)) void scatter(const sort *s, u32 from, u32 count, const u8 *copy,
                                                          size_t wsize) {
  const u32 *key = s->key + from, *other = (const u32 *)copy;
  const u8 *w = copy + (size_t)count * sizeof *other;
  for (u32 i = 0; i < count; i++) {
    u32 at = s->off[key[i]]++;
    s->to[at] = other[i];
    if (wsize) memcpy(s->w + at * wsize, w + i * wsize, wsize);
  }
}

/* Computes the row offsets of the bucket's vertices and sorts its edges by row. */
static bool sort_bucket(sort *s, u32 b) {
  u32 v0 = b << s->shift, from = s->starts[b], count = s->starts[b + 1] - from;
  u32 vertices = b + 1 < s->buckets ? 1u << s->shift : s->n - v0, *off = s->off + v0;
  const u32 *key = s->key + from;
  memset(off, 0, vertices * sizeof *off);
  bool sorted = true;
  u32 before = 0;
  for (u32 i = 0; i < count; i++) {
    off[key[i] - v0]++;
    sorted &= key[i] >= before;
    before = key[i];
  }
  u32 sum = from;
  for (u32 v = 0; v < vertices; v++) {
    u32 degree = off[v];
    off[v] = sum;
    sum += degree;
  }
  if (sorted) return true;
  u8 *copy = ls_malloc(count * (sizeof *s->to + s->wsize));
  if (!copy) return false;
  memcpy(copy, s->to + from, count * sizeof *s->to);
  if (s->wsize) memcpy(copy + count * sizeof *s->to, s->w + from * s->wsize, count * s->wsize);
  switch (s->wsize) {
  case 0: scatter(s, from, count, copy, 0); break;
  case 4: scatter(s, from, count, copy, 4); break;
  default: scatter(s, from, count, copy, 8);
  }
  ls_free(copy);
  memmove(off + 1, off,
          (vertices - 1) * sizeof *off); /* scatter has advanced each offset to the start of the next row */
  off[0] = from;
  return true;
}

static void free_run(ls_edge_run *run) {
  ls_free(run->block);
  run->block = NULL;
}

ls_status ls_csr_sort(u32 n, ls_edge_run *runs, size_t nruns, const u32 *rows, size_t wsize, u32 **off,
                      u32 **to, void **w) {
  sort s = {.n = n, .rows = rows, .wsize = wsize};
  ls_status st = LS_EMEM;
  atomic_bool failed = false;
  for (size_t r = 0; r < nruns; r++) s.m += runs[r].count;
  choose_buckets(&s);
  u64 *first = ls_malloc((nruns + 1) * sizeof *first);
  s.place = ls_malloc(nruns * s.buckets * sizeof *s.place);
  s.starts = ls_malloc((s.buckets + 1) * sizeof *s.starts);
  s.off = ls_malloc(((size_t)n + 1) * sizeof *s.off);
  s.key = ls_malloc(s.m * sizeof *s.key);
  s.to = ls_malloc(s.m * sizeof *s.to);
  s.w = wsize ? ls_malloc(s.m * wsize) : NULL;
  if (!first || !s.place || !s.starts || !s.off || !s.key || !s.to || (wsize && !s.w)) goto out;
  page_by_page(s.key, s.m * sizeof *s.key);
  page_by_page(s.to, s.m * sizeof *s.to);
  if (wsize) page_by_page(s.w, s.m * wsize);
  first[0] = 0;
  for (size_t r = 0; r < nruns; r++) first[r + 1] = first[r] + runs[r].count;

#pragma omp parallel for schedule(dynamic) if (nruns > 1)
  for (size_t r = 0; r < nruns; r++) count_run(&s, &runs[r], s.place + r * s.buckets);
  place_counts(&s, nruns);
#pragma omp parallel for schedule(dynamic) if (nruns > 1)
  for (size_t r = 0; r < nruns; r++) {
    if (ls_interrupted()) continue;
    place_any_run(&s, &runs[r], s.place + r * s.buckets, first[r]);
    free_run(&runs[r]);
  }
#pragma omp parallel for schedule(dynamic) if (s.buckets > 1)
  for (u32 b = 0; b < s.buckets; b++)
    if (n && !ls_interrupted() && !atomic_load(&failed) && !sort_bucket(&s, b)) atomic_store(&failed, true);
  s.off[n] = (u32)s.m;
  if (ls_interrupted())
    st = ls_fail(LS_EINTERRUPTED, "interrupted");
  else if (atomic_load(&failed))
    st = ls_fail(LS_EMEM, "out of memory while sorting edges into rows");
  else
    st = LS_OK;

out:
  for (size_t r = 0; r < nruns; r++) free_run(&runs[r]);
  ls_free(first);
  ls_free(s.place);
  ls_free(s.starts);
  ls_free(s.key);
  if (st) {
    ls_free(s.off);
    ls_free(s.to);
    ls_free(s.w);
    return st;
  }
  *off = s.off;
  *to = s.to;
  *w = s.w;
  return LS_OK;
}
