/* Measures the limits of a CPU with as many threads as the device has. A limit is what the machine can do
 * when nothing else runs: each thread times many short runs and takes their median, which ignores runs that
 * had to wait for a core; the threads' rates are added. */
#include "run/devices/limits_cpu.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"

enum { SMALLEST = 64 << 10, LARGEST = 1 << 30, IN_MEMORY = 256 << 20 /* larger than any cache */ };
enum { RUNS = 9, ROUNDS = 32 };  /* runs that are evaluated; maximum number of runs, including calibration */
static const f64 a_run = 0.0015; /* seconds */

static volatile u32 sink; /* results are stored here, so that the compiler keeps the computation */

typedef struct bench {
  u32 *array;
  u64 count; /* elements in use */
  int threads;
  u32 round; /* incremented, so that no two runs do the same */
} bench;

/* Does about `work` units as thread t; returns how many it did. */
typedef u64 (*body_fn)(const bench *b, u64 t, u32 round, u64 work);

static int by_value(const void *a, const void *b) {
  f64 x = *(const f64 *)a, y = *(const f64 *)b;
  return x < y ? -1 : x > y;
}

/* One thread's rate. The work is quadrupled until a run takes at least a quarter of a_run; it may also
 * take so long because the thread was delayed. */
static f64 thread_rate(const bench *b, body_fn body, u64 t, u64 work) {
  f64 seconds[RUNS], took = 0;
  u64 done = 0;
  u32 round = b->round;
  for (int i = 0; i < ROUNDS - RUNS && took < a_run / 4 && !ls_interrupted(); i++) {
    f64 began = ls_now();
    body(b, t, round++, work);
    took = ls_now() - began;
    if (took < a_run / 4) work *= 4;
  }
  for (int i = 0; i < RUNS; i++) {
    f64 began = ls_now();
    done = ls_interrupted() ? 1 : body(b, t, round++, work);
    seconds[i] = ls_now() - began;
  }
  qsort(seconds, RUNS, sizeof *seconds, by_value);
  return (f64)done / (seconds[RUNS / 2] + 1e-12);
}

