/* The trace: the ring, statistics compared with exact ones, gaps, marks, exports, failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"
#include "run/record/trace.h"

static const ls_arg relax_args[] = {{.role = LS_INOUT, .type = LS_W, .name = "dist", .extent = "n"},
                                    {.role = LS_COUNT, .type = LS_U32, .name = "improved", .extent = "1"}};
static const ls_prim relax = {.name = "relax", .domain = LS_EDGE, .args = relax_args, .nargs = 2};
static const ls_prim bounded = {.name = "bounded", .domain = LS_VERTEX, .bytes_at_most = true};
static const ls_prim trim = {.name = "trim \"a\\b\"", .domain = LS_VERTEX};

static ls_record record(const ls_prim *p, f64 begin, f64 end) {
  return (ls_record){.seq = ls_trace_next_seq(),
                     .prim = p,
                     .type = p == &relax ? LS_F32 : LS_NONE,
                     .device = ls_device_at(0),
                     .items = 5,
                     .begin = begin,
                     .end = end,
                     .host_begin = begin,
                     .counts = {17},
                     .bytes = 100,
                     .edges = p == &relax ? 5 : 0,
                     .where = "scc.lua:18"};
}

static void add(const ls_prim *p, f64 begin, f64 end) {
  ls_record r = record(p, begin, end);
  ls_trace_add(&r);
}

static int fresh(void **state) {
  (void)state;
  ls_trace_enable(true);
  ls_trace_reset();
  return ls_trace_resize(1 << 16);
}

/* --- the ring --------------------------------------------------------------------------------------------
 */

static void ring_overflows(void **state) {
  (void)state;
  assert_int_equal(ls_trace_resize(64), LS_OK);
  assert_true(ls_trace_first() > ls_trace_last());
  assert_null(ls_trace_get(0));
  assert_null(ls_trace_get(1));
  for (int i = 1; i <= 1000; i++) {
    add(&relax, i, i + 0.5);
    assert_int_equal(ls_trace_last(), i);
    assert_int_equal(ls_trace_first(), i <= 64 ? 1 : i - 63);
  }
  assert_null(ls_trace_get(936));
  assert_null(ls_trace_get(1001));
  for (u64 i = ls_trace_first(); i <= ls_trace_last(); i++) assert_true(ls_trace_get(i)->begin == (f64)i);
  ls_stat s[4];
  assert_int_equal(ls_trace_stats(s, 4), 2);
  assert_int_equal(s[0].calls, 1000); /* records that the ring discarded are still counted */
}

/* First launches, whose time may include loading code, have a row of their own, without rates and limits.
 */
static void first_launches(void **state) {
  (void)state;
  ls_record r = record(&relax, 1, 1.5);
  r.first = true;
  ls_trace_add(&r);
  for (int i = 2; i <= 9; i++) add(&relax, i, i + 0.001);
  ls_stat s[4];
  assert_int_equal(ls_trace_stats(s, 4), 3);
  assert_string_equal(s[0].name, "relax (first)");
  assert_true(s[0].first && s[0].calls == 1 && s[0].limit < 0 && s[0].bytes == 0);
  assert_string_equal(s[1].name, "relax");
  assert_true(!s[1].first && s[1].calls == 8 && s[1].max < 0.0011);
  assert_string_equal(s[2].name, "(host gap)");
}

static void ring_resizes(void **state) {
  (void)state;
  for (int i = 1; i <= 100; i++) add(&relax, i, i + 0.5);
  assert_int_equal(ls_trace_resize(30), LS_OK);
  assert_int_equal(ls_trace_first(), 71);
  assert_int_equal(ls_trace_resize(50), LS_OK);
  for (int i = 101; i <= 115; i++) add(&relax, i, i + 0.5);
  assert_int_equal(ls_trace_first(), 71);
  for (u64 i = 71; i <= 115; i++) assert_true(ls_trace_get(i)->begin == (f64)i);
  for (int i = 116; i <= 130; i++) add(&relax, i, i + 0.5);
  assert_int_equal(ls_trace_first(), 81);
  assert_true(ls_trace_get(81)->begin == 81);
  assert_int_equal(ls_trace_resize(3), LS_EARG);
  assert_int_equal(ls_trace_last(), 130);
}

