/* .lsg files with inconsistent contents and valid checksums. */
#include <limits.h>
#include <math.h>

#include "load_util.h"

#include "core/mapping.h"
#include "core/wait.h"
#include "data/ops.h"
#include "core/checksum.h"

/* Offsets in a header, as in src/load/lsg.c. */
enum {
  LABEL_BASE = 48,
  SCALE = 56,
  NAME_BYTES = 64,
  PART = 72,
  NONE = 292,
  UNUSED = 400,
  SUM = 504,
  HEADER = 512
};
enum { OFF, TO, W, ROFF, RTO, RW, IDS, T, RT, PARTS };

static u8 file[1 << 20];
static size_t bytes;

static u64 get(size_t at) {
  u64 x;
  memcpy(&x, file + at, 8);
  return x;
}

static void set(size_t at, u64 x) { memcpy(file + at, &x, 8); }

static u8 *part(int i) { return file + get(PART + 24 * (size_t)i); }

static void mend_checksums(void) {
  for (size_t i = 0; i < PARTS; i++)
    if (get(PART + 24 * i)) set(PART + 24 * i + 16, ls_checksum(part((int)i), get(PART + 24 * i + 8)));
  set(SUM, ls_checksum(file, SUM) ^ ls_checksum(file + HEADER, get(NAME_BYTES)));
}

static void expect(const char *message) {
  ls_graph *g = NULL;
  mend_checksums();
  put_file("x.lsg", file, bytes);
  ls_status st = ls_graph_load("x.lsg", NULL, &g);
  if (!st) fail_msg("loaded, though: %s", message);
  assert_int_equal(st, LS_EINPUT);
  assert_null(g);
  if (!strstr(ls_error(), message)) fail_msg("expected %s, found %s", message, ls_error());
}

/* Two edges from 0 to 1, one from 1 to 2, one from 2 to 0. The file also has the transpose. */
static void make(const char *name) {
  const u32 src[] = {0, 0, 1, 2}, dst[] = {1, 1, 2, 0};
  const i32 w[] = {5, 6, 7, 8};
  i32 *t = ls_malloc(sizeof w);
  ls_graph *g;
  assert_int_equal(ls_graph_from_edges(3, 4, src, dst, w, LS_I32, name, &g), LS_OK);
  for (int i = 0; i < 4; i++) t[i] = i;
  assert_int_equal(ls_graph_take_times(g, t, LS_I32), LS_OK);
  assert_int_equal(ls_graph_save(g, "x.lsg", NULL), LS_OK);
  ls_graph_release(g);
  bytes = get_file("x.lsg", file, sizeof file);
}

static void test_header(void **unused) {
  (void)unused;
  const f64 scales[] = {0, -10, 0.5, 2.5, 1e19, (f64)NAN, (f64)INFINITY};
  const i64 bases[] = {INT64_MAX, INT64_MIN, (1ll << 61) + 1, INT64_MAX - 2};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    make("g");
    memcpy(file + SCALE, &scales[i], 8);
    expect("x.lsg: byte 56: the scale should be a positive whole number up to 1e18, not ");
  }
  for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
    make("g");
    set(LABEL_BASE, (u64)bases[i]);
    expect("x.lsg: byte 48: vertex 0 should be labelled from -2^61 to 2^61, not ");
  }
  make("g");
  file[UNUSED] = 1;
  expect("x.lsg: byte 292: the header is damaged: zeros expected");
  make("g");
  file[NONE] = 1;
  expect("x.lsg: byte 292: the header is damaged: zeros expected");
  make("g");
  set(PART + 24 * IDS + 8, 24); /* zero ids in a part of 24 bytes */
  expect("the position of ids is wrong");
  make("name");
  file[HEADER + 2] = 0;
  expect("x.lsg: byte 514: the name of the graph holds a zero byte");
  make("g");
  memset(file + bytes, 0, 64);
  bytes += 64;
  set(16, bytes);
  expect("x.lsg: byte 16: the size of the file is given as ");
}

static void test_transpose(void **unused) {
  (void)unused;
  static const char message[] = "are not those of the graph";
  make("g");
  ((u32 *)part(RTO))[0] = 1; /* the edge into 0 now comes from 1, not from 2 */
  expect("x.lsg: the transpose is wrong: its edges into vertex 0 are not those of the graph");
  make("g");
  ((u32 *)part(ROFF))[1] = 0; /* moves the edge of row 0 to row 1 */
  expect("x.lsg: the transpose is wrong: its edges into vertex 0 ");
  make("g");
  ((i32 *)part(RW))[3]++;
  expect(message);
  make("g");
  ((i32 *)part(RT))[1]++;
  expect(message);
  make("g"); /* the same weights and the same times, but paired differently */
  ((i32 *)part(RW))[1] = 6;
  ((i32 *)part(RW))[2] = 5;
  expect("x.lsg: the transpose is wrong: its edges into vertex 1 ");
}

/* In a reversed graph the rows of the transpose come in another order. */
static void test_other_order(void **unused) {
  (void)unused;
  const u32 src[] = {2, 0, 1, 1, 0}, dst[] = {1, 2, 2, 0, 1};
  const i32 w[] = {5, 6, 7, 8, 9};
  ls_graph *g, *turned, *back;
  assert_int_equal(ls_graph_from_edges(3, 5, src, dst, w, LS_I32, "g", &g), LS_OK);
  assert_int_equal(ls_graph_reverse(g, &turned), LS_OK);
  assert_int_equal(ls_graph_save(turned, "x.lsg", NULL), LS_OK);
  bytes = get_file("x.lsg", file, sizeof file);
  assert_int_equal(ls_graph_load("x.lsg", NULL, &back), LS_OK);
  assert_same_graph(turned, back);
  ls_graph_release(back);
  ((u32 *)part(RTO))[2] = 0; /* the edges into 1 came from 2 and 0, now both from 0 */
  expect("the transpose is wrong");
  ls_graph_release(turned);
  ls_graph_release(g);
}

