/* The checked variant of a row (bounds on): the same body, compiled as C++ with other argument types. An array argument
 * (ls_cells) carries its extent, and each access checks its index. The first access outside an array is recorded in ls_unit_watch
 * with its source line and thread; all accesses outside are redirected to a dummy cell. Threads that enter the body
 * after that return at once. */
#ifndef CHECKED_H
#define CHECKED_H

#include "language/watch.h"

#ifdef __CUDACC__
#define LS_HERE static __device__ __forceinline__
#define LS_CALLED static __device__ __noinline__ __attribute__((unused)) /* not inlined: cuts NVRTC's time to a third */
#define LS_OF_CELLS __device__ __forceinline__
static __device__ u64 ls_nowhere[2];
extern __shared__ u64 ls_who[]; /* the index of each thread of the block, then the edge of each */
LS_HERE u64 &ls_my(u32 k) { return ls_who[k * blockDim.x + threadIdx.x]; }
LS_HERE bool ls_first_to_note() { return atomicCAS(&ls_unit_watch.violated, 0u, 1u) == 0; }
LS_HERE void ls_check_report() {
  __threadfence();
  ls_unit_watch.violated = 2;
}
#else
#define LS_HERE static inline __attribute__((unused))
#define LS_CALLED LS_HERE
#define LS_OF_CELLS inline
static __thread u64 ls_nowhere[2], ls_mine[2];
LS_HERE u64 &ls_my(u32 k) { return ls_mine[k]; }
LS_HERE bool ls_first_to_note() {
  u32 none = 0;
  return __atomic_compare_exchange_n(&ls_unit_watch.violated, &none, 1u, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
LS_HERE void ls_check_report() { __atomic_store_n(&ls_unit_watch.violated, 2u, __ATOMIC_RELEASE); }
#endif

LS_HERE bool ls_is_over() { return *(volatile u32 *)&ls_unit_watch.violated != 0; }

/* Record the identity of this thread: its index in the domain, and its edge (~0: none). */
LS_HERE u64 ls_index_of(u64 item) { return item; }
LS_HERE u64 ls_index_of(const u64x2 &item) { return item.x; }
template <class T> LS_HERE void ls_enter(const T &thread) { ls_my(0) = ls_index_of(thread), ls_my(1) = ~(u64)0; }
template <class T, class E> LS_HERE void ls_enter(const T &thread, E edge) {
  ls_my(0) = ls_index_of(thread), ls_my(1) = (u64)edge;
}

/* In a BEST domain all edges of a vertex count as one thread. */
#define LS_TOGETHER (1ull << 32)
#define LS_AS_ONE (ls_as_one())
struct ls_as_one {};
template <class T, class E> LS_HERE void ls_enter(const T &thread, E edge, ls_as_one) {
  ls_my(0) = ls_index_of(thread), ls_my(1) = (u64)edge | LS_TOGETHER;
}

/* An index and the source line of the access. */
struct ls_at {
  i64 index;
  u32 line;
  const char *file;
  template <class I>
  LS_OF_CELLS ls_at(I i, u32 at = (u32)__builtin_LINE(), const char *in = __builtin_FILE()) : index((i64)i), line(at), file(in) {}
};

/* Index 0 of an access whose source line is unknown. */
#define LS_FIRST ls_at(0, 0, "")

LS_CALLED void ls_put_note(u32 arg, u64 extent, i64 index, u32 line, const char *file) {
  ls_watch &w = ls_unit_watch;
  const u64 edge = ls_my(1);
  w.arg = arg, w.index = index, w.extent = extent, w.line = line;
  w.thread = ls_my(0), w.edge = edge == ~(u64)0 ? edge : (u32)edge;
  for (u32 i = 0; i < LS_WATCH_FILE; i++)
    if (!(w.file[i] = i + 1 < LS_WATCH_FILE ? file[i] : '\0')) break;
  ls_check_report();
}
LS_CALLED void ls_note(u32 arg, u64 extent, const ls_at &at) {
  if (!ls_first_to_note()) return;
  ls_unit_watch.race = LS_NO_RACE;
  ls_put_note(arg, extent, at.index, at.line, at.file);
}

#ifdef LS_RACES
#include "language/races.h"
#else
template <class T> struct ls_element {
  typedef T &type;
};
#endif

/* An array argument. arg: its index among the row's arguments. */
template <class T> struct ls_cells {
  T *p;
  u64 extent;
  u64 arg;
  typedef typename ls_element<T>::type element;
  LS_OF_CELLS element operator[](const ls_at &at) const {
    const bool in = (u64)at.index < extent;
    if (!in) ls_note((u32)arg, extent, at);
    T *const here = in ? p + at.index : (T *)ls_nowhere;
#ifdef LS_RACES
    return ls_element<T>::of(here, ls_where{in ? (u32)arg : LS_WATCH_ARGS, at.line, at.index, at.file});
#else
    return *here;
#endif
  }
  LS_OF_CELLS element operator*() const { return (*this)[LS_FIRST]; }
  LS_OF_CELLS operator ls_cells<const T>() const { return ls_cells<const T>{p, extent, arg}; }
  LS_OF_CELLS explicit operator bool() const { return p != nullptr; }
  /* The array from element `by` on; an empty array if `by` is outside. */
  LS_OF_CELLS ls_cells operator+(i64 by) const {
    return by >= 0 && (u64)by <= extent ? ls_cells{p + by, extent - (u64)by, arg} : ls_cells{p, 0, arg};
  }
};

#define LS_ARRAY(type) ls_cells<type>
#define LS_POINTER(array) ((array).p)
#define LS_NO_ARRAY(type) (ls_cells<type>{nullptr, 0, 0})
#define LS_ONE(variable) (ls_cells<decltype(variable)>{&(variable), 1, LS_WATCH_ARGS})
#define LS_SET_ARRAY(field, type)                                                                     \
  field = ls_cells<type>{(type *)bind->ptr[k], bind->size[k] / (sizeof(type) == 16 ? 2 : 1), (u64)k}, k++;

/* Defines a body, SELECT or SCORE that first records which thread runs it (`who`). `given`: the names of its
 * parameters. `none`: the value that it returns if an access outside of an array has ended the launch. */
#define LS_ENTERED(result, function, none, parameters, given, who) \
  LS_INLINE result LS_JOIN(function, inner) parameters;            \
  LS_INLINE result function parameters {                           \
    if (ls_is_over()) return none;                                 \
    ls_enter who;                                                  \
    return LS_JOIN(function, inner) given;                         \
  }                                                                \
  LS_INLINE result LS_JOIN(function, inner) parameters

#endif
