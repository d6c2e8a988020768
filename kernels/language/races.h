/* The race-checked variant of a row (races on): the checked variant, in which an element of an array that the row writes is
 * an ls_ref. Each read and write goes through it and is recorded, with thread and line, in the element's shadow memory
 * (ls_mark). All threads of a launch count as concurrent, whatever order they happen to run in, so a race is found even if it
 * has no effect in this run. It is a race if
 *
 *   - two threads write different values to the same element, at least one of them without an atomic, or
 *   - one thread reads an element that another changes, at least one of them without an atomic, or
 *   - a thread reads an element of an OUT argument that has not been written.
 *
 * Accesses by the functions of atomics.h count as atomic; so load_relaxed, store_relaxed and raise_flag declare that a race
 * is intended. A vertex's SELECT is ordered before its edges; the threads of a tile count as one. */
#ifndef RACES_H
#define RACES_H

LS_HERE u64 ls_me() { /* this thread's id, never 0; upper half: its vertex + 1 if it has an edge, else 0 */
  const u64 thread = ls_my(0), edge = ls_my(1);
  return edge >= LS_TOGETHER ? thread + 1 : (thread + 1) << 32 | (u32)(edge + 1);
}
/* Are a and b different threads that may run concurrently? The SELECT of a vertex and the edges of that vertex do not. */
LS_HERE bool ls_at_once(u64 a, u64 b) {
  return a && b && a != b && !(b >> 32 == 0 && a >> 32 == b) && !(a >> 32 == 0 && b >> 32 == a);
}

/* Stores a record as two separate words: if two threads store at once, it may mix the thread of one with the line of the other. */
LS_HERE void ls_mark_put(ls_access *to, u64 who, u32 line, bool changed, u32 value) {
  ls_access x;
  x.who = who, x.line = line, x.changed = changed, x.value = value;
#ifdef __CUDACC__
  ((volatile u64 *)to)[1] = ((const u64 *)&x)[1], ((volatile u64 *)to)[0] = who;
#else /* one thread */
  *to = x;
#endif
}
LS_HERE ls_access ls_mark_get(const ls_access *from) {
#ifdef __CUDACC__
  ls_access x;
  ((u64 *)&x)[0] = ((const volatile u64 *)from)[0], ((u64 *)&x)[1] = ((const volatile u64 *)from)[1];
  return x;
#else
  return *from;
#endif
}
/* A fence between recording an access and reading the records of others: of two concurrent accesses, at least one sees the
 * other. */
LS_HERE void ls_marks_fence() {
#ifdef __CUDACC__
  __threadfence();
#endif
}

/* Records an access in `two`: the first thread that accessed the element, and the last thread other than the first. So any thread
 * that looks later finds an access of another thread, if there was one. */
LS_HERE void ls_mark_two(ls_access two[2], u64 me, u32 line) {
  if (!ls_mark_get(&two[0]).who) ls_mark_put(&two[0], me, line, false, 0);
  if (ls_mark_get(&two[0]).who != me) ls_mark_put(&two[1], me, line, false, 0); /* also if another thread won two[0] just now */
}

template <class T> LS_HERE u32 ls_mixed_bits(const T &x) {
  u64 bits = 0;
  for (u32 i = 0; i < sizeof x; i++) bits |= (u64)((const unsigned char *)&x)[i] << 8 * i;
  return (u32)(bits ^ bits >> 32);
}

struct ls_where { /* an element and the source line of the access */
  u32 arg, line;
  i64 index;
  const char *file;
};

LS_CALLED void ls_note_race(ls_race kind, const ls_where &at, const ls_access &other) {
  if (!ls_first_to_note()) return;
  ls_watch &w = ls_unit_watch;
  w.race = kind, w.other = other;
  ls_put_note(at.arg, 0, at.index, at.line, at.file);
}

