/* Breadth-first search, block by block of the states that wait. A block is done in passes, each of them
 * parallel and with the same result for any number of threads.
 *
 * expand: chunks of states make their candidates: successors with their hashes, sorted by shard of the table.
 *
 * look up: shards, each by itself, look their candidates up in the order of the search; the first of equal
 * new ones is put into the table, and counted.
 *
 * number: chunks number their new states, which are the first ones, and copy them. connect: chunks write the
 * edges. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/dve/search.h"
#include "model/dve/space_parts.h"

enum {
  CHUNK = 512,             /* states of a chunk as a rule */
  LEAST = 16,              /* no chunk but the last has fewer */
  BLOCK = 4096,            /* a block has so many states for each thread, but */
  LEAST_BLOCK = 4 * BLOCK, /* no fewer than these, and */
  MOST_BLOCK = DVE_CHUNK * DVE_CHUNKS,
  ALONE = 2048, /* so many states over the number of threads, or fewer, one thread does alone: others may have
                 * to wait for a core first */
  LEAST_GROUP = 64, /* candidates that a thread takes to look up, at least: to take them costs as much as some
                       of them */
  AHEAD = 16
};

static void remember(dve_chunk *c, ls_status st) {
  if (c->st) return;
  c->st = st;
  snprintf(c->message, sizeof c->message, "%s", ls_error());
}

/* --- expand --------------------------------------------------------------------------------------------- */

static ls_status make_room(dve_chunk *c) {
  const u64 need = c->steps.count;
  if (need <= c->room) return LS_OK;
  const u64 room = need + need / 2;
  u32 **arrays[] = {&c->tag, &c->id, &c->slot, &c->order};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    ls_free(*arrays[i]);
    *arrays[i] = ls_malloc(room * sizeof **arrays[i]);
    c->room = 0;
    if (!*arrays[i]) return LS_EMEM;
  }
  c->room = room;
  return LS_OK;
}

static void expand(void *search_of, u32 which) {
  dve_search *x = search_of;
  dve_chunk *c = &x->chunks[which];
  const u64 from = x->from + (u64)which * x->chunk;
  const u32 words = x->p->words;
  c->steps.count = 0;
  c->st = LS_OK;
  c->errs = c->ends = false;
  for (u32 i = 0; i < c->sources && !c->st; i++) {
    const u64 before = c->steps.count;
    const u32 *state = x->s->states + (from + i) * words;
    u32 step = DVE_NONE;
    ls_status st = x->bounds.make ? dve_steps_by(x->bounds.make, x->p, state, &c->steps) : LS_EINPUT;
    if (st == LS_EINPUT) st = dve_steps_from(x->p, state, &c->steps, &step); /* which can say what is wrong */
    if (st) remember(c, dve_place_fault(x->m, state, st, step));
    c->degree[i] = (u32)(c->steps.count - before);
    c->ends = c->ends || !c->degree[i];
  }
  if (!c->st && (c->steps.count > UINT32_MAX / 2 || make_room(c))) remember(c, LS_EMEM);
  if (c->st) {
    c->steps.count = 0;
    return;
  }
  const u32 count = (u32)c->steps.count;
  u32 *place = c->slot; /* not used yet */
  memset(c->shard, 0, sizeof c->shard);
  for (u32 i = 0; i < count; i++) {
    const u32 *state = c->steps.states + (size_t)i * words;
    const u64 h = dve_hash(state, words);
    c->errs = c->errs || dve_is_error(x->p, state);
    c->tag[i] = dve_hash_tag(h);
    place[i] = dve_hash_shard(h);
    c->shard[place[i] + 1]++;
  }
  for (u32 k = 0; k < DVE_SHARDS; k++) c->shard[k + 1] += c->shard[k];
  u32 next[DVE_SHARDS];
  memcpy(next, c->shard, sizeof next);
  for (u32 i = 0; i < count; i++) c->order[next[place[i]]++] = i;
}

/* --- look up -------------------------------------------------------------------------------------------- */

