#include "model/dve/table.h"

#include "core/mem.h"

enum { LEAST = 64 };

typedef struct move {
  const dve_table *from, *to;
} move;

static void move_shard(void *arg, u32 shard) {
  const dve_table *from = ((move *)arg)->from, *to = ((move *)arg)->to;
  _Atomic u64 *old = dve_shard(from, shard), *entries = dve_shard(to, shard);
  for (u64 i = 0; i < from->room; i++) {
    const u64 e = atomic_load_explicit(&old[i], memory_order_relaxed);
    if (!e) continue;
    u64 at = dve_slot(to, dve_entry_tag(e));
    while (atomic_load_explicit(&entries[at], memory_order_relaxed)) at = dve_next_slot(to, at);
    atomic_store_explicit(&entries[at], e, memory_order_relaxed);
  }
}

u64 dve_table_room(const dve_table *t, u64 states) {
  u64 room = t->room ? t->room : LEAST;
  while (states > DVE_SHARDS * room / 4 * 3) room *= 2;
  return room;
}

ls_status dve_table_grow(dve_table *t, u64 room, ls_thread_pool *team) {
  dve_table new = {.room = room};
  if (room == t->room) return LS_OK;
  new.entries = ls_calloc(DVE_SHARDS * room, sizeof *new.entries);
  if (!new.entries) return LS_EMEM;
  ls_mem_large_pages(new.entries, dve_table_bytes(room));
  ls_thread_pool_each(team, t->room ? DVE_SHARDS : 0, move_shard, &(move){t, &new});
  dve_table_free(t);
  *t = new;
  return LS_OK;
}

void dve_table_free(dve_table *t) { ls_free(t->entries); }
