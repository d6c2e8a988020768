/* The atomics of the checked variant: those of atomics.h in C++ for the CPU; overloads that record accesses (races on); and,
 * for both processors, overloads that take an array and work on its first element. */
#ifndef CHECKED_ATOMICS_H
#define CHECKED_ATOMICS_H

#include "language/checked.h"

#ifndef __CUDACC__
template <class T> struct ls_same_type {
  typedef T type;
};
#define LS_SAME(T) typename ls_same_type<T>::type
#define PREFETCH(p) ((void)(p))

template <class T> LS_HERE T load_relaxed(const T *p) {
  T x;
  __atomic_load(const_cast<T *>(p), &x, __ATOMIC_RELAXED);
  return x;
}
template <class T> LS_HERE T load_cached(const T *p) { return load_relaxed(p); }
template <class T> LS_HERE void store_relaxed(T *p, LS_SAME(T) x) { __atomic_store(p, &x, __ATOMIC_RELAXED); }
LS_HERE void raise_flag(u32 *p) {
  if (!load_cached(p)) store_relaxed(p, 1u);
}

/* Atomically: if wanted(*p), then *p = f(*p). Returns the old value. */
template <class T, class F, class G> LS_HERE T ls_atomic_change(T *p, F f, G wanted) {
  T old = load_relaxed(p), with;
  do {
    if (!wanted(old)) return old;
    with = f(old);
  } while (!__atomic_compare_exchange(p, &old, &with, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
template <class T> LS_HERE T atomic_add(T *p, LS_SAME(T) x) {
  return ls_atomic_change(p, [=](T old) { return (T)(old + x); }, [](T) { return true; });
}
template <class T> LS_HERE T atomic_or(T *p, LS_SAME(T) x) {
  return ls_atomic_change(p, [=](T old) { return (T)(old | x); }, [](T) { return true; });
}
template <class T> LS_HERE T atomic_max(T *p, LS_SAME(T) x) {
  return ls_atomic_change(p, [=](T) { return x; }, [=](T old) { return x > old; });
}
template <class T> LS_HERE T atomic_min(T *p, LS_SAME(T) x) {
  return ls_atomic_change(p, [=](T) { return x; }, [=](T old) { return x < old; });
}
template <class T> LS_HERE void reduce_min(T *p, LS_SAME(T) x) { atomic_min(p, x); }
template <class T> LS_HERE bool atomic_cas(T *p, LS_SAME(T) expected, LS_SAME(T) x) {
  return __atomic_compare_exchange(p, &expected, &x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#define LS_ATOMIC LS_HERE
#else
#define LS_SAME(T) T
#endif

#ifdef LS_RACES /* for elements with shadow memory */
template <class T> LS_HERE auto load_relaxed(const ls_place<T> &c) { return c.loads(), load_relaxed(c.p); }
template <class T> LS_HERE auto load_cached(const ls_place<T> &c) { return c.loads(), load_cached(c.p); }
template <class T, class X> LS_HERE void store_relaxed(const ls_place<T> &c, X x) {
  c.changes(load_relaxed(c.p) != (T)x);
  store_relaxed(c.p, (T)x);
}
template <class T> LS_HERE void raise_flag(const ls_place<T> &c) { c.changes(!load_relaxed(c.p)), raise_flag(c.p); }
template <class T, class X> LS_HERE auto atomic_or(const ls_place<T> &c, X x) {
  return c.changes((load_relaxed(c.p) | (T)x) != load_relaxed(c.p)), atomic_or(c.p, (T)x);
}
template <class T, class X> LS_HERE auto atomic_max(const ls_place<T> &c, X x) {
  return c.changes((T)x > load_relaxed(c.p)), atomic_max(c.p, (T)x);
}
template <class T, class X> LS_HERE auto atomic_min(const ls_place<T> &c, X x) {
  return c.changes((T)x < load_relaxed(c.p)), atomic_min(c.p, (T)x);
}
template <class T, class X> LS_HERE void reduce_min(const ls_place<T> &c, X x) {
  c.changes((T)x < load_relaxed(c.p)), reduce_min(c.p, (T)x);
}
template <class T, class X> LS_HERE auto atomic_add(const ls_place<T> &c, X x) {
  return c.changes((T)x != (T)0), atomic_add(c.p, (T)x);
}
template <class T, class X, class Y> LS_HERE bool atomic_cas(const ls_place<T> &c, X expected, Y x) {
  const bool did = atomic_cas(c.p, (T)expected, (T)x);
  return c.changes(did && (T)expected != (T)x), did;
}
#endif

/* load_relaxed(a->hub) loads a->hub[0]; likewise the others. */
template <class T> LS_HERE auto load_relaxed(const ls_cells<T> &c) { return load_relaxed(&c[LS_FIRST]); }
template <class T> LS_HERE auto load_cached(const ls_cells<T> &c) { return load_cached(&c[LS_FIRST]); }
template <class T, class X> LS_HERE void store_relaxed(const ls_cells<T> &c, X x) { store_relaxed(&c[LS_FIRST], (T)x); }
template <class T> LS_HERE void raise_flag(const ls_cells<T> &c) { raise_flag(&c[LS_FIRST]); }
template <class T, class X> LS_HERE auto atomic_add(const ls_cells<T> &c, X x) { return atomic_add(&c[LS_FIRST], (T)x); }
template <class T, class X> LS_HERE auto atomic_or(const ls_cells<T> &c, X x) { return atomic_or(&c[LS_FIRST], (T)x); }
template <class T, class X> LS_HERE auto atomic_max(const ls_cells<T> &c, X x) { return atomic_max(&c[LS_FIRST], (T)x); }
template <class T, class X> LS_HERE auto atomic_min(const ls_cells<T> &c, X x) { return atomic_min(&c[LS_FIRST], (T)x); }
template <class T, class X> LS_HERE void reduce_min(const ls_cells<T> &c, X x) { reduce_min(&c[LS_FIRST], (T)x); }

#endif
