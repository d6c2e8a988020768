/* States of test schemas: sizes from a graph and from the caller, shapes, and rejected arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "data/digest.h"
#include "data/reduce.h"
#include "run/record/checkpoint.h"

static const ls_field of_cells[] = {{LS_W, "x", "cells*vars", "0", ""},
                                    {LS_U32, "step", "1", "0", ""},
                                    {LS_U32, "active", "cells+1", "empty", ""},
                                    {LS_W, "tile", "tiles*tiles*16", "0", ""}};
static const ls_schema cells = {
    .name = "cells", .types = 1u << LS_F32 | 1u << LS_F64, .fields = of_cells, .nfields = 4};
static const ls_field of_sources[] = {{LS_W, "dist", "n*sources", "inf", ""},
                                      {LS_U32, "front", "n*sources+1", "empty", ""},
                                      {LS_U32, "degree", "n", "0", ""}};
static const ls_schema sources = {
    .name = "sources", .types = 1u << LS_I64, .fields = of_sources, .nfields = 3};

/* "cells=5 vars=8": pairs of a name and a number. */
static const ls_sizes *sizes(const char *text) {
  static ls_sizes s;
  s.count = 0;
  while (*text) {
    const size_t len = strcspn(text, "=");
    char *end;
    ls_sizes_set(&s, text, len, strtoull(text + len + 1, &end, 10));
    text = end + (*end == ' ');
  }
  return &s;
}

static ls_graph *ring(u32 n) {
  ls_graph *g = NULL;
  u32 *off = ls_malloc((n + 1) * sizeof *off), *to = ls_malloc(n * sizeof *to);
  for (u32 v = 0; v < n; v++) off[v] = v, to[v] = (v + 1) % n;
  off[n] = n;
  assert_int_equal(ls_graph_from_csr(n, n, off, to, NULL, LS_NONE, "a ring", &g), LS_OK);
  return g;
}

static void has_shape(const ls_state *s, const char *field, ls_dtype type, u64 rows, u64 cols) {
  const ls_buffer *b = ls_state_field(s, field);
  assert_int_equal(b->type, type);
  assert_int_equal(b->rows, rows);
  assert_int_equal(b->cols, cols);
  assert_int_equal(b->count, cols ? rows * cols : rows);
}

static void sizes_are_named(void **test) {
  (void)test;
  ls_state *s = NULL;
  u64 size = 0;
  char text[LS_SIZES_TEXT];
  assert_int_equal(ls_state_new(&cells, NULL, sizes("tiles=3 vars=8 cells=5000"), LS_F64, &s), LS_OK);
  has_shape(s, "x", LS_F64, 5000, 8);
  has_shape(s, "step", LS_U32, 1, 0);
  has_shape(s, "active", LS_U32, 5001, 0);
  has_shape(s, "tile", LS_F64, 144, 0);
  assert_null(s->graph);
  assert_true(ls_state_size(s, "vars", &size) && size == 8);
  assert_false(ls_state_size(s, "var", &size));
  assert_string_equal(ls_state_sizes_text(s, text), "cells 5000, vars 8, tiles 3");
  ls_state_free(s);
  assert_int_equal(ls_state_new(&cells, NULL, sizes("tiles=0 vars=0 cells=5"), LS_F32, &s), LS_OK);
  has_shape(s, "x", LS_F32, 0, 0);
  has_shape(s, "tile", LS_F32, 0, 0);
  ls_state_free(s);
}

static void a_graph_gives_two(void **test) {
  (void)test;
  ls_graph *g = ring(7);
  ls_state *s = NULL;
  char text[LS_SIZES_TEXT];
  assert_int_equal(ls_state_new(&sources, g, sizes("sources=3"), LS_NONE, &s), LS_OK);
  has_shape(s, "dist", LS_I64, 7, 3);
  has_shape(s, "front", LS_U32, 22, 0);
  has_shape(s, "degree", LS_U32, 7, 0);
  assert_string_equal(ls_state_sizes_text(s, text), "sources 3");
  for (int i = 0; i < 21; i++) assert_int_equal(((const i64 *)ls_buffer_read(s->buffers[0]))[i], INT64_MAX);
  ls_state_free(s);
  assert_int_equal(ls_state_new(&sources, NULL, sizes("n=4 sources=2"), LS_NONE, &s), LS_OK);
  has_shape(s, "dist", LS_I64, 4, 2);
  ls_state_free(s);
  ls_graph_release(g);
}