/* The chunk in which that candidate of the block is. */
static const dve_chunk *chunk_of(const dve_search *x, u64 number) {
  u32 low = 0, high = x->count;
  while (high - low > 1) {
    const u32 middle = (low + high) / 2;
    if (x->chunks[middle].first <= number)
      low = middle;
    else
      high = middle;
  }
  return &x->chunks[low];
}

static const u32 *candidate(const dve_search *x, u64 number) {
  const dve_chunk *c = chunk_of(x, number);
  return c->steps.states + (number - c->first) * x->p->words;
}

static bool same(const u32 *a, const u32 *b, u32 words) {
  u32 i = 0;
  while (i < words && a[i] == b[i]) i++;
  return i == words;
}

/* One candidate on its way through the table. */
typedef struct seeker {
  dve_chunk *c;
  u32 which, me; /* the chunk's number, and the candidate's in it */
  u32 shard, tag;
} seeker;

/* Those of some shards: shard by shard, in each of them in the order of the search. */
typedef struct queue {
  u32 shard, past, which, done; /* the present shard, the last one + 1, the present chunk, how many of it */
} queue;

static bool next(const dve_search *x, queue *q, seeker *s) {
  for (; q->shard < q->past; q->shard++, q->which = 0)
    for (; q->which < x->count; q->which++, q->done = 0) {
      dve_chunk *c = &x->chunks[q->which];
      const u32 at = c->shard[q->shard] + q->done;
      if (at == c->shard[q->shard + 1]) continue;
      q->done++;
      *s = (seeker){c, q->which, c->order[at], q->shard, c->tag[c->order[at]]};
      return true;
    }
  return false;
}

static const u32 *state_of(const dve_search *x, const seeker *s) {
  return s->c->steps.states + (size_t)s->me * x->p->words;
}

/* Asks for the entry where a candidate begins to look. */
static void fetch_entry(const dve_search *x, const seeker *s) {
  __builtin_prefetch(&dve_shard(&x->table, s->shard)[dve_slot(&x->table, s->tag)]);
  __builtin_prefetch(state_of(x, s));
}

/* Asks for the state that a candidate will probably be held against. */
static void fetch_state(const dve_search *x, const seeker *s) {
  const u64 room = x->table.room, *entries = dve_shard(&x->table, s->shard);
  u64 at = dve_slot(&x->table, s->tag), e;
  while ((e = entries[at]) && e >> 32 != s->tag) at = at + 1 < room ? at + 1 : 0;
  if (e && (u32)e - 1 < x->s->n) __builtin_prefetch(x->s->states + ((u32)e - 1ull) * x->p->words);
}

/* Gives the candidate its id. Returns whether it is the first one of a new state. */
static bool look_up(dve_search *x, const seeker *s) {
  u64 *entries = dve_shard(&x->table, s->shard);
  const u64 room = x->table.room, known = x->s->n;
  const u32 words = x->p->words, *state = state_of(x, s);
  dve_chunk *c = s->c;
  for (u64 at = dve_slot(&x->table, s->tag);; at = at + 1 < room ? at + 1 : 0) {
    const u64 e = entries[at];
    c->slot[s->me] = (u32)at; /* a shard has less than 2^32 entries */
    if (!e) {
      c->id[s->me] = (u32)(known + c->first + s->me);
      entries[at] = dve_entry(s->tag, c->id[s->me]);
      return true;
    }
    if ((u32)(e >> 32) != s->tag) continue;
    const u32 number = (u32)e - 1;
    const u32 *other = number < known ? x->s->states + (size_t)number * words : candidate(x, number - known);
    if (!same(state, other, words)) continue;
    c->id[s->me] = number;
    return false;
  }
}

/* The candidates in the shards of one group. Each asks for its entry when it comes, for the state that it
 * finds there AHEAD candidates later, and is looked up after as many more. */
