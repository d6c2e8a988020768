/* A thread pool runs every item of every parallel loop once, and each loop sees what the previous loop
 * wrote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <omp.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* Reads what item i + 1 wrote in the previous loop, in which all items wrote the same value. */
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
    const u32 count = piece * 7 % (ITEMS + 1); /* 0 and 1 are among the counts */
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

/* One thread is late: the main thread or another one. The others have nothing to do meanwhile. */
enum { THREADS = 4, LATE_US = 500000 };
typedef struct delay {
  bool main_is_late;
  atomic_bool begun;
} delay;

static void wait_once(void *arg, u32 i) {
  (void)i;
  delay *d = arg;
  if ((omp_get_thread_num() == 0) == d->main_is_late && !atomic_exchange(&d->begun, true)) usleep(LATE_US);
  while (!atomic_load(&d->begun)) usleep(1000); /* so that the late thread gets an item, too */
}

static void one_late_item(ls_thread_pool *t, void *arg) { ls_thread_pool_each(t, THREADS, wait_once, arg); }

static f64 processor_seconds(void) {
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (f64)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (f64)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* The waiting threads use less than a tenth of the waiting time as processor time. Threads that poll would
 * use a core each, or share the available cores. */
static void waiting_threads_sleep(void **state) {
  (void)state;
  omp_set_num_threads(THREADS);
  for (int main_is_late = 0; main_is_late < 2; main_is_late++) {
    delay d = {.main_is_late = main_is_late};
    const f64 before = processor_seconds();
    assert_int_equal(ls_thread_pool_run(one_late_item, &d), LS_OK);
    assert_true(d.begun);
    assert_true(processor_seconds() - before < 0.1 * (THREADS - 1) * 1e-6 * LATE_US);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_item_once),
      cmocka_unit_test(a_team_within_a_team_is_one_thread),
      cmocka_unit_test(waiting_threads_sleep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