static void refused(const ls_schema *schema, ls_graph *g, const char *given, ls_dtype type,
                    const char *says) {
  ls_state *s = NULL;
  const u64 in_use = ls_mem_in_use();
  const ls_status st = ls_state_new(schema, g, sizes(given), type, &s);
  if (!st || !strstr(ls_error(), says))
    fail_msg("%s: '%s', expected '%s'", given, st ? ls_error() : "", says);
  assert_null(s);
  assert_int_equal(ls_mem_in_use(), in_use);
}

static void wrong_sizes_are_refused(void **test) {
  (void)test;
  ls_graph *g = ring(7);
  refused(&cells, NULL, "cells=5 tiles=1", LS_F64,
          "state.cells: the size vars is missing, expected cells, vars and tiles");
  refused(&cells, NULL, "", LS_F64, "state.cells: the size cells is missing");
  refused(&cells, g, "cells=5 vars=8 n=3 tiles=1", LS_F64,
          "state.cells: it has no size 'n', expected cells, vars and tiles");
  refused(&cells, NULL, "cells=5 vars=8 tiles=1", LS_NONE,
          "state.cells: no element type is given, expected {type = ...}: f32 or f64");
  refused(&cells, NULL, "cells=5 vars=8 tiles=1", LS_I32, "expected the element type f32 or f64, got i32");
  refused(&cells, NULL, "cells=4294967296 vars=4294967296 tiles=1", LS_F64,
          "state.cells: x[cells*vars]: more elements than 64 bits can count");
  refused(&cells, NULL, "cells=1 vars=1 tiles=4294967296", LS_F64,
          "state.cells: tile[tiles*tiles*16]: more elements than 64 bits can count");
  refused(&cells, NULL, "cells=100000000 vars=100000000 tiles=1", LS_F64, "a state cells needs 76293945");
  refused(&sources, g, "", LS_NONE,
          "state.sources: the size sources is missing, expected sources in addition to the graph");
  refused(&sources, g, "n=7 sources=1", LS_NONE,
          "state.sources: the size n = 7 comes from the graph and cannot be given");
  refused(&sources, NULL, "sources=1", LS_NONE,
          "state.sources: the size n is missing, expected n and sources");
  refused(&sources, NULL, "n=1 sources=1 vars=2", LS_NONE,
          "state.sources: it has no size 'vars', expected n and sources");
  ls_graph_release(g);
}

/* --- initial contents -------------------------------------------------------------------------------- */

static const struct {
  ls_dtype type;
  const char *init;
  ls_number first, third;
} starts[] = {
    {LS_U8, "0", {.i = 0}, {.i = 0}},
    {LS_U8, "200", {.i = 200}, {.i = 200}},
    {LS_U16, "none", {.i = 65535}, {.i = 65535}},
    {LS_I16, "inf", {.i = 32767}, {.i = 32767}},
    {LS_I16, "-300", {.i = -300}, {.i = -300}},
    {LS_U32, "empty", {.i = 0}, {.i = 0}},
    {LS_U32, "identity", {.i = 0}, {.i = 2}},
    {LS_I64, "identity", {.i = 0}, {.i = 2}},
    {LS_I32, "inf", {.i = INT32_MAX}, {.i = INT32_MAX}},
    {LS_U64, "18", {.i = 18}, {.i = 18}},
    {LS_I64, "-9000000000", {.i = -9000000000}, {.i = -9000000000}},
    {LS_I64, "huge", {.i = 0x7f7f7f7f7f7f7f7f}, {.i = 0x7f7f7f7f7f7f7f7f}},
    {LS_F32, "1.5", {.real = true, .r = 1.5}, {.real = true, .r = 1.5}},
    {LS_F64, "-1e-3", {.real = true, .r = -1e-3}, {.real = true, .r = -1e-3}},
    {LS_F64, "inf", {.real = true, .r = INFINITY}, {.real = true, .r = INFINITY}},
};
enum { STARTS = sizeof starts / sizeof *starts };

static ls_field of_starts[STARTS];
static const ls_schema started = {
    .name = "started", .types = 1u << LS_NONE, .fields = of_starts, .nfields = STARTS};

static ls_state *new_started(u64 n) {
  static char names[STARTS][16];
  ls_sizes size = {.count = 0};
  ls_state *s = NULL;
  for (int i = 0; i < STARTS; i++) {
    snprintf(names[i], sizeof names[i], "f%d", i);
    of_starts[i] = (ls_field){starts[i].type, names[i], "n", starts[i].init, ""};
  }
  assert_int_equal(ls_schema_check(&started), LS_OK);
  ls_sizes_set(&size, "n", 1, n);
  assert_int_equal(ls_state_new(&started, NULL, &size, LS_NONE, &s), LS_OK);
  return s;
}

