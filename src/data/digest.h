/* A 64-bit digest of an array or of a set. Different arrays have the same digest with a probability of about
 * 2^-64. It is a sum of hashes: for an array, of its 8-byte words (the last padded with zeros), each hashed
 * with its index; for a set, of its items without an index. The sum does not depend on the order of addition,
 * so host and device can compute it in parallel, each where the data is. */
#ifndef LS_DATA_DIGEST_H
#define LS_DATA_DIGEST_H

#include "core/random.h"

/* The hash of the i-th word of an array of `bytes` bytes. */
LS_EVERYWHERE u64 ls_digest_word(const u8 *p, u64 i, u64 bytes) {
  u64 x = 0;
  if (8 * i + 8 <= bytes) return ls_draw(((const u64 *)(const void *)p)[i], i);
  for (u64 k = 8 * i; k < bytes; k++) x |= (u64)p[k] << 8 * (k - 8 * i);
  return ls_draw(x, i);
}

/* The hash of the i-th item of a set; item_bytes is 4, 8 or 16. */
LS_EVERYWHERE u64 ls_digest_item(const void *p, u64 i, u64 item_bytes) {
  const u64 *words = (const u64 *)p;
  if (item_bytes == 4) return ls_draw(((const u32 *)p)[i], 0);
  return item_bytes == 8 ? ls_draw(words[i], 0) : ls_draw(ls_draw(words[2 * i], 0) + words[2 * i + 1], 1);
}

/* The digest of `count` items in host memory, as a set or as one array. Long inputs use all cores. p must be
 * aligned to item_bytes (set) or to 8 bytes (array). */
u64 ls_digest(const void *p, u64 item_bytes, u64 count, bool set);

#endif
