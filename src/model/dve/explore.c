/* Parallel breadth-first search of a state space. Each level is processed in blocks of states. A block is
 * divided into chunks and processed in passes, each by all threads. The result does not depend on the number
 * of threads.
 *
 * expand: each chunk generates its candidates, that is the successors of its states, and inserts them into
 * the hash table. Of equal new candidates the table keeps the first in search order (search_table.c).
 *
 * place: one thread counts the new states of each chunk (the candidates that were kept), and so finds the
 * numbers of its first new state and first edge.
 *
 * number: each chunk gives its new states their numbers and copies them to the array of states.
 *
 * connect: each chunk writes its edges. This overlaps with the next block's expand, so that a block needs
 * only two barriers: in some models most levels have only a few hundred states.
 *
 * To insert candidates as soon as they are generated, the table needs room for them in advance, by an
 * estimate of their number. If the estimate is too low or the memory is not available, candidates are
 * inserted after all of the block have been generated and counted.
 *
 * lua/dve/levels.lua makes the same graph by the rows of kernels/dve, for GPUs and for stepping. On a CPU the
 * rows take 1.2 to 4 times the processor time of this search in models of millions of states, more in small
 * ones (tests/gpu/README.md), and a state may have at most 64 words. The two check each other. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/dve/search.h"
#include "model/dve/space_parts.h"

enum {
  CHUNK = 512,                         /* usual number of states per chunk */
  LEAST = 8,                           /* fewest states per chunk, except for the last one */
  BLOCK = 4096,                        /* a full block has BLOCK states per thread, but in total */
  LEAST_BLOCK = 4 * BLOCK,             /* at least LEAST_BLOCK */
  MOST_BLOCK = DVE_CHUNK * DVE_CHUNKS, /* and at most MOST_BLOCK */
  NARROW = LEAST_BLOCK, /* the passes of a larger block do not overlap: each has enough work, and the
                         * candidates would have left the cache when the next block begins */
  ALONE = 512 /* one thread processes a block of at most ALONE / threads states, because the others may have
               * to wait for a core first */
};

static void remember(dve_chunk *c, ls_status st) {
  if (c->st) return;
  c->st = st;
  snprintf(c->message, sizeof c->message, "%s", ls_error());
}

/* Calls f for each of `count` chunks. */
static void for_each(dve_search *x, u32 count, void (*f)(void *, u32)) {
  if (x->alone)
    for (u32 k = 0; k < count; k++) f(x, k);
  else
    ls_thread_pool_each(x->team, count, f, x);
}

static u64 first_source(const dve_block *b, u32 k) { return b->from + (u64)k * b->size; }

static u32 bits_for(u64 count) {
  u32 bits = 0;
  while (1ull << bits < count) bits++;
  return bits;
}

/* --- connect -------------------------------------------------------------------------------------------- */

/* Writes the edges of a chunk of the previous block. The table entries of the edges' heads contain
 * final state numbers. */
static void connect(void *search_of, u32 k) {
  dve_search *x = search_of;
  const dve_block *b = &x->unconnected;
  const dve_chunk *c = &b->chunks[k];
  const u64 from = first_source(b, k);
  u64 e = x->first[k].edge;
  u32 i = 0;
  for (u32 source = 0; source < c->sources; source++) {
    x->off[from + source] = (u32)e;
    for (u32 end = i + c->degree[source]; i < end; i++, e++) {
      x->to[e] = dve_link_number(x, c->link[i]);
      if (x->w) x->w[e] = c->steps.cost[i];
      if (x->t) x->t[e] = c->steps.time[i];
    }
  }
}

static void connect_all(dve_search *x) {
  for_each(x, x->unconnected.count, connect);
  x->unconnected.count = 0;
}

/* --- expand --------------------------------------------------------------------------------------------- */

static ls_status make_room(dve_chunk *c) {
  const u64 need = c->steps.count;
  if (need > UINT32_MAX / 2) return LS_EMEM;
  if (need <= c->link_room) return LS_OK;
  ls_free(c->link);
  c->link_room = need + need / 2;
  c->link = ls_malloc(c->link_room * sizeof *c->link);
  if (c->link) return LS_OK;
  c->link_room = 0;
  return LS_EMEM;
}