static void look_up_group(void *search_of, u32 group) {
  dve_search *x = search_of;
  queue q = {group * DVE_SHARDS / x->groups, (group + 1) * DVE_SHARDS / x->groups, 0, 0};
  seeker ring[2 * AHEAD];
  u32 *found = x->found[group];
  memset(found, 0, x->count * sizeof *found);
  u64 came = 0, asked = 0, gone = 0;
  for (bool more = true; more || gone < came;) {
    if (more) more = next(x, &q, &ring[came % (2 * AHEAD)]);
    if (more) fetch_entry(x, &ring[came++ % (2 * AHEAD)]);
    if (asked < came && (!more || came - asked == AHEAD)) fetch_state(x, &ring[asked++ % (2 * AHEAD)]);
    if (gone < came && (!more || came - gone == 2 * AHEAD)) {
      const seeker *s = &ring[gone++ % (2 * AHEAD)];
      if (!look_up(x, s)) continue;
      x->table.used[s->shard]++;
      found[s->which]++;
    }
  }
}

/* --- number, connect ------------------------------------------------------------------------------------ */

static bool is_new(const dve_search *x, const dve_chunk *c, u32 i) {
  return c->id[i] == x->s->n + c->first + i;
}

static void number(void *search_of, u32 which) {
  dve_search *x = search_of;
  dve_chunk *c = &x->chunks[which];
  const u64 from = x->from + (u64)which * x->chunk;
  const u32 words = x->p->words;
  u64 next = c->first_new;
  u32 i = 0;
  for (u32 source = 0; source < c->sources; source++)
    for (u32 end = i + c->degree[source]; i < end; i++) {
      if (!is_new(x, c, i)) continue;
      const u32 *state = c->steps.states + (size_t)i * words;
      dve_shard(&x->table, dve_hash_shard(dve_hash(state, words)))[c->slot[i]] =
          dve_entry(c->tag[i], (u32)next);
      memcpy(x->s->states + next * words, state, words * sizeof *state);
      x->s->parent[next] = (u32)(from + source);
      c->slot[i] = (u32)next++;
    }
}

static u32 final_number(const dve_search *x, u32 id) {
  if (id < x->s->n) return id;
  const u64 number = id - x->s->n;
  const dve_chunk *c = chunk_of(x, number);
  return c->slot[number - c->first];
}

static void connect(void *search_of, u32 which) {
  dve_search *x = search_of;
  dve_chunk *c = &x->chunks[which];
  const u64 from = x->from + (u64)which * x->chunk;
  u64 e = c->first_edge;
  u32 i = 0;
  for (u32 source = 0; source < c->sources; source++) {
    x->off[from + source] = (u32)e;
    for (u32 end = i + c->degree[source]; i < end; i++, e++) {
      x->to[e] = final_number(x, c->id[i]);
      if (x->w) x->w[e] = c->steps.cost[i];
      if (x->t) x->t[e] = c->steps.time[i];
    }
  }
}

/* --- a block -------------------------------------------------------------------------------------------- */

/* Takes the chunk's sources from `sources` on, with their candidates, away. */
static void cut_chunk(dve_chunk *c, u32 sources) {
  u64 count = 0;
  for (u32 i = 0; i < sources; i++) count += c->degree[i];
  c->sources = sources;
  c->steps.count = count;
}

/* Cuts the block before the state of chunk k whose successors are beyond a bound. */
static void cut_block(dve_search *x, u32 k) {
  dve_chunk *c = &x->chunks[k];
  u64 n = c->first_new, m = c->first_edge;
  u32 i = 0;
  x->count = k + 1;
  for (u32 source = 0; source < c->sources; source++) {
    c->new_states = n - c->first_new;
    for (u32 end = i + c->degree[source]; i < end; i++) n += is_new(x, c, i);
    m += c->degree[source];
    const bool states = n > x->bounds.states;
    if (!states && !(x->bounds.edges && m > LS_MAX_EDGES)) continue;
    x->s->end = states ? LS_DVE_STATES_BOUND : LS_DVE_EDGES_BOUND;
    cut_chunk(c, source);
    return;
  }
}

/* Gives each chunk the numbers of its first new state and first edge, up to the bounds. */
static void place_new(dve_search *x, bool *bounded) {
  u64 n = x->s->n, m = x->s->m;
  for (u32 k = 0; k < x->count; k++) {
    dve_chunk *c = &x->chunks[k];
    c->first_new = n, c->first_edge = m;
    c->new_states = 0;
    for (u32 group = 0; group < x->groups; group++) c->new_states += x->found[group][k];
    n += c->new_states;
    m += c->steps.count;
    if (n <= x->bounds.states && !(x->bounds.edges && m > LS_MAX_EDGES)) continue;
    *bounded = true;
    cut_block(x, k);
  }
}