static ls_graph *load(void) {
  ls_graph *g = NULL;
  assert_int_equal(ls_graph_load("x.lsg", NULL, &g), LS_OK);
  return g;
}

/* A file's state is queried at most once in a millisecond: the next read after this queries it. */
static void wait_for_query(void) { usleep(2000); }

static void expect_changed(ls_graph *g) {
  wait_for_query();
  assert_null(ls_buffer_read(g->to));
  assert_string_equal(ls_error(),
                      "x.lsg: the file was changed after it was loaded, while it was mapped; load it again");
  assert_int_equal(ls_graph_save(g, "y.gr", NULL), LS_EMEM);
  assert_int_equal(access("y.gr", F_OK), -1);
}

typedef struct reading {
  const u32 *to;
  int threads;
  u32 sum; /* sum of the values read */
} reading;

/* The worker and the OpenMP threads that it starts: they block signals from other processes, but not SIGBUS.
 */
static void read_by_threads(void *arg) {
  reading *r = arg;
  u32 sum = 0;
#pragma omp parallel num_threads(r->threads) reduction(+ : sum)
  sum += r->to[2];
  r->sum = sum;
}

static void shorten_while_a_worker_reads(void) {
  const u64 usual = ls_lsg_map_bytes;
  ls_lsg_map_bytes = 1;
  for (int threads = 1; threads <= 3; threads += 2) {
    const u64 before = ls_mapping_losses();
    make("g");
    ls_graph *g = load();
    reading r = {ls_buffer_read(g->to), threads, 1};
    assert_int_equal(r.to[2], 2);
    assert_int_equal(truncate("x.lsg", 0), 0);
    ls_work(read_by_threads, &r, false);
    assert_int_equal(r.sum, 0);
    assert_true(ls_mapping_losses() > before);
    expect_changed(g);
    ls_graph_release(g);
  }
  ls_lsg_map_bytes = usual;
}

/* A mapped file is truncated or overwritten by another process. Only its graph is lost. */
static void test_changed_while_mapped(void **unused) {
  (void)unused;
  const u64 usual = ls_lsg_map_bytes, before = ls_mapping_losses(), in_use = ls_mem_in_use();
  ls_lsg_map_bytes = 1;

  make("g");
  ls_graph *g = load();
  const u32 *to = ls_buffer_read(g->to), *off = ls_buffer_read(g->off);
  assert_int_equal(to[2], 2);
  assert_int_equal(truncate("x.lsg", 0), 0);
  assert_int_equal(to[2], 0); /* without the handler: SIGBUS */
  assert_int_equal(((const i32 *)g->rw->host)[3], 0);
  assert_int_equal(off[3], 4); /* the row offsets were copied: no row is longer than before */
  assert_int_equal(ls_mapping_losses(), before + 1);
  assert_int_equal(ls_mapping_lost_since(before), LS_EINPUT);
  assert_int_equal(ls_mapping_lost_since(before + 1), LS_OK);
  expect_changed(g);
  ls_graph_release(g);

  shorten_while_a_worker_reads(); /* called here because cmocka resets signal handlers after each test */

  make("g");
  g = load();
  assert_non_null(ls_buffer_read(g->to));
  usleep(20000); /* more than the granularity of file times */
  FILE *f = fopen("x.lsg", "r+b");
  fseek(f, 600, SEEK_SET);
  fputc(77, f);
  fclose(f);
  expect_changed(g);
  ls_graph_release(g);

  make("g"); /* replacing or removing the name does not change the mapped file */
  g = load();
  make("another");
  unlink("x.lsg");
  wait_for_query();
  assert_non_null(ls_buffer_read(g->to));
  ls_graph_release(g);

  ls_lsg_map_bytes = usual;
  make("g"); /* a small file is read, not mapped */
  g = load();
  assert_int_equal(truncate("x.lsg", 0), 0);
  wait_for_query();
  assert_int_equal(((const u32 *)ls_buffer_read(g->to))[2], 2);
  ls_graph_release(g);
  assert_int_equal(ls_mem_in_use(), in_use);
}

/* More files than may be mapped at a time: the rest is read into memory. */
static void test_many(void **unused) {
  (void)unused;
  enum { MANY = 300 };
  static ls_graph *g[MANY];
  const u64 usual = ls_lsg_map_bytes, in_use = ls_mem_in_use();
  ls_lsg_map_bytes = 1;
  make("g");
  for (int i = 0; i < MANY; i++) g[i] = load();
  assert_int_equal(truncate("x.lsg", 0), 0);
  wait_for_query();
  assert_null(ls_buffer_read(g[0]->to));
  assert_int_equal(((const u32 *)ls_buffer_read(g[MANY - 1]->to))[2], 2);
  for (int i = 0; i < MANY; i++) ls_graph_release(g[i]);
  make("g");
  ls_graph *again = load(); /* closing the graphs has freed their mappings */
  assert_int_equal(truncate("x.lsg", 0), 0);
  wait_for_query();
  assert_null(ls_buffer_read(again->to));
  ls_graph_release(again);
  ls_lsg_map_bytes = usual;
  assert_int_equal(ls_mem_in_use(), in_use);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_header),      cmocka_unit_test(test_transpose),
      cmocka_unit_test(test_other_order), cmocka_unit_test(test_changed_while_mapped),
      cmocka_unit_test(test_many),
  };
  ls_progress_enable(false);
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