static void is_started(const ls_state *s, int i, const void *p, u64 n) {
  for (u64 k = 0; k < n; k++) {
    const ls_number same = starts[i].first, x = ls_number_at(starts[i].type, p, k);
    const ls_number want = strcmp(starts[i].init, "identity") ? same : (ls_number){.i = k};
    if (!ls_number_same(x, want))
      fail_msg("%s of %s: element %d", starts[i].init, s->schema->fields[i].name, (int)k);
  }
  assert_true(n < 3 || ls_number_same(ls_number_at(starts[i].type, p, 2), starts[i].third));
}

static void fields_start_as_they_should(void **test) {
  (void)test;
  for (u64 n = 0; n < 70; n += n < 12 ? 1 : 19) {
    ls_state *s = new_started(n);
    for (int i = 0; i < STARTS; i++) {
      u64 some[2];
      if (n > 5) {
        assert_int_equal(ls_buffer_peek(s->buffers[i], 3, 2, some), LS_OK);
        if (!strcmp(starts[i].init, "identity")) assert_true(ls_number_at(starts[i].type, some, 0).i == 3);
      }
      is_started(s, i, ls_buffer_read(s->buffers[i]), n);
    }
    ls_state_free(s);
  }
}

static ls_status on_alloc(int device, size_t bytes, void **out) {
  (void)device;
  return (*out = ls_malloc(bytes)) ? LS_OK : LS_EMEM;
}
static void on_free(int device, void *p) {
  (void)device;
  ls_free(p);
}
static ls_status no_copy(int device, void *dst, const void *src, size_t bytes) {
  (void)device, (void)dst, (void)src, (void)bytes;
  fail_msg("initial contents came by a copy");
  return LS_EDEVICE;
}
static int fills;
static ls_status on_fill(int device, void *dst, ls_pattern p, size_t element, u64 count) {
  (void)device;
  ls_pattern_put(p, element, 0, count, dst);
  fills++;
  return LS_OK;
}
static ls_status on_copy(int device, void *dst, const void *src, size_t bytes) {
  (void)device;
  memcpy(dst, src, bytes);
  return LS_OK;
}
static ls_status on_digest(int device, const void *p, u64 item_bytes, u64 count, bool set, u64 *out) {
  (void)device;
  *out = ls_digest(p, item_bytes, count, set);
  return LS_OK;
}
static const ls_memory_ops on_device = {on_alloc, on_free, no_copy, no_copy, on_copy, on_fill, on_digest};

/* A fake device in host memory: the initial contents of buffers are written by the device, for one buffer at
 * a time and for all buffers in one block. */
static void a_device_makes_them(void **test) {
  (void)test;
  ls_buffer_memory_ops(&on_device);
  for (int together = 0; together < 2; together++) {
    ls_state *s = new_started(77);
    fills = 0;
    if (together) assert_int_equal(ls_buffers_together(s->buffers, STARTS, 0), LS_OK);
    assert_true(together ? fills < STARTS && fills > 0 : fills == 0);
    for (int i = 0; i < STARTS; i++) {
      void *there;
      assert_int_equal(ls_buffer_on_device(s->buffers[i], 0, LS_READ, &there), LS_OK);
      is_started(s, i, there, 77);
      assert_null(s->buffers[i]->host);
    }
    ls_state_free(s);
  }
  ls_buffer_memory_ops(NULL);
}