static void off_records_nothing(void **state) {
  (void)state;
  ls_trace_enable(false);
  add(&relax, 1, 2);
  const char *name = "x";
  ls_trace_mark(1, &name, (f64[]){1}, 1);
  assert_int_equal(ls_trace_last(), 0);
  assert_int_equal(ls_trace_series(), 0);
  assert_int_equal(ls_trace_stats(NULL, 0), 0);
  ls_trace_enable(true);
  add(&relax, 3, 4);
  assert_int_equal(ls_trace_last(), 1);
}

/* --- statistics ------------------------------------------------------------------------------------------
 */

static int by_value(const void *a, const void *b) {
  f64 x = *(const f64 *)a, y = *(const f64 *)b;
  return x < y ? -1 : x > y;
}

static f64 uniform(u64 *x) {
  *x = *x * 6364136223846793005ull + 1442695040888963407ull;
  return (f64)(*x >> 11) / 9007199254740992.0;
}

/* Times spread over seven decades, drawn in several shapes: the median must be within 1 % of the exact one.
 */
static void median_is_accurate(void **state) {
  (void)state;
  enum { MOST = 20001 };
  static f64 times[MOST];
  static const int counts[] = {1, 2, 3, 4, 5, 10, 101, 1000, MOST};
  u64 x = 1;
  for (int shape = 0; shape < 3; shape++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      ls_trace_reset();
      f64 total = 0;
      for (int i = 0; i < counts[c]; i++) {
        f64 u = uniform(&x);
        f64 t = shape == 0   ? pow(10, -7 + 7 * u)
                : shape == 1 ? 1e-3 * (1 + 0.01 * u)
                : u < 0.6    ? 3e-6
                             : 0.25 + u;
        ls_record r = record(&relax, 0, t);
        ls_trace_add(&r);
        times[i] = t;
        total += t;
      }
      int n = counts[c];
      qsort(times, (size_t)n, sizeof *times, by_value);
      f64 exact = 0.5 * (times[(n - 1) / 2] + times[n / 2]);
      ls_stat s;
      assert_int_equal(ls_trace_stats(&s, 1), 1);
      assert_int_equal(s.calls, n);
      assert_true(fabs(s.median / exact - 1) < 0.01);
      assert_true(s.min == times[0] && s.max == times[n - 1]);
      assert_true(fabs(s.total / total - 1) < 1e-12 && fabs(s.average * n / total - 1) < 1e-12);
      assert_true(s.edges == 5.0 * n && s.bytes == 100.0 * n);
    }
}

/* If only an upper bound of the bytes is known, neither a rate nor a share of the device's limit is given. */
static void bounds_are_no_rates(void **state) {
  (void)state;
  ls_record r = record(&bounded, 0, 1);
  r.bytes_at_most = r.bytes;
  r.bytes = 0;
  r.gathers = 3;
  ls_trace_add(&r);
  ls_trace_add(&r);
  ls_stat s;
  assert_int_equal(ls_trace_stats(&s, 1), 1);
  assert_true(s.bytes == 0 && s.bytes_at_most == 200 && s.gathers == 6 && s.gathers_at_most == 0);
  assert_true(s.limit < 0 && ls_trace_share(&r) < 0);
}

static void extreme_times(void **state) {
  (void)state;
  f64 times[] = {0, -1, 1e-12, 1e9};
  for (int i = 0; i < 4; i++) {
    ls_record r = record(&relax, 0, times[i]);
    ls_trace_add(&r);
  }
  ls_stat s;
  assert_int_equal(ls_trace_stats(&s, 1), 1);
  assert_true(s.min == 0 && s.max == 1e9 && s.median >= 0 && s.median <= 1e-8);
}

static void rows_by_primitive_and_device(void **state) {
  (void)state;
  add(&trim, 0, 1);
  add(&relax, 1, 3);
  ls_record r = record(&trim, 3, 10);
  r.device = ls_device_at(1);
  ls_trace_add(&r);
  ls_stat s[3];
  assert_int_equal(ls_trace_stats(s, 1), 3);
  assert_int_equal(ls_trace_stats(s, 3), 3);
  assert_true(s[0].prim == &trim && s[0].device == ls_device_at(1) && s[0].total == 7);
  assert_true(s[1].prim == &relax && s[1].total == 2 && s[1].edges == 5);
  assert_true(s[2].prim == &trim && s[2].device == ls_device_at(0) && s[2].edges == 0);
}