/* Generates the successors of the chunk's states. */
static void make_steps(dve_search *x, u32 k) {
  dve_chunk *c = &x->block.chunks[k];
  const u64 from = first_source(&x->block, k);
  const u32 words = x->p->words;
  c->steps.count = 0;
  c->st = LS_OK;
  bool ends = false;
  for (u32 i = 0; i < c->sources && !c->st; i++) {
    const u64 before = c->steps.count;
    const u32 *state = x->s->states + (from + i) * words;
    u32 step = DVE_NONE;
    ls_status st = x->bounds.make ? dve_steps_by(x->bounds.make, x->p, state, &c->steps) : LS_EINPUT;
    /* The interpreter reports the error. */
    if (st == LS_EINPUT) st = dve_steps_from(x->p, state, &c->steps, &step);
    if (st) remember(c, dve_place_fault(x->m, state, st, step));
    c->degree[i] = (u32)(c->steps.count - before);
    ends = ends || !c->degree[i];
  }
  c->ends = ends;
}

static void make_candidates(dve_search *x, u32 k) {
  dve_chunk *c = &x->block.chunks[k];
  const u64 left = x->block.states - (u64)k * x->block.size;
  const u32 words = x->p->words;
  c->sources = left < x->block.size ? (u32)left : x->block.size;
  make_steps(x, k);
  if (!c->st && make_room(c)) remember(c, LS_EMEM);
  if (c->st) c->steps.count = 0;
  bool errs = false;
  for (u64 i = 0; i < c->steps.count; i++) {
    const u32 *state = c->steps.states + i * words;
    c->link[i] = dve_hash(state, words);
    errs = errs || dve_is_error(x->p, state);
  }
  c->errs = errs;
  c->made = c->steps.count;
}

static void expand(void *search_of, u32 k) {
  dve_search *x = search_of;
  if (k < x->unconnected.count) connect(x, k);
  if (k >= x->block.count) return;
  make_candidates(x, k);
  if (x->putting) dve_search_put(x, k);
}

static void put_chunk(void *search_of, u32 k) { dve_search_put(search_of, k); }
static void take_back(void *search_of, u32 k) { dve_search_take_back(search_of, k); }

static bool all_put(const dve_search *x) {
  bool all = true;
  for (u32 k = 0; k < x->block.count; k++) all = all && x->block.chunks[k].put == x->block.chunks[k].made;
  return all;
}

/* Reserves numbers for this many candidates per chunk, rounded up to a power of two. False if the numbers
 * exceed 32 bits, which happens a little before there are 2^32 states. */
static bool give_numbers(dve_search *x, u64 candidates) {
  x->shift = bits_for(candidates);
  return x->s->n + ((u64)x->block.count << x->shift) < UINT32_MAX;
}

/* Reserves numbers and table entries for an estimated number of candidates; false if that is not possible.
 * The estimate uses the average number of successors so far, and numbers are reserved for twice as many. As
 * it is only an estimate, the table at most doubles, and total memory stays below half of the limit: the
 * search must not end because of an estimate. */
static bool prepare_by_guess(dve_search *x) {
  const dve_block *b = &x->block;
  const u64 each = x->s->m / (x->s->expanded + 1) + 1; /* successors of a state */
  if (b->states > NARROW || !give_numbers(x, 2 * b->size * (each + 1))) return false;
  const u64 room = dve_table_room(&x->table, x->s->n + b->states * each);
  if (room == x->table.room) return true;
  if (room > 2 * x->table.room || !dve_search_fits_table(x, room, x->bounds.bytes / 2)) return false;
  connect_all(x); /* must precede growing: the links refer to the old table */
  return !dve_table_grow(&x->table, room, x->team);
}

