/* Measures the limits of a CUDA device in under a second. Device work is timed by events, launches by the host's
 * clock. Each figure is the best of a few rounds, not counting the first one. */
#include <cmath>
#include <cuda_runtime.h>
#include <stdio.h>

extern "C" {
#include "core/error.h"
#include "core/wait.h"
#include "run/devices/limits.h"
}

namespace {

constexpr u64 smallest = 64u << 10, largest = 1u << 30;
constexpr int rounds = 3, threads = 256;

/* --- kernels ---------------------------------------------------------------------------------------------
 */

__global__ void copy_kernel(const uint4 *__restrict__ from, uint4 *__restrict__ to, u64 count) {
  u64 stride = (u64)gridDim.x * blockDim.x;
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) to[i] = from[i];
}

/* Makes `passes` passes over the array: reads it (0), fills it (1), or copies its first half to its second
 * (2). All threads share all passes, so that a small array occupies all of them. Accesses bypass the L1
 * caches, which are empty when a launch begins. */
template <int what> __global__ void stream_kernel(uint4 *a, u64 count, int passes, u32 *sink) {
  const u64 begin = (u64)blockIdx.x * blockDim.x + threadIdx.x, stride = (u64)gridDim.x * blockDim.x;
  const u64 n = what == 2 ? count / 2 : count, step = stride % n;
  u32 sum = 0;
  u64 i = begin % n;
  for (u64 k = begin; k < n * passes; k += stride, i += step) {
    if (i >= n) i -= n;
    if (what == 0) {
      const uint4 x = __ldcg(a + i);
      sum += x.x + x.y + x.z + x.w;
    } else {
      __stcg(a + i + (what == 2 ? n : 0), what == 2 ? __ldcg(a + i) : make_uint4(1, 1, 1, 1));
    }
  }
  if (sum == 0x12345678u) *sink = sum;
}

/* Indices come from linear congruential generators, whose upper bits select the element: four independent
 * streams per thread, different in all threads, at almost no cost. */
constexpr int streams = 4;

__device__ inline void seed(u32 x[streams], u32 round) {
  u32 id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < streams; k++) {
    u32 h = (id * streams + k + 1) * 0x9e3779b9u ^ round * 0x85ebca6bu;
    h ^= h >> 16, h *= 0x7feb352du, h ^= h >> 15, h *= 0x846ca68bu;
    x[k] = h ^ h >> 16;
  }
}

__device__ inline u32 pick(u32 &x, u32 count) { return __umulhi(x = x * 1664525u + 1013904223u, count); }

__global__ void gather_kernel(const u32 *__restrict__ a, u32 count, int each, u32 round, u32 *sink) {
  u32 x[streams], sum = 0;
  seed(x, round);
  for (int i = 0; i < each; i += 4 * streams)
#pragma unroll
    for (int k = 0; k < 4 * streams; k++) sum += __ldg(a + pick(x[k % streams], count));
  if (sum == 0x12345678u) *sink = sum; /* almost never, but the compiler cannot know that */
}

__global__ void atomic_kernel(u32 *a, u32 count, int each, u32 round) {
  u32 x[streams];
  seed(x, round);
  for (int i = 0; i < each; i += 4 * streams)
#pragma unroll
    for (int k = 0; k < 4 * streams; k++) atomicMin(a + pick(x[k % streams], count), x[k % streams]);
}

/* A word holds one or two numbers of type T. two() does two min-plus updates: min(c, a + b, x + y). */
template <typename T> struct numbers {
  typedef T word;
  static constexpr int in_word = 1;
  static __device__ word two(word a, word b, word x, word y, word c) {
    const word t = a + b, u = x + y;
    c = t < c ? t : c;
    return u < c ? u : c;
  }
};
/* Non-negative floats have the same order as their bit patterns, and a minimum of three integers is one instruction.
 * Minima of floats compete with the additions, so that an update takes a fifth longer. */
template <> __device__ f32 numbers<f32>::two(f32 a, f32 b, f32 x, f32 y, f32 c) {
#if __CUDA_ARCH__ >= 900
  return __int_as_float(__vimin3_s32(__float_as_int(a + b), __float_as_int(x + y), __float_as_int(c)));
#else
  return __int_as_float(min(min(__float_as_int(a + b), __float_as_int(x + y)), __float_as_int(c)));
#endif
}
template <> __device__ i32 numbers<i32>::two(i32 a, i32 b, i32 x, i32 y, i32 c) {
#if __CUDA_ARCH__ >= 900
  return __viaddmin_s32(x, y, __viaddmin_s32(a, b, c));
#else
  return min(min(a + b, x + y), c);
#endif
}
/* Before compute capability 9.0 each of these intrinsics is several instructions, as in the kernels. */
template <> struct numbers<i16> {
  typedef u32 word;
  static constexpr int in_word = 2;
  static __device__ u32 two(u32 a, u32 b, u32 x, u32 y, u32 c) {
    return __viaddmin_s16x2(x, y, __viaddmin_s16x2(a, b, c));
  }
};