static void host_gaps(void **state) {
  (void)state;
  add(&relax, 10, 11);
  add(&relax, 11.5, 12); /* a gap of 0.5: submitted after the previous launch ended */
  ls_record r = record(&relax, 12.25, 13);
  r.host_begin = 11.9; /* submitted before that launch ended: no gap of the host */
  ls_trace_add(&r);
  ls_trace_pause();
  add(&relax, 100, 101); /* the time at a stop does not count as a gap */
  add(&relax, 101.25, 102);
  ls_stat s[2];
  assert_int_equal(ls_trace_stats(s, 2), 2);
  assert_null(s[1].prim);
  assert_int_equal(s[1].calls, 2);
  assert_true(s[1].total == 0.75 && s[1].min == 0.25 && s[1].max == 0.5);
  assert_true(ls_trace_get(2)->gap == 0.5 && ls_trace_get(4)->gap == 0);
}

static int harvests;
static void harvest(void) {
  if (!harvests++) add(&trim, 50, 51);
}

static void late_times_are_brought_in(void **state) {
  (void)state;
  harvests = 0;
  ls_trace_on_read(harvest);
  assert_int_equal(ls_trace_last(), 1);
  ls_trace_on_read(NULL);
  assert_true(ls_trace_get(1)->begin == 50);
}

/* --- marks -----------------------------------------------------------------------------------------------
 */

static void marks(void **state) {
  (void)state;
  const char *names[] = {"improved", "lambda"};
  for (u32 run = 1; run <= 2; run++)
    for (u32 m = 1; m <= 3; m++) ls_trace_mark(m, names, (f64[]){m * 10.0, run}, 2);
  assert_int_equal(ls_trace_series(), 2);
  assert_string_equal(ls_trace_series_name(1), "lambda");
  assert_null(ls_trace_series_name(2));
  u64 count;
  const ls_point *p = ls_trace_points(0, &count);
  assert_int_equal(count, 6);
  assert_true(p[2].run == 1 && p[2].mark == 3 && p[3].run == 2 && p[3].mark == 1 && p[5].value == 30);
  assert_null(ls_trace_points(9, &count));
}

static void marks_are_bounded(void **state) {
  (void)state;
  const char *name = "x";
  for (u32 m = 1; m <= 100000; m++) ls_trace_mark(m, &name, (f64[]){m}, 1);
  u64 count;
  const ls_point *p = ls_trace_points(0, &count);
  assert_true(count > 4096 && count <= 16384);
  assert_int_equal(p[0].mark, 1);
  assert_int_equal(p[count - 1].mark, 100000);
  for (u64 i = 1; i < count; i++) assert_true(p[i].mark > p[i - 1].mark && p[i].value == p[i].mark);
  for (u64 i = count - 4096; i < count; i++) assert_int_equal(p[i].mark, 100000 - (count - 1 - i));
}

/* --- exports ---------------------------------------------------------------------------------------------
 */

/* A JSON value by the grammar of RFC 8259; returns NULL if the text is not one. */
static const char *json(const char *s);

static const char *blank(const char *s) { return s + strspn(s, " \t\r\n"); }

static const char *json_string(const char *s) {
  if (*s++ != '"') return NULL;
  while (*s != '"') {
    if ((u8)*s < 0x20) return NULL;
    if (*s == '\\') {
      s++;
      if (*s == 'u') {
        for (int i = 1; i <= 4; i++)
          if (!isxdigit((u8)s[i])) return NULL;
        s += 4;
      } else if (!strchr("\"\\/bfnrt", *s)) {
        return NULL;
      }
    }
    s++;
  }
  return s + 1;
}

static const char *json_number(const char *s) {
  if (*s == '-') s++;
  if (!isdigit((u8)*s) || (*s == '0' && isdigit((u8)s[1]))) return NULL;
  s += strspn(s, "0123456789");
  if (*s == '.') {
    if (!isdigit((u8) * ++s)) return NULL;
    s += strspn(s, "0123456789");
  }
  if (*s == 'e' || *s == 'E') {
    s++;
    if (*s == '+' || *s == '-') s++;
    if (!isdigit((u8)*s)) return NULL;
    s += strspn(s, "0123456789");
  }
  return s;
}