/* Inserts the candidates after all have been generated. */
static ls_status put_all(dve_search *x) {
  u64 candidates = 0, longest = 0;
  for (u32 k = 0; k < x->block.count; k++) {
    const u64 made = x->block.chunks[k].made;
    candidates += made;
    if (made > longest) longest = made;
  }
  if (!give_numbers(x, longest)) {
    x->s->end = LS_DVE_STATES_BOUND;
    return LS_OK;
  }
  for (u64 room = dve_table_room(&x->table, x->s->n + candidates);; room *= 2) {
    if (!dve_search_fits_table(x, room, x->bounds.bytes)) {
      x->s->end = LS_DVE_MEMORY_BOUND;
      return LS_OK;
    }
    if (dve_table_grow(&x->table, room, x->team)) return dve_search_out_of_memory(x);
    for_each(x, x->block.count, put_chunk);
    if (all_put(x)) return LS_OK;
    for_each(x, x->block.count, take_back); /* some shard is full */
  }
}

/* Generates the block's candidates and inserts them into the table. */
static ls_status expand_all(dve_search *x) {
  x->putting = prepare_by_guess(x);
  for_each(x, x->block.count > x->unconnected.count ? x->block.count : x->unconnected.count, expand);
  x->unconnected.count = 0;
  for (u32 k = 0; k < x->block.count; k++) {
    const dve_chunk *c = &x->block.chunks[k];
    if (c->st) ls_fail(c->st, "%s", c->message); /* set again: error messages are per thread */
    if (c->st == LS_EMEM) return dve_search_out_of_memory(x);
    if (c->st) return c->st;
  }
  if (x->putting && all_put(x)) return LS_OK;
  if (x->putting) for_each(x, x->block.count, take_back);
  return put_all(x);
}

/* --- place ---------------------------------------------------------------------------------------------- */

static bool beyond(const dve_search *x, u64 n, u64 m) {
  return n > x->bounds.states || (x->bounds.edges && m > LS_MAX_EDGES);
}

/* Shortens the block, so that it ends before the first state of chunk k whose successors exceed a bound. *n
 * and *m become the total numbers of states and edges up to there. */
static void cut(dve_search *x, u32 k, u64 *n, u64 *m) {
  dve_chunk *c = &x->block.chunks[k];
  u32 source = 0, i = 0;
  *n = x->first[k].state, *m = x->first[k].edge;
  for (; source < c->sources; source++) {
    const u32 end = i + c->degree[source];
    u64 states = *n;
    for (u32 j = i; j < end; j++) states += dve_is_first(x, k, j);
    if (beyond(x, states, *m + c->degree[source])) {
      x->s->end = states > x->bounds.states ? LS_DVE_STATES_BOUND : LS_DVE_EDGES_BOUND;
      break;
    }
    *n = states, *m += c->degree[source];
    i = end;
  }
  c->sources = source;
  c->steps.count = i;
  x->block.count = k + 1;
  x->block.states = (u64)k * x->block.size + source;
}

/* Computes the numbers of each chunk's first new state and first edge; shortens the block if a bound is
 * exceeded. *n and *m become the total numbers of states and edges including this block. */
static void place(dve_search *x, u64 *n, u64 *m) {
  *n = x->s->n, *m = x->s->m;
  for (u32 k = 0; k < x->block.count; k++) {
    dve_chunk *c = &x->block.chunks[k];
    x->first[k].state = *n, x->first[k].edge = *m;
    *n += c->entered - atomic_load_explicit(&c->lost, memory_order_relaxed);
    *m += c->made;
    atomic_store_explicit(&c->lost, 0, memory_order_relaxed);
    if (beyond(x, *n, *m)) cut(x, k, n, m);
  }
}

/* --- number --------------------------------------------------------------------------------------------- */

static void number(void *search_of, u32 k) {
  dve_search *x = search_of;
  const dve_chunk *c = &x->block.chunks[k];
  const u64 from = first_source(&x->block, k);
  const u32 words = x->p->words;
  u64 next = x->first[k].state;
  u32 i = 0;
  for (u32 source = 0; source < c->sources; source++)
    for (u32 end = i + c->degree[source]; i < end; i++) {
      if (!dve_is_first(x, k, i)) continue;
      _Atomic u64 *entry = dve_link_entry(x, c->link[i]);
      const u32 tag = dve_entry_tag(atomic_load_explicit(entry, memory_order_relaxed));
      atomic_store_explicit(entry, dve_entry(tag, (u32)next), memory_order_relaxed);
      memcpy(x->s->states + next * words, c->steps.states + (size_t)i * words, words * sizeof(u32));
      x->s->parent[next] = (u32)(from + source);
      c->link[i] = next++;
    }
}

