/* Candidates of a block in the hash table (search_table.c): the first of equal candidates wins, in any
 * order of insertion; full shards and overflowing chunks leave the table unchanged. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <omp.h>
#include <string.h>

#include "core/mem.h"
#include "model/dve/search.h"

enum { KNOWN = 3, CHUNKS = 16, CANDIDATES = 500 };

/* A search of states of one word, in which states 0 .. KNOWN - 1 have the words 0 .. KNOWN - 1, and a block
 * of CHUNKS chunks. */
typedef struct fixture {
  dve_search x;
  dve_program p;
  ls_dve_space s;
  dve_chunk chunks[CHUNKS];
  u32 known[KNOWN], words[CHUNKS][CANDIDATES];
  u64 link[CHUNKS][CANDIDATES];
} fixture;

static fixture f;

static void grow(ls_thread_pool *team, void *room) {
  assert_int_equal(dve_table_grow(&f.x.table, *(u64 *)room, team), LS_OK);
}

static void grow_to(u64 room) { assert_int_equal(ls_thread_pool_run(grow, &room), LS_OK); }

static void begin(u64 room, u32 shift) {
  f = (fixture){.p.words = 1, .s.n = KNOWN};
  f.x = (dve_search){.p = &f.p, .s = &f.s, .shift = shift, .block = {.chunks = f.chunks, .count = CHUNKS}};
  f.s.states = f.known;
  grow_to(room);
  for (u32 i = 0; i < KNOWN; i++) {
    f.known[i] = i;
    const u64 h = dve_hash(&i, 1);
    _Atomic u64 *entries = dve_shard(&f.x.table, dve_hash_shard(h));
    u64 at = dve_slot(&f.x.table, dve_hash_tag(h));
    while (entries[at]) at = dve_next_slot(&f.x.table, at);
    entries[at] = dve_entry(dve_hash_tag(h), i);
  }
}

static void end(void) { dve_table_free(&f.x.table); }

static void fill(u32 k, const u32 *words, u32 count) {
  dve_chunk *c = &f.chunks[k];
  memcpy(f.words[k], words, count * sizeof *words);
  for (u32 i = 0; i < count; i++) f.link[k][i] = dve_hash(&words[i], 1);
  c->steps.states = f.words[k];
  c->steps.count = c->made = count;
  c->link = f.link[k];
  c->lost = 0;
}

static u64 new_states(u32 k) { return f.chunks[k].entered - f.chunks[k].lost; }

static void the_first_of_equal_ones_stays(void **state) {
  (void)state;
  for (int turn = 0; turn < 2; turn++) {
    begin(64, 3);
    fill(0, (const u32[]){5, 7, 2, 5}, 4);
    fill(1, (const u32[]){7, 9, 0, 9, 5}, 5);
    dve_search_put(&f.x, turn ? 1 : 0);
    dve_search_put(&f.x, turn ? 0 : 1);
    static const bool first[2][5] = {{true, true, false, false}, {false, true, false, false, false}};
    for (u32 k = 0; k < 2; k++) {
      assert_int_equal(f.chunks[k].put, f.chunks[k].made);
      for (u32 i = 0; i < f.chunks[k].made; i++) assert_int_equal(dve_is_first(&f.x, k, i), first[k][i]);
    }
    assert_int_equal(new_states(0), 2);
    assert_int_equal(new_states(1), 1);
    assert_int_equal(f.chunks[0].lost, 0);
    assert_int_equal(f.chunks[1].lost, turn ? 2 : 0); /* 7 and 5, if chunk 1 inserted them first */
    assert_int_equal(f.link[0][2], 2);
    assert_int_equal(f.link[1][2], 0);
    assert_int_equal(dve_link_number(&f.x, f.link[1][0]), dve_candidate_number(&f.x, 0, 1));
    assert_int_equal(dve_link_number(&f.x, f.link[1][4]), dve_candidate_number(&f.x, 0, 0));
    end();
  }
}

static void put(void *unused, u32 k) {
  (void)unused;
  dve_search_put(&f.x, CHUNKS - 1 - k);
}
static void take_back(void *unused, u32 k) {
  (void)unused;
  dve_search_take_back(&f.x, k);
}

static void put_all(ls_thread_pool *team, void *unused) { ls_thread_pool_each(team, CHUNKS, put, unused); }
static void take_all_back(ls_thread_pool *team, void *unused) {
  ls_thread_pool_each(team, CHUNKS, take_back, unused);
}

/* All chunks insert concurrently, with many equal candidates: the winners are those of a sequential search.
 */
