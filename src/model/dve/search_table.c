/* Lock-free insertion of a block's candidates into the hash table. All threads insert at the same time. Of
 * equal candidates the first in search order keeps the entry, whichever is inserted first.
 *
 * Candidates are numbered in search order, after all known states. The table uses linear probing. A candidate
 * probes until it finds a free slot, where it writes its entry, or an entry of an equal state. If that entry
 * belongs to a later candidate, it overwrites the entry. During insertion no slot becomes free and no entry
 * changes its state. So equal candidates all find the same slot, and finally the least of their numbers is
 * stored there. That number does not depend on the threads, but the index of the slot does:
 * nothing but the table and the links may contain slot indices.
 *
 * An entry is changed by compare-and-swap. If that fails, another thread was faster, and the slot is read
 * again. A chunk generates its candidates before it writes their entries. The swap that writes an entry has
 * release order and the load of an entry acquire order, so that a thread that reads the number can read the
 * state. All other data that chunks exchange are written in one pass and read in the next; the barrier
 * between them orders these accesses, so relaxed loads and stores suffice. */
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

/* The chunk of a candidate. `number` is the candidate's number minus the number of known states. */
static dve_chunk *chunk_of(const dve_search *x, u64 number) { return &x->block.chunks[number >> x->shift]; }

/* The known state or the candidate with this number. */
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

/* Does the entry belong to `state`? */
static bool is_of(const dve_search *x, u64 entry, u32 tag, const u32 *state) {
  return dve_entry_tag(entry) == tag && same(state, state_by(x, dve_entry_number(entry)), x->p->words);
}

/* Inserts candidate i of chunk c and sets its link. `mine` is the candidate's number. Adds 1 to *entered if
 * an entry was written. False if the candidate's shard is full. */
static bool enter_state(dve_search *x, dve_chunk *c, u64 i, u64 mine, u64 *entered) {
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

/* Prefetches the state with which a candidate with hash h will probably be compared. */
static void fetch_state(const dve_search *x, u64 h) {
  const u64 e = atomic_load_explicit(home(x, h), memory_order_relaxed);
  if (e && dve_entry_tag(e) == dve_hash_tag(h) && dve_entry_number(e) < x->s->n)
    __builtin_prefetch(x->s->states + (u64)dve_entry_number(e) * x->p->words);
}

/* Software pipeline: a candidate's entry is prefetched; AHEAD candidates later, the state that the entry
 * refers to; after AHEAD more, the candidate is inserted. */
void dve_search_put(dve_search *x, u32 k) {
  dve_chunk *c = &x->block.chunks[k];
  const u64 first = dve_candidate_number(x, k, 0), room = 1ull << x->shift, made = c->steps.count;
  const u64 past = made <= room ? made + 2 * AHEAD : 0; /* 0 (insert none) if the numbers do not suffice */
  u64 done = 0, entered = 0;
  for (u64 i = 0; i < past; i++) {
    if (i < made) __builtin_prefetch(home(x, c->link[i]));
    if (i >= AHEAD && i - AHEAD < made) fetch_state(x, c->link[i - AHEAD]);
    if (i < 2 * AHEAD) continue;
    if (!enter_state(x, c, done, first + done, &entered)) break;
    done++;
  }
  c->put = done;
  c->entered = entered;
}

/* Frees all slots that the block's candidates took. This breaks no probe sequence, because the remaining
 * entries were in the table before them. */
void dve_search_take_back(dve_search *x, u32 k) {
  dve_chunk *c = &x->block.chunks[k];
  for (u64 i = 0; i < c->put; i++) {
    const u64 link = c->link[i];
    if (link & DVE_LINK_MADE) atomic_store_explicit(dve_link_entry(x, link), 0, memory_order_relaxed);
    c->link[i] = dve_hash(state_of(x, c, i), x->p->words);
  }
  atomic_store_explicit(&c->lost, 0, memory_order_relaxed);
}