/* Each thread updates a tile in registers from two vectors, which change at every step, as in a blocked
 * matrix product; the tile's elements are independent of each other. The tile is narrower for words of 8
 * bytes, which need two registers each, and for pairs of numbers, which need more registers where they are
 * unpacked. */
template <typename T> struct tile_of {
  static constexpr int down = 8, across = sizeof(T) == 4 ? 8 : 4, steps = sizeof(T) == 8 ? 512 : 2048;
  static constexpr f64 updates = (f64)steps * down * across * numbers<T>::in_word; /* per thread */
};

template <typename T> __global__ void __launch_bounds__(threads, 2) minplus_kernel(const void *from, void *to) {
  typedef typename numbers<T>::word word;
  constexpr int down = tile_of<T>::down, across = tile_of<T>::across, depth = 128 / sizeof(word);
  __shared__ __align__(16) word rows[depth][down], cols[depth][threads];
  const word *in = (const word *)from;
  for (int k = 0; k < depth; k++) {
    if (threadIdx.x < down) rows[k][threadIdx.x] = in[(k + threadIdx.x) % threads];
    cols[k][threadIdx.x] = in[(k * 7 + threadIdx.x) % threads];
  }
  __syncthreads();
  word c[down][across];
  for (int i = 0; i < down; i++)
    for (int j = 0; j < across; j++) c[i][j] = in[(i * across + j + threadIdx.x) % threads];
  int col = threadIdx.x % (threads / across) * across;
  for (int s = 0; s < tile_of<T>::steps; s += depth)
#pragma unroll(sizeof(word) == 8 ? 2 : 4)
    for (int k = 0; k < depth; k += 2) {
      word a[2][down], b[2][across];
#pragma unroll
      for (int h = 0; h < 2; h++) {
#pragma unroll
        for (int i = 0; i < down; i++) a[h][i] = rows[k + h][i];
#pragma unroll
        for (int j = 0; j < across; j++) b[h][j] = cols[k + h][col + j];
      }
#pragma unroll
      for (int i = 0; i < down; i++)
#pragma unroll
        for (int j = 0; j < across; j++) c[i][j] = numbers<T>::two(a[0][i], b[0][j], a[1][i], b[1][j], c[i][j]);
    }
  word least = c[0][0];
  for (int i = 0; i < down; i++)
    for (int j = 0; j < across; j++) least = c[i][j] < least ? c[i][j] : least;
  ((word *)to)[blockIdx.x * blockDim.x + threadIdx.x] = least;
}

/* Eight independent chains per thread, by Horner's rule: all in registers, one instruction per step. */
constexpr int chains = 8, multiply_adds = 512; /* chains per thread; multiply-adds per chain */

