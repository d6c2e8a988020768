/* Hash table from states to their numbers. It is divided into shards by the hash, so that threads can rehash
 * different shards in parallel when it grows. Threads insert concurrently without locks: see search_table.c.
 */
#ifndef LS_MODEL_DVE_TABLE_H
#define LS_MODEL_DVE_TABLE_H

#include <stdatomic.h>

#include "core/error.h"
#include "core/thread_pool.h"
#include "core/types.h"

enum { DVE_SHARDS = 64 };

/* An entry consists of a tag, which is 32 bits of the hash, and a state's number + 1; 0 is free. The tag
 * determines the slot, so rehashing does not read states. All shards have the same size and lie in one
 * allocation, for which large pages are requested. Collisions are resolved by linear probing within the
 * shard: the entry is at dve_slot or at the first slot after it (dve_next_slot) that was free. */
typedef struct dve_table {
  _Atomic u64 *entries; /* [DVE_SHARDS * room] */
  u64 room;             /* entries per shard; a power of two */
} dve_table;

static inline u64 dve_mix(u64 a, u64 b) {
  const unsigned __int128 x = (unsigned __int128)a * b;
  return (u64)x ^ (u64)(x >> 64);
}

static inline u64 dve_hash(const u32 *state, u32 words) {
  u64 h = 0x9e3779b97f4a7c15ull ^ words;
  u32 i = 0;
  for (; i + 1 < words; i += 2) h = dve_mix(h ^ (state[i] | (u64)state[i + 1] << 32), 0xa0761d6478bd642full);
  if (i < words) h = dve_mix(h ^ state[i], 0xe7037ed1a0b428dbull);
  return dve_mix(h ^ h >> 29, 0x8ebc6af09c88c6e3ull);
}

static inline u32 dve_hash_shard(u64 h) { return (u32)(h >> 58); }
static inline u32 dve_hash_tag(u64 h) { return (u32)h; }
static inline u64 dve_slot(const dve_table *t, u32 tag) { return tag * t->room >> 32; } /* in the shard */
static inline u64 dve_next_slot(const dve_table *t, u64 slot) { return slot + 1 < t->room ? slot + 1 : 0; }
static inline _Atomic u64 *dve_shard(const dve_table *t, u32 shard) { return t->entries + shard * t->room; }
static inline u64 dve_entry(u32 tag, u32 number) { return (u64)tag << 32 | (number + 1); }
static inline u32 dve_entry_tag(u64 entry) { return (u32)(entry >> 32); }
static inline u32 dve_entry_number(u64 entry) { return (u32)entry - 1; } /* not for a free entry */

/* The number of entries per shard with which the shards, holding `states` states in total, are at most 3/4
 * full; never less than the present room. */
u64 dve_table_room(const dve_table *t, u64 states);
ls_status dve_table_grow(dve_table *t, u64 room, ls_thread_pool *team);
static inline u64 dve_table_bytes(u64 room) { return DVE_SHARDS * room * sizeof(u64); }
void dve_table_free(dve_table *t);

#endif
