/* The index of primitives: what a call reads, writes and makes, and that a loop's steps agree on what they
 * hand to each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "run/row.h"

static int arg(const ls_prim *p, const char *name) {
  assert_non_null(p);
  const int i = ls_arg_find(p, name);
  if (i < 0) fail_msg("%s has no argument %s", p->name, name);
  return i;
}

static bool writes(const char *prim, const char *name) {
  const ls_prim *p = ls_prim_find(prim);
  return ls_arg_written(p, arg(p, name));
}

static bool reads(const char *prim, const char *name, bool begun) {
  const ls_prim *p = ls_prim_find(prim);
  return ls_arg_read(p, arg(p, name), begun);
}

static bool makes(const char *prim, const char *name, bool begun) {
  const ls_prim *p = ls_prim_find(prim);
  return p->makes[begun] >> arg(p, name) & 1;
}

static void of_a_row(void **state) {
  (void)state;
  assert_true(reads("relax", "dist", false) && writes("relax", "dist"));
  assert_true(reads("relax", "off", false) && !writes("relax", "off"));
  assert_true(!reads("copy", "y", false) && writes("copy", "y") && makes("copy", "y", false));
  assert_true(reads("reach_forward", "front", false) && !writes("reach_forward", "front"));
  assert_true(!reads("reach_forward", "front_next", false) && makes("reach_forward", "front_next", false));
  assert_true(!writes("fill", "value") && !reads("fill", "value", false));
}

/* A queue that is swapped is written by whoever fills its partner. */
static void of_a_loop_that_swaps(void **state) {
  (void)state;
  static const char *const queues[][3] = {
      {"reach_forward_fix", "front", "front_next"},  {"reach_backward_fix", "back", "back_next"},
      {"reach_both", "front", "front_next"},         {"reach_both", "back", "back_next"},
      {"policy_connect_fix", "front", "front_next"}, {"policy_propagate_fix", "front", "front_next"},
      {"policy_land_fix", "rest", "cycle"},          {"tight_tree", "front", "front_next"}};
  for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) {
    const char *const *q = queues[i];
    assert_true(writes(q[0], q[1]) && reads(q[0], q[1], false));
    assert_true(writes(q[0], q[2]) && !reads(q[0], q[2], false));
  }
  assert_true(writes("policy_sum_fix", "jump_next") && !reads("policy_sum_fix", "jump_next", false));
  for (int i = 0; i < ls_prims(); i++) {
    const ls_prim *p = ls_prim_at(i);
    for (int k = 0; p->loop && k < p->loop->npairs; k++)
      for (int side = 0; side < 2; side++) assert_true(ls_arg_written(p, p->loop->pair[k][side]));
  }
}

/* A loop that has begun reads what its first steps would have made. */
static void of_a_loop_that_has_begun(void **state) {
  (void)state;
  assert_true(!reads("reach_giant", "front", false) && makes("reach_giant", "front", false));
  assert_true(reads("reach_giant", "front", true));
  assert_false(reads("reach_giant", "front_next", true));
  assert_true(!reads("policy_iterate", "policy", false) && reads("policy_iterate", "policy", true));
  assert_true(reads("policy_iterate", "region", false) && reads("policy_iterate", "region", true));
  /* made in a group, for the group alone: it may be left out */
  assert_true(writes("policy_iterate", "cycle") && !reads("policy_iterate", "cycle", true));
  assert_false(makes("policy_iterate", "cycle", true));
  assert_true(makes("policy_iterate", "rest", true));
}

static void types_in_words(void **state) {
  (void)state;
  char text[LS_TYPES_TEXT];
  assert_string_equal(ls_types_text(1u << LS_NONE, text), "");
  assert_string_equal(ls_types_text(1u << LS_F32, text), "f32");
  assert_string_equal(ls_types_text(1u << LS_I64 | 1u << LS_F64, text), "i64 or f64");
  assert_string_equal(ls_types_text((1u << LS_DTYPES) - 1, text),
                      "u8, u16, u32, u64, i16, i32, i64, f32 or f64");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_a_row),
      cmocka_unit_test(of_a_loop_that_swaps),
      cmocka_unit_test(of_a_loop_that_has_begun),
      cmocka_unit_test(types_in_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