__global__ void __launch_bounds__(threads, 2) multiply_add_kernel(const f64 *in, f64 *out) {
  const f64 a = in[threads], b = in[threads + 1];
  f64 x[chains], sum = 0;
  for (int k = 0; k < chains; k++) x[k] = in[(k + threadIdx.x) % threads];
#pragma unroll 8
  for (int i = 0; i < multiply_adds; i++)
#pragma unroll
    for (int k = 0; k < chains; k++) x[k] = fma(x[k], a, b);
  for (int k = 0; k < chains; k++) sum += x[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void flag_kernel(u32 *flag) {
  if (threadIdx.x == 0) *flag = 1;
}

/* --- one measurement -------------------------------------------------------------------------------------
 */

struct bench {
  ls_device *device;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  u8 *array; /* `bytes` bytes */
  u8 *host;  /* `transfer` bytes, pinned */
  u64 bytes, transfer;
  int blocks;       /* enough to fill the device */
  const char *what; /* what is being measured, for messages */
};

ls_status failed(bench *b, cudaError_t e) {
  if (e != cudaErrorMemoryAllocation && cudaStreamSynchronize(b->stream) != cudaSuccess && !b->device->lost) {
    b->device->lost = true;
    snprintf(b->device->why, sizeof b->device->why, "measuring %.60s: %s", b->what, cudaGetErrorString(e));
  }
  cudaGetLastError();
  return ls_fail(LS_EDEVICE, "%s: measuring %s: %s", b->device->name, b->what, cudaGetErrorString(e));
}

#define TRY(call)                                                                                            \
  do {                                                                                                       \
    cudaError_t e_ = (call);                                                                                 \
    if (e_ != cudaSuccess) return failed(b, e_);                                                             \
  } while (0)

/* Runs launch(round) once more than `rounds` times; *seconds is the shortest time of all but the first. */
template <typename F> ls_status shortest(bench *b, F launch, f64 *seconds) {
  *seconds = 1e9;
  for (int round = 0; round <= rounds; round++) {
    if (ls_interrupted())
      return ls_fail(LS_EINTERRUPTED, "interrupted while %s was measured", b->device->name);
    TRY(cudaEventRecord(b->begin, b->stream));
    TRY(launch(round));
    TRY(cudaEventRecord(b->end, b->stream));
    TRY(cudaEventSynchronize(b->end));
    f32 ms;
    TRY(cudaEventElapsedTime(&ms, b->begin, b->end));
    if (round > 0 && ms * 1e-3 < *seconds) *seconds = ms * 1e-3;
  }
  return LS_OK;
}

ls_status copies(bench *b, ls_limits *out) {
  b->what = "a copy";
  u64 half = b->bytes / 2;
  const u8 *from = b->array;
  u8 *to = b->array + half;
  f64 own, driver;
  TRY(cudaMemsetAsync(b->array, 0xff, b->bytes, b->stream));
  ls_status st = shortest(
      b,
      [&](int) {
        copy_kernel<<<2 * b->blocks, 512, 0, b->stream>>>((const uint4 *)from, (uint4 *)to,
                                                          half / sizeof(uint4));
        return cudaGetLastError();
      },
      &own);
  if (!st)
    st = shortest(
        b, [&](int) { return cudaMemcpyAsync(to, from, half, cudaMemcpyDeviceToDevice, b->stream); },
        &driver);
  if (!st) out->copy = 2.0 * (f64)half / (own < driver ? own : driver);
  return st;
}

template <int what> ls_status stream_as(bench *b, u64 bytes, f64 *rate) {
  const int passes = bytes < (64u << 20) ? (int)((64u << 20) / bytes) : 1;
  f64 seconds;
  uint4 *a = (uint4 *)b->array;
  ls_status st = shortest(
      b,
      [&](int) {
        stream_kernel<what><<<b->blocks / 2, 512, 0, b->stream>>>(a, bytes / sizeof(uint4), passes, (u32 *)b->array);
        return cudaGetLastError();
      },
      &seconds);
  if (!st && (f64)bytes * passes / seconds > *rate) *rate = (f64)bytes * passes / seconds;
  return st;
}

/* Bytes per second of the fastest way to access this many bytes. */
ls_status stream(bench *b, u64 bytes, f64 *rate) {
  b->what = "reading and writing";
  ls_status st = stream_as<0>(b, bytes, rate);
  if (!st) st = stream_as<1>(b, bytes, rate);
  return st ? st : stream_as<2>(b, bytes, rate);
}

ls_status by_size(bench *b, ls_limits *out) {
  u32 *a = (u32 *)b->array;
  f64 ratio = pow((f64)b->bytes / smallest, 1.0 / (LS_GATHER_SIZES - 1)), bytes = smallest;
  const int gathers = 256, atomics = 64; /* per thread */
  f64 all = (f64)b->blocks * threads, seconds;
  for (int i = 0; i < LS_GATHER_SIZES; i++, bytes *= ratio) {
    u32 count = (u32)(bytes / sizeof(u32) + 0.5);
    out->gather_bytes[i] = (f64)count * sizeof(u32);
    ls_status st = stream(b, (u64)count * sizeof(u32), &out->stream[i]);
    if (st) return st;
    b->what = "gathers";
    st = shortest(
        b,
        [&](int round) {
          gather_kernel<<<b->blocks, threads, 0, b->stream>>>(a, count, gathers, round, a);
          return cudaGetLastError();
        },
        &seconds);
    if (st) return st;
    out->gather[i] = all * gathers / seconds;
    b->what = "atomic minima";
    st = shortest(
        b,
        [&](int round) {
          atomic_kernel<<<b->blocks, threads, 0, b->stream>>>(a, count, atomics, round);
          return cudaGetLastError();
        },
        &seconds);
    if (st) return st;
    out->atomic_min[i] = all * atomics / seconds;
  }
  return LS_OK;
}

/* Rate of a kernel whose threads do `each` operations and read less than 8 KiB, all zeros. */
template <typename F> ls_status arithmetic(bench *b, F launch, f64 each, f64 *rate) {
  f64 seconds;
  TRY(cudaMemsetAsync(b->array, 0, 8 << 10, b->stream));
  ls_status st = shortest(
      b,
      [&](int) {
        launch(b->array, b->array + (8 << 10));
        return cudaGetLastError();
      },
      &seconds);
  *rate = (f64)b->blocks * threads * each / seconds;
  return st;
}

template <typename T> ls_status minplus(bench *b, f64 *rate) {
  b->what = "min-plus updates";
  return arithmetic(
      b, [&](const u8 *in, u8 *out) { minplus_kernel<T><<<b->blocks, threads, 0, b->stream>>>(in, out); },
      tile_of<T>::updates, rate);
}

ls_status multiply_add(bench *b, f64 *rate) {
  b->what = "multiply-adds";
  return arithmetic(
      b,
      [&](const u8 *in, u8 *out) {
        multiply_add_kernel<<<b->blocks, threads, 0, b->stream>>>((const f64 *)in, (f64 *)out);
      },
      chains * multiply_adds, rate);
}

ls_status launches(bench *b, ls_limits *out) {
  const int many = 500, few = 200;
  u32 *flag = (u32 *)b->array;
  b->what = "launches";
  out->launch = out->launch_readback = 1;
  for (int round = 0; round <= rounds; round++) {
    TRY(cudaStreamSynchronize(b->stream));
    f64 began = ls_now();
    for (int i = 0; i < many; i++) flag_kernel<<<1, 32, 0, b->stream>>>(flag);
    TRY(cudaGetLastError());
    TRY(cudaStreamSynchronize(b->stream));
    f64 each = (ls_now() - began) / many;
    if (round > 0 && each < out->launch) out->launch = each;
    began = ls_now();
    for (int i = 0; i < few; i++) {
      flag_kernel<<<1, 32, 0, b->stream>>>(flag);
      TRY(cudaMemcpyAsync(b->host, flag, sizeof *flag, cudaMemcpyDeviceToHost, b->stream));
      TRY(cudaStreamSynchronize(b->stream));
    }
    each = (ls_now() - began) / few;
    if (round > 0 && each < out->launch_readback) out->launch_readback = each;
  }
  return LS_OK;
}

ls_status transfers(bench *b, ls_limits *out) {
  b->what = "transfers";
  f64 up, down;
  ls_status st = shortest(
      b,
      [&](int) { return cudaMemcpyAsync(b->array, b->host, b->transfer, cudaMemcpyHostToDevice, b->stream); },
      &up);
  if (!st)
    st = shortest(
        b,
        [&](int) {
          return cudaMemcpyAsync(b->host, b->array, b->transfer, cudaMemcpyDeviceToHost, b->stream);
        },
        &down);
  if (!st) out->transfer = 2.0 * (f64)b->transfer / (up + down);
  return st;
}

/* --- all of it -------------------------------------------------------------------------------------------
 */

ls_status prepare(bench *b) {
  b->what = "its memory";
  TRY(cudaSetDevice(b->device->index));
  size_t free_bytes, total;
  TRY(cudaMemGetInfo(&free_bytes, &total));
  b->bytes = largest;
  while (b->bytes > 256 * smallest && b->bytes > free_bytes / 4) b->bytes /= 2;
  b->transfer = b->bytes < (32u << 20) ? b->bytes : 32u << 20;
  b->blocks = b->device->units * 8;
  TRY(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking));
  TRY(cudaEventCreate(&b->begin));
  TRY(cudaEventCreate(&b->end));
  TRY(cudaMalloc(&b->array, b->bytes));
  TRY(cudaMallocHost(&b->host, b->transfer));
  return LS_OK;
}

ls_status measure(bench *b, ls_limits *out) {
  ls_status st = prepare(b);
  if (!st) st = copies(b, out);
  if (!st) st = by_size(b, out);
  if (!st && out->copy > out->stream[LS_GATHER_SIZES - 1]) out->stream[LS_GATHER_SIZES - 1] = out->copy;
  if (!st) st = minplus<f32>(b, &out->minplus[LS_F32]);
  if (!st) st = minplus<i32>(b, &out->minplus[LS_I32]);
  if (!st) st = minplus<i16>(b, &out->minplus[LS_I16]);
  if (!st) st = minplus<f64>(b, &out->minplus[LS_F64]);
  if (!st) st = minplus<i64>(b, &out->minplus[LS_I64]);
  if (!st) st = multiply_add(b, &out->multiply_add_f64);
  if (!st) st = launches(b, out);
  if (!st) st = transfers(b, out);
  return st;
}

} // namespace

extern "C" ls_status ls_limits_cuda(ls_device *d, ls_limits *out) {
  bench b = {};
  b.device = d;
  ls_status st = measure(&b, out);
  /* Errors here are ignored: they only occur after another failure. */
  if (b.host) cudaFreeHost(b.host);
  if (b.array) cudaFree(b.array);
  if (b.end) cudaEventDestroy(b.end);
  if (b.begin) cudaEventDestroy(b.begin);
  if (b.stream) cudaStreamDestroy(b.stream);
  cudaGetLastError();
  return st;
}