static ls_status note_ends(dve_search *x, u64 from) {
  const dve_program *p = x->p;
  ls_dve_space *s = x->s;
  ls_status st = LS_OK;
  for (u32 k = 0; k < x->count && !st; k++) {
    const dve_chunk *c = &x->chunks[k];
    for (u32 i = 0; c->ends && i < c->sources && !st; i++) {
      const u64 v = from + (u64)k * x->chunk + i;
      if (c->degree[i] > 0 || v == s->error) continue;
      st = dve_search_append(x, &s->deadlocks, &x->deadlock_room, s->deadlock_count, (u32)v);
      if (!st) s->deadlock_count++;
    }
    for (u64 i = 0; i < c->steps.count && c->errs; i++) {
      if (!dve_is_error(p, c->steps.states + i * p->words)) continue;
      s->errors++;
      s->error = final_number(x, c->id[i]);
    }
  }
  return st;
}

/* Each chunk, or shard, by f. */
static void for_each(dve_search *x, u32 count, void (*f)(void *, u32)) {
  if (x->alone)
    for (u32 k = 0; k < count; k++) f(x, k);
  else
    ls_team_each(x->team, count, f, x);
}

/* How many entries each shard may get. Where there is room for all candidates in any shard, that is enough to
 * know: a narrow block has no time to look at all its chunks. */
static void count_more(dve_search *x, u64 candidates) {
  for (u32 k = 0; k < DVE_SHARDS; k++) x->more[k] = candidates;
  if (dve_table_room(&x->table, x->more) == x->table.room) return;
  memset(x->more, 0, sizeof x->more);
  for (u32 i = 0; i < x->count; i++)
    for (u32 k = 0; k < DVE_SHARDS; k++) x->more[k] += x->chunks[i].shard[k + 1] - x->chunks[i].shard[k];
}

/* States from .. from + count - 1. Sets *bounded where a bound was reached: then only a part, or none, was
 * done. */
static ls_status block(dve_search *x, u64 from, u64 count, bool *bounded) {
  ls_status st = LS_OK;
  const u64 fair = count / (4 * x->threads) + 1;
  x->from = from;
  x->alone = x->threads == 1 || count <= ALONE / x->threads;
  x->chunk = x->alone || fair > CHUNK ? CHUNK : fair < LEAST ? LEAST : (u32)fair;
  if ((count + x->chunk - 1) / x->chunk > DVE_CHUNKS) x->chunk = (u32)((count + DVE_CHUNKS - 1) / DVE_CHUNKS);
  x->count = (u32)((count + x->chunk - 1) / x->chunk);
  for (u32 k = 0; k < x->count; k++) {
    const u64 left = count - (u64)k * x->chunk;
    x->chunks[k].sources = left < x->chunk ? (u32)left : x->chunk;
  }
  for_each(x, x->count, expand);
  u64 candidates = 0;
  for (u32 k = 0; k < x->count; k++) {
    dve_chunk *c = &x->chunks[k];
    if (c->st) ls_fail(c->st, "%s", c->message); /* a thread's message is its own */
    if (c->st == LS_EMEM) return dve_search_out_of_memory(x, bounded);
    if (c->st) return c->st;
    c->first = candidates;
    candidates += c->steps.count;
  }
  if (x->s->n + candidates >= UINT32_MAX) { /* their numbers while they are looked up */
    x->s->end = LS_DVE_STATES_BOUND;
    *bounded = true;
    return LS_OK;
  }
  count_more(x, candidates);
  const u64 room = dve_table_room(&x->table, x->more);
  if (room != x->table.room && dve_search_bytes(x) + DVE_SHARDS * room * sizeof(u64) > x->bounds.bytes) {
    x->s->end = LS_DVE_MEMORY_BOUND;
    *bounded = true;
    return LS_OK;
  }
  st = dve_table_reserve(&x->table, x->more, x->team);
  if (st) return dve_search_out_of_memory(x, bounded);
  const u64 groups = candidates / LEAST_GROUP;
  x->groups = groups < 1 ? 1 : groups < DVE_SHARDS ? (u32)groups : DVE_SHARDS;
  for_each(x, x->groups, look_up_group);
  place_new(x, bounded);
  u64 n = x->s->n, m = x->s->m, sources = 0;
  for (u32 k = 0; k < x->count; k++) {
    n += x->chunks[k].new_states;
    m += x->chunks[k].steps.count;
    sources += x->chunks[k].sources;
  }
  if (!dve_search_fits(x, n, m)) {
    x->s->end = LS_DVE_MEMORY_BOUND;
    *bounded = true;
    return LS_OK;
  }
  if (dve_search_reserve(x, n, m)) return dve_search_out_of_memory(x, bounded);
  for_each(x, x->count, number);
  if (x->bounds.edges) for_each(x, x->count, connect);
  st = note_ends(x, from);
  x->s->n = n;
  x->s->m = m;
  x->s->expanded += sources;
  return st;
}

