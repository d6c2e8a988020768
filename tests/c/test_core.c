/* Errors, memory, the worker, and buffers with a fake device in host memory. Suited to every sanitizer,
 * because nothing here needs OpenMP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/wrap_text.h"
#include "core/mem.h"
#include "core/atomic_file.h"
#include "core/escape.h"
#include "core/wait.h"
#include "data/buffer.h"
#include "data/digest.h"

/* --- errors ----------------------------------------------------------------------------------------------
 */

static void messages(void **state) {
  (void)state;
  assert_int_equal(ls_fail(LS_EINPUT, "%s:%d: bad", "a.gr", 3), LS_EINPUT);
  assert_string_equal(ls_error(), "a.gr:3: bad");
  assert_int_equal(ls_fail_prefix(LS_EIO, "%s: ", "saving"), LS_EIO);
  assert_string_equal(ls_error(), "saving: a.gr:3: bad");
  ls_fail(LS_EARG, "[%s]", ls_error()); /* the message as an argument of itself */
  assert_string_equal(ls_error(), "[saving: a.gr:3: bad]");
  char longest[5000];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  ls_fail(LS_EARG, "%s", longest);
  assert_int_equal(strlen(ls_error()), 1023);
  ls_fail_prefix(LS_EARG, "%s", longest);
  assert_int_equal(strlen(ls_error()), 1023);
  ls_fail(LS_EARG, "tail");
  ls_fail_prefix(LS_EARG, "%.*s", 1020, longest);
  assert_int_equal(strlen(ls_error()), 1023);
  assert_string_equal(ls_error() + 1020, "tai");
}

static void expect_shown(const char *text, int how, const char *shown) {
  char out[64];
  assert_string_equal(ls_escaped(text, how, out, sizeof out), shown);
  char again[64];
  if (!(how & LS_ESCAPE_LINES)) assert_string_equal(ls_escaped(out, how, again, sizeof again), shown);
}

static void shown(void **state) {
  (void)state;
  expect_shown("plain, é, 図, \\x1b", 0, "plain, é, 図, \\x1b");
  expect_shown("\x1b]0;t\a\r\n\t\x7f", 0, "\\x1b]0;t\\x07\\x0d\\x0a\\x09\\x7f");
  expect_shown("a\n\tb\x1b", LS_ESCAPE_LINES, "a\n\tb\\x1b");
  expect_shown("\xc2\x9b"
               "2J\xc2\x80\xc2\x9f\xc2\xa0",
               0, "\\u{9b}2J\\u{80}\\u{9f}\xc2\xa0");
  expect_shown("\x9b\xff\xc2", 0, "\\x9b\\xff\\xc2"); /* no UTF-8 */
  expect_shown("\xc0\x9b\xe0\x82\x9b\xed\xa0\x80", 0, "\\xc0\\x9b\\xe0\\x82\\x9b\\xed\\xa0\\x80");
  expect_shown("\u202a\u202e\u2066\u2069\u200e\u200f\u061c", 0,
               "\\u{202a}\\u{202e}\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}");
  expect_shown("\ufeff\u200b\u2028\uffff\U000e0041\U0010ffff", 0,
               "\\u{feff}\\u{200b}\\u{2028}\\u{ffff}\\u{e0041}\\u{10ffff}");
  expect_shown("é", LS_ESCAPE_ASCII, "\\u{e9}");
  char eight[8];
  assert_string_equal(ls_escaped("1234567", 0, eight, sizeof eight), "1234567");
  assert_string_equal(ls_escaped("12345678", 0, eight, sizeof eight), "1234...");
  assert_string_equal(ls_escaped("123図678", 0, eight, sizeof eight), "123...");
  assert_string_equal(ls_escaped("\x1b\x1b", 0, eight, sizeof eight), "\\x1b...");
  ls_fail(LS_EINPUT, "%s: bad\n  %s", "\x1b]0;t\a", "\u202e");
  assert_string_equal(ls_error(), "\\x1b]0;t\\x07: bad\n  \\u{202e}");
}

static int two_wide(u32 ch) { return ch == 'W' ? 2 : 1; }

