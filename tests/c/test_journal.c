/* The journal, compared with full copies of buffers: whatever is written, swapped and released, going back
 * restores the old contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "run/record/difference.h"
#include "run/record/journal.h"

/* --- differences -----------------------------------------------------------------------------------------
 */

static void differences_lead_both_ways(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 4, 8};
  enum { COUNT = 3000 };
  static u8 was[COUNT * 8], now[COUNT * 8], at[COUNT * 8];
  for (u64 seed = 0; seed < 60; seed++) {
    size_t size = sizes[seed % 4];
    u64 count = seed % 5 == 0 ? seed : COUNT, key = ls_key(seed, 1);
    u64 rarity = (u64[]){1, 2, 3, 50, 3000}[seed % 5]; /* from changes everywhere to almost none */
    for (size_t i = 0; i < sizeof was; i++) now[i] = was[i] = (u8)ls_draw(key, i);
    for (u64 i = 0; i < count; i++)
      if (ls_below(ls_draw(key, 100000 + i), rarity) == 0) now[i * size + i % size] ^= (u8)(1 + i % 200);
    ls_difference d, all = {0};
    static ls_difference parts[COUNT];
    u64 block = 1 + seed * 13, blocks = 0; /* items per block; joined blocks must equal one difference */
    for (u64 i = 0; i < count; i += block) {
      const u64 here = count - i < block ? count - i : block;
      parts[blocks] = (ls_difference){0};
      assert_int_equal(ls_difference_add(&parts[blocks++], i, was + i * size, now + i * size, here, size),
                       LS_OK);
      assert_int_equal(ls_difference_add(&all, i, was + i * size, now + i * size, here, size), LS_OK);
    }
    assert_int_equal(ls_difference_join(parts, blocks, &d), LS_OK);
    for (u64 k = 0; k < blocks; k++) ls_difference_free(&parts[k]);
    assert_true(d.bytes == all.bytes && (!d.bytes || memcmp(d.runs, all.runs, d.bytes) == 0));
    ls_difference_free(&all);
    assert_int_equal(d.bytes == 0, memcmp(was, now, count * size) == 0);
    memcpy(at, was, sizeof at);
    ls_difference_apply(&d, at, size);
    assert_memory_equal(at, now, sizeof at);
    ls_difference_apply(&d, at, size);
    assert_memory_equal(at, was, sizeof at);
    ls_difference_free(&d);
  }
}

static void a_rare_change_costs_little(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  u32 *was = ls_calloc(COUNT, 4), *now = ls_calloc(COUNT, 4);
  for (int i = 0; i < COUNT; i += 1000) now[i] = 0xffffffff;
  ls_difference d = {0};
  assert_int_equal(ls_difference_add(&d, 0, was, now, COUNT, 4), LS_OK);
  assert_true(d.bytes <= 100 * 7);
  ls_difference_free(&d);
  ls_free(was);
  ls_free(now);
}

/* --- random histories ------------------------------------------------------------------------------------
 */

enum { BUFFERS = 7, MOMENTS = 120 };

static ls_buffer *buffers[BUFFERS];
static u64 hashes[MOMENTS][BUFFERS], steps[MOMENTS][BUFFERS];
static int forgotten;

static u64 hash(ls_buffer *b) {
  size_t bytes = ls_buffer_bytes(b);
  u8 *copy = ls_malloc(bytes);
  assert_int_equal(ls_buffer_peek(b, 0, b->count, copy), LS_OK);
  u64 h = 1;
  for (size_t i = 0; i < bytes; i++) h = ls_mix(h ^ copy[i]);
  ls_free(copy);
  return h;
}

static void forget(void *note) {
  forgotten++;
  ls_free(note);
}

static void *note_of(int k) {
  int *note = ls_malloc(sizeof *note);
  *note = k;
  return note;
}

static void remember(int k) {
  for (int i = 0; i < BUFFERS; i++) {
    hashes[k][i] = hash(buffers[i]);
    steps[k][i] = buffers[i]->changed_step;
  }
}