static ls_status note_ends(dve_search *x) {
  const dve_program *p = x->p;
  ls_dve_space *s = x->s;
  ls_status st = LS_OK;
  for (u32 k = 0; k < x->block.count && !st; k++) {
    const dve_chunk *c = &x->block.chunks[k];
    for (u32 i = 0; c->ends && i < c->sources && !st; i++) {
      const u64 v = first_source(&x->block, k) + i;
      if (c->degree[i] > 0 || v == s->error) continue;
      st = dve_search_append(&s->deadlocks, &x->deadlock_room, s->deadlock_count, (u32)v);
      if (!st) s->deadlock_count++;
    }
    for (u64 i = 0; i < c->steps.count && c->errs; i++) {
      if (!dve_is_error(p, c->steps.states + i * p->words)) continue;
      s->errors++;
      s->error = dve_link_number(x, c->link[i]);
    }
  }
  return st;
}

/* --- a block -------------------------------------------------------------------------------------------- */

static void cut_into_chunks(dve_search *x, u64 from, u64 states) {
  dve_block *b = &x->block;
  x->alone = x->threads == 1 || states <= ALONE / x->threads;
  const u64 each = states <= NARROW ? (states + x->threads - 1) / x->threads : states / (4 * x->threads) + 1;
  u64 size = x->alone || each > CHUNK ? CHUNK : each < LEAST ? LEAST : each;
  if ((states + size - 1) / size > DVE_CHUNKS) size = (states + DVE_CHUNKS - 1) / DVE_CHUNKS;
  b->chunks = x->unconnected.chunks == x->chunks[0] ? x->chunks[1] : x->chunks[0];
  b->from = from;
  b->states = states;
  b->size = (u32)size;
  b->count = (u32)((states + size - 1) / size);
}

/* Expands a block of states. If a limit is reached, only part of it (possibly nothing) is expanded. */
static ls_status search_block(dve_search *x, u64 from, u64 states) {
  cut_into_chunks(x, from, states);
  ls_status st = expand_all(x);
  if (st || dve_search_ended(x)) return st;
  u64 n, m;
  place(x, &n, &m);
  if (!dve_search_fits(x, n, m)) {
    x->s->end = LS_DVE_MEMORY_BOUND;
    return LS_OK;
  }
  if (dve_search_reserve(x, n, m)) return dve_search_out_of_memory(x);
  for_each(x, x->block.count, number);
  st = note_ends(x);
  x->s->n = n;
  x->s->m = m;
  x->s->expanded += x->block.states;
  if (x->bounds.edges) x->unconnected = x->block;
  if (states > NARROW) connect_all(x);
  return st;
}

/* --- the search ----------------------------------------------------------------------------------------- */

static ls_status begin_search(dve_search *x) {
  const u32 words = x->p->words;
  ls_status st = dve_search_reserve(x, 1, 1);
  if (!st) st = dve_table_grow(&x->table, dve_table_room(&x->table, 1), x->team);
  if (st) return st;
  memcpy(x->s->states, x->m->initial, words * sizeof *x->m->initial);
  x->s->parent[0] = LS_NO_VERTEX;
  const u64 h = dve_hash(x->m->initial, words);
  const u32 tag = dve_hash_tag(h);
  dve_shard(&x->table, dve_hash_shard(h))[dve_slot(&x->table, tag)] = dve_entry(tag, 0);
  x->s->n = 1;
  return LS_OK;
}