static void folds(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int columns;
    size_t first; /* bytes of the first line */
  } cases[] = {
      {"", 5, 0},
      {"one two", 7, 7},
      {"one two", 6, 3},
      {"one two", 3, 3},
      {"one  two", 4, 3},
      {"long word", 2, 4},
      {"alone", 2, 5},
      {"  in two", 5, 4},
      {"a b c d", 5, 5},
      {"a b c d", 4, 3},
      {"\u00fc\u00fc \u00fc", 3, 4},
      {"ends ", 4, 4},
      {"ends     x", 6, 4},
      {"a b", -3, 1},
      {"\xff\xff b", 2, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (ls_wrap_text(cases[i].text, strlen(cases[i].text), cases[i].columns, NULL) != cases[i].first)
      fail_msg("`%s` in %d: %zu", cases[i].text, cases[i].columns,
               ls_wrap_text(cases[i].text, strlen(cases[i].text), cases[i].columns, NULL));
  assert_int_equal(ls_wrap_text("Wa b", 4, 4, two_wide), 2);
  assert_int_equal(ls_wrap_text("Wa b", 4, 5, two_wide), 4);
  assert_int_equal(ls_wrap_text("one two", 4, 9, NULL), 4); /* reads only the 4 bytes that were passed */
}

static void exit_codes(void **state) {
  (void)state;
  static const int codes[] = {[LS_OK] = 0,   [LS_EARG] = 1,    [LS_EINPUT] = 3,         [LS_EIO] = 1,
                              [LS_EMEM] = 1, [LS_EDEVICE] = 4, [LS_EINTERRUPTED] = 130, [LS_EOVERFLOW] = 1};
  for (int i = 0; i <= LS_EOVERFLOW; i++) assert_int_equal(ls_exit_code((ls_status)i), codes[i]);
}

static void dtypes(void **state) {
  (void)state;
  for (int t = 0; t < LS_DTYPES; t++) {
    assert_int_equal(ls_dtype_parse(ls_dtype_name((ls_dtype)t)), t);
    assert_true(ls_dtype_size((ls_dtype)t) > 0);
  }
  assert_int_equal(ls_dtype_parse("none"), LS_NONE);
  assert_int_equal(ls_dtype_parse("f16"), LS_NONE);
  assert_int_equal(ls_dtype_size(LS_NONE), 0);
  assert_int_equal(ls_dtype_size(LS_W), 0);
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static void memory_is_counted(void **state) {
  (void)state;
  u64 before = ls_mem_in_use();
  u8 *blocks[10];
  for (size_t i = 0; i < 10; i++) {
    blocks[i] = ls_malloc(i * i * 100);
    assert_non_null(blocks[i]);
    assert_int_equal((uintptr_t)blocks[i] % 64, 0);
    memset(blocks[i], 0xaa, i * i * 100);
  }
  assert_int_equal(ls_mem_in_use(), before + 28500);
  assert_true(ls_mem_peak() >= before + 28500);
  blocks[3] = ls_realloc(blocks[3], 5000);
  for (int i = 0; i < 900; i++) assert_int_equal(blocks[3][i], 0xaa);
  blocks[3] = ls_realloc(blocks[3], 10);
  assert_int_equal(blocks[3][9], 0xaa);
  for (int i = 0; i < 10; i++) ls_free(blocks[i]);
  ls_free(NULL);
  assert_int_equal(ls_mem_in_use(), before);
  u32 *zeros = ls_calloc(1000, sizeof *zeros);
  for (int i = 0; i < 1000; i++) assert_int_equal(zeros[i], 0);
  ls_free(zeros);
  char *copy = ls_strdup("text");
  assert_string_equal(copy, "text");
  ls_free(copy);
}

static void memory_that_is_not_there(void **state) {
  (void)state;
  u64 before = ls_mem_in_use();
  assert_null(ls_malloc(SIZE_MAX));
  assert_null(ls_malloc(SIZE_MAX - 100));
  assert_null(ls_malloc((size_t)1 << 60));
  assert_non_null(strstr(ls_error(), "out of memory: 1152921504606846976 bytes wanted"));
  assert_null(ls_calloc((size_t)1 << 40, (size_t)1 << 40));
  ls_mem_fail_at(3);
  void *a = ls_malloc(1), *b = ls_malloc(1), *c = ls_malloc(1), *d = ls_malloc(1);
  assert_true(a && b && !c && d);
  ls_mem_fail_at(1);
  assert_null(ls_realloc(a, 100)); /* a stays valid */
  ls_free(a), ls_free(b), ls_free(d);
  assert_int_equal(ls_mem_in_use(), before);
}

static void lists_grow(void **state) {
  (void)state;
  u32 room = 0;
  u64 wide_room = 0;
  u32 *list = NULL, *wide = NULL;
  for (u32 i = 0; i < 1000; i++) {
    u32 *more = ls_grown(list, i, &room, 3, sizeof *more);
    assert_non_null(more);
    list = more;
    more = ls_grown(wide, (u64)i, &wide_room, 3, sizeof *more);
    assert_non_null(more);
    wide = more;
    list[i] = wide[i] = 7 * i;
  }
  assert_int_equal(room, 3 << 9);
  assert_int_equal(wide_room, 3 << 9);
  for (u32 i = 0; i < 1000; i++) assert_true(list[i] == 7 * i && wide[i] == 7 * i);
  ls_mem_fail_at(1);
  assert_null(ls_grown(list, room, &room, 3, sizeof *list));
  assert_int_equal(room, 3 << 9); /* a failed growth leaves room and list unchanged */
  assert_int_equal(list[999], 7 * 999);
  u32 full = 1u << 31; /* twice this room does not fit in 32 bits: ls_grown fails at once */
  assert_ptr_equal(ls_grown(list, 5, &full, 3, sizeof *list), list);
  assert_null(ls_grown(list, full, &full, 3, sizeof *list));
  assert_int_equal(full, 1u << 31);
  ls_free(list);
  ls_free(wide);
}

/* --- the worker ------------------------------------------------------------------------------------------
 */

static atomic_int idled;
static void count_idle(void) { atomic_fetch_add(&idled, 1); }

static void sleep_ms(int ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL); }

typedef struct task {
  const atomic_int *counter; /* the task lasts until this is 4, at most 10 s; NULL: no wait */
  int runs;
  ls_status fails;
} task;

static void perform(void *arg) {
  task *t = arg;
  for (int ms = 0; t->counter && atomic_load(t->counter) < 4 && ms < 10000; ms++) sleep_ms(1);
  t->runs++;
  if (t->fails) ls_fail(t->fails, "task %d failed", t->runs);
}

static void hook_is_served(void **state) {
  (void)state;
  idled = 0;
  ls_idle_hook(count_idle);
  task t = {.counter = &idled};
  ls_work(perform, &t, false);
  assert_int_equal(t.runs, 1);
  assert_true(idled >= 4); /* it was called while the task ran */
  idled = 0;
  t.counter = NULL;
  ls_work(perform, &t, true);
  assert_true(t.runs == 2 && idled == 0);
  ls_idle_hook(NULL);
  ls_idle();
}

static void failures_reach_the_caller(void **state) {
  (void)state;
  task t = {.fails = LS_EIO};
  ls_work(perform, &t, false);
  assert_string_equal(ls_error(), "task 1 failed");
  ls_work(perform, &t, true);
  assert_string_equal(ls_error(), "task 2 failed");
}

static void many_jobs(void **state) {
  (void)state;
  task t = {0};
  for (int i = 1; i <= 2000; i++) {
    ls_work(perform, &t, false);
    assert_int_equal(t.runs, i);
  }
}

static task inner;
static atomic_int asked;
static void ask_the_worker(void) {
  ls_work(perform, &inner, false);
  atomic_fetch_add(&asked, 1);
}
static void work_within_work(void *arg) {
  (void)arg;
  sleep_ms(150); /* by then the caller sleeps until this task ends */
  ls_work(perform, &inner, false);
}

static void work_inside_work(void **state) {
  (void)state;
  inner = (task){0};
  ls_work(work_within_work, NULL, false);
  assert_int_equal(inner.runs, 1);
  asked = 0;
  task t = {.counter = &asked};
  ls_idle_hook(ask_the_worker);
  ls_work(perform, &t, false);
  ls_idle_hook(NULL);
  assert_true(t.runs == 1 && inner.runs == 1 + asked && asked >= 4);
}

static void until_interrupted(void *arg) {
  atomic_int *rounds = arg;
  while (!ls_interrupted() && atomic_fetch_add(rounds, 1) < 1000) sleep_ms(5);
}

static void interrupts_reach_the_worker(void **state) {
  (void)state;
  atomic_int rounds = 0;
  ls_interrupt_clear();
  ls_idle_hook(ls_interrupt);
  ls_work(until_interrupted, &rounds, false);
  ls_idle_hook(NULL);
  assert_true(ls_interrupted());
  assert_true(rounds < 1000);
  ls_interrupt_clear();
  assert_false(ls_interrupted());
}

static void report_progress(void *arg) {
  (void)arg;
  for (u64 i = 0; i < 100; i++) ls_progress("reading", i, 100);
}

static void progress_keeps_quiet_for_a_second(void **state) {
  (void)state;
  fflush(stderr);
  ls_progress_enable(true);
  ls_work(report_progress, NULL, false);
  ls_progress_end();
  ls_progress_enable(false);
  ls_work(report_progress, NULL, false);
  ls_progress_end();
  ls_progress_enable(true);
}

/* --- buffers ---------------------------------------------------------------------------------------------
 */

/* Two fake devices in host memory. Blocks and operations are counted; the operation number fail_at fails. */
static int live_blocks, operations, fail_at;

static ls_status allowed(void) {
  return ++operations == fail_at ? ls_fail(LS_EDEVICE, "operation %d fails", operations) : LS_OK;
}
static ls_status fake_alloc(int device, size_t bytes, void **out) {
  if (allowed()) return LS_EDEVICE;
  u8 *p = ls_malloc(bytes + 8);
  memset(p, 0xcd, bytes + 8); /* new device memory is not zero */
  memcpy(p, &device, sizeof device);
  *out = p + 8;
  live_blocks++;
  return LS_OK;
}
static void belongs(int device, const void *p) {
  assert_memory_equal((const u8 *)p - 8, &device, sizeof device);
}
static void fake_free(int device, void *p) {
  belongs(device, p);
  ls_free((u8 *)p - 8);
  live_blocks--;
}
static ls_status fake_to_device(int device, void *dst, const void *src, size_t bytes) {
  belongs(device, dst);
  if (allowed()) return LS_EDEVICE;
  memcpy(dst, src, bytes);
  return LS_OK;
}
static ls_status fake_to_host(int device, void *dst, const void *src, size_t bytes) {
  (void)device;
  if (allowed()) return LS_EDEVICE;
  memcpy(dst, src, bytes);
  return LS_OK;
}
static ls_status fake_fill(int device, void *dst, ls_pattern p, size_t element, u64 count) {
  belongs(device, dst);
  if (allowed()) return LS_EDEVICE;
  ls_pattern_put(p, element, 0, count, dst);
  return LS_OK;
}
static ls_status fake_copy(int device, void *dst, const void *src, size_t bytes) {
  belongs(device, dst);
  if (allowed()) return LS_EDEVICE;
  memcpy(dst, src, bytes);
  return LS_OK;
}
static ls_status fake_digest(int device, const void *p, u64 item_bytes, u64 count, bool set, u64 *out) {
  (void)device;
  *out = ls_digest(p, item_bytes, count, set);
  return LS_OK;
}
static const ls_memory_ops fake = {fake_alloc, fake_free, fake_to_device, fake_to_host,
                                   fake_copy,  fake_fill, fake_digest};

static int with_devices(void **state) {
  (void)state;
  live_blocks = operations = fail_at = 0;
  ls_buffer_memory_ops(&fake);
  return 0;
}

static void no_device(void **state) {
  (void)state;
  ls_buffer_memory_ops(NULL);
  ls_buffer *b;
  void *p;
  assert_int_equal(ls_buffer_new(LS_U32, 10, 0, &b), LS_OK);
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, &p), LS_EDEVICE);
  const u32 *zeros = ls_buffer_read(b);
  for (int i = 0; i < 10; i++) assert_int_equal(zeros[i], 0);
  ls_buffer_release(b);
}