static void wrong_contents_are_refused(void **test) {
  (void)test;
  static const struct {
    ls_dtype type;
    const char *init, *says;
  } table[] = {{LS_U8, "256", "256 does not fit u8"},
               {LS_U32, "-1", "-1 does not fit u32"},
               {LS_I32, "0.5", "0.5 is not an integer"},
               {LS_U16, "identity", "for integers of 32 and 64 bits, not for u16"},
               {LS_F64, "identity", "not for f64"},
               {LS_U32, "", "there are no initial contents ''"},
               {LS_F64, "1.5x", "there are no initial contents '1.5x'"},
               {LS_F64, "nan", "there are no initial contents 'nan'"},
               {LS_W, "3000000000", "3000000000 does not fit i32"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const ls_field field = {table[i].type, "x", "n", table[i].init, ""};
    const ls_schema s = {.name = "a", .fields = &field, .nfields = 1, .types = 1u << LS_I32 | 1u << LS_F64};
    assert_int_equal(ls_schema_check(&s), LS_EARG);
    if (!strstr(ls_error(), table[i].says)) fail_msg("'%s', expected '%s'", ls_error(), table[i].says);
  }
}

static char path[] = "/tmp/lockstep-state-XXXXXX";

static void not_loaded(ls_state *s, const char *says) {
  ls_checkpoint c = {.loop = ""};
  assert_int_equal(ls_checkpoint_load(path, s, &c), LS_EINPUT);
  if (!strstr(ls_error(), says)) fail_msg("'%s', expected '%s'", ls_error(), says);
  ls_state_free(s);
}

static void a_checkpoint_needs_no_graph(void **test) {
  (void)test;
  ls_graph *g = ring(5);
  ls_state *s = NULL, *other = NULL;
  ls_checkpoint c = {.loop = "f", .iteration = 3};
  u64 bytes;
  assert_int_equal(ls_state_new(&cells, NULL, sizes("cells=70000 vars=3 tiles=1"), LS_F64, &s), LS_OK);
  f64 *x = ls_buffer_update(s->buffers[0]);
  for (u32 i = 0; i < 210000; i++) x[i] = i / 8.0;
  assert_int_equal(ls_checkpoint_save(path, s, &c, &bytes), LS_OK);
  assert_int_equal(ls_state_new(&cells, NULL, sizes("vars=3 cells=70000 tiles=1"), LS_F64, &other), LS_OK);
  c.iteration = 0;
  assert_int_equal(ls_checkpoint_load(path, other, &c), LS_OK);
  assert_int_equal(c.iteration, 3);
  for (int i = 0; i < cells.nfields; i++)
    assert_memory_equal(ls_buffer_read(s->buffers[i]), ls_buffer_read(other->buffers[i]),
                        ls_buffer_bytes(s->buffers[i]));
  ls_state_free(other);
  assert_int_equal(ls_state_new(&cells, NULL, sizes("cells=3 vars=70000 tiles=1"), LS_F64, &other), LS_OK);
  not_loaded(other, "expected sizes cells 3, vars 70000, tiles 1, found cells 70000, vars 3, tiles 1");
  assert_int_equal(ls_state_new(&cells, g, sizes("cells=70000 vars=3 tiles=1"), LS_F64, &other), LS_OK);
  not_loaded(other, "expected the graph a ring, found no graph");
  ls_state_free(s);
  assert_int_equal(ls_state_new(&cells, g, sizes("cells=2 vars=3 tiles=1"), LS_F64, &s), LS_OK);
  assert_int_equal(ls_checkpoint_save(path, s, &c, &bytes), LS_OK);
  ls_state_free(s);
  assert_int_equal(ls_state_new(&cells, NULL, sizes("cells=2 vars=3 tiles=1"), LS_F64, &other), LS_OK);
  not_loaded(other, "expected no graph, found the graph a ring");
  ls_graph_release(g);
}

static void a_checkpoint_keeps_what_is_unwritten(void **test) {
  (void)test;
  ls_state *s = new_started(9), *other = new_started(9);
  ls_checkpoint c = {.loop = ""};
  u64 bytes;
  assert_int_equal(ls_checkpoint_save(path, s, &c, &bytes), LS_OK);
  for (int i = 0; i < STARTS; i++)
    memset(ls_buffer_overwrite(other->buffers[i]), 0x55, ls_buffer_bytes(s->buffers[i]));
  assert_int_equal(ls_checkpoint_load(path, other, &c), LS_OK);
  for (int i = 0; i < STARTS; i++) {
    assert_false(other->buffers[i]->host_valid);
    is_started(other, i, ls_buffer_read(other->buffers[i]), 9);
  }
  ls_state_free(s);
  ls_state_free(other);
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
      cmocka_unit_test(sizes_are_named),
      cmocka_unit_test(a_graph_gives_two),
      cmocka_unit_test(wrong_sizes_are_refused),
      cmocka_unit_test(fields_start_as_they_should),
      cmocka_unit_test(a_device_makes_them),
      cmocka_unit_test(wrong_contents_are_refused),
      cmocka_unit_test(a_checkpoint_needs_no_graph),
      cmocka_unit_test(a_checkpoint_keeps_what_is_unwritten),
  };
  return cmocka_run_group_tests_name("test_state", tests, make_file, remove_file);
}
