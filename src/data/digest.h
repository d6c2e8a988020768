/* A digest of an array: two arrays that differ have different ones, but for one chance in 2^64. A sum over
 * words of eight bytes (the last filled up with zeros), each mixed with its place, or, of a set, over items,
 * each mixed alone: any order of adding gives the same, so that a device and the host can each take theirs
 * where the data lies. */
#ifndef LS_DATA_DIGEST_H
#define LS_DATA_DIGEST_H

#include "core/random.h"

/* The i-th word of an array that has `bytes` bytes. */
LS_EVERYWHERE u64 ls_digest_word(const u8 *p, u64 i, u64 bytes) {
  u64 x = 0;
  if (8 * i + 8 <= bytes) return ls_draw(((const u64 *)(const void *)p)[i], i);
  for (u64 k = 8 * i; k < bytes; k++) x |= (u64)p[k] << 8 * (k - 8 * i);
  return ls_draw(x, i);
}

/* The i-th item of a set of items of 4, 8 or 16 bytes. */
LS_EVERYWHERE u64 ls_digest_item(const void *p, u64 i, u64 item_bytes) {
  const u64 *words = (const u64 *)p;
  if (item_bytes == 4) return ls_draw(((const u32 *)p)[i], 0);
  return item_bytes == 8 ? ls_draw(words[i], 0) : ls_draw(ls_draw(words[2 * i], 0) + words[2 * i + 1], 1);
}

/* In host memory, by all cores where it is long; p lies on a boundary of an item, of 8 bytes for an array.
 * set: of so many items; else of the array that they make. */
u64 ls_digest(const void *p, u64 item_bytes, u64 count, bool set);

#endif
