/* The time axis: cells and their bounds, windows and ticks, and cells that are filled from the trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/wait.h"
#include "panel/views/timeline.h"

#define near_to(a, b) assert_true(fabs((a) - (b)) < 1e-9)
#define within(a, b, share) assert_true(fabs((a) / (b)-1) < (share)) /* the cells limit the precision */

/* --- cells ------------------------------------------------------------------------------------------- */

static const char kind[8];

static void cells_hold(void **state) {
  (void)state;
  ls_time_cell cell[4] = {0};
  ls_time_histogram c = {10, 1, 4, cell}; /* four cells of 1 s, from 10 s to 14 s */
  ls_time_histogram_add(&c, &kind[0], 10.5, 12.25);
  near_to(cell[0].busy, 0.5);
  near_to(cell[1].busy, 1);
  near_to(cell[2].busy, 0.25);
  assert_int_equal(cell[0].count, 1); /* counted only in the cell in which it begins */
  assert_int_equal(cell[1].count, 0);
  ls_time_histogram_add(&c, &kind[1], 12.25, 12.75);
  assert_ptr_equal(ls_time_cell_most(&cell[2])->what, &kind[1]);
  ls_time_histogram_add(&c, &kind[2], 9, 10.1); /* began before the first cell */
  assert_int_equal(cell[0].count, 1);
  near_to(cell[0].busy, 0.6);
  ls_time_histogram_add(&c, &kind[2], 13.5, 99); /* and ends after the last cell */
  near_to(cell[3].busy, 0.5);
  ls_time_histogram_add(&c, &kind[3], 13.2, 13.2); /* zero duration, but counted */
  assert_int_equal(cell[3].count, 2);
  const f64 busy = cell[0].busy + cell[1].busy + cell[2].busy + cell[3].busy;
  ls_time_histogram_add(&c, &kind[3], 14, 15);
  ls_time_histogram_add(&c, &kind[3], 3, 10);
  ls_time_histogram_add(&c, &kind[3], NAN, 12);
  ls_time_histogram_add(&c, &kind[3], 11, INFINITY);
  near_to(cell[0].busy + cell[1].busy + cell[2].busy + cell[3].busy, busy);
  assert_null(ls_time_cell_most(&(ls_time_cell){0}));
}

static void cells_double(void **state) {
  (void)state;
  ls_time_cell cell[4] = {0};
  ls_time_histogram c = {0, 1, 4, cell};
  for (int i = 0; i < 4; i++) ls_time_histogram_add(&c, &kind[i % 2], i, i + 0.25 * (i + 1));
  ls_time_histogram_double(&c);
  assert_true(c.width == 2);
  near_to(cell[0].busy, 0.75);
  near_to(cell[1].busy, 1.75);
  assert_int_equal(cell[1].count, 2);
  assert_ptr_equal(ls_time_cell_most(&cell[1])->what, &kind[1]);
  assert_true(cell[2].busy == 0 && cell[3].count == 0);
}

/* A kind that takes more than a quarter of a cell's time is found, however many kinds there are. */
static void the_most_is_found(void **state) {
  (void)state;
  static const char many[1000];
  ls_time_cell cell = {0};
  ls_time_histogram c = {0, 10000, 1, &cell};
  f64 t = 0;
  for (int i = 0; i < 1000; i++) {
    ls_time_histogram_add(&c, &many[i], t, t + 1), t += 1;
    ls_time_histogram_add(&c, &kind[5], t, t + 0.5), t += 0.5;
  }
  assert_ptr_equal(ls_time_cell_most(&cell)->what, &kind[5]);
  near_to(cell.busy, 1500);
  assert_int_equal(cell.count, 2000);
}

/* --- windows ----------------------------------------------------------------------------------------- */

static void windows(void **state) {
  (void)state;
  static const struct {
    int power;
    f64 from, at, left, right;
  } cases[] = {
      {0, 2, 5, 2, 10},   {0, 7, 5, 2, 10},  {1, 3, 5, 3, 7}, {1, 0, 2, 2, 6},
      {1, 9, 9.5, 6, 10}, {2, 2, 10, 8, 10}, {2, 8, 3, 3, 5}, {3, 5, 5.5, 5, 6},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    timeline_window w = {.begin = 2, .end = 10};
    timeline_place(&w, cases[i].power, cases[i].from, cases[i].at);
    near_to(w.from, cases[i].left);
    near_to(w.to, cases[i].right);
  }
}

static void ticks(void **state) {
  (void)state;
  near_to(timeline_tick(1, 100, 10), 0.1);
  near_to(timeline_tick(1, 99, 10), 0.2);
  near_to(timeline_tick(3e-3, 60, 10), 5e-4);
  near_to(timeline_tick(7, 10, 10), 10);
  for (int columns = 1; columns < 300; columns += 7) {
    const f64 step = timeline_tick(0.37, columns, 11);
    assert_true(step * columns / 0.37 >= 10.999); /* ticks are at least 11 columns apart */
  }
  near_to(timeline_tick(0, 10, 10), 1);
}

/* --- from the trace ---------------------------------------------------------------------------------- */

static const ls_prim one = {.name = "one", .domain = LS_VERTEX}, two = {.name = "two", .domain = LS_VERTEX};

static void add(const ls_prim *p, f64 begin, f64 end, f64 skipped) {
  const ls_record r = {.seq = ls_trace_next_seq(),
                       .prim = p,
                       .device = ls_device_at(0),
                       .begin = begin,
                       .end = end,
                       .host_begin = begin,
                       .skipped = skipped};
  ls_trace_add(&r);
}

static int fresh(void **state) {
  (void)state;
  ls_trace_reset();
  return ls_trace_resize(1 << 16);
}

static timeline_picture picture;

