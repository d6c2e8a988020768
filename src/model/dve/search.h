/* A search for all states, as its parts see it: explore.c, search_table.c and search_room.c. */
#ifndef LS_MODEL_DVE_SEARCH_H
#define LS_MODEL_DVE_SEARCH_H

#include "core/team.h"
#include "model/dve/model.h"
#include "model/dve/space.h"
#include "model/dve/steps.h"
#include "model/dve/table.h"

enum {
  DVE_CHUNK = 1024, /* no chunk has more states */
  DVE_CHUNKS = 64   /* no block has more chunks */
};

/* Some states of a block, and their successors: the candidates. */
typedef struct dve_chunk {
  dve_steps steps;
  u32 sources, degree[DVE_CHUNK]; /* successors of each of its states */
  u64 *link; /* of each candidate: its hash, and once it is in the table, where it leads */
  u64 link_room;
  /* What the search's own thread reads of each chunk, in one line of the cache. */
  _Alignas(64) ls_status st;
  bool errs;        /* it has candidates that are the error state */
  bool ends;        /* it has states without successors */
  u64 made, put;    /* candidates, and how many of them are in the table */
  u64 entered;      /* entries that it made in the table, */
  _Atomic u32 lost; /* of which others took so many, whose candidates come before its own */
  _Alignas(64) char message[256];
} dve_chunk;

/* Some states of a level, and the chunks that they are cut into. */
typedef struct dve_block {
  dve_chunk *chunks;
  u64 from, states; /* the first of them, and how many */
  u32 count, size;  /* chunks, and states of each but the last */
} dve_block;

/* Arrays grow with what is found: `room` states, `edge_room` edges, and so on. */
typedef struct dve_search {
  ls_dve *m;
  const dve_program *p;
  ls_dve_bounds bounds;
  ls_dve_space *s;
  dve_table table;
  ls_team *team;
  u64 threads;
  dve_chunk *chunks[2]; /* [DVE_CHUNKS] each: of the block, and of the one before it */
  _Alignas(128) dve_block block;
  dve_block unconnected; /* the block before it, whose edges are not written yet; of no chunks: they are */
  u32 shift;             /* the block's candidate i of chunk k has the number n + (k << shift) + i */
  bool alone;            /* the block is one thread's */
  bool putting;          /* chunks put their candidates into the table as soon as they have made them */
  struct {
    u64 state, edge;
  } first[DVE_CHUNKS]; /* of each chunk: the numbers of its first new state and of its first edge */
  u32 *off, *to;
  i32 *w, *t;
  u64 room, edge_room, deadlock_room, level_room;
  ls_status st;
} dve_search;

/* Has a bound been reached? */
static inline bool dve_search_ended(const dve_search *x) { return x->s->end != LS_DVE_COMPLETE; }

/* --- search_table.c --- */

/* Puts chunk k's candidates into the table, by their hashes in link[]; those behind one whose shard is full
 * stay out, and all do where there are more than 1 << shift. */
void dve_search_put(dve_search *x, u32 k);
/* Takes them out again; link[] has their hashes. */
void dve_search_take_back(dve_search *x, u32 k);

/* A link is the number of a state, or DVE_LINK_ENTRY and the index of the state's entry, with DVE_LINK_MADE
 * where the candidate made that entry itself. */
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
/* Is candidate i of chunk k the first of a new state? Asked after all are put. It can be asked while others
 * of the block get their states' final numbers: a final number is not above that of the state's first
 * candidate, so it is below those of its other candidates. */
static inline bool dve_is_first(const dve_search *x, u32 k, u32 i) {
  const u64 link = x->block.chunks[k].link[i];
  return link & DVE_LINK_MADE && dve_link_number(x, link) == dve_candidate_number(x, k, i);
}

/* --- search_room.c --- */

u64 dve_search_bytes(const dve_search *x);
/* Do so many states and edges fit the bound, the old arrays that are copied included? */
bool dve_search_fits(const dve_search *x, u64 states, u64 edges);
/* Does a table with that room a shard, beside the old one and the arrays, fit so many bytes? */
bool dve_search_fits_table(const dve_search *x, u64 room, u64 bytes);
/* Makes room for so many states and edges. */
ls_status dve_search_reserve(dve_search *x, u64 states, u64 edges);
/* Adds a value to a list of `count`. */
ls_status dve_search_append(dve_search *x, u32 **list, u64 *room, u64 count, u32 value);
/* A large search that can get no more memory keeps what it has found, and ends; a small one fails as all else
 * does. */
ls_status dve_search_out_of_memory(dve_search *x);

#endif