LS_HERE ls_mark *ls_mark_of(const ls_where &at, const void *p, u32 size) {
  if (at.arg >= LS_WATCH_ARGS || !ls_unit_watch.marks[at.arg]) return nullptr;
  return ls_unit_watch.marks[at.arg] + ((const char *)p - (const char *)ls_unit_watch.base[at.arg]) / size;
}

LS_CALLED void ls_reads(ls_mark *m, const ls_where &at) {
  if (!m) return;
  const u64 me = ls_me();
  ls_mark_two(m->reader, me, at.line);
  ls_marks_fence();
  const ls_access writer = ls_mark_get(&m->writer), changer = ls_mark_get(&m->changer);
  if (writer.changed && ls_at_once(me, writer.who)) ls_note_race(LS_READS_WRITTEN, at, writer);
  if (ls_at_once(me, changer.who)) ls_note_race(LS_READS_CHANGED, at, changer);
  if (ls_unit_watch.unwritten >> at.arg & 1 && !writer.who && !changer.who) ls_note_race(LS_READS_UNWRITTEN, at, writer);
}

/* A plain write. changes: the element had another value before; value: the value written, by ls_mixed_bits. */
LS_CALLED void ls_writes(ls_mark *m, const ls_where &at, bool changes, u32 value) {
  if (!m) return;
  const u64 me = ls_me();
  const ls_access before = ls_mark_get(&m->writer);
  if (!before.who || changes) ls_mark_put(&m->writer, me, at.line, changes || before.changed, value);
  ls_marks_fence();
  const ls_access now = ls_mark_get(&m->writer);
  if (ls_at_once(me, before.who) && before.value != value) ls_note_race(LS_WRITES_WRITTEN, at, before);
  if (ls_at_once(me, now.who) && now.value != value) ls_note_race(LS_WRITES_WRITTEN, at, now);
  if (!changes) return;
  const ls_access changer = ls_mark_get(&m->changer);
  if (ls_at_once(me, changer.who)) ls_note_race(LS_WRITES_CHANGED, at, changer);
  for (int k = 0; k < 2; k++) {
    const ls_access reader = ls_mark_get(&m->reader[k]), loader = ls_mark_get(&m->loader[k]);
    if (ls_at_once(me, reader.who)) ls_note_race(LS_WRITES_READ, at, reader);
    if (ls_at_once(me, loader.who)) ls_note_race(LS_WRITES_LOADED, at, loader);
  }
}

/* Accesses by atomics: ls_loads for each of them, ls_changes if the atomic changes the value (`changed`). */
LS_CALLED void ls_loads(ls_mark *m, const ls_where &at) {
  if (!m) return;
  const u64 me = ls_me();
  ls_mark_two(m->loader, me, at.line);
  ls_marks_fence();
  const ls_access writer = ls_mark_get(&m->writer);
  if (writer.changed && ls_at_once(me, writer.who)) ls_note_race(LS_LOADS_WRITTEN, at, writer);
}
LS_CALLED void ls_changes(ls_mark *m, const ls_where &at, bool changed) {
  if (!m || !changed) return;
  const u64 me = ls_me();
  ls_mark_put(&m->changer, me, at.line, true, 0);
  ls_marks_fence();
  const ls_access writer = ls_mark_get(&m->writer);
  if (ls_at_once(me, writer.who)) ls_note_race(LS_CHANGES_WRITTEN, at, writer);
  for (int k = 0; k < 2; k++) {
    const ls_access reader = ls_mark_get(&m->reader[k]);
    if (ls_at_once(me, reader.who)) ls_note_race(LS_CHANGES_READ, at, reader);
  }
}

template <class T> struct ls_value_of {
  typedef T type;
};
template <class T> struct ls_value_of<const T> {
  typedef T type;
};

/* ls_another<U, T>::type is U if U is a number type other than T; otherwise it does not exist (SFINAE). */
template <class U, class T> struct ls_another;
template <class T> struct ls_another<T, T> {};
#define LS_ANOTHER(U)                                      \
  template <class T> struct ls_another<U, T> {             \
    typedef U type;                                        \
  };                                                       \
  template <> struct ls_another<U, U> {}
