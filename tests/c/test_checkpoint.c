/* Checkpoint files: other schemas, full disks, memory that runs out. tests/lua/base/checkpoint_spec.lua tests
 * their contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "run/record/checkpoint.h"

static char path[] = "/tmp/lockstep-checkpoint-XXXXXX";

static ls_field fields[] = {{LS_U32, "alpha", "n", "0", ""},
                            {LS_W, "beta", "m", "none", ""},
                            {LS_U64, "gamma", "2*n", "0", ""},
                            {LS_U8, "delta", "1", "0", ""}};
static ls_schema schema = {.name = "made_up",
                           .doc = "for this test",
                           .types = 1u << LS_I32 | 1u << LS_I64 | 1u << LS_F32 | 1u << LS_F64,
                           .fields = fields,
                           .nfields = 3};

static ls_graph *graph(u32 n) {
  ls_graph *g = NULL;
  u32 *off = ls_malloc((n + 1) * sizeof *off), *to = ls_malloc(n * sizeof *to);
  for (u32 v = 0; v < n; v++) off[v] = v, to[v] = (v + 1) % n;
  off[n] = n;
  assert_int_equal(ls_graph_from_csr(n, n, off, to, NULL, LS_NONE, "made up", &g), LS_OK);
  return g;
}

static ls_state *state_of(ls_graph *g) {
  ls_state *s = NULL;
  assert_int_equal(ls_state_new(&schema, g, NULL, LS_I64, &s), LS_OK);
  return s;
}

static void fill(ls_state *s) {
  u32 *alpha = ls_buffer_update(s->buffers[0]);
  u64 *gamma = ls_buffer_update(s->buffers[2]);
  for (u32 v = 0; v < s->graph->n; v++) alpha[v] = v * v, gamma[2 * v] = v, gamma[2 * v + 1] = ~0ull - v;
}

static const ls_checkpoint saved = {
    .loop = "f", .iteration = 7, .count = 1, .carried = {{.name = "k", .i = -3}}};

static void comes_back(void **test) {
  (void)test;
  ls_graph *g = graph(300000); /* several blocks */
  ls_state *s = state_of(g), *other = state_of(g);
  ls_checkpoint c = {.loop = "f"};
  u64 bytes = 0;
  fill(s);
  assert_int_equal(ls_checkpoint_save(path, s, &saved, &bytes), LS_OK);
  fill(other);
  ((i64 *)ls_buffer_update(other->buffers[1]))[5] = 5; /* the file has no contents for this buffer */
  assert_int_equal(ls_checkpoint_load(path, other, &c), LS_OK);
  assert_int_equal(c.iteration, 7);
  assert_int_equal(c.count, 1);
  assert_string_equal(c.carried[0].name, "k");
  assert_int_equal(c.carried[0].i, -3);
  for (int i = 0; i < 3; i++)
    assert_memory_equal(ls_buffer_read(s->buffers[i]), ls_buffer_read(other->buffers[i]),
                        ls_buffer_bytes(s->buffers[i]));
  ls_state_free(s);
  ls_state_free(other);
  ls_graph_release(g);
}

static void refuse(ls_graph *g, const char *message) {
  ls_state *s = state_of(g);
  ls_checkpoint c = {.loop = "f"};
  assert_int_equal(ls_checkpoint_load(path, s, &c), LS_EINPUT);
  if (!strstr(ls_error(), message)) fail_msg("%s", ls_error());
  ls_state_free(s);
}

static void another_schema_is_refused(void **test) {
  (void)test;
  ls_graph *g = graph(10);
  ls_state *s = state_of(g);
  u64 bytes;
  fill(s);
  assert_int_equal(ls_checkpoint_save(path, s, &saved, &bytes), LS_OK);
  ls_state_free(s);
  const ls_field was = fields[2];
  fields[2].name = "epsilon";
  refuse(g, "expected field epsilon u64[20], found gamma u64[20] stored");
  fields[2] = was;
  fields[2].type = LS_U32;
  refuse(g, "expected field gamma u32[20], found gamma u64[20] stored");
  fields[2] = was;
  fields[2].extent = "n";
  refuse(g, "expected field gamma u64[10], found gamma u64[20] stored");
  fields[2] = was;
  schema.nfields = 4;
  refuse(g, "expected field delta u8[1], found the end of the schema");
  schema.nfields = 2;
  refuse(g, "not another field, found gamma u64[20] stored");
  schema.nfields = 3;
  schema.name = "renamed";
  refuse(g, "expected schema renamed, found made_up");
  schema.name = "made_up";
  ls_graph_release(g);
}

static void a_full_disk_costs_no_old_file(void **test) {
  (void)test;
  ls_graph *g = graph(10);
  ls_state *s = state_of(g);
  ls_checkpoint c = {.loop = "f"};
  u64 bytes;
  fill(s);
  assert_int_equal(ls_checkpoint_save("/dev/full", s, &saved, &bytes), LS_EIO);
  assert_non_null(strstr(ls_error(), "No space left on device"));
  assert_int_equal(ls_checkpoint_save("/dev/null/x", s, &saved, &bytes), LS_EIO);
  assert_int_equal(ls_checkpoint_save(path, s, &saved, &bytes), LS_OK);
  assert_int_equal(ls_checkpoint_load(path, s, &c), LS_OK);
  ls_state_free(s);
  ls_graph_release(g);
}

static void memory_may_run_out(void **test) {
  (void)test;
  int failed = 0;
  u64 bytes, in_use = ls_mem_in_use();
  for (u64 k = 1; k < 60; k++) {
    ls_graph *g = graph(50);
    ls_state *s = state_of(g), *other = state_of(g);
    ls_checkpoint c = {.loop = "f"};
    fill(s);
    ls_mem_fail_at(k);
    ls_status st = ls_checkpoint_save(path, s, &saved, &bytes);
    if (!st) st = ls_checkpoint_load(path, other, &c);
    ls_mem_fail_at(0);
    assert_true(st == LS_OK || st == LS_EMEM);
    failed += st != LS_OK;
    ls_state_free(s);
    ls_state_free(other);
    ls_graph_release(g);
    assert_int_equal(ls_mem_in_use(), in_use);
  }
  assert_true(failed > 5);
}

static int make_file(void **test) {
  (void)test;
  int fd = mkstemp(path);
  return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **test) {
  (void)test;
  return unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_back),
      cmocka_unit_test(another_schema_is_refused),
      cmocka_unit_test(a_full_disk_costs_no_old_file),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests_name("test_checkpoint", tests, make_file, remove_file);
}