static f64 rate_of(bench *b, body_fn body, u64 work) {
  f64 rate = 0;
#pragma omp parallel num_threads(b->threads) reduction(+ : rate)
  rate += thread_rate(b, body, (u64)omp_get_thread_num(), work);
  b->round += ROUNDS;
  return rate;
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

/* Number of passes over `part` elements that visit about `work` elements. */
static u64 passes(u64 work, u64 part) { return part < work ? work / (part ? part : 1) : 1; }

/* Copies the thread's part of the first half to its part of the second; returns the bytes read and
 * written. */
static u64 copy(const bench *b, u64 t, u32 round, u64 work) {
  (void)round;
  const u64 half = b->count / 2, part = half / (u64)b->threads, repeats = passes(work, part);
  for (u64 i = 0; i < repeats; i++) {
    memcpy(b->array + half + part * t, b->array + part * t, part * sizeof *b->array);
    __asm__ volatile("" ::: "memory"); /* the passes must not be merged */
  }
  return 2 * part * sizeof *b->array * repeats;
}

static u64 fill(const bench *b, u64 t, u32 round, u64 work) {
  const u64 part = b->count / (u64)b->threads, repeats = passes(work, part);
  for (u64 i = 0; i < repeats; i++) {
    memset(b->array + part * t, (int)round, part * sizeof *b->array);
    __asm__ volatile("" ::: "memory");
  }
  return part * sizeof *b->array * repeats;
}

static u64 read_all(const bench *b, u64 t, u32 round, u64 work) {
  const u64 part = b->count / (u64)b->threads, repeats = passes(work, part);
  const u32 *a = b->array + part * t;
  u32 sum = round;
  for (u64 i = 0; i < repeats; i++) {
    for (u64 k = 0; k < part; k++) sum += a[k];
    __asm__ volatile("" ::: "memory");
  }
  if (sum == 12345) sink = sum;
  return part * sizeof *b->array * repeats;
}

/* Bytes per second of the fastest of copying, filling and reading, in the first `bytes` bytes of the
 * array. */
static f64 stream(bench *b, f64 bytes) {
  static const body_fn bodies[] = {copy, fill, read_all};
  f64 best = 0;
  b->count = (u64)(bytes / sizeof *b->array);
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
    best = fmax(best, rate_of(b, bodies[i], 1 << 16));
  return best;
}

/* Indices come from linear congruential generators, whose upper bits select the element: four streams per
 * thread, so that accesses are independent of each other and the indices cost almost nothing. */
enum { STREAMS = 4 };

static void seed(u32 x[STREAMS], u64 t, u32 round) {
  for (u32 i = 0; i < STREAMS; i++) x[i] = (STREAMS * (u32)t + i + 1) * 0x9e3779b9u + round * 0x85ebca6bu;
}

static inline u64 pick(u32 *x, u64 count) { return (u64)(*x = *x * 1664525u + 1013904223u) * count >> 32; }

static u64 gather(const bench *b, u64 t, u32 round, u64 work) {
  u64 count = b->count;
  const u32 *a = b->array;
  u32 x[STREAMS], sum = 0;
  seed(x, t, round);
  for (u64 i = 0; i < work / STREAMS; i++)
    for (int k = 0; k < STREAMS; k++) sum += a[pick(&x[k], count)];
  if (sum == 12345) sink = sum;
  return work / STREAMS * STREAMS;
}

/* Like a kernel's atomic minimum on this processor: a load, a comparison, a compare-and-swap. Each operation
 * lowers the value by one, so that all of them reach the compare-and-swap. */
static u64 atomic_min(const bench *b, u64 t, u32 round, u64 work) {
  u64 count = b->count;
  u32 x[STREAMS];
  seed(x, t, round);
  for (u64 i = 0; i < work / STREAMS; i++)
    for (int k = 0; k < STREAMS; k++) {
      u32 *p = &b->array[pick(&x[k], count)], old = __atomic_load_n(p, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(p, &old, old - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    }
  return work / STREAMS * STREAMS;
}

/* Touches the array for the first time, for at most a quarter of a second, because some machines need longer
 * to provide a page than to read it a hundred times. Returns the bytes to work with, a power of two. */
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

/* --- arithmetic ---------------------------------------------------------------------------------------- */

/* c[j] = min(c[j], a[k] + b[k][j]) for eight k at a time, so that arithmetic is the limit and not the cache.
 * The compiler vectorizes it. If the processor has wider vectors than the build's baseline, a copy of the
 * body that is compiled for these is used, as for kernels. */
enum { ROW_BYTES = 2048, DEPTH = 8 };
#define COLS(T) (ROW_BYTES / (int)sizeof(T))

#define MIN_SUM(T, k) sum = (T)(a[k] + b[(k)*COLS(T) + j]), x = sum < x ? sum : x

#define MINPLUS_BODY(T, how)                                                                                 \
  for (u64 t = 0; t < times; t++) {                                                                          \
    for (int j = 0; j < COLS(T); j++) {                                                                      \
      T x = c[j], sum;                                                                                       \
      MIN_SUM(T, 0), MIN_SUM(T, 1), MIN_SUM(T, 2), MIN_SUM(T, 3);                                            \
      MIN_SUM(T, 4), MIN_SUM(T, 5), MIN_SUM(T, 6), MIN_SUM(T, 7);                                            \
      c[j] = x;                                                                                              \
    }                                                                                                        \
    __asm__ volatile("" ::: "memory"); /* the passes must not be merged */                                   \
  }

/* Computes c[j] by Horner's rule; everything except c stays in registers. */
#define HORNER_BODY(T, how)                                                                                  \
  for (u64 t = 0; t < times; t++) {                                                                          \
    for (int j = 0; j < COLS(T); j++) {                                                                      \
      T x = c[j];                                                                                            \
      x = MULTIPLY_ADD_##how(x, a[0], b[0]), x = MULTIPLY_ADD_##how(x, a[0], b[1]);                          \
      x = MULTIPLY_ADD_##how(x, a[0], b[2]), x = MULTIPLY_ADD_##how(x, a[0], b[3]);                          \
      x = MULTIPLY_ADD_##how(x, a[0], b[4]), x = MULTIPLY_ADD_##how(x, a[0], b[5]);                          \
      x = MULTIPLY_ADD_##how(x, a[0], b[6]), x = MULTIPLY_ADD_##how(x, a[0], b[7]);                          \
      c[j] = x;                                                                                              \
    }                                                                                                        \
    __asm__ volatile("" ::: "memory");                                                                       \
  }

#define MULTIPLY_ADD_wide __builtin_fma
#ifdef __FP_FAST_FMA
#define MULTIPLY_ADD_plain __builtin_fma
#else
#define MULTIPLY_ADD_plain(x, y, z) ((x) * (y) + (z))
#endif

#define PANELS(T) const T *restrict a, const T *restrict b, T *restrict c, u64 times
#ifdef __x86_64__
#define ON_AVX2 __attribute__((target("avx2,fma")))
#define ON_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#define IN_COPIES(name, T, BODY)                                                                             \
  static void name##_plain(PANELS(T)){BODY(T, plain)} ON_AVX2 static void name##_avx2(PANELS(T)){            \
      BODY(T, wide)} ON_AVX512 static void name##_avx512(PANELS(T)) {                                        \
    BODY(T, wide)                                                                                            \
  }
#define WIDEST(name)                                                                                         \
  (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&                               \
           __builtin_cpu_supports("avx512vl")                                                                \
       ? name##_avx512                                                                                       \
   : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? name##_avx2                           \
                                                                     : name##_plain)
#else
#define IN_COPIES(name, T, BODY)                                                                             \
  static void name##_plain(PANELS(T)) { BODY(T, plain) }
#define WIDEST(name) name##_plain
#endif

#define ARITHMETIC(name, T, BODY)                                                                            \
  IN_COPIES(name, T, BODY)                                                                                   \
  static u64 name(const bench *in, u64 thread, u32 round, u64 work) {                                        \
    (void)in, (void)thread, (void)round;                                                                     \
    u64 times = work / ((u64)COLS(T) * DEPTH) + 1;                                                           \
    T rows[DEPTH], panel[DEPTH * COLS(T)], result[COLS(T)];                                                  \
    for (int i = 0; i < DEPTH; i++) rows[i] = (T)(i * 7 % 1009);                                             \
    for (int i = 0; i < DEPTH * COLS(T); i++) panel[i] = (T)(i * 13 % 2003);                                 \
    for (int i = 0; i < COLS(T); i++) result[i] = (T)(1 << 14);                                              \
    WIDEST(name)(rows, panel, result, times);                                                                \
    return times * COLS(T) * DEPTH;                                                                          \
  }
#define MINPLUS(T) ARITHMETIC(minplus_##T, T, MINPLUS_BODY)

MINPLUS(f32)
MINPLUS(i32)
MINPLUS(i16)
MINPLUS(f64)
MINPLUS(i64)
ARITHMETIC(multiply_add_f64, f64, HORNER_BODY)

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
  out->copy = rate_of(&b, copy, 1);
  const f64 from_memory = fmin((f64)largest, IN_MEMORY);
  f64 ratio = pow((f64)largest / SMALLEST, 1.0 / (LS_GATHER_SIZES - 1)), bytes = SMALLEST;
  for (int i = 0; i < LS_GATHER_SIZES; i++, bytes *= ratio) {
    b.count = (u64)(bytes / sizeof *b.array + 0.5);
    out->gather_bytes[i] = (f64)(b.count * sizeof *b.array);
    out->gather[i] = rate_of(&b, gather, 1 << 16);
    out->atomic_min[i] = rate_of(&b, atomic_min, 1 << 16);
    out->stream[i] = i && bytes > from_memory ? out->stream[i - 1] : stream(&b, bytes);
  }
  out->minplus[LS_F32] = rate_of(&b, minplus_f32, 1 << 20);
  out->minplus[LS_I32] = rate_of(&b, minplus_i32, 1 << 20);
  out->minplus[LS_I16] = rate_of(&b, minplus_i16, 1 << 20);
  out->minplus[LS_F64] = rate_of(&b, minplus_f64, 1 << 20);
  out->minplus[LS_I64] = rate_of(&b, minplus_i64, 1 << 20);
  out->multiply_add_f64 = rate_of(&b, multiply_add_f64, 1 << 20);
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
  ls_work(launch, (void *)d, quick); /* creates the thread pool */
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
