/* The limits of a CPU, measured with as many threads as the device has. Every figure is the best of what fits
 * its share of a second: a limit is what the machine can do, not what it did while something else ran. */
#include "run/limits_cpu.h"

#include <omp.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"

static const f64 share = 0.016; /* seconds a figure; there are 20, and each takes up to twice this */

enum { SMALLEST = 64 << 10, LARGEST = 1 << 30 };

/* Sinks: what a measurement computes must be wanted by someone. */
static volatile u32 sink_u32;
static volatile f32 sink_f32;

typedef struct bench {
  u32 *array;
  u64 count; /* elements in use */
  int threads;
  u32 round; /* grows, so that no two runs do the same */
} bench;

/* Does about `work` units of one kind over all threads; returns what was really done. */
typedef u64 (*run_fn)(bench *b, u64 work);

/* Doubles the work until it takes half the share, then takes the better of two. */
static f64 rate_of(bench *b, run_fn run, u64 work) {
  f64 best = 0;
  for (bool enough = false; !enough && !ls_interrupted();) {
    f64 began = ls_now();
    u64 done = run(b, work);
    f64 took = ls_now() - began;
    b->round++;
    if ((f64)done > best * took) best = (f64)done / took;
    enough = took > share / 2;
    work *= took > share / 8 ? 2 : 4;
  }
  return best;
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static u64 copy(bench *b, u64 work) {
  u64 half = b->count / 2, part = half / (u64)b->threads;
  (void)work;
#pragma omp parallel num_threads(b->threads)
  {
    u64 from = part * (u64)omp_get_thread_num();
    memcpy(b->array + half + from, b->array + from, part * sizeof *b->array);
  }
  return 2 * part * (u64)b->threads * sizeof *b->array;
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
  sink_u32 = total;
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

static void fill(bench *b, u64 count) {
  b->count = count;
  b->round = 0;
#pragma omp parallel for num_threads(b->threads) schedule(static)
  for (u64 i = 0; i < count; i++) b->array[i] = 0xffffffffu;
}

/* --- min-plus --------------------------------------------------------------------------------------------
 */

/* c[r][j] = min(c[r][j], a[k][r] + b[k][j]) for a tile that stays in registers. The compiler makes vectors of
 * it; where the processor has wider ones than the build's baseline, a second copy of the body uses them. */
enum { ROWS = 4, COLS = 16, DEPTH = 256 };

#define MINPLUS_BODY(T)                                                                                      \
  T c[ROWS][COLS];                                                                                           \
  for (int r = 0; r < ROWS; r++)                                                                             \
    for (int j = 0; j < COLS; j++) c[r][j] = b[j] + a[r];                                                    \
  for (u64 t = 0; t < times; t++)                                                                            \
    for (int k = 0; k < DEPTH; k++)                                                                          \
      for (int r = 0; r < ROWS; r++)                                                                         \
        for (int j = 0; j < COLS; j++) {                                                                     \
          T sum = a[k * ROWS + r] + b[k * COLS + j];                                                         \
          c[r][j] = sum < c[r][j] ? sum : c[r][j];                                                           \
        }                                                                                                    \
  T least = c[0][0];                                                                                         \
  for (int r = 0; r < ROWS; r++)                                                                             \
    for (int j = 0; j < COLS; j++) least = c[r][j] < least ? c[r][j] : least;                                \
  return least;

static f32 minplus_f32_plain(const f32 *a, const f32 *b, u64 times) { MINPLUS_BODY(f32) }
static i32 minplus_i32_plain(const i32 *a, const i32 *b, u64 times) { MINPLUS_BODY(i32) }
#ifdef __x86_64__
__attribute__((target("avx2"))) static f32 minplus_f32_wide(const f32 *a, const f32 *b, u64 times) {
  MINPLUS_BODY(f32)
}
__attribute__((target("avx2"))) static i32 minplus_i32_wide(const i32 *a, const i32 *b,
                                                            u64 times){MINPLUS_BODY(i32)}
#define WIDE(f) (__builtin_cpu_supports("avx2") ? f##_wide : f##_plain)
#else
#define WIDE(f) f##_plain
#endif

#define MINPLUS_RUN(T, LS, NAME)                                                                             \
  static u64 run_##NAME(bench *b, u64 work) {                                                                \
    u64 times = work / ((u64)ROWS * COLS * DEPTH) + 1;                                                       \
    T (*body)(const T *, const T *, u64) = WIDE(NAME);                                                       \
    T least = 0;                                                                                             \
    _Pragma("omp parallel num_threads(b->threads) reduction(min : least)") {                                 \
      T rows[DEPTH * ROWS], cols[DEPTH * COLS];                                                              \
      for (int i = 0; i < DEPTH * ROWS; i++) rows[i] = (T)(i * 7 % 1009);                                    \
      for (int i = 0; i < DEPTH * COLS; i++) cols[i] = (T)(i * 13 % 2003);                                   \
      least = body(rows, cols, times);                                                                       \
    }                                                                                                        \
    sink_##LS = (__typeof__(sink_##LS))least;                                                                \
    return times * ROWS * COLS * DEPTH * (u64)b->threads;                                                    \
  }
MINPLUS_RUN(f32, f32, minplus_f32) MINPLUS_RUN(i32, u32, minplus_i32)

    /* --- all of it
       ------------------------------------------------------------------------------------------- */

    ls_status ls_limits_cpu(const ls_device *d, ls_limits *out) {
  u64 free_bytes = 0, largest = LARGEST;
  ls_status st = ls_device_memory_free(d, &free_bytes);
  if (st) return st;
  while (largest > 4 * SMALLEST && largest > free_bytes / 4) largest /= 2;
  bench b = {.threads = d->threads};
  while (!(b.array = ls_malloc(largest)))
    if ((largest /= 2) < 4 * SMALLEST) return LS_EMEM;

  fill(&b, largest / sizeof *b.array);
  out->copy = rate_of(&b, copy, 1);
  f64 ratio = __builtin_pow((f64)largest / SMALLEST, 1.0 / (LS_GATHER_SIZES - 1)), bytes = SMALLEST;
  for (int i = 0; i < LS_GATHER_SIZES; i++, bytes *= ratio) {
    fill(&b, (u64)(bytes / sizeof *b.array));
    out->gather_bytes[i] = (f64)(b.count * sizeof *b.array);
    out->gather[i] = rate_of(&b, gather, 1 << 16);
    out->atomic_min[i] = rate_of(&b, atomic_min, 1 << 16);
  }
  out->minplus_f32 = rate_of(&b, run_minplus_f32, 1 << 20);
  out->minplus_i32 = rate_of(&b, run_minplus_i32, 1 << 20);
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
