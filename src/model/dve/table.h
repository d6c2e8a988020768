/* The table of known states: by a state's hash to its number. It is cut into shards by the hash, so that
 * threads can work on different ones without locks. */
#ifndef LS_MODEL_DVE_TABLE_H
#define LS_MODEL_DVE_TABLE_H

#include "core/error.h"
#include "core/team.h"
#include "core/types.h"

enum { DVE_SHARDS = 64 };

/* An entry is a piece of the hash and a number + 1; 0 is free. The piece says where it belongs, so growing
 * looks at no state. All shards lie in one block, which large pages make faster to reach, and have the same
 * room. */
typedef struct dve_table {
  u64 *entries; /* [DVE_SHARDS * room] */
  u64 room;     /* of a shard; a power of two */
  u64 used[DVE_SHARDS];
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
static inline u64 dve_slot(const dve_table *t, u32 tag) { return tag * t->room >> 32; } /* in its shard */
static inline u64 *dve_shard(const dve_table *t, u32 shard) { return t->entries + shard * t->room; }
static inline u64 dve_entry(u32 tag, u32 number) { return (u64)tag << 32 | (number + 1); }

/* Makes room for more[k] new entries in shard k; and the room of a shard that is wanted for them. */
u64 dve_table_room(const dve_table *t, const u64 more[DVE_SHARDS]);
ls_status dve_table_reserve(dve_table *t, const u64 more[DVE_SHARDS], ls_team *team);
static inline u64 dve_table_bytes(const dve_table *t) { return DVE_SHARDS * t->room * sizeof *t->entries; }
void dve_table_free(dve_table *t);

#endif
