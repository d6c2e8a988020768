/* A search for all states, as the parts of explore.c and search_room.c see it. */
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

/* Some states of a block, and their successors. */
typedef struct dve_chunk {
  dve_steps steps;
  u32 sources, degree[DVE_CHUNK]; /* successors of each of its states */
  u64 first;                      /* its first candidate's number in the block */
  u32 *tag, *id, *slot; /* of each candidate. id: a known state's number, or, from the number of states before
                         * the block on, that of the candidate that was found first; slot: where in the shard,
                         * and once it is numbered, its number */
  u32 *order, shard[DVE_SHARDS + 1]; /* candidates by shard */
  u64 room;
  u64 new_states, first_new; /* how many, and the first one's number */
  u64 first_edge;
  bool errs; /* it has candidates that are the error state */
  bool ends; /* it has states without successors */
  ls_status st;
  char message[256];
} dve_chunk;

/* Arrays grow with what is found: `room` states, `edge_room` edges, and so on. */
typedef struct dve_search {
  ls_dve *m;
  const dve_program *p;
  ls_dve_bounds bounds;
  ls_dve_space *s;
  dve_table table;
  ls_team *team;
  u64 threads;
  dve_chunk *chunks;
  u64 from;                          /* the block's first state */
  u32 count, chunk;                  /* of the chunks of this block, and states of each but the last */
  bool alone;                        /* by one thread */
  u32 groups;                        /* of shards, each looked up by one thread */
  u64 more[DVE_SHARDS];              /* its candidates in each shard of the table, at most */
  u32 found[DVE_SHARDS][DVE_CHUNKS]; /* by each group: the new states of each chunk */
  u32 *off, *to;
  i32 *w, *t;
  u64 room, edge_room, deadlock_room, level_room;
  ls_status st;
} dve_search;

/* --- search_room.c --- */

u64 dve_search_bytes(const dve_search *x);
/* Do so many states and edges fit the bound, the old arrays that are copied included? */
bool dve_search_fits(const dve_search *x, u64 states, u64 edges);
/* Makes room for them. */
ls_status dve_search_reserve(dve_search *x, u64 states, u64 edges);
/* Adds a value to a list of `count`. */
ls_status dve_search_append(dve_search *x, u32 **list, u64 *room, u64 count, u32 value);
/* A large search that can get no more memory keeps what it has found, and *bounded becomes true; a small one
 * fails as all else does. */
ls_status dve_search_out_of_memory(dve_search *x, bool *bounded);

#endif
