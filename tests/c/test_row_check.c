/* The build's error messages for malformed rows, loops and states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "run/launch/loop.h"

#define N_OFF                                                                                                \
  { LS_OFF, LS_U32, "off", "n+1", LS_CONTRACT_offset, "m" }
#define TO                                                                                                   \
  { LS_IN, LS_U32, "to", "m", LS_CONTRACT_vertex, "n" }
#define PUT                                                                                                  \
  { LS_OUT, LS_W, "y", "n", LS_CONTRACT_anything, NULL }

static ls_prim *find_row(const char *name) { return ls_prim_find(name); }

static void wrong_rows(void **state) {
  (void)state;
  static const struct {
    const char *says;
    ls_domain domain;
    const char *items, *bytes, *gathers;
    ls_arg args[6];
  } table[] = {
      {NULL, LS_VERTEX, "n", "8*n", "0", {PUT}},
      {NULL,
       LS_VERTEX_EDGES,
       "n",
       "4*n + 8*edges + size*found",
       "edges",
       {N_OFF, TO, PUT, {LS_COUNT, LS_U32, "found", "1", 0, NULL}}},
      {NULL,
       LS_TILE,
       "cells*vars",
       "0",
       "0",
       {{LS_INOUT, LS_F64, "x", "cells*vars", 0, NULL}, {LS_VALUE, LS_U32, "vars", "1", 0, NULL}}},
      {"extent 'n*': a number or the name of a size expected at its end",
       LS_VERTEX,
       "n",
       "",
       "",
       {{LS_OUT, LS_W, "y", "n*", 0, NULL}}},
      {"extent 'n-1': '-' is not allowed in an extent",
       LS_VERTEX,
       "n",
       "",
       "",
       {{LS_OUT, LS_W, "y", "n-1", 0, NULL}}},
      {"argument x[cells*vars]: no VALUE and no other buffer gives its size: no size is called 'cells'",
       LS_TILE,
       "1",
       "",
       "",
       {{LS_OUT, LS_F64, "x", "cells*vars", 0, NULL}}},
      {"argument x[n*n+n]: no VALUE and no other buffer gives its size",
       LS_TILE,
       "1",
       "",
       "",
       {{LS_OUT, LS_F64, "x", "n*n+n", 0, NULL}}},
      {"its items: expression 'k': no size is called 'k'", LS_VERTEX, "k", "", "", {PUT}},
      {"its bytes: expression '8*nn': no size is called 'nn'", LS_VERTEX, "n", "8*nn", "", {PUT}},
      {"its bytes: expression '8*': a number, a name or '(' expected at its end",
       LS_VERTEX,
       "n",
       "8*",
       "",
       {PUT}},
      {"its irregular accesses: expression 'founds': no size",
       LS_VERTEX,
       "n",
       "",
       "founds",
       {PUT, {LS_COUNT, LS_U32, "found", "1", 0, NULL}}},
      {"a domain of queues has one QIN argument", LS_QUEUE, "queue", "", "", {PUT}},
      {"a domain of queues has one QIN argument",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT, {LS_QIN, LS_U32, "q", "n+1", 0, NULL}}},
      {"a domain of edges has one OFF argument", LS_VERTEX_EDGES, "n", "", "", {TO, PUT}},
      {"its items are 'n', expected \"queue\" in a domain of queues",
       LS_QUEUE,
       "n",
       "",
       "",
       {{LS_QIN, LS_U32, "q", "n+1", 0, NULL}}},
      {"argument to: its contract uses 'nodes', which is no size of this row",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT, {LS_IN, LS_U32, "to", "m", LS_CONTRACT_vertex, "nodes"}}},
      {"argument to: a contract is for u32 and u64, not for u16",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT, {LS_IN, LS_U16, "to", "m", LS_CONTRACT_vertex, "n"}}},
      {NULL,
       LS_VERTEX_EDGES,
       "n",
       "",
       "",
       {{LS_START, LS_U32, "first", "n", 0, NULL},
        {LS_END, LS_U32, "last", "n", 0, NULL},
        {LS_QMORE, LS_U64, "far", "2*k+2", LS_CONTRACT_wide_queue, NULL, .wide = true},
        {LS_COUNT, LS_U32, "lost", "1", 0, NULL, .lost = true}}},
      {"one START and one END at most",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT, {LS_END, LS_U32, "last", "n", 0, NULL}}},
      {"argument far: its contract cannot check a queue whose items have one element",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT, {LS_QMORE, LS_U64, "far", "k+1", LS_CONTRACT_wide_queue, NULL}}},
      {"argument far: the items of a queue are u32, u64 or u64x2",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT, {LS_QOUT, LS_F64, "far", "k+1", 0, NULL}}},
      {"argument far: QAHEAD is for vertices",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT, {LS_QOUT, LS_U32, "far", "k+1", 0, NULL, .ahead = true}}},
      {"argument q: the items of a queue whose edges are walked are vertices",
       LS_QUEUE_EDGES,
       "queue",
       "",
       "",
       {N_OFF, TO, {LS_QIN, LS_U64, "q", "k+1", 0, NULL}}},
      {"a row that fills queues may have one LOST, which counts items",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT, {LS_COUNT, LS_U32, "lost", "1", 0, NULL, .lost = true}}},
      {"the row fills more than 4 queues",
       LS_VERTEX,
       "5",
       "",
       "",
       {{LS_QOUT, LS_U32, "a", "k+1", 0, NULL},
        {LS_QOUT, LS_U32, "b", "k+1", 0, NULL},
        {LS_QOUT, LS_U32, "c", "k+1", 0, NULL},
        {LS_QOUT, LS_U32, "d", "k+1", 0, NULL},
        {LS_QOUT, LS_U32, "e", "k+1", 0, NULL}}},
      {"more than 4 COUNTs",
       LS_VERTEX,
       "n",
       "",
       "",
       {PUT,
        {LS_COUNT, LS_U32, "a", "1", 0, NULL},
        {LS_COUNT, LS_U32, "b", "1", 0, NULL},
        {LS_COUNT, LS_U32, "c", "1", 0, NULL},
        {LS_COUNT, LS_U32, "d", "1", 0, NULL},
        {LS_COUNT, LS_U32, "e", "1", 0, NULL}}},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    ls_prim p = {.name = "a",
                 .family = "b",
                 .domain = table[i].domain,
                 .items = table[i].items,
                 .bytes = table[i].bytes,
                 .gathers = table[i].gathers,
                 .args = table[i].args};
    while (p.nargs < 6 && p.args[p.nargs].name) p.nargs++;
    const ls_status st = ls_row_check(&p);
    if (!table[i].says && st) fail_msg("row %zu: %s", i, ls_error());
    if (table[i].says && (!st || !strstr(ls_error(), table[i].says)))
      fail_msg("row %zu: '%s', expected '%s'", i, st ? ls_error() : "no error", table[i].says);
  }
}

#define STEP(row, ...)                                                                                       \
  { LS_WORD_STEP, #row, "" __VA_ARGS__ }
#define SWAP(a, b)                                                                                           \
  { LS_WORD_SWAP, #a, #b }
#define WORD(kind)                                                                                           \
  { LS_WORD_##kind, NULL, NULL }
#define COUNT(kind, count)                                                                                   \
  { LS_WORD_##kind, #count, NULL }
#define FOR(variable, limit)                                                                                 \
  { LS_WORD_FOR, #variable, limit }

static void wrong_loops(void **state) {
  (void)state;
  static const struct {
    const char *says;
    ls_loop_word words[12];
  } table[] = {
      {NULL, {WORD(REPEAT), STEP(reach_forward), SWAP(front, front_next), COUNT(UNTIL, grown)}},
      {NULL, {STEP(reach_forward), COUNT(IF, grown), STEP(split), WORD(END_IF)}},
      {NULL, {STEP(pull_backward, "within=1 ")}},
      {NULL, {WORD(REPEAT), STEP(trim), COUNT(LEAVE_IF_NONE, trimmed), STEP(split), COUNT(UNTIL, settled)}},
      {"the step reach_forwad is not a row of one kernel", {STEP(reach_forwad)}},
      {"the step trim_fix is not a row of one kernel", {STEP(trim_fix)}},
      {"the loop has no step", {WORD(END)}},
      {"UNTIL(moved): no step between REPEAT and UNTIL has this COUNT",
       {WORD(REPEAT), STEP(trim), COUNT(UNTIL, moved)}},
      {"a group has no end", {WORD(REPEAT), STEP(trim)}},
      {"UNTIL does not match the beginning of its group", {STEP(trim), COUNT(UNTIL, trimmed)}},
      {"END_IF does not match the beginning of its group",
       {WORD(REPEAT), STEP(trim), COUNT(UNTIL, trimmed), WORD(END_IF)}},
      {"ONCE is allowed only at the beginning of a loop",
       {STEP(trim), WORD(ONCE), STEP(trim), WORD(END_ONCE)}},
      {"the group that END_IF ends has no step", {STEP(trim), COUNT(IF, trimmed), WORD(END_IF)}},
      {"no earlier step has a COUNT 'grown'", {STEP(trim), COUNT(IF, grown), STEP(split), WORD(END_IF)}},
      {"SWAP names 'back', which is not an argument of an earlier step",
       {STEP(reach_forward), SWAP(front, back)}},
      {"SWAP(front, mark): expected two buffers of the same type and extent",
       {STEP(reach_forward), SWAP(front, mark)}},
      {"two SWAPs exchange front with different buffers",
       {STEP(reach_forward), STEP(reach_backward), SWAP(front, front_next), SWAP(front, back)}},
      {"reach_forward has no argument 'fronts' to bind", {STEP(reach_forward, "fronts=back ")}},
      {"'front' is no VALUE, and cannot be a number", {STEP(reach_forward, "front=1 ")}},
      {"reach_forward: its arguments front and front_next are the same buffer of the loop, and the step writes to it",
       {STEP(reach_forward, "front_next=front ")}},
      {NULL, {STEP(trim, "roff=off rto=to ")}}, /* allowed: trim only reads off and to */
      {"'k' is the variable of a FOR, so its argument front must be a VALUE of type u32",
       {FOR(k, "n"), STEP(reach_forward, "front=k "), WORD(END_FOR)}},
      {"TOGETHER is for two steps and nothing else", {WORD(TOGETHER), STEP(trim), WORD(END_TOGETHER)}},
      {"TOGETHER is for two steps",
       {WORD(TOGETHER), STEP(reach_forward), STEP(reach_backward), SWAP(front, back), WORD(END_TOGETHER)}},
      {"TOGETHER is not for policy_adopt",
       {WORD(TOGETHER), STEP(policy_adopt), STEP(trim), WORD(END_TOGETHER)}},
      {"TOGETHER is for steps with at most two COUNTs, and flood has 3",
       {WORD(TOGETHER), STEP(trim), STEP(flood), WORD(END_TOGETHER)}},
      {"FOR(within) is within another",
       {FOR(within, "n"), FOR(within, "n"), STEP(pull_backward), WORD(END_FOR), WORD(END_FOR)}},
      {NULL,
       {FOR(within, "n"), STEP(pull_backward), WORD(END_FOR), FOR(within, "n"), STEP(pull_backward),
        WORD(END_FOR)}},
      {"no earlier step has a COUNT 'trimmed'", /* in the same iteration */
       {WORD(ONCE), STEP(trim), WORD(END_ONCE), COUNT(IF, trimmed), STEP(trim), WORD(END_IF)}},
      {"more than 4 nested REPEATs",
       {WORD(REPEAT), WORD(REPEAT), WORD(REPEAT), WORD(REPEAT), WORD(REPEAT), STEP(trim)}},
      {"the limit of FOR(within): expression 'k': no size is called 'k'",
       {FOR(within, "k"), STEP(pull_backward), WORD(END_FOR)}},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    static ls_arg args[LS_MAX_ARGS];
    ls_loop loop = {.words = table[i].words};
    ls_prim p = {.name = "a", .family = "b", .domain = LS_LOOP, .loop = &loop};
    ls_status st = ls_loop_compile(&p, args, find_row);
    if (!st) st = ls_row_check(&p);
    if (!table[i].says && st) fail_msg("loop %zu: %s", i, ls_error());
    if (table[i].says && (!st || !strstr(ls_error(), table[i].says)))
      fail_msg("loop %zu: '%s', expected '%s'", i, st ? ls_error() : "no error", table[i].says);
  }
}

