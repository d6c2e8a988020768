/* Data of a state space search, shared by explore.c, search_table.c and search_room.c. */
#ifndef LS_MODEL_DVE_SEARCH_H
#define LS_MODEL_DVE_SEARCH_H

#include "core/thread_pool.h"
#include "model/dve/model.h"
#include "model/dve/space.h"
#include "model/dve/steps.h"
#include "model/dve/table.h"

enum {
  DVE_CHUNK = 1024, /* maximum number of states of a chunk */
  DVE_CHUNKS = 64   /* maximum number of chunks of a block */
};

/* A part of the states of a block, and their successors, called candidates. */
typedef struct dve_chunk {
  dve_steps steps;
  u32 sources, degree[DVE_CHUNK]; /* number of its states; number of successors of each */
  u64 *link; /* for each candidate: its hash or, once it is in the table, its link (DVE_LINK_ENTRY) */
  u64 link_room;
  /* The search's main thread reads the following members of each chunk, so they share one cache line. */
  _Alignas(64) ls_status st;
  bool errs;     /* some candidate is the error state */
  bool ends;     /* some state has no successors */
  u64 made, put; /* number of candidates; number of those in the table */
  u64 entered;   /* table entries that this chunk created */
  _Atomic u32
      lost; /* of these, entries that were later overwritten by an equal candidate of an earlier chunk */
  _Alignas(64) char message[256];
} dve_chunk;

/* A part of the states of a level, divided into chunks. */
typedef struct dve_block {
  dve_chunk *chunks;
  u64 from, states; /* number of the first state; how many states */
  u32 count, size;  /* how many chunks; states of each chunk but the last */
} dve_block;

/* The arrays grow as needed; room, edge_room and so on are their capacities. */
typedef struct dve_search {
  ls_dve *m;
  const dve_program *p;
  ls_dve_bounds bounds;
  ls_dve_space *s;
  dve_table table;
  ls_thread_pool *team;
  u64 threads;
  dve_chunk *chunks[2]; /* [DVE_CHUNKS] each: those of the current block and of the previous one */
  _Alignas(128) dve_block block;
  dve_block unconnected; /* the previous block if its edges are still to be written; count = 0 otherwise */
  u32 shift;             /* candidate i of the block's chunk k has the number n + (k << shift) + i */
  bool alone;            /* one thread processes the whole block */
  bool putting; /* chunks insert their candidates into the table as soon as they have generated them */
  struct {
    u64 state, edge;
  } first[DVE_CHUNKS]; /* for each chunk: the numbers of its first new state and of its first edge */
  u32 *off, *to;
  i32 *w, *t;
  u64 room, edge_room, deadlock_room, level_room;
  ls_status st;
} dve_search;

/* Has a bound been reached? */
static inline bool dve_search_ended(const dve_search *x) { return x->s->end != LS_DVE_COMPLETE; }

/* --- search_table.c --- */

/* Inserts chunk k's candidates, whose hashes are in link[], into the table. Stops at the first whose shard is
 * full; inserts none if the chunk has more than 1 << shift candidates. */
void dve_search_put(dve_search *x, u32 k);
/* Removes chunk k's candidates from the table and restores the hashes in link[]. */
void dve_search_take_back(dve_search *x, u32 k);

/* A link is the number of a state, or DVE_LINK_ENTRY | index of the state's table entry, plus DVE_LINK_MADE
 * if the candidate itself wrote that entry. */
#define DVE_LINK_ENTRY (1ull << 63)
#define DVE_LINK_MADE (1ull << 62)

static inline u64 dve_candidate_number(const dve_search *x, u32 k, u32 i) {
  return x->s->n + ((u64)k << x->shift) + i;
}
static inline _Atomic u64 *dve_link_entry(const dve_search *x, u64 link) {
  return &x->table.entries[link & (DVE_LINK_MADE - 1)];
}
static inline u32 dve_link_number(const dve_search *x, u64 link) {
  if (!(link & DVE_LINK_ENTRY)) return (u32)link;
  return dve_entry_number(atomic_load_explicit(dve_link_entry(x, link), memory_order_relaxed));
}
/* Is candidate i of chunk k the first candidate with its state? To be called after all are inserted. Other
 * threads may at the same time replace candidate numbers by final state numbers. A final number is at most
 * the number of the state's first candidate, so it differs from the numbers of its other candidates. */
static inline bool dve_is_first(const dve_search *x, u32 k, u32 i) {
  const u64 link = x->block.chunks[k].link[i];
  return link & DVE_LINK_MADE && dve_link_number(x, link) == dve_candidate_number(x, k, i);
}

/* --- search_room.c --- */

u64 dve_search_bytes(const dve_search *x);
/* Do this many states and edges fit the memory limit, including the old arrays while they are copied? */
bool dve_search_fits(const dve_search *x, u64 states, u64 edges);
/* Does a table with `room` entries per shard fit in `bytes`, together with the old table and the arrays? */
bool dve_search_fits_table(const dve_search *x, u64 room, u64 bytes);
/* Grows the arrays for this many states and edges. */
ls_status dve_search_reserve(dve_search *x, u64 states, u64 edges);
/* Appends a value to a list of `count` values. */
ls_status dve_search_append(u32 **list, u64 *room, u64 count, u32 value);
/* Called when an allocation fails: ends a large search, which keeps what it has found, with LS_OK; a small
 * one fails with LS_EMEM. */
ls_status dve_search_out_of_memory(dve_search *x);

#endif
