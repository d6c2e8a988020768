/* The candidates of a block meet in the table. All threads put theirs in at the same time, and the first of
 * equal ones, in the order of the search, keeps the entry, whichever comes first in time.
 *
 * Each candidate has a number, above those of all known states, which grows in the order of the search. A
 * candidate looks at the places for its hash one after the other. At a free place it makes its entry. At an
 * entry of an equal state it is done: that is a known state, or a candidate before it, or a later one, whose
 * entry it then takes over. While candidates are put in, no place becomes free and no entry changes its
 * state. So all that are equal find the same place, and in the end the least number of them stands there. It
 * does not depend on threads, but the place of an entry does: nothing but the table and links may know it.
 *
 * An entry is changed by compare and swap. Where that fails, another candidate was faster, and the place is
 * looked at once more. A chunk's candidates are made before their entries; the swap that writes an entry
 * releases them, and the load of the entry acquires them: so a thread that finds the number can read the
 * state. All else that chunks write for each other lies between two pieces of the team's work, which order
 * it: relaxed loads and stores are enough there. */
#include "model/dve/search.h"

enum { AHEAD = 16 };

static bool same(const u32 *a, const u32 *b, u32 words) {
  u32 i = 0;
  while (i < words && a[i] == b[i]) i++;
  return i == words;
}

static const u32 *state_of(const dve_search *x, const dve_chunk *c, u64 i) {
  return c->steps.states + i * x->p->words;
}

/* The chunk of the candidate with that number in the block. */
static dve_chunk *chunk_of(const dve_search *x, u64 number) { return &x->block.chunks[number >> x->shift]; }

/* A known state, or a candidate. */
static const u32 *state_by(const dve_search *x, u64 number) {
  const u64 known = x->s->n;
  if (number < known) return x->s->states + number * x->p->words;
  return state_of(x, chunk_of(x, number - known), (number - known) & ((1ull << x->shift) - 1));
}

static bool swap(const dve_search *x, _Atomic u64 *entry, u64 before, u64 after) {
  if (!x->alone)
    return atomic_compare_exchange_strong_explicit(entry, &before, after, memory_order_release,
                                                   memory_order_relaxed);
  atomic_store_explicit(entry, after, memory_order_relaxed);
  return true;
}

/* Is the entry of that state? */
static bool is_of(const dve_search *x, u64 entry, u32 tag, const u32 *state) {
  return dve_entry_tag(entry) == tag && same(state, state_by(x, dve_entry_number(entry)), x->p->words);
}

/* Gives candidate i of the chunk, whose number is `mine`, its link, and counts the entries that were made.
 * False where its shard is full. */
static bool put(dve_search *x, dve_chunk *c, u64 i, u64 mine, u64 *entered) {
  const u64 h = c->link[i], known = x->s->n;
  const u32 *state = state_of(x, c, i), tag = dve_hash_tag(h);
  _Atomic u64 *entries = dve_shard(&x->table, dve_hash_shard(h));
  u64 at = dve_slot(&x->table, tag);
  for (u64 looks = 0; looks < x->table.room;) {
    u64 e = atomic_load_explicit(&entries[at], memory_order_acquire);
    if (e && !is_of(x, e, tag, state)) {
      at = dve_next_slot(&x->table, at);
      looks++;
      continue;
    }
    const u64 link = DVE_LINK_ENTRY | ((u64)(entries - x->table.entries) + at), number = dve_entry_number(e);
    if (e && number < mine) {
      c->link[i] = number < known ? number : link;
      return true;
    }
    if (!swap(x, &entries[at], e, dve_entry(tag, (u32)mine))) continue;
    if (e) atomic_fetch_add_explicit(&chunk_of(x, number - known)->lost, 1, memory_order_relaxed);
    c->link[i] = link | DVE_LINK_MADE;
    ++*entered;
    return true;
  }
  return false;
}

static _Atomic u64 *home(const dve_search *x, u64 h) {
  return &dve_shard(&x->table, dve_hash_shard(h))[dve_slot(&x->table, dve_hash_tag(h))];
}

/* Asks for the state that a candidate of that hash will probably be held against. */
static void fetch_state(const dve_search *x, u64 h) {
  const u64 e = atomic_load_explicit(home(x, h), memory_order_relaxed);
  if (e && dve_entry_tag(e) == dve_hash_tag(h) && dve_entry_number(e) < x->s->n)
    __builtin_prefetch(x->s->states + (u64)dve_entry_number(e) * x->p->words);
}

/* Each candidate asks for its entry, AHEAD candidates later for the state that is found there, and is put in
 * after as many more. */
void dve_search_put(dve_search *x, u32 k) {
  dve_chunk *c = &x->block.chunks[k];
  const u64 first = dve_candidate_number(x, k, 0), room = 1ull << x->shift, made = c->steps.count;
  const u64 past = made <= room ? made + 2 * AHEAD : 0; /* more than there are numbers: none is put in */
  u64 done = 0, entered = 0;
  for (u64 i = 0; i < past; i++) {
    if (i < made) __builtin_prefetch(home(x, c->link[i]));
    if (i >= AHEAD && i - AHEAD < made) fetch_state(x, c->link[i - AHEAD]);
    if (i < 2 * AHEAD) continue;
    if (!put(x, c, done, first + done, &entered)) break;
    done++;
  }
  c->put = done;
  c->entered = entered;
}

/* No entry that was there before the block depends on the places that become free: it stood there without
 * them. */
void dve_search_take_back(dve_search *x, u32 k) {
  dve_chunk *c = &x->block.chunks[k];
  for (u64 i = 0; i < c->put; i++) {
    const u64 link = c->link[i];
    if (link & DVE_LINK_MADE) atomic_store_explicit(dve_link_entry(x, link), 0, memory_order_relaxed);
    c->link[i] = dve_hash(state_of(x, c, i), x->p->words);
  }
  atomic_store_explicit(&c->lost, 0, memory_order_relaxed);
}