static void synchronisation(void **state) {
  (void)state;
  ls_buffer *b;
  u32 *d, *h;
  assert_int_equal(ls_buffer_new(LS_U32, 4, 0, &b), LS_OK);
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, (void **)&d), LS_OK); /* fresh: zeros */
  assert_int_equal(d[3], 0);
  assert_int_equal(ls_buffer_on_device(b, 0, LS_UPDATE, (void **)&d), LS_OK);
  d[3] = 7;
  assert_int_equal(((const u32 *)ls_buffer_read(b))[3], 7);
  int before = operations;
  assert_int_equal(((const u32 *)ls_buffer_read(b))[3], 7); /* both sides are valid: nothing is copied */
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, (void **)&d), LS_OK);
  assert_int_equal(operations, before);
  h = ls_buffer_update(b);
  h[0] = 5;
  assert_int_equal(ls_buffer_on_device(b, 1, LS_UPDATE, (void **)&d), LS_OK); /* to another device */
  assert_true(d[0] == 5 && d[3] == 7 && live_blocks == 1);
  d[1] = 6;
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, (void **)&d), LS_OK); /* and back, by way of the host */
  assert_true(d[0] == 5 && d[1] == 6 && d[3] == 7);
  assert_int_equal(ls_buffer_device_bytes(), 16);
  u32 two[2];
  assert_int_equal(ls_buffer_peek(b, 1, 1, two), LS_OK);
  assert_int_equal(two[0], 6);
  before = operations;
  assert_int_equal(ls_buffer_on_device(b, 0, LS_OVERWRITE, (void **)&d), LS_OK); /* nothing is copied */
  assert_int_equal(operations, before);
  d[0] = d[1] = d[2] = d[3] = 9;
  assert_int_equal(ls_buffer_peek(b, 2, 2, two), LS_OK);
  assert_int_equal(two[1], 9);
  assert_int_equal(((const u32 *)ls_buffer_read(b))[2], 9);
  ls_buffer_release(b);
  assert_int_equal(live_blocks, 0);
  assert_int_equal(ls_buffer_device_bytes(), 0);
}

