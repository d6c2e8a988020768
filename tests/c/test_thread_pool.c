/* A thread pool runs every item of every parallel loop once, and each loop sees what the previous one wrote.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <omp.h>

#include "core/thread_pool.h"

enum { ITEMS = 300, PIECES = 2000 };

typedef struct sums {
  u32 times[ITEMS], last[ITEMS];
  u64 pieces;
  u64 wrong;
} sums;

static void add(void *arg, u32 i) {
  sums *s = arg;
  s->times[i]++;
}

/* Reads what the next item wrote in the previous loop: all items wrote the same value there. */
static void pass_on(void *arg, u32 i) {
  sums *s = arg;
  const u32 *from = s->pieces % 2 ? s->times : s->last;
  u32 *to = s->pieces % 2 ? s->last : s->times;
  to[i] = from[(i + 1) % ITEMS] + 1;
}

static void many_pieces(ls_thread_pool *t, void *arg) {
  sums *s = arg;
  u32 expected[ITEMS] = {0};
  for (u32 piece = 0; piece < PIECES; piece++) {
    const u32 count = piece * 7 % (ITEMS + 1); /* 0 and 1 too */
    ls_thread_pool_each(t, count, add, s);
    for (u32 i = 0; i < count; i++) expected[i]++;
  }
  for (u32 i = 0; i < ITEMS; i++) s->wrong += s->times[i] != expected[i];
  for (u32 i = 0; i < ITEMS; i++) s->times[i] = s->last[i] = 0;
  for (s->pieces = 0; s->pieces < PIECES; s->pieces++) ls_thread_pool_each(t, ITEMS, pass_on, s);
  for (u32 i = 0; i < ITEMS; i++) s->wrong += s->last[i] != PIECES;
}

static void with_threads(int threads) {
  static sums s;
  s = (sums){0};
  omp_set_num_threads(threads);
  assert_int_equal(ls_thread_pool_run(many_pieces, &s), LS_OK);
  assert_int_equal(s.wrong, 0);
}

static void every_item_once(void **state) {
  (void)state;
  for (int threads = 1; threads <= 7; threads += 2) with_threads(threads);
}

static void within(ls_thread_pool *t, void *arg) {
  (void)t;
  assert_int_equal(ls_thread_pool_run(many_pieces, arg), LS_OK);
}

static void a_team_within_a_team_is_one_thread(void **state) {
  (void)state;
  static sums s;
  omp_set_num_threads(3);
  assert_int_equal(ls_thread_pool_run(within, &s), LS_OK);
  assert_int_equal(s.wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_item_once),
      cmocka_unit_test(a_team_within_a_team_is_one_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
