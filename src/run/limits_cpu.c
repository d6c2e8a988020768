/* The limits of a CPU, measured with as many threads as the device has. Every figure is the best of what fits
 * its share of a second: a limit is what the machine can do, not what it did while something else ran. */
#include "run/limits_cpu.h"

#include <omp.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"

static const f64 share = 0.012; /* seconds a figure; there are 19, and each takes up to twice this */

enum { SMALLEST = 64 << 10, LARGEST = 1 << 30 };

static volatile u32 sink; /* what a measurement computes must be wanted by someone */

typedef struct bench {
  u32 *array;
  u64 count; /* elements in use */
  int threads;
  u32 round; /* grows, so that no two runs do the same */
} bench;

/* Does about `work` units of one kind over all threads; returns what was really done. */
typedef u64 (*run_fn)(bench *b, u64 work);

/* Doubles the work until it takes half the share, three times at least, and takes the best. */
static f64 rate_of(bench *b, run_fn run, u64 work) {
  f64 best = 0, took = 0;
  for (int runs = 0; (runs < 3 || took <= share / 2) && !ls_interrupted(); runs++) {
    f64 began = ls_now();
    u64 done = run(b, work);
    took = ls_now() - began;
    b->round++;
    if ((f64)done > best * took) best = (f64)done / took;
    if (took <= share / 2) work *= took > share / 8 ? 2 : 4;
  }
  return best;
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static u64 copy(bench *b, u64 work) {
  u64 half = b->count / 2, part = half / (u64)b->threads;
  u64 passes = work / (half * 8) + 1;
#pragma omp parallel num_threads(b->threads)
  {
    u64 from = part * (u64)omp_get_thread_num();
    for (u64 i = 0; i < passes; i++) memcpy(b->array + half + from, b->array + from, part * sizeof *b->array);
  }
  return passes * 2 * part * (u64)b->threads * sizeof *b->array;
}

/* Indices come from a linear congruence whose upper bits pick the element, four streams a thread, so that
 * accesses are independent of each other and cost next to nothing to make. */
static inline u32 next(u32 *x) { return *x = *x * 1664525u + 1013904223u; }

static inline u64 pick(u32 x, u64 count) { return (u64)x * count >> 32; }

static u64 gather(bench *b, u64 work) {
  u64 each = work / 4 / (u64)b->threads, count = b->count;
  const u32 *a = b->array;
  u32 total = 0;
#pragma omp parallel num_threads(b->threads) reduction(+ : total)
  {
    u32 x[4], sum = 0;
    for (u32 i = 0; i < 4; i++)
      x[i] = (4 * (u32)omp_get_thread_num() + i + 1) * 0x9e3779b9u + b->round * 0x85ebca6bu;
    for (u64 i = 0; i < each; i++)
      for (int k = 0; k < 4; k++) sum += a[pick(next(&x[k]), count)];
    total += sum;
  }
  sink = total;
  return each * 4 * (u64)b->threads;
}

/* As a kernel's atomic minimum on this processor: a load, a comparison, a compare-and-swap where it improves.
 * The values sink from run to run and within one, so that nearly all of them do. */
static u64 atomic_min(bench *b, u64 work) {
  u64 each = work / 4 / (u64)b->threads, count = b->count;
  u32 *a = b->array;
#pragma omp parallel num_threads(b->threads)
  {
    u32 x[4], value = 0xffffffffu - b->round * 0x400000u;
    for (u32 i = 0; i < 4; i++)
      x[i] = (4 * (u32)omp_get_thread_num() + i + 1) * 0x9e3779b9u + b->round * 0x85ebca6bu;
    for (u64 i = 0; i < each; i++, value--)
      for (int k = 0; k < 4; k++) {
        u32 *p = &a[pick(next(&x[k]), count)], old = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (value < old &&
               !__atomic_compare_exchange_n(p, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
      }
  }
  return each * 4 * (u64)b->threads;
}

/* Touches the array for the first time, and stops after a quarter of a second: some machines need longer to
 * hand out a page than to read it a hundred times. Returns the bytes to work with, a power of two. */
static u64 touch(bench *b, u64 bytes) {
  enum { STEP = 4 << 20 }; /* elements */
  u64 whole = bytes / sizeof *b->array, done = 0;
  for (f64 began = ls_now(); done < whole && ls_now() - began < 0.25;) {
    u64 upto = done + STEP < whole ? done + STEP : whole;
#pragma omp parallel for num_threads(b->threads) schedule(static)
    for (u64 i = done; i < upto; i++) b->array[i] = 0xffffffffu;
    done = upto;
  }
  while (bytes / sizeof *b->array > done) bytes /= 2;
  return bytes;
}

/* --- min-plus ------------------------------------------------------------------------------------------ */

/* c[j] = min(c[j], a[k] + b[k][j]) for eight k at a time, so that arithmetic and not the cache is the limit.
 * The compiler makes vectors of it; where the processor has wider ones than the build's baseline, a second
 * copy of the body uses them. */
enum { COLS = 512, DEPTH = 8 };

#define MIN_SUM(k) sum = a[k] + b[(k)*COLS + j], x = sum < x ? sum : x

#define MINPLUS_BODY(T)                                                                                      \
  for (u64 t = 0; t < times; t++) {                                                                          \
    for (int j = 0; j < COLS; j++) {                                                                         \
      T x = c[j], sum;                                                                                       \
      MIN_SUM(0), MIN_SUM(1), MIN_SUM(2), MIN_SUM(3), MIN_SUM(4), MIN_SUM(5), MIN_SUM(6), MIN_SUM(7);        \
      c[j] = x;                                                                                              \
    }                                                                                                        \
    __asm__ volatile("" ::: "memory"); /* each pass is wanted */                                             \
  }

#define PANELS(T) const T *restrict a, const T *restrict b, T *restrict c, u64 times

static void minplus_f32_plain(PANELS(f32)) { MINPLUS_BODY(f32) }
static void minplus_i32_plain(PANELS(i32)) { MINPLUS_BODY(i32) }
#ifdef __x86_64__
__attribute__((target("avx2"))) static void minplus_f32_wide(PANELS(f32)) { MINPLUS_BODY(f32) }
__attribute__((target("avx2"))) static void minplus_i32_wide(PANELS(i32)) { MINPLUS_BODY(i32) }
#define WIDE(f) (__builtin_cpu_supports("avx2") ? f##_wide : f##_plain)
#else
#define WIDE(f) f##_plain
#endif

#define MINPLUS_RUN(T, body)                                                                                 \
  u64 times = work / ((u64)COLS * DEPTH) + 1;                                                                \
  _Pragma("omp parallel num_threads(team->threads)") {                                                       \
    T a[DEPTH], b[DEPTH * COLS], c[COLS];                                                                    \
    for (int i = 0; i < DEPTH; i++) a[i] = (T)(i * 7 % 1009);                                                \
    for (int i = 0; i < DEPTH * COLS; i++) b[i] = (T)(i * 13 % 2003);                                        \
    for (int i = 0; i < COLS; i++) c[i] = (T)(1 << 20);                                                      \
    body(a, b, c, times);                                                                                    \
  }                                                                                                          \
  return times * COLS * DEPTH * (u64)team->threads;

static u64 minplus_f32(bench *team, u64 work) { MINPLUS_RUN(f32, WIDE(minplus_f32)) }
static u64 minplus_i32(bench *team, u64 work){MINPLUS_RUN(i32, WIDE(minplus_i32))}

/* --- all of it -------------------------------------------------------------------------------------------
 */

ls_status ls_limits_cpu(const ls_device *d, ls_limits *out) {
  u64 free_bytes = 0, largest = LARGEST;
  ls_status st = ls_device_memory_free(d, &free_bytes);
  if (st) return st;
  while (largest > 4 * SMALLEST && largest > free_bytes / 4) largest /= 2;
  bench b = {.threads = d->threads};
  while (!(b.array = ls_malloc(largest)))
    if ((largest /= 2) < 4 * SMALLEST) return LS_EMEM;

  largest = touch(&b, largest);
  b.count = largest / sizeof *b.array;
  out->copy = rate_of(&b, copy, largest);
  f64 ratio = __builtin_pow((f64)largest / SMALLEST, 1.0 / (LS_GATHER_SIZES - 1)), bytes = SMALLEST;
  for (int i = 0; i < LS_GATHER_SIZES; i++, bytes *= ratio) {
    b.count = (u64)(bytes / sizeof *b.array + 0.5);
    out->gather_bytes[i] = (f64)(b.count * sizeof *b.array);
    out->gather[i] = rate_of(&b, gather, 1 << 16);
    out->atomic_min[i] = rate_of(&b, atomic_min, 1 << 16);
  }
  out->minplus_f32 = rate_of(&b, minplus_f32, 1 << 20);
  out->minplus_i32 = rate_of(&b, minplus_i32, 1 << 20);
  out->transfer = 0;
  ls_free(b.array);
  return ls_interrupted() ? ls_fail(LS_EINTERRUPTED, "interrupted while %s was measured", d->name) : LS_OK;
}

/* --- launches --------------------------------------------------------------------------------------------
 */

static void launch(void *arg) {
  const ls_device *d = arg;
#pragma omp parallel num_threads(d->threads)
  { __asm__ volatile(""); }
}

static f64 seconds_of(const ls_device *d, bool quick) {
  enum { LAUNCHES = 200 };
  ls_work(launch, (void *)d, quick); /* makes the team */
  f64 best = 1;
  for (int round = 0; round < 5; round++) {
    f64 began = ls_now();
    for (int i = 0; i < LAUNCHES; i++) ls_work(launch, (void *)d, quick);
    f64 took = (ls_now() - began) / LAUNCHES;
    if (took < best) best = took;
  }
  return best;
}

void ls_limits_cpu_launch(const ls_device *d, ls_limits *out) {
  out->launch = seconds_of(d, true);
  out->launch_readback = seconds_of(d, false);
}