static ls_status search_all(dve_search *x) {
  ls_dve_space *s = x->s;
  ls_status st = begin_search(x);
  const u64 wanted = BLOCK * x->threads;
  const u64 most = wanted < LEAST_BLOCK ? LEAST_BLOCK : wanted < MOST_BLOCK ? wanted : MOST_BLOCK;
  u64 low = 0;
  while (!st && !dve_search_ended(x) && low < s->n) {
    const u64 high = s->n;
    st = dve_search_append(&s->level, &x->level_room, s->levels, (u32)low);
    if (!st) s->levels++;
    for (u64 from = low; from < high && !st && !dve_search_ended(x); from += most) {
      const u64 left = high - from;
      st = search_block(x, from, left < most ? left : most);
      ls_progress("states", s->n, 0);
      if (!st && !dve_search_ended(x) && ls_interrupted()) s->end = LS_DVE_INTERRUPTED;
    }
    low = high;
  }
  if (!st) connect_all(x);
  if (s->end == LS_DVE_INTERRUPTED && s->expanded == s->n) s->end = LS_DVE_COMPLETE;
  if (!st && dve_search_ended(x) &&
      low < s->n) { /* stopped early: the new successors of the last level form one more level */
    st = dve_search_append(&s->level, &x->level_room, s->levels, (u32)low);
    if (!st) s->levels++;
  }
  return st ? st : dve_search_append(&s->level, &x->level_room, s->levels, (u32)s->n);
}

static void run(ls_thread_pool *team, void *arg) {
  dve_search *x = arg;
  x->team = team;
  x->st = search_all(x);
}

/* Moves the arrays into a new graph. */
static ls_status make_graph(dve_search *x, ls_graph **graph) {
  ls_dve_space *s = x->s;
  for (u64 v = s->expanded; v <= s->n; v++) x->off[v] = (u32)s->m;
  char name[LS_GRAPH_NAME];
  snprintf(name, sizeof name, "%.*s", LS_GRAPH_NAME - 1, ls_dve_name(s->model));
  ls_status st =
      ls_graph_from_csr((u32)s->n, s->m, x->off, x->to, x->w, x->p->costs ? LS_I32 : LS_NONE, name, graph);
  x->off = x->to = NULL;
  x->w = NULL;
  if (!st && x->t) {
    st = ls_graph_take_times(*graph, x->t, LS_I32);
    x->t = NULL;
    if (st) ls_graph_release(*graph);
  }
  if (!st) (*graph)->vertex_names = &ls_dve_space_retain(s)->vertex_names;
  return st;
}

static void free_search(dve_search *x) {
  dve_table_free(&x->table);
  for (u32 i = 0; i < 2; i++) {
    dve_chunk *chunks = x->chunks[i];
    for (u32 k = 0; chunks && k < DVE_CHUNKS; k++) {
      dve_steps_free(&chunks[k].steps);
      ls_free(chunks[k].link);
    }
    ls_free(chunks);
  }
  ls_free(x->off);
  ls_free(x->to);
  ls_free(x->w);
  ls_free(x->t);
}

ls_status ls_dve_explore(ls_dve *m, const ls_dve_bounds *bounds, ls_dve_space **out, ls_graph **graph) {
  dve_search x = {.m = m, .p = &m->program, .bounds = *bounds, .threads = (u64)omp_get_max_threads()};
  *graph = NULL;
  if (!x.bounds.states || x.bounds.states > LS_MAX_VERTICES) x.bounds.states = LS_MAX_VERTICES;
  if (!x.bounds.bytes) x.bounds.bytes = ls_mem_available() / 3 * 2;
  ls_status st = ls_dve_space_new(m, &x.s);
  if (st) return st;
  for (u32 i = 0; i < 2 && !st; i++) {
    x.chunks[i] = ls_calloc(DVE_CHUNKS, sizeof *x.chunks[i]);
    if (!x.chunks[i]) st = LS_EMEM;
  }
  if (!st) st = ls_thread_pool_run(run, &x);
  if (!st) st = x.st;
  x.s->bytes = dve_search_bytes(&x);
  x.s->vertex_names.unexpanded = x.s->n - x.s->expanded;
  if (!st && x.bounds.edges) st = make_graph(&x, graph);
  free_search(&x);
  if (st) {
    ls_dve_space_release(x.s);
    *graph = NULL;
  } else {
    *out = x.s;
  }
  return st;
}