static const char *json_list(const char *s, char close) {
  s = blank(s + 1);
  if (*s == close) return s + 1;
  for (;;) {
    if (close == '}') {
      if (!(s = json_string(s)) || *(s = blank(s)) != ':') return NULL;
      s++;
    }
    if (!(s = json(s))) return NULL;
    s = blank(s);
    if (*s == close) return s + 1;
    if (*s != ',') return NULL;
    s = blank(s + 1);
  }
}

static const char *json(const char *s) {
  s = blank(s);
  if (*s == '{') return json_list(s, '}');
  if (*s == '[') return json_list(s, ']');
  if (*s == '"') return json_string(s);
  for (int i = 0; i < 3; i++) {
    const char *word = (const char *[]){"true", "false", "null"}[i];
    if (strncmp(s, word, strlen(word)) == 0) return s + strlen(word);
  }
  return json_number(s);
}

static char *exported(ls_status (*export)(FILE *)) {
  static char text[1 << 20];
  FILE *f = fmemopen(text, sizeof text, "w");
  assert_int_equal(export(f), LS_OK);
  fclose(f);
  return text;
}

static int occurrences(const char *text, const char *what) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, what)); p++) n++;
  return n;
}

static void some_records(void) {
  for (int i = 0; i < 10; i++) {
    ls_record r = record(i % 2 ? &relax : &trim, 1000 + i, 1000.25 + i);
    snprintf(r.where, sizeof r.where, "%s", i == 3 ? "a\"b\\c\n\t,\xff\xe2\x82.lua:3" : "\xc3\xa9.lua:18");
    ls_trace_add(&r);
  }
  const char *names[] = {"lambda", "inf"};
  ls_trace_mark(1, names, (f64[]){2.5, INFINITY}, 2);
}

static void chrome_is_json(void **state) {
  (void)state;
  const char *empty = exported(ls_trace_export_chrome);
  assert_string_equal(blank(json(empty)), "");
  some_records();
  const char *text = exported(ls_trace_export_chrome), *end = json(text);
  assert_non_null(end);
  assert_string_equal(blank(end), "");
  assert_int_equal(occurrences(text, "\"ph\":\"X\""), 10 + 9); /* launches, and gaps between them */
  assert_int_equal(occurrences(text, "relax.improved"), 5);
  assert_int_equal(occurrences(text, "\"name\":\"mark.lambda\""), 1);
  assert_int_equal(occurrences(text, "inf\""), 0);
  assert_int_equal(occurrences(text, "\"ts\":9000000.000,\"dur\":250000.000"), 1);
}

static void jsonl_is_json(void **state) {
  (void)state;
  some_records();
  char *text = exported(ls_trace_export_jsonl);
  int lines = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
    const char *end = json(line);
    assert_non_null(end);
    assert_string_equal(end, "");
  }
  assert_int_equal(lines, 10);
}

static int fields(const char **at) {
  int n = 1;
  bool quoted = false;
  const char *s = *at;
  for (; *s && (quoted || *s != '\n'); s++) {
    if (*s == '"') quoted = !quoted;
    if (*s == ',' && !quoted) n++;
  }
  *at = *s ? s + 1 : s;
  return n;
}

static void csv_has_its_fields(void **state) {
  (void)state;
  some_records();
  const char *at = exported(ls_trace_export_csv);
  int columns = fields(&at), rows = 0;
  assert_int_equal(columns, 20);
  for (; *at; rows++) assert_int_equal(fields(&at), columns);
  assert_int_equal(rows, 10);
}

static void locale_has_no_say(void **state) {
  (void)state;
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
  some_records();
  const char *text = exported(ls_trace_export_chrome);
  setlocale(LC_ALL, "C");
  assert_non_null(json(text));
  assert_int_equal(occurrences(text, "\"lambda\":2.5"), 1);
}