static void expect_moment(int k) {
  assert_int_equal(*(int *)ls_journal_note(), k);
  for (int i = 0; i < BUFFERS; i++) {
    assert_int_equal(hash(buffers[i]), hashes[k][i]);
    assert_int_equal(buffers[i]->changed_step, steps[k][i]);
  }
}

static void open_buffers(void) {
  static const ls_dtype types[BUFFERS] = {LS_U32, LS_U32, LS_U32, LS_U8, LS_U64, LS_U64, LS_F32};
  static const u64 counts[BUFFERS] = {999, 999, 999, 12345, 4000, 4000, 1};
  for (int i = 0; i < BUFFERS; i++) {
    assert_int_equal(ls_buffer_new(types[i], counts[i], 0, &buffers[i]), LS_OK);
    if (i % 2) ls_buffer_start(buffers[i], (ls_pattern){.bits = ~0ull});
  }
  ls_journal_on_forget(forget);
  forgotten = 0;
}

static void close_buffers(void) {
  ls_journal_end();
  for (int i = 0; i < BUFFERS; i++) ls_buffer_release(buffers[i]);
}

static void write_some(ls_buffer *b, u64 draw, u64 step) {
  u64 bytes = ls_buffer_bytes(b), some = draw % 4 == 0 ? bytes : 1 + draw % 40;
  u8 *p = draw % 4 ? ls_buffer_update(b) : ls_buffer_overwrite(b);
  assert_non_null(p);
  for (u64 i = 0; i < some; i++) p[draw % 4 ? ls_below(ls_mix(draw + i), bytes) : i] = (u8)(draw >> (i % 56));
  b->changed_step = step;
}

/* Several writes and swaps, in any order. */
static void act(u64 key, int k) {
  static const int alike[][2] = {{0, 1}, {1, 2}, {0, 2}, {4, 5}};
  for (u64 i = 0; i < ls_below(ls_draw(key, 0), 6); i++) {
    u64 draw = ls_draw(key, 1 + i);
    if (draw % 3) {
      write_some(buffers[(draw >> 8) % BUFFERS], draw >> 16, (u64)k);
    } else {
      const int *pair = alike[(draw >> 8) % 4];
      ls_buffer_swap(buffers[pair[0]], buffers[pair[1]]);
    }
  }
}

static void any_history_can_be_walked(void **state) {
  (void)state;
  for (u64 seed = 1; seed <= 12; seed++) {
    open_buffers();
    ls_journal_begin(0, note_of(0), sizeof(int));
    remember(0);
    u64 key = ls_key(seed, 7), draws = 0;
    int newest = 0;
    for (int k = 1; k < MOMENTS; k++) {
      act(ls_key(seed, 1000 + (u32)k), k);
      ls_journal_keep((u64)k, note_of(k), sizeof(int), false);
      remember(newest = k);
      if (k % 20 != 19) continue;
      int at = k;
      for (int walk = 0; walk < 40; walk++) {
        i64 by = (i64)ls_below(ls_draw(key, draws++), 41) - 20;
        assert_int_equal(ls_journal_go(by), LS_OK);
        at += (int)by;
        at = at < 0 ? 0 : at > newest ? newest : at;
        expect_moment(at);
        assert_int_equal(ls_journal_position().ahead, newest - at);
        assert_int_equal(ls_journal_in_past(), at < newest);
      }
      assert_int_equal(ls_journal_go(INT64_MAX), LS_OK);
    }
    ls_journal_go(-30);
    ls_journal_end(); /* ends with the buffers in the present */
    for (int i = 0; i < BUFFERS; i++) assert_int_equal(hash(buffers[i]), hashes[newest][i]);
    assert_int_equal(forgotten, MOMENTS);
    close_buffers();
  }
}

/* The journal stays within its budget, also if the budget changes. While the user is in the past, nothing is
 * discarded. */