/* --- the search ----------------------------------------------------------------------------------------- */

static ls_status begin(dve_search *x) {
  const u32 words = x->p->words;
  ls_status st = dve_search_reserve(x, 1, 1);
  if (st) return st;
  memcpy(x->s->states, x->m->initial, words * sizeof *x->m->initial);
  x->s->parent[0] = LS_NO_VERTEX;
  const u64 h = dve_hash(x->m->initial, words);
  const u32 shard = dve_hash_shard(h), tag = dve_hash_tag(h);
  x->more[shard] = 1;
  if ((st = dve_table_reserve(&x->table, x->more, x->team))) return st;
  dve_shard(&x->table, shard)[dve_slot(&x->table, tag)] = dve_entry(tag, 0);
  x->table.used[shard] = 1;
  x->s->n = 1;
  return LS_OK;
}

static ls_status search_all(dve_search *x) {
  ls_dve_space *s = x->s;
  bool bounded = false;
  ls_status st = begin(x);
  const u64 wanted = BLOCK * x->threads;
  const u64 most = wanted < LEAST_BLOCK ? LEAST_BLOCK : wanted < MOST_BLOCK ? wanted : MOST_BLOCK;
  u64 low = 0;
  while (!st && !bounded && low < s->n) {
    const u64 high = s->n;
    st = dve_search_append(x, &s->level, &x->level_room, s->levels, (u32)low);
    if (!st) s->levels++;
    for (u64 from = low; from < high && !st && !bounded; from += most) {
      const u64 left = high - from;
      st = block(x, from, left < most ? left : most, &bounded);
      ls_progress("states", s->n, 0);
      if (!st && ls_interrupted())
        st = ls_fail(LS_EINTERRUPTED, "explore: interrupted at %llu states", (unsigned long long)s->n);
    }
    low = high;
  }
  if (!st && bounded && low < s->n) { /* the states behind the level that was not finished are a level too */
    st = dve_search_append(x, &s->level, &x->level_room, s->levels, (u32)low);
    if (!st) s->levels++;
  }
  return st ? st : dve_search_append(x, &s->level, &x->level_room, s->levels, (u32)s->n);
}

static void run(ls_team *team, void *arg) {
  dve_search *x = arg;
  x->team = team;
  x->st = search_all(x);
}

/* The arrays become the graph's. */
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
  if (!st) (*graph)->namer = &ls_dve_space_retain(s)->namer;
  return st;
}

static void free_search(dve_search *x) {
  dve_table_free(&x->table);
  for (u32 k = 0; x->chunks && k < DVE_CHUNKS; k++) {
    dve_chunk *c = &x->chunks[k];
    dve_steps_free(&c->steps);
    ls_free(c->tag);
    ls_free(c->id);
    ls_free(c->slot);
    ls_free(c->order);
  }
  ls_free(x->chunks);
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
  x.chunks = ls_calloc(DVE_CHUNKS, sizeof *x.chunks);
  if (!x.chunks) st = LS_EMEM;
  if (!st) st = ls_team_run(run, &x);
  if (!st) st = x.st;
  x.s->bytes = dve_search_bytes(&x);
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