static void counting_and_closing(void **state) {
  (void)state;
  u64 before = ls_mem_in_use();
  ls_buffer *b;
  void *d;
  assert_int_equal(ls_buffer_new(LS_F64, 3, 5, &b), LS_OK);
  assert_true(b->count == 15 && ls_buffer_bytes(b) == 120);
  assert_ptr_equal(ls_buffer_retain(b), b);
  assert_int_equal(ls_buffer_on_device(b, 0, LS_UPDATE, &d), LS_OK);
  ls_buffer_release(b);
  assert_int_equal(live_blocks, 1);
  ls_buffer_close(b);
  ls_buffer_close(b);
  assert_int_equal(live_blocks, 0);
  assert_null(ls_buffer_read(b));
  assert_null(ls_buffer_update(b));
  assert_null(ls_buffer_overwrite(b));
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, &d), LS_EARG);
  assert_non_null(strstr(ls_error(), "closed"));
  ls_buffer_release(b);
  ls_buffer_release(NULL);
  assert_int_equal(ls_mem_in_use(), before);
}

static void too_large(void **state) {
  (void)state;
  static const u64 sizes[][2] = {
      {UINT64_MAX, 0}, {1ull << 61, 0}, {1ull << 32, 1ull << 32}, {UINT64_MAX, UINT64_MAX}, {2, UINT64_MAX}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    ls_buffer *b = NULL;
    assert_int_equal(ls_buffer_new(LS_F64, sizes[i][0], sizes[i][1], &b), LS_EMEM);
  }
  ls_buffer *b;
  assert_int_equal(ls_buffer_new(LS_F64, 1ull << 50, 0, &b),
                   LS_OK); /* no memory is allocated before the first use */
  assert_null(ls_buffer_read(b));
  ls_buffer_release(b);
}