static f64 busy(int lane) {
  f64 sum = 0;
  for (int c = 0; c < picture.columns; c++) sum += picture.cell[lane][c].busy;
  return sum;
}

static u64 count(int lane) {
  u64 sum = 0;
  for (int c = 0; c < picture.columns; c++) sum += picture.cell[lane][c].count;
  return sum;
}

static void user_time_is_cut(void **state) {
  (void)state;
  const u64 first = ls_trace_seq() + 1;
  add(&one, 100, 101, 100);
  add(&two, 101.5, 102, 100); /* a gap of the host */
  ls_trace_pause();
  add(&one, 902, 903, 900); /* 800 seconds at a stop are not on the axis */
  near_to(ls_timeline_end(), 3);
  near_to(ls_trace_began(first), 0);
  near_to(ls_trace_began(first + 2), 2);
  const timeline_window w = {0, 3, 0, 3};
  timeline_take(&w, 30, false, &picture);
  assert_int_equal(picture.lanes, 2);
  assert_int_equal(picture.lane[0]->kind, LS_LANE_KERNELS);
  assert_int_equal(picture.lane[1]->kind, LS_LANE_HOST);
  assert_int_equal(picture.sums, 2);
  assert_ptr_equal(picture.sum[0].prim, &one);
  assert_int_equal(picture.sum[0].count, 2);
  within(picture.sum[1].seconds, 0.5, 2e-3);
  within(busy(0), 2.5, 2e-3);
  within(busy(1), 0.5, 1e-9);
  near_to(picture.cell[1][12].busy, 0.1);
  timeline_span s = timeline_find(picture.lane[0], 1.7, 1.6, 1.8);
  assert_true(s.known && ls_trace_get(s.record)->prim == &two);
  near_to(s.begin, 1.5);
  s = timeline_next(picture.lane[0], 1.7, true);
  assert_true(s.known && s.record == 3);
  s = timeline_next(picture.lane[0], 1.7, false);
  assert_true(s.known && s.record == 1);
  assert_false(timeline_next(picture.lane[0], 2.5, true).known);
  s = timeline_find(picture.lane[1], 1.2, 1.1, 1.3);
  near_to(s.end - s.begin, 0.5);
}

/* A run longer than the ring: all of it is still shown, in cells; its last part launch by launch. */
static void millions(void **state) {
  (void)state;
  enum { LAUNCHES = 3000000 };
  assert_int_equal(ls_trace_resize(1000), LS_OK);
  const u64 first = ls_trace_seq() + 1;
  for (int i = 0; i < LAUNCHES; i++) add(i % 3 ? &one : &two, i * 1e-5, i * 1e-5 + (i % 3 ? 4e-6 : 9e-6), 0);
  timeline_window w = {0, ls_timeline_end(), 0, ls_timeline_end()};
  near_to(ls_trace_began(first), 0);
  for (int running = 0; running < 2; running++) {
    timeline_take(&w, 100, running, &picture);
    within(busy(0), LAUNCHES / 3 * 1.7e-5, 1e-3);
    assert_int_equal(count(0), LAUNCHES);
    assert_ptr_equal(ls_time_cell_most(&picture.cell[0][50])->what, &two); /* 9 of 17 us */
  }
  w.from = w.to - 1e-4;
  timeline_take(&w, 100, false, &picture);
  assert_true(fabs((f64)count(0) - 10) <= 1);
  assert_ptr_equal(ls_time_cell_most(&picture.cell[0][99])->what, ls_trace_get(ls_trace_last())->prim);
  w.from = 10, w.to = 10.001; /* no longer in the ring: shown by its share of the cells */
  timeline_take(&w, 100, false, &picture);
  within(busy(0), 1e-3 * 17 / 30, 0.01);
}

static void copies(void **state) {
  (void)state;
  ls_timeline_resume();
  const f64 t = ls_now();
  for (int i = 0; i < LS_TIMELINE_COPIES + 10; i++)
    ls_timeline_copy(i % 2 ? LS_LANE_TO_HOST : LS_LANE_TO_DEVICE, "cuda:0", t + i, t + i + 0.5, 64);
  const ls_copy *oldest = ls_timeline_copy_at(0);
  assert_true(oldest && oldest->begin > 9.5 && oldest->begin < 10.5);
  assert_null(ls_timeline_copy_at(LS_TIMELINE_COPIES));
  timeline_window w = {0, ls_timeline_end(), 0, ls_timeline_end()};
  timeline_take(&w, 200, false, &picture);
  assert_int_equal(picture.lanes, 2);
  assert_int_equal(picture.lane[0]->kind, LS_LANE_TO_DEVICE);
  within(busy(0) + busy(1), 0.5 * (LS_TIMELINE_COPIES + 10), 1e-3);
  w.from = w.to - 10;
  timeline_take(&w, 100, false, &picture);
  near_to(busy(0) + busy(1), 5);
  const timeline_span s = timeline_find(picture.lane[1], w.to - 0.2, w.to - 0.3, w.to - 0.1);
  assert_true(s.known && s.bytes == 64);
}

/* ls_timeline_resume returns whether the axis was paused, so that a copy at a stop can pause it again. */
static void a_look_at_a_stop(void **state) {
  (void)state;
  assert_false(ls_timeline_resume());
  ls_timeline_pause();
  assert_true(ls_timeline_resume());
  assert_false(ls_timeline_resume());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_hold),
      cmocka_unit_test(cells_double),
      cmocka_unit_test(the_most_is_found),
      cmocka_unit_test(windows),
      cmocka_unit_test(ticks),
      cmocka_unit_test_setup(user_time_is_cut, fresh),
      cmocka_unit_test_setup(millions, fresh),
      cmocka_unit_test_setup(copies, fresh),
      cmocka_unit_test_setup(a_look_at_a_stop, fresh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