LS_ANOTHER(bool);
LS_ANOTHER(char);
LS_ANOTHER(signed char);
LS_ANOTHER(u8);
LS_ANOTHER(i16);
LS_ANOTHER(u16);
LS_ANOTHER(i32);
LS_ANOTHER(u32);
LS_ANOTHER(i64);
LS_ANOTHER(u64);
LS_ANOTHER(f32);
LS_ANOTHER(f64);

/* The address of an element, as passed to an atomic. */
template <class T> struct ls_place {
  T *p;
  ls_where at;
  LS_OF_CELLS operator T *() const { return loads(), p; }
  LS_OF_CELLS void loads() const { ls_loads(ls_mark_of(at, p, sizeof(T)), at); }
  LS_OF_CELLS void changes(bool does) const { /* does: the atomic changes the value */
    loads();
    ls_changes(ls_mark_of(at, p, sizeof(T)), at, does);
  }
};

/* A reference to an element; reads and writes through it are recorded. */
template <class T> struct ls_ref {
  typedef typename ls_value_of<T>::type value;
  T *p;
  ls_where at;
  LS_OF_CELLS ls_ref(T *element, const ls_where &where) : p(element), at(where) {}
  /* Declared only: makes `c ? a->x[v] : 0` ambiguous, hence an error, if the element would otherwise be converted to int. */
  template <class U> ls_ref(U, typename ls_another<U, value>::type = 0);
  LS_OF_CELLS ls_ref(const ls_ref &) = default;
  LS_OF_CELLS operator value() const {
    ls_reads(ls_mark_of(at, p, sizeof(T)), at);
    return *p;
  }
  LS_OF_CELLS value operator=(value x) const {
    ls_writes(ls_mark_of(at, p, sizeof(T)), at, *p != x, ls_mixed_bits(x));
    return *p = x;
  }
  LS_OF_CELLS value operator=(const ls_ref &x) const { return *this = (value)x; }
  LS_OF_CELLS value operator+=(value x) const { return *this = (value)((value) * this + x); }
  LS_OF_CELLS value operator-=(value x) const { return *this = (value)((value) * this - x); }
  LS_OF_CELLS value operator*=(value x) const { return *this = (value)((value) * this * x); }
  LS_OF_CELLS value operator/=(value x) const { return *this = (value)((value) * this / x); }
  LS_OF_CELLS value operator|=(value x) const { return *this = (value)((value) * this | x); }
  LS_OF_CELLS value operator&=(value x) const { return *this = (value)((value) * this & x); }
  LS_OF_CELLS value operator^=(value x) const { return *this = (value)((value) * this ^ x); }
  LS_OF_CELLS value operator<<=(u32 x) const { return *this = (value)((value) * this << x); }
  LS_OF_CELLS value operator>>=(u32 x) const { return *this = (value)((value) * this >> x); }
  LS_OF_CELLS value operator++() const { return *this = (value)((value) * this + 1); }
  LS_OF_CELLS value operator--() const { return *this = (value)((value) * this - 1); }
  LS_OF_CELLS value operator++(int) const {
    const value before = *this;
    *this = (value)(before + 1);
    return before;
  }
  LS_OF_CELLS value operator--(int) const {
    const value before = *this;
    *this = (value)(before - 1);
    return before;
  }
  LS_OF_CELLS ls_place<T> operator&() const { return ls_place<T>{p, at}; }
};

/* The element type of checked arrays. 16-byte items are plain references: their accesses are not recorded. */
template <class T> struct ls_element {
  typedef ls_ref<T> type;
  static LS_OF_CELLS type of(T *p, const ls_where &at) { return type(p, at); }
};
template <> struct ls_element<u64x2> {
  typedef u64x2 &type;
  static LS_OF_CELLS type of(u64x2 *p, const ls_where &) { return *p; }
};
template <> struct ls_element<const u64x2> {
  typedef const u64x2 &type;
  static LS_OF_CELLS type of(const u64x2 *p, const ls_where &) { return *p; }
};

#endif