static void wrong_states(void **state) {
  (void)state;
  static const ls_field fields[] = {
      {LS_U32, "x", "n", "0", ""}, {LS_U32, "y", "n", "minus one", ""}, {LS_U32, "z", "n+", "0", ""}};
  ls_schema s = {.name = "a", .family = "b", .fields = fields, .nfields = 1};
  assert_int_equal(ls_schema_check(&s), LS_OK);
  s.nfields = 2;
  assert_int_equal(ls_schema_check(&s), LS_EARG);
  assert_non_null(strstr(ls_error(), "field y: there are no initial contents 'minus one'"));
  s.fields = fields + 2, s.nfields = 1;
  assert_int_equal(ls_schema_check(&s), LS_EARG);
  assert_non_null(strstr(ls_error(), "field z: extent 'n+'"));
  static const ls_field names[] = {{LS_U32, "x", "type", "0", ""}, {LS_U32, "y", "x+1", "0", ""}};
  s.fields = names, s.nfields = 1;
  assert_int_equal(ls_schema_check(&s), LS_EARG);
  assert_non_null(strstr(ls_error(), "a size cannot have the name 'type'"));
  static const ls_field same[] = {{LS_U32, "x", "n", "0", ""}, {LS_U32, "y", "x+1", "0", ""}};
  s.fields = same, s.nfields = 2;
  assert_int_equal(ls_schema_check(&s), LS_EARG);
  assert_non_null(strstr(ls_error(), "a size cannot have the name 'x', which is a field's"));
  static const ls_field many[] = {{LS_U32, "x", "a*b*c*d", "0", ""}, {LS_U32, "y", "e*f*g*h+i", "0", ""}};
  s.fields = many, s.nfields = 2;
  assert_int_equal(ls_schema_check(&s), LS_EARG);
  assert_non_null(strstr(ls_error(), "field y: more than 8 sizes in a state"));
}

static void all_rows(void **state) {
  (void)state;
  if (ls_rows_check()) fail_msg("%s", ls_error());
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_rows), cmocka_unit_test(wrong_loops),
                                     cmocka_unit_test(wrong_states), cmocka_unit_test(all_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
