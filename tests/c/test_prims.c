/* The index of primitives: the buffers that a call reads, writes and creates, also through the buffers that a
 * loop's steps pass to each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "run/launch/dispatch.h"

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

/* If a loop swaps two queues, both count as written, although its step fills only one of them. */
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

/* A loop that is resumed reads the buffers that its first steps have created. */
static void of_a_loop_that_has_begun(void **state) {
  (void)state;
  assert_true(!reads("reach_giant", "front", false) && makes("reach_giant", "front", false));
  assert_true(reads("reach_giant", "front", true));
  assert_false(reads("reach_giant", "front_next", true));
  assert_true(!reads("policy_iterate", "policy", false) && reads("policy_iterate", "policy", true));
  assert_true(reads("policy_iterate", "region", false) && reads("policy_iterate", "region", true));
  /* created and used only within one group, so the caller may omit it */
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

static u64 items_seen;
static ls_status see_items(ls_launch *L) {
  items_seen = L->items;
  return LS_OK;
}

/* Dispatches a row over a graph of 10 vertices and 20 edges, with two VALUEs: stores its number of items in
 * items_seen. */
static ls_status with_items(ls_domain domain, const char *items, u64 rows, u64 columns) {
  static const ls_arg args[] = {{LS_IN, LS_U32, "off", "n+1"},
                                {LS_IN, LS_U32, "to", "m"},
                                {LS_VALUE, LS_U32, "rows", "1"},
                                {LS_VALUE, LS_U32, "columns", "1"}};
  ls_prim p = {.name = "made_up",
               .domain = domain,
               .items = items,
               .bytes = "",
               .gathers = "",
               .args = args,
               .nargs = 4,
               .reads = {3, 3},
               .types = 1u << LS_NONE,
               .agree = LS_EXACT,
               .run = {[LS_CPU] = {[LS_NONE] = see_items}}};
  ls_call c = {.prim = &p, .type = LS_NONE};
  ls_outcome out;
  c.values[2].U = rows;
  c.values[3].U = columns;
  assert_int_equal(ls_buffer_new(LS_U32, 11, 0, &c.buffers[0]), LS_OK);
  assert_int_equal(ls_buffer_new(LS_U32, 20, 0, &c.buffers[1]), LS_OK);
  ls_device_use(ls_device_find("cpu"));
  const bool traced = ls_trace_enabled();
  ls_trace_enable(false); /* a record would refer to a released row */
  items_seen = ~0ull;
  ls_status st = ls_dispatch(&c, &out);
  ls_trace_enable(traced);
  ls_buffer_release(c.buffers[0]);
  ls_buffer_release(c.buffers[1]);
  return st;
}

static void items_of_any_domain(void **state) {
  (void)state;
  static const struct {
    ls_domain domain;
    const char *items;
    u64 rows, columns, want;
  } table[] = {
      {LS_VERTEX, "n", 0, 0, 10},
      {LS_VERTEX, "rows*columns", 70, 80, 5600},
      {LS_VERTEX, "n*columns+1", 0, 3, 31},
      {LS_VERTEX, "rows-columns", 3, 4, 0},
      {LS_EDGE, "m", 0, 0, 20},
      {LS_EDGE, "rows", 7, 0, 7},
      {LS_ELEMENT, "rows*columns", 70000, 80000, 5600000000},
      {LS_ELEMENT, "rows*columns", 0xffffffff, 2000000, 8589934590000000},
      {LS_ELEMENT, "rows*columns", 0, 80000, 0},
      {LS_VERTEX_EDGES, "n", 0, 0, 10},
      {LS_VERTEX_EDGES, "n*rows", 5, 0, 10},
      {LS_VERTEX_BEST, "n*rows", 0, 0, 0},
      {LS_TILE, "rows*rows", 9, 0, 81},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (with_items(table[i].domain, table[i].items, table[i].rows, table[i].columns))
      fail_msg("%s", ls_error());
    if (items_seen != table[i].want)
      fail_msg("row %zu: %llu, expected %llu", i, (unsigned long long)items_seen,
               (unsigned long long)table[i].want);
  }
  assert_int_equal(with_items(LS_VERTEX, "rows*columns", 70000, 80000), LS_EARG);
  assert_string_equal(ls_error(), "made_up: expected items (rows*columns) below 2^32, got 5600000000");
  assert_int_equal(with_items(LS_TILE, "rows*columns", 70000, 80000), LS_EARG);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_a_row),
      cmocka_unit_test(of_a_loop_that_swaps),
      cmocka_unit_test(of_a_loop_that_has_begun),
      cmocka_unit_test(types_in_words),
      cmocka_unit_test(items_of_any_domain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