static int destroyed;
static void destroy(ls_owner *o) {
  (void)o;
  destroyed++;
}

static void owners(void **state) {
  (void)state;
  u32 memory[4] = {1, 2, 3, 4};
  ls_owner owner = {0, destroy};
  ls_buffer *a, *b, *c;
  destroyed = 0;
  assert_int_equal(ls_buffer_wrap(LS_U32, 4, memory, &owner, &a), LS_OK);
  assert_int_equal(ls_buffer_wrap(LS_U32, 2, memory + 2, &owner, &b), LS_OK);
  assert_int_equal(ls_buffer_copy(b, LS_HOST, &c), LS_OK);
  ls_buffer_release(a);
  assert_int_equal(destroyed, 0);
  assert_int_equal(((const u32 *)ls_buffer_read(b))[0], 3);
  ls_buffer_release(b);
  assert_int_equal(destroyed, 1);
  assert_int_equal(((const u32 *)ls_buffer_read(c))[1], 4);
  ls_buffer_release(c);
}

static void elements(void **state) {
  (void)state;
  ls_buffer *b;
  f64 x;
  i64 i;
  static const i64 wide[] = {-3, 1ll << 62};
  assert_int_equal(ls_buffer_new(LS_I64, 2, 0, &b), LS_OK);
  memcpy(ls_buffer_overwrite(b), wide, sizeof wide);
  assert_int_equal(ls_buffer_get(b, 0, &x, &i), LS_OK);
  assert_true(i == -3 && x == -3);
  ls_buffer_release(b);
  assert_int_equal(ls_buffer_new(LS_U64, 1, 0, &b), LS_OK);
  *(u64 *)ls_buffer_overwrite(b) = UINT64_MAX;
  assert_int_equal(ls_buffer_get(b, 0, &x, &i), LS_OK);
  assert_true(x == 18446744073709551616.0);
  ls_buffer_release(b);
  assert_int_equal(ls_buffer_new(LS_F32, 1, 0, &b), LS_OK);
  *(f32 *)ls_buffer_overwrite(b) = 0.25f;
  assert_int_equal(ls_buffer_get(b, 0, &x, &i), LS_OK);
  assert_true(x == 0.25);
  ls_buffer_release(b);
}

