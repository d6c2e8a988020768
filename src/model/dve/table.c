#include "model/dve/table.h"

#include "core/mem.h"

enum { LEAST = 64 };

typedef struct move {
  const dve_table *from, *to;
} move;

static void move_shard(void *arg, u32 shard) {
  const dve_table *from = ((move *)arg)->from, *to = ((move *)arg)->to;
  const u64 *old = dve_shard(from, shard);
  u64 *entries = dve_shard(to, shard);
  for (u64 i = 0; i < from->room; i++) {
    if (!old[i]) continue;
    u64 at = dve_slot(to, (u32)(old[i] >> 32));
    while (entries[at]) at = at + 1 < to->room ? at + 1 : 0;
    entries[at] = old[i];
  }
}

u64 dve_table_room(const dve_table *t, const u64 more[DVE_SHARDS]) {
  u64 room = t->room ? t->room : LEAST;
  for (u32 k = 0; k < DVE_SHARDS; k++)
    while (t->used[k] + more[k] > room / 4 * 3) room *= 2;
  return room;
}

ls_status dve_table_reserve(dve_table *t, const u64 more[DVE_SHARDS], ls_team *team) {
  dve_table new = *t;
  new.room = dve_table_room(t, more);
  if (new.room == t->room) return LS_OK;
  new.entries = ls_calloc(DVE_SHARDS * new.room, sizeof *new.entries);
  if (!new.entries) return LS_EMEM;
  ls_mem_large_pages(new.entries, dve_table_bytes(&new));
  ls_team_each(team, t->room ? DVE_SHARDS : 0, move_shard, &(move){t, &new});
  ls_free(t->entries);
  *t = new;
  return LS_OK;
}

void dve_table_free(dve_table *t) { ls_free(t->entries); }