static void a_budget_is_kept(void **state) {
  (void)state;
  open_buffers();
  ls_journal_begin(0, note_of(0), sizeof(int));
  remember(0);
  for (int k = 1; k <= 40; k++) {
    act(ls_key(5, 1000 + (u32)k), k);
    ls_journal_keep((u64)k, note_of(k), sizeof(int), false);
    remember(k);
  }
  const u64 held = ls_journal_position().bytes;
  assert_int_equal(ls_journal_go(-3), LS_OK);
  assert_int_equal(ls_journal_budget(held / 2), LS_EARG);
  assert_string_equal(ls_error(), "this stop is in the past (#37 of #40): type `forward` first");
  assert_int_equal(ls_journal_budget(0), LS_EARG);
  assert_int_equal(ls_journal_position().budget, (u64)LS_JOURNAL_MIB << 20);
  expect_moment(37);
  assert_int_equal(ls_journal_budget(held), LS_OK);
  assert_int_equal(ls_journal_go(3), LS_OK);
  expect_moment(40);
  static const u64 budgets[] = {1, 2, 3, 5, 9, 100, 10000, 1000000};
  for (int i = 0; i < 8; i++) {
    const u64 budget = held / budgets[i];
    assert_int_equal(ls_journal_budget(budget), LS_OK);
    assert_true(ls_journal_position().bytes <= budget);
    for (int k = 0; k < 5; k++) {
      act(ls_key(6, 1000 + (u32)(5 * i + k)), 41);
      ls_journal_keep(41, note_of(41), sizeof(int), false);
      assert_true(ls_journal_position().bytes <= budget);
    }
    ls_journal_trouble();
  }
  assert_int_equal(ls_journal_budget(0), LS_OK);
  assert_int_equal(ls_journal_position().bytes, 0);
  assert_null(ls_journal_trouble());
  assert_int_equal(ls_journal_budget((u64)LS_JOURNAL_MIB << 20), LS_OK);
  close_buffers();
}

static void the_oldest_go_first(void **state) {
  (void)state;
  const u64 small = 160 << 10;
  open_buffers();
  ls_journal_budget(small);
  ls_journal_begin(0, note_of(0), sizeof(int));
  remember(0);
  u64 reached = 0;
  for (int k = 1; k < MOMENTS; k++) {
    act(ls_key(5, 1000 + (u32)k), k);
    ls_journal_keep((u64)k, note_of(k), sizeof(int), false);
    remember(k);
    ls_position p = ls_journal_position();
    assert_true(p.bytes <= small);
    assert_true(p.first >= reached);
    reached = p.first;
  }
  assert_true(reached > 3 && reached < MOMENTS - 4);
  assert_null(ls_journal_trouble());
  assert_int_equal(ls_journal_go(-MOMENTS), LS_OK);
  expect_moment((int)reached);
  ls_journal_go(1);
  expect_moment((int)reached + 1);
  ls_journal_go(MOMENTS);
  expect_moment(MOMENTS - 1);
  assert_int_equal(forgotten, reached);

  ls_journal_budget(20 << 10); /* even one write of all of buffer 4 is larger */
  write_some(buffers[4], 4, 1);
  ls_journal_keep(MOMENTS, note_of(0), sizeof(int), false);
  assert_null(ls_journal_trouble()); /* only this buffer loses its past */
  assert_non_null(strstr(ls_journal_passed_over(), "u64[4000] of "));
  assert_true(ls_journal_position().behind > 0);
  ls_journal_budget((u64)LS_JOURNAL_MIB << 20);
  close_buffers();
}

/* Only buffers that are too large lose their past, also after swaps. The present is restored, and all past
 * contents that the journal reports as known are right. */
