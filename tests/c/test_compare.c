/* compare must see a device that is wrong: a row's body is replaced by one that errs on cpu:1 alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "run/dispatch.h"

static ls_launch_fn right; /* the body that was replaced */
static int errs_at;        /* the element that comes out wrong; -1: a count */

static ls_status wrong_if_serial(ls_launch *L) {
  ls_status st = right(L);
  if (st || !L->serial) return st;
  if (errs_at < 0)
    L->counts[0]++;
  else if (L->prim->args[1].type == LS_I64)
    ((i64 *)L->bind.ptr[1])[errs_at]++;
  else
    ((u32 *)L->bind.ptr[1])[errs_at] ^= 1;
  return st;
}

/* Runs the row with cpu:1 erring, then without. */
static void expect(const char *name, ls_buffer *x, ls_buffer *y, int at, const char *message) {
  ls_prim *p = ls_prim_find(name);
  ls_call c = {.prim = p, .type = LS_NONE, .buffers = {x, y}};
  ls_outcome out;
  right = p->run[LS_CPU][LS_NONE];
  errs_at = at;
  p->run[LS_CPU][LS_NONE] = wrong_if_serial;
  ls_compare(ls_device_find("cpu"), ls_device_find("cpu:1"));
  ls_status st = ls_dispatch(&c, &out);
  char seen[512];
  snprintf(seen, sizeof seen, "%s", ls_compare_report());
  p->run[LS_CPU][LS_NONE] = right;
  assert_int_equal(st, LS_EARG);
  assert_string_equal(seen, message);
  assert_int_equal(ls_dispatch(&c, &out), LS_OK); /* without the fault it goes on */
  assert_string_equal(ls_compare_report(), "");
  ls_compare(NULL, NULL);
}

static ls_buffer *buffer(ls_dtype type, u64 count) {
  ls_buffer *b;
  assert_int_equal(ls_buffer_new(type, count, 0, &b), LS_OK);
  return b;
}

static void test_elements(void **state) {
  (void)state;
  ls_buffer *x = buffer(LS_I32, 20), *y = buffer(LS_I64, 20);
  i32 *values = ls_buffer_update(x);
  for (int i = 0; i < 20; i++) values[i] = 10 * i;
  expect("widen", x, y, 7, "compare: widen: y[7]: cpu 70, cpu:1 71");
  expect("widen", x, y, 19, "compare: widen: y[19]: cpu 190, cpu:1 191");
  ls_buffer_release(x);
  ls_buffer_release(y);
}

/* Queues are sets: a wrong length, then a wrong item. */
static void test_queues(void **state) {
  (void)state;
  ls_buffer *x = buffer(LS_U32, 8), *y = buffer(LS_U32, 8);
  u32 *items = ls_buffer_update(x);
  for (u32 i = 0; i < 5; i++) items[i] = i ? 2 * i : 4;
  expect("copy_queue", x, y, 0, "compare: copy_queue: back[0]: cpu 4, cpu:1 5");
  expect("copy_queue", x, y, 3, "compare: copy_queue: back[3]: cpu 6, cpu:1 7");
  ls_buffer_release(x);
  ls_buffer_release(y);
}

static void test_counts(void **state) {
  (void)state;
  ls_buffer *comp = buffer(LS_U32, 9);
  expect("count_components", comp, NULL, -1, "compare: count_components: components: cpu 1, cpu:1 2");
  ls_buffer_release(comp);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_elements), cmocka_unit_test(test_queues),
                                     cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
