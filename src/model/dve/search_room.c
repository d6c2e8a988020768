/* The arrays of a state space search, which grow up to the memory limit. */
#include <string.h>

#include "core/mem.h"
#include "model/dve/search.h"

enum { PIECE = 1 << 20 }; /* bytes that a thread copies at a time */

static u64 new_room(u64 room, u64 need) {
  u64 r = room + room / 2 + (1 << 12);
  return need <= room ? room : r < need ? need : r;
}

typedef struct move {
  u8 *to;
  const u8 *from;
  u64 bytes;
} move;

static void copy_piece(void *arg, u32 k) {
  const move *m = arg;
  const u64 i = (u64)k * PIECE;
  memcpy(m->to + i, m->from + i, m->bytes - i < PIECE ? m->bytes - i : PIECE);
}

static ls_status grow(dve_search *x, void **array, u64 old_bytes, u64 bytes) {
  void *p = ls_malloc(bytes);
  if (!p) return LS_EMEM;
  ls_mem_large_pages(p, bytes);
  ls_thread_pool_each(x->team, (u32)((old_bytes + PIECE - 1) / PIECE), copy_piece,
                      &(move){p, *array, old_bytes});
  ls_free(*array);
  *array = p;
  return LS_OK;
}

static u64 state_bytes(const dve_search *x) { return (u64)x->p->words * 4 + 4 + (x->bounds.edges ? 4 : 0); }
static u64 edge_bytes(const dve_search *x) {
  return x->bounds.edges ? 4ull + (x->p->costs ? 4 : 0) + (x->p->times ? 4 : 0) : 0;
}

u64 dve_search_bytes(const dve_search *x) {
  return x->room * state_bytes(x) + x->edge_room * edge_bytes(x) + dve_table_bytes(x->table.room);
}

bool dve_search_fits_table(const dve_search *x, u64 room, u64 bytes) {
  return room == x->table.room || dve_search_bytes(x) + dve_table_bytes(room) <= bytes;
}

ls_status dve_search_out_of_memory(dve_search *x) {
  if (x->s->n * state_bytes(x) + x->s->m * edge_bytes(x) < 64 << 20) return LS_EMEM;
  x->s->end = LS_DVE_MEMORY_BOUND;
  return LS_OK;
}

bool dve_search_fits(const dve_search *x, u64 n, u64 m) {
  const u64 room = new_room(x->room, n), edges = new_room(x->edge_room, m);
  u64 bytes = room * state_bytes(x) + edges * edge_bytes(x) + x->deadlock_room * 4;
  if (room != x->room) bytes += x->room * x->p->words * 4ull;
  if (edges != x->edge_room) bytes += x->edge_room * 4;
  return bytes + dve_table_bytes(x->table.room) <= x->bounds.bytes;
}

ls_status dve_search_reserve(dve_search *x, u64 n, u64 m) {
  const u64 room = new_room(x->room, n + 1), edges = new_room(x->edge_room, m);
  const u64 have = x->s->n, e = x->s->m;
  ls_status st = LS_OK;
  if (room != x->room) {
    st = grow(x, (void **)&x->s->states, have * x->p->words * 4, room * x->p->words * 4);
    if (!st) st = grow(x, (void **)&x->s->parent, have * 4, room * 4);
    if (!st && x->bounds.edges) st = grow(x, (void **)&x->off, x->s->expanded * 4, (room + 1) * 4);
    if (!st) x->room = room;
  }
  if (!st && edges != x->edge_room && x->bounds.edges) {
    st = grow(x, (void **)&x->to, e * 4, edges * 4);
    if (!st && x->p->costs) st = grow(x, (void **)&x->w, e * 4, edges * 4);
    if (!st && x->p->times) st = grow(x, (void **)&x->t, e * 4, edges * 4);
  }
  if (!st) x->edge_room = edges;
  return st;
}

ls_status dve_search_append(u32 **list, u64 *room, u64 count, u32 value) {
  u32 *grown = ls_grown(*list, count, room, 1 << 12, sizeof *grown);
  if (!grown) return LS_EMEM;
  *list = grown;
  grown[count] = value;
  return LS_OK;
}
