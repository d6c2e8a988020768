#include "run/record/difference.h"

#include <string.h>

#include "core/mem.h"

static inline bool differs(const u8 *x, const u8 *y, size_t size) {
  switch (size) {
  case 1: return *x != *y;
  case 2: return memcmp(x, y, 2) != 0;
  case 4: return memcmp(x, y, 4) != 0;
  default: return memcmp(x, y, 8) != 0;
  }
}

/* The number of elements that differ: a loop that compilers vectorize. */
static u64 count_changed(const u8 *was, const u8 *now, u64 count, size_t size) {
  u64 changed = 0;
  switch (size) {
#define COUNT(bytes, T)                                                                                      \
  case bytes:                                                                                                \
    for (u64 i = 0; i < count; i++) {                                                                        \
      T x, y;                                                                                                \
      memcpy(&x, was + i * sizeof x, sizeof x);                                                              \
      memcpy(&y, now + i * sizeof y, sizeof y);                                                              \
      changed += x != y;                                                                                     \
    }                                                                                                        \
    break;
    COUNT(1, u8)
    COUNT(2, u16)
    COUNT(4, u32)
    COUNT(8, u64)
#undef COUNT
  default: break;
  }
  return changed;
}

/* Seven bits per byte, lowest first; the high bit is clear only in the last byte. */
static u8 *put_number(u8 *to, u64 x) {
  for (; x >= 0x80; x >>= 7) *to++ = (u8)(x | 0x80);
  *to++ = (u8)x;
  return to;
}

static const u8 *take_number(const u8 *from, u64 *x) {
  *x = 0;
  for (int shift = 0;; shift += 7, from++) {
    *x |= (u64)(*from & 0x7f) << shift;
    if (!(*from & 0x80)) return from + 1;
  }
}

static ls_status make_room(ls_difference *d, u64 more) {
  if (d->bytes + more <= d->room) return LS_OK;
  u64 room = 2 * d->room + more;
  u8 *grown = ls_realloc(d->runs, room);
  if (!grown) return LS_EMEM;
  d->runs = grown;
  d->room = room;
  return LS_OK;
}

static ls_status add_run(ls_difference *d, u64 first, const u8 *was, const u8 *now, u64 count, size_t size) {
  enum { NUMBERS = 20 }; /* bytes of two numbers of at most ten each */
  if (make_room(d, NUMBERS + count * size)) return LS_EMEM;
  u8 *to = put_number(d->runs + d->bytes, first - d->end);
  to = put_number(to, count);
  for (u64 i = 0; i < count * size; i++) to[i] = was[i] ^ now[i];
  d->bytes = (u64)(to - d->runs) + count * size;
  d->end = first + count;
  return LS_OK;
}

ls_status ls_difference_add(ls_difference *d, u64 first, const void *was_at, const void *now_at, u64 count,
                            size_t size) {
  const u8 *was = was_at, *now = now_at;
  if (memcmp(was, now, count * size) == 0) return LS_OK;
  /* One run takes little more memory than many short ones, and a fraction of the time. */
  if (count_changed(was, now, count, size) > count / 2) return add_run(d, first, was, now, count, size);
  const u64 stride = 256 / size; /* equal parts are skipped 256 bytes at a time */
  for (u64 i = 0; i < count;) {
    while (i + stride <= count && memcmp(was + i * size, now + i * size, 256) == 0) i += stride;
    while (i < count && !differs(was + i * size, now + i * size, size)) i++;
    if (i == count) break;
    u64 end = i + 1;
    /* a single unchanged element costs less inside a run than a new run does */
    while (end < count &&
           (differs(was + end * size, now + end * size, size) ||
            (end + 1 < count && differs(was + (end + 1) * size, now + (end + 1) * size, size))))
      end++;
    if (add_run(d, first + i, was + i * size, now + i * size, end - i, size)) return LS_EMEM;
    i = end;
  }
  return LS_OK;
}

ls_status ls_difference_join(const ls_difference *parts, u64 count, ls_difference *d) {
  enum { NUMBER = 10 }; /* maximum number of bytes by which the first number of a part may grow */
  u64 room = 0;
  for (u64 k = 0; k < count; k++) room += parts[k].bytes ? parts[k].bytes + NUMBER : 0;
  *d = (ls_difference){0};
  if (room && make_room(d, room)) return LS_EMEM;
  for (u64 k = 0; k < count; k++) {
    if (!parts[k].bytes) continue;
    u64 first; /* first changed element; written as its distance from the previous run */
    const u8 *rest = take_number(parts[k].runs, &first), *end = parts[k].runs + parts[k].bytes;
    u8 *to = put_number(d->runs + d->bytes, first - d->end);
    memcpy(to, rest, (size_t)(end - rest));
    d->bytes = (u64)(to - d->runs) + (u64)(end - rest);
    d->end = parts[k].end;
  }
  return LS_OK;
}

void ls_difference_apply(const ls_difference *d, void *array, size_t size) {
  const u8 *from = d->runs, *end = d->runs + d->bytes;
  u8 *to = array;
  while (from < end) {
    u64 gap, count;
    from = take_number(from, &gap);
    from = take_number(from, &count);
    to += gap * size;
    for (u64 i = 0; i < count * size; i++) to[i] ^= from[i];
    to += count * size;
    from += count * size;
  }
}

void ls_difference_free(ls_difference *d) {
  ls_free(d->runs);
  *d = (ls_difference){0};
}