/* If any step fails, on the host or on a device, nothing leaks and the contents are unchanged. */
static ls_status a_life(ls_buffer *b) {
  u32 *d;
  ls_status st = ls_buffer_on_device(b, 0, LS_READ, (void **)&d);
  if (!st) st = ls_buffer_on_device(b, 1, LS_READ, (void **)&d);
  if (!st && !ls_buffer_read(b)) st = LS_EDEVICE;
  ls_buffer *c;
  if (!st && !(st = ls_buffer_copy(b, LS_HOST, &c))) ls_buffer_release(c);
  return st;
}

static void every_step_may_fail(void **state) {
  (void)state;
  u64 before = ls_mem_in_use();
  for (int on_device = 0; on_device < 2; on_device++)
    for (int k = 1;; k++) {
      ls_buffer *b;
      assert_int_equal(ls_buffer_new(LS_U32, 2, 0, &b), LS_OK);
      u32 *h = ls_buffer_overwrite(b);
      h[0] = 11, h[1] = 12;
      operations = 0;
      if (on_device)
        fail_at = k;
      else
        ls_mem_fail_at((u64)k + 2); /* the fake devices' own blocks are the first two */
      ls_status st = a_life(b);
      fail_at = 0;
      ls_mem_fail_at(0);
      assert_int_equal(((const u32 *)ls_buffer_read(b))[1], 12);
      ls_buffer_release(b);
      assert_int_equal(live_blocks, 0);
      assert_int_equal(ls_mem_in_use(), before);
      if (!st) break;
      assert_true(k < 50);
    }
}

/* --- a file that is being written when the process ends ----------------------------------------------------
 */

static void abandon_and_end(int signal_number) {
  (void)signal_number;
  ls_atomic_file_abandon();
  _exit(0);
}

static _Noreturn void write_for_ever(const char *path, int ready) {
  signal(SIGTERM, abandon_and_end);
  if (write(ready, "", 1) != 1) _exit(1);
  for (;;) {
    ls_atomic_file r;
    if (ls_atomic_file_open(&r, path)) _exit(1);
    ls_atomic_file_close(&r, LS_EIO);
  }
}

/* The signal may come at any time, also between the creation of the file and its entry in the list of
 * temporary files. */
static void an_ended_process_leaves_no_file(void **state) {
  (void)state;
  char folder[] = "/tmp/replace.XXXXXX", path[64], any[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.csv", folder);
  snprintf(any, sizeof any, "%s/*", folder);
  for (int i = 0; i < 200; i++) {
    int ready[2], status;
    char c;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (!child) write_for_ever(path, ready[1]);
    assert_int_equal(read(ready[0], &c, 1), 1);
    nanosleep(&(struct timespec){0, 1000 * (i % 100)}, NULL);
    kill(child, SIGTERM);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ready[0]);
    close(ready[1]);
    glob_t left;
    assert_int_equal(glob(any, 0, NULL, &left), GLOB_NOMATCH);
  }
  rmdir(folder);
}

#define DEVICES(f) cmocka_unit_test_setup(f, with_devices)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages),
      cmocka_unit_test(shown),
      cmocka_unit_test(folds),
      cmocka_unit_test(exit_codes),
      cmocka_unit_test(an_ended_process_leaves_no_file),
      cmocka_unit_test(dtypes),
      cmocka_unit_test(memory_is_counted),
      cmocka_unit_test(memory_that_is_not_there),
      cmocka_unit_test(lists_grow),
      cmocka_unit_test(hook_is_served),
      cmocka_unit_test(failures_reach_the_caller),
      cmocka_unit_test(many_jobs),
      cmocka_unit_test(work_inside_work),
      cmocka_unit_test(interrupts_reach_the_worker),
      cmocka_unit_test(progress_keeps_quiet_for_a_second),
      DEVICES(no_device),
      DEVICES(synchronisation),
      DEVICES(counting_and_closing),
      DEVICES(too_large),
      DEVICES(owners),
      DEVICES(elements),
      DEVICES(every_step_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