static void many_threads_agree(void **state) {
  (void)state;
  u64 dice = 1;
  u32 words[CANDIDATES];
  omp_set_num_threads(4);
  for (u32 round = 0; round < 50; round++) {
    begin(64, 9);
    for (u32 k = 0; k < CHUNKS; k++) {
      for (u32 i = 0; i < CANDIDATES; i++) {
        dice = dice * 6364136223846793005u + 1442695040888963407u;
        words[i] = (u32)(dice >> 33) % 1000;
      }
      fill(k, words, CANDIDATES);
    }
    assert_int_equal(ls_thread_pool_run(put_all, NULL), LS_OK);
    bool seen[1000] = {false};
    for (u32 i = 0; i < KNOWN; i++) seen[i] = true;
    for (u32 k = 0; k < CHUNKS; k++) {
      u64 firsts = 0;
      assert_int_equal(f.chunks[k].put, CANDIDATES);
      for (u32 i = 0; i < CANDIDATES; i++) {
        const u32 word = f.words[k][i];
        assert_int_equal(dve_is_first(&f.x, k, i), !seen[word]);
        firsts += !seen[word];
        seen[word] = true;
      }
      assert_int_equal(new_states(k), firsts);
    }
    end();
  }
  omp_set_num_threads(1);
}

/* The first `count` words from `from` on whose hashes all fall into one shard. */
static void of_one_shard(u32 shard, u32 from, u32 *words, u32 count) {
  for (u32 i = 0; i < count; from++)
    if (dve_hash_shard(dve_hash(&from, 1)) == shard) words[i++] = from;
}

static void a_full_shard_leaves_the_table_as_it_was(void **state) {
  (void)state;
  enum { ROOM = 32 };
  u32 words[2 * ROOM];
  const u32 zero = 0;
  omp_set_num_threads(3);
  for (u32 round = 0; round < 50; round++) {
    begin(ROOM, 9);
    static u64 before[DVE_SHARDS * ROOM], after[DVE_SHARDS * ROOM];
    memcpy(before, (void *)f.x.table.entries, sizeof before);
    of_one_shard(dve_hash_shard(dve_hash(&zero, 1)), KNOWN, words,
                 2 * ROOM);                                      /* the shard also has a known state */
    for (u32 k = 0; k < CHUNKS; k++) fill(k, words + k * 2, 24); /* any two chunks have words in common */
    assert_int_equal(ls_thread_pool_run(put_all, NULL), LS_OK);
    bool full = false;
    for (u32 k = 0; k < CHUNKS; k++) full = full || f.chunks[k].put < f.chunks[k].made;
    assert_true(full); /* 54 candidates and 1 known state do not fit in 32 slots */
    assert_int_equal(ls_thread_pool_run(take_all_back, NULL), LS_OK);
    memcpy(after, (void *)f.x.table.entries, sizeof after);
    assert_memory_equal(before, after, sizeof before);
    for (u32 k = 0; k < CHUNKS; k++) {
      assert_int_equal(f.chunks[k].lost, 0);
      for (u32 i = 0; i < f.chunks[k].made; i++) assert_int_equal(f.link[k][i], dve_hash(&f.words[k][i], 1));
    }
    grow_to(2 * ROOM);
    assert_int_equal(ls_thread_pool_run(put_all, NULL), LS_OK);
    for (u32 k = 0; k < CHUNKS; k++) {
      assert_int_equal(f.chunks[k].put, f.chunks[k].made);
      assert_int_equal(new_states(k), k ? 2 : 24);
    }
    end();
  }
  omp_set_num_threads(1);
}

static void a_chunk_of_more_than_there_are_numbers_stays_out(void **state) {
  (void)state;
  begin(64, 2);
  fill(0, (const u32[]){5, 6, 7, 8}, 4);
  fill(1, (const u32[]){10, 11, 12, 13, 14}, 5);
  for (u32 k = 0; k < 2; k++) dve_search_put(&f.x, k);
  assert_int_equal(f.chunks[0].put, 4);
  assert_int_equal(f.chunks[1].put, 0);
  assert_int_equal(f.chunks[1].entered, 0);
  dve_search_take_back(&f.x, 1); /* chunk 1 has nothing in the table: its hashes must not be read as links */
  for (u32 i = 0; i < 4; i++) assert_true(dve_is_first(&f.x, 0, i));
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_of_equal_ones_stays),
      cmocka_unit_test(many_threads_agree),
      cmocka_unit_test(a_full_shard_leaves_the_table_as_it_was),
      cmocka_unit_test(a_chunk_of_more_than_there_are_numbers_stays_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