static void large_buffers_cost_their_own_past(void **state) {
  (void)state;
  u64 seen = 0, lacked = 0, small_lacked = 0;
  for (u64 seed = 1; seed <= 12; seed++) {
    const u64 small = seed % 2 ? 40 << 10 : 60 << 10; /* buffers 4 and 5 have 32000 bytes */
    open_buffers();
    ls_journal_budget(small);
    ls_journal_begin(0, note_of(0), sizeof(int));
    remember(0);
    u64 key = ls_key(seed, 9);
    for (int k = 1; k < 60; k++) {
      act(ls_key(seed, 2000 + (u32)k), k);
      ls_journal_keep((u64)k, note_of(k), sizeof(int), false);
      remember(k);
      assert_null(ls_journal_trouble());
      assert_true(ls_journal_position().bytes <= small);
      if (k % 6) continue;
      for (int walk = 0; walk < 12; walk++) {
        assert_int_equal(ls_journal_go((i64)ls_below(ls_draw(key, (u64)(12 * k + walk)), 13) - 7), LS_OK);
        const int at = *(int *)ls_journal_note();
        for (int i = 0; i < BUFFERS; i++) {
          const bool lacks = ls_journal_lacks(buffers[i]);
          assert_true(lacks || hash(buffers[i]) == hashes[at][i]);
          assert_int_equal(buffers[i]->changed_step, steps[at][i]);
          seen += !lacks;
          lacked += lacks;
          small_lacked += lacks && ls_buffer_bytes(buffers[i]) < 20000;
        }
      }
      ls_journal_go(INT64_MAX);
      expect_moment(k);
      for (int i = 0; i < BUFFERS; i++) assert_false(ls_journal_lacks(buffers[i]));
    }
    ls_journal_passed_over();
    ls_journal_budget((u64)LS_JOURNAL_MIB << 20);
    close_buffers();
  }
  assert_true(seen > 1000 && lacked > 50 && small_lacked < lacked / 4);
}

/* A buffer larger than the whole budget is written twice while another is written in ten steps. */
static void what_is_known_of_a_large_buffer(void **state) {
  (void)state;
  ls_buffer *large, *x;
  assert_int_equal(ls_buffer_new(LS_U8, 1 << 20, 0, &large), LS_OK);
  assert_int_equal(ls_buffer_new(LS_U32, 100, 0, &x), LS_OK);
  ls_journal_on_forget(forget);
  ls_journal_budget(64 << 10);
  ls_journal_begin(0, note_of(0), sizeof(int));
  for (int k = 1; k <= 10; k++) {
    ((u32 *)ls_buffer_update(x))[k] = (u32)k;
    if (k == 3 || k == 7) ((u8 *)ls_buffer_update(large))[5] = (u8)k;
    ls_journal_keep((u64)k, note_of(k), sizeof(int), false);
  }
  assert_string_equal(ls_journal_passed_over(), "u8[1048576] of 1 MiB");
  assert_null(ls_journal_passed_over()); /* reported only once */
  assert_null(ls_journal_trouble());
  for (int k = 9; k >= 0; k--) {
    assert_int_equal(ls_journal_go(-1), LS_OK);
    assert_int_equal(*(int *)ls_journal_note(), k);
    assert_int_equal(((const u32 *)ls_buffer_read(x))[k + 1], 0);
    assert_int_equal(((const u32 *)ls_buffer_read(x))[k], k);
    assert_int_equal(ls_journal_lacks(large), k < 7);
    assert_int_equal(ls_journal_position().lacking, k < 7);
    assert_false(ls_journal_lacks(x));
  }
  ls_journal_go(10);
  assert_int_equal(((const u8 *)ls_buffer_read(large))[5], 7);
  ls_journal_end();
  ls_journal_budget((u64)LS_JOURNAL_MIB << 20);
  ls_buffer_release(large);
  ls_buffer_release(x);
}

static void nothing_written_is_no_moment_where_none_is_wanted(void **state) {
  (void)state;
  open_buffers();
  ls_journal_begin(0, note_of(0), sizeof(int));
  assert_false(ls_journal_written());
  u32 *p = ls_buffer_update(buffers[0]);
  assert_true(ls_journal_written());
  p[3] = 0; /* the old value */
  ls_journal_keep(1, note_of(1), sizeof(int), true);
  assert_int_equal(ls_journal_position().newest, 0);
  p = ls_buffer_update(buffers[0]);
  p[3] = 1;
  ls_journal_keep(1, note_of(1), sizeof(int), true);
  assert_int_equal(ls_journal_position().newest, 1);
  assert_int_equal(ls_journal_present(), LS_OK);
  ls_journal_go(-1);
  assert_int_equal(ls_journal_present(), LS_EARG);
  assert_non_null(strstr(ls_error(), "this stop is in the past (#0 of #1): type `forward` first"));
  close_buffers();
}

