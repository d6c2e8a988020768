#include "model/dve/table.h"

#include "core/mem.h"

enum { LEAST = 64 };

static u64 room_for(const dve_shard *s, u64 more) {
  u64 room = s->room ? s->room : LEAST;
  while (s->used + more > room / 4 * 3) room *= 2;
  return room;
}

u64 dve_shard_bytes(const dve_shard *s, u64 more) { return room_for(s, more) * sizeof *s->entries; }

ls_status dve_shard_reserve(dve_shard *s, u64 more) {
  dve_shard new = {.room = room_for(s, more), .used = s->used};
  if (new.room == s->room) return LS_OK;
  new.entries = ls_calloc(new.room, sizeof *new.entries);
  if (!new.entries) return LS_EMEM;
  ls_mem_large_pages(new.entries, new.room * sizeof *new.entries);
  for (u64 i = 0; i < s->room; i++) {
    const u64 e = s->entries[i];
    if (!e) continue;
    u64 at = dve_slot(&new, (u32)(e >> 32));
    while (new.entries[at]) at = at + 1 < new.room ? at + 1 : 0;
    new.entries[at] = e;
  }
  ls_free(s->entries);
  *s = new;
  return LS_OK;
}

void dve_table_free(dve_table *t) {
  for (u32 i = 0; i < DVE_SHARDS; i++) ls_free(t->shard[i].entries);
}