static void saving(void **state) {
  (void)state;
  char folder[] = "/tmp/test_trace_XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  some_records();
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/t%s", folder, (const char *[]){".json", ".csv", ".jsonl"}[i]);
    assert_int_equal(ls_trace_save(path), LS_OK);
    assert_int_equal(ls_trace_save(path), LS_OK); /* replaces */
    assert_int_equal(remove(path), 0);
  }
  assert_int_equal(ls_trace_save("trace.txt"), LS_EARG);
  assert_int_equal(ls_trace_save("trace"), LS_EARG);
  snprintf(path, sizeof path, "%s/none/t.json", folder);
  assert_int_equal(ls_trace_save(path), LS_EIO);
  assert_non_null(strstr(ls_error(), "none/t.json"));
  assert_non_null(strstr(ls_error(), strerror(ENOENT)));
  assert_int_equal(rmdir(folder), 0); /* no temporary file was left */
}

static void full_disk(void **state) {
  (void)state;
  FILE *f = fopen("/dev/full", "w");
  if (!f) skip();
  some_records();
  assert_int_equal(ls_trace_export_csv(f), LS_EIO);
  fclose(f);
  char folder[] = "/tmp/test_trace_XXXXXX", link[64];
  assert_non_null(mkdtemp(folder));
  snprintf(link, sizeof link, "%s/full.csv", folder);
  assert_int_equal(symlink("/dev/full", link), 0);
  assert_int_equal(ls_trace_save(link), LS_EIO);
  assert_non_null(strstr(ls_error(), strerror(ENOSPC)));
  assert_int_equal(remove(link), 0);
  assert_int_equal(rmdir(folder), 0);
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static void every_allocation_may_fail(void **state) {
  (void)state;
  char folder[] = "/tmp/test_trace_XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/t.csv", folder);
  ls_trace_reset();
  u64 before = ls_mem_in_use(), lost = 0;
  const char *name = "x";
  for (u64 k = 1; k <= 8; k++) {
    ls_mem_fail_at(k);
    add(&relax, 1, 2);
    add(&trim, 2, 3);
    for (u32 m = 1; m < 200; m++) ls_trace_mark(m, &name, (f64[]){m}, 1);
    ls_trace_resize(100);
    if (ls_trace_save(path) == LS_OK) remove(path);
    ls_mem_fail_at(0);
    ls_stat s[4];
    int n = ls_trace_stats(s, 4);
    u64 counted = 0;
    for (int i = 0; i < n && s[i].prim; i++) counted += s[i].calls;
    assert_int_equal(ls_trace_last(), 2); /* a smaller ring is used */
    assert_int_equal(counted + ls_trace_lost(), 2);
    lost += ls_trace_lost();
    ls_trace_reset();
    ls_trace_resize(1 << 16);
    assert_int_equal(ls_mem_in_use(), before);
  }
  assert_int_equal(rmdir(folder), 0);
  assert_int_equal(lost, 2); /* the statistics row of each primitive failed to be allocated once */
}

static void cheap(void **state) {
  (void)state;
  ls_record r = record(&relax, 0, 1e-5);
  f64 best = 1;
  for (int round = 0; round < 5; round++) {
    f64 began = ls_now();
    for (int i = 0; i < 100000; i++) {
      r.begin += 2e-5;
      r.host_begin = r.begin;
      r.end = r.begin + 1e-5 + 1e-9 * (i & 1023);
      ls_trace_add(&r);
    }
    f64 each = (ls_now() - began) / 100000;
    if (each < best) best = each;
  }
  print_message("ls_trace_add: %.0f ns\n", best * 1e9);
  assert_true(best < 1e-6); /* 30 ns on a quiet machine; the bound allows for sanitizers and busy machines */
}

#define TEST(f) cmocka_unit_test_setup(f, fresh)

int main(void) {
  setenv("XDG_CACHE_HOME", "/proc/none", 1); /* so that no limits of a device are cached */
  const struct CMUnitTest tests[] = {
      TEST(ring_overflows),
      TEST(ring_resizes),
      TEST(first_launches),
      TEST(off_records_nothing),
      TEST(median_is_accurate),
      TEST(bounds_are_no_rates),
      TEST(extreme_times),
      TEST(rows_by_primitive_and_device),
      TEST(host_gaps),
      TEST(late_times_are_brought_in),
      TEST(marks),
      TEST(marks_are_bounded),
      TEST(chrome_is_json),
      TEST(jsonl_is_json),
      TEST(csv_has_its_fields),
      TEST(locale_has_no_say),
      TEST(saving),
      TEST(full_disk),
      TEST(every_allocation_may_fail),
      TEST(cheap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