static void what_is_not_of_the_run_is_left_alone(void **state) {
  (void)state;
  open_buffers();
  ls_journal_begin(0, note_of(0), sizeof(int));
  ls_buffer *mine, *seen;
  bool before = ls_buffer_beside(true);
  assert_int_equal(ls_buffer_new(LS_U32, 10, 0, &mine), LS_OK);
  ls_buffer_beside(before);
  assert_int_equal(ls_buffer_new(LS_U32, 10, 0, &seen), LS_OK);
  *(u32 *)ls_buffer_update(mine) = 7;
  *(u32 *)ls_buffer_update(seen) = 8;
  ls_journal_keep(1, note_of(1), sizeof(int), false);
  ls_journal_go(-1);
  assert_int_equal(*(const u32 *)ls_buffer_read(mine), 7);
  assert_int_equal(*(const u32 *)ls_buffer_read(seen), 0);
  ls_journal_go(1);
  assert_int_equal(*(const u32 *)ls_buffer_read(seen), 8);
  ls_buffer_release(mine);
  u64 bytes = ls_journal_position().bytes;
  ls_buffer_release(seen); /* nothing refers to the buffer any more */
  ls_journal_keep(2, note_of(2), sizeof(int), false);
  assert_true(ls_journal_position().bytes < bytes + 200);
  ls_buffer_close(buffers[0]); /* only the contents of buffers[0] are lost */
  *(u8 *)ls_buffer_update(buffers[3]) = 9;
  ls_journal_keep(3, note_of(3), sizeof(int), false);
  assert_int_equal(ls_journal_go(-3), LS_OK);
  assert_int_equal(*(const u8 *)ls_buffer_read(buffers[3]), 0xff);
  close_buffers();
}

/* If any allocation fails, the contents stay right and nothing leaks; at worst the recording is lost. */
static void failures_cost_the_recording_alone(void **state) {
  (void)state;
  static u64 right[MOMENTS][BUFFERS];
  u64 in_use = ls_mem_in_use();
  int losses = 0;
  for (u64 k = 0; k < 400; k++) {
    open_buffers();
    for (int i = 0; i < BUFFERS; i++) assert_non_null(ls_buffer_update(buffers[i]));
    void *first = note_of(0), *notes[30];
    for (int i = 1; i < 30; i++) notes[i] = note_of(i);
    ls_mem_fail_at(k);
    ls_journal_begin(0, first, sizeof(int));
    for (int i = 1; i < 30; i++) {
      act(ls_key(3, 1000 + (u32)i), i);
      ls_journal_keep((u64)i, notes[i], sizeof(int), false);
    }
    ls_mem_fail_at(0);
    if (ls_journal_trouble()) losses++;
    for (int i = 0; i < BUFFERS; i++) {
      if (k == 0) right[29][i] = hash(buffers[i]);
      assert_int_equal(hash(buffers[i]), right[29][i]);
    }
    ls_position p = ls_journal_position();
    if (p.on) {
      ls_journal_go(-3);
      ls_journal_go(3);
      for (int i = 0; i < BUFFERS; i++) assert_int_equal(hash(buffers[i]), right[29][i]);
    }
    close_buffers();
    assert_int_equal(ls_mem_in_use(), in_use);
  }
  assert_true(losses > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences_lead_both_ways),
      cmocka_unit_test(a_rare_change_costs_little),
      cmocka_unit_test(any_history_can_be_walked),
      cmocka_unit_test(a_budget_is_kept),
      cmocka_unit_test(the_oldest_go_first),
      cmocka_unit_test(large_buffers_cost_their_own_past),
      cmocka_unit_test(what_is_known_of_a_large_buffer),
      cmocka_unit_test(nothing_written_is_no_moment_where_none_is_wanted),
      cmocka_unit_test(what_is_not_of_the_run_is_left_alone),
      cmocka_unit_test(failures_cost_the_recording_alone),
  };
  return cmocka_run_group_tests_name("test_journal", tests, NULL, NULL);
}
