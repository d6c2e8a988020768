/* The measured limits: plausible figures, damaged cache files, interpolation, shares of a limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"
#include "run/devices/limits.h"

static char folder[64], file[512];

static ls_device *other; /* a device without limits in memory: they can only come from the cache file */

static void forget(void) {
  static ls_device fresh[2000];
  static int used;
  fresh[used] = *ls_device_find("cpu:1");
  other = &fresh[used++];
}

static int setup(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/test_limits_XXXXXX");
  if (!mkdtemp(folder)) return -1;
  setenv("XDG_CACHE_HOME", folder, 1);
  forget();
  return 0;
}

/* The one file in the cache folder. */
static void find_file(void) {
  char sub[128];
  snprintf(sub, sizeof sub, "%s/lockstep", folder);
  DIR *d = opendir(sub);
  assert_non_null(d);
  int files = 0;
  for (struct dirent *e; (e = readdir(d));)
    if (e->d_name[0] != '.') {
      files++;
      snprintf(file, sizeof file, "%s/%s", sub, e->d_name);
    }
  closedir(d);
  assert_int_equal(files, 1);
}

static int teardown(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static void plausible(const ls_limits *l) {
  assert_true(l->copy > 1e8 && l->copy < 1e13);
  for (int i = 0; i < LS_MINPLUS_TYPES; i++) assert_true(ls_limits_updates(l, ls_minplus_types[i]) > 1e6);
  assert_true(l->multiply_add_f64 > 1e6);
  assert_true(l->launch > 0 && l->launch < 0.1 && l->launch_readback > 0);
  assert_true(l->transfer == 0);
  for (int i = 0; i < LS_GATHER_SIZES; i++) {
    assert_true(l->gather[i] > 1e5 && l->atomic_min[i] > 1e4 && l->stream[i] > 1e8);
    assert_true(i == 0 || l->gather_bytes[i] > l->gather_bytes[i - 1]);
  }
  assert_true(l->gather_bytes[0] == 64 << 10);
}

static void measured_then_cached(void **state) {
  (void)state;
  ls_limits l, again;
  assert_false(ls_limits_known(other, &l));
  f64 began = ls_now();
  assert_int_equal(ls_limits_of(other, false, &l), LS_OK);
  print_message("measured in %.2f s\n", ls_now() - began);
  plausible(&l);
  began = ls_now();
  assert_int_equal(ls_limits_of(other, false, &again), LS_OK);
  assert_true(ls_now() - began < 0.1);
  forget();
  assert_true(ls_limits_known(other, &again)); /* from the file */
  assert_true(fabs(again.copy / l.copy - 1) < 1e-6 && fabs(again.launch / l.launch - 1) < 1e-3);
  assert_true(fabs(again.gather[7] / l.gather[7] - 1) < 1e-6);
  assert_true(fabs(again.multiply_add_f64 / l.multiply_add_f64 - 1) < 1e-6);
  for (int t = 0; t < LS_DTYPES; t++) {
    const f64 here = ls_limits_updates(&l, (ls_dtype)t), there = ls_limits_updates(&again, (ls_dtype)t);
    assert_true(fabs(there - here) <= 1e-6 * here);
  }
  find_file();
  assert_null(strchr(strrchr(file, '/'), ' '));
#ifdef LS_SLOW_BUILD /* an unoptimised build has a cache file of its own */
  assert_non_null(strstr(file, "-slow.txt"));
#else
  assert_null(strstr(file, "-slow"));
#endif
}

static void replace(const char *text, size_t bytes) {
  FILE *f = fopen(file, "w");
  assert_non_null(f);
  fwrite(text, 1, bytes, f);
  fclose(f);
}

static bool believed(const char *text, size_t bytes) {
  ls_limits l;
  replace(text, bytes);
  forget();
  return ls_limits_known(other, &l);
}

static void broken_files_are_not_believed(void **state) {
  (void)state;
  ls_limits l;
  assert_int_equal(ls_limits_of(other, false, &l), LS_OK);
  find_file();
  static char good[4096], bad[4096];
  FILE *f = fopen(file, "r");
  size_t bytes = fread(good, 1, sizeof good, f);
  fclose(f);
  assert_true(believed(good, bytes));
  for (size_t cut = 0; cut + 4 < bytes; cut += 5) assert_false(believed(good, cut));
  for (size_t at = 0; at < bytes; at += 3) { /* replaces a digit or a letter of a name */
    memcpy(bad, good, bytes);
    bad[at] = bad[at] == '?' ? '!' : '?';
    if (at + 1 < bytes) assert_false(believed(bad, bytes));
  }
  memcpy(bad, good, bytes); /* a lower format number: the file is outdated, so it is ignored */
  bad[strcspn(bad, "\n") - 1]--;
  assert_false(believed(bad, bytes));
  memcpy(bad, good, bytes);
  for (char *digit = strchr(bad, '\n') + 1 + strlen("copy "); *digit != '\n'; digit++) *digit = '0';
  assert_false(believed(bad, bytes)); /* a rate of 0 is rejected */
  for (size_t i = 0; i < sizeof bad; i++) bad[i] = (char)(i * 7919 >> 3);
  assert_false(believed(bad, sizeof bad));
  assert_int_equal(ls_limits_of(other, false, &l), LS_OK); /* measured again because the file is damaged */
  plausible(&l);
  forget();
  assert_true(ls_limits_known(other, &l)); /* and the file is written again */
}

/* Each element type has its own limit of atomic updates; types that were not measured have none. */
static void updates_by_type(void **state) {
  (void)state;
  ls_limits l = {0};
  for (int i = 0; i < LS_MINPLUS_TYPES; i++) l.minplus[ls_minplus_types[i]] = 1e9 * (i + 1);
  assert_true(ls_limits_updates(&l, LS_F32) == 1e9 && ls_limits_updates(&l, LS_I32) == 2e9);
  assert_true(ls_limits_updates(&l, LS_I16) == 3e9 && ls_limits_updates(&l, LS_F64) == 4e9);
  assert_true(ls_limits_updates(&l, LS_I64) == 5e9);
  assert_true(ls_limits_updates(&l, LS_U32) == 0 && ls_limits_updates(&l, LS_NONE) == 0);
}

static void unwritable_cache(void **state) {
  (void)state;
  char path[128];
  snprintf(path, sizeof path, "%s/file", folder);
  FILE *f = fopen(path, "w");
  fclose(f);
  setenv("XDG_CACHE_HOME", path, 1); /* the cache folder's path is that of a file */
  ls_limits l;
  assert_int_equal(ls_limits_of(other, false, &l), LS_OK);
  plausible(&l);
  forget();
  assert_false(ls_limits_known(other, &l));
  setenv("XDG_CACHE_HOME", "relative/path", 1); /* ignored, as the XDG specification demands */
  setenv("HOME", folder, 1);
  assert_int_equal(ls_limits_of(other, false, &l), LS_OK);
  snprintf(path, sizeof path, "%s/.cache/lockstep", folder);
  assert_int_equal(access(path, R_OK), 0);
  assert_int_not_equal(access("relative", F_OK), 0);
}

static void interrupted(void **state) {
  (void)state;
  ls_limits l;
  ls_interrupt();
  f64 began = ls_now();
  assert_int_equal(ls_limits_of(other, false, &l), LS_EINTERRUPTED);
  assert_true(ls_now() - began < 5);
  ls_interrupt_clear();
  assert_non_null(strstr(ls_error(), "interrupted"));
  assert_false(ls_limits_known(other, &l));
}

static void little_memory(void **state) {
  (void)state;
  ls_limits l;
  u64 before = ls_mem_in_use();
  ls_mem_fail_at(1);
  assert_int_equal(ls_limits_of(other, false, &l), LS_OK); /* retries with half the memory */
  ls_mem_fail_at(0);
  plausible(&l);
  assert_int_equal(ls_mem_in_use(), before);
}

static void interpolation(void **state) {
  (void)state;
  ls_limits l = {.copy = 1e12};
  for (int i = 0; i < LS_GATHER_SIZES; i++)
    l.gather_bytes[i] = 65536 * pow(4, i), l.gather[i] = 1e9 * pow(2, -i), l.stream[i] = 1e12 * pow(2, -i);
  assert_true(ls_limits_gather(&l, 1) == 1e9);
  assert_true(fabs(ls_limits_gather(&l, 65536 * 2) / (1e9 / sqrt(2)) - 1) < 1e-12);
  assert_true(fabs(ls_limits_gather(&l, 65536 * 16) / 2.5e8 - 1) < 1e-12);
  assert_true(ls_limits_gather(&l, 1e15) == 1e9 / 128);
  assert_true(ls_limits_stream(&l, 0) == 1e12 && ls_limits_stream(&l, 1e15) == 1e12 / 128);
  assert_true(fabs(ls_limits_stream(&l, 65536 * 2) / (1e12 / sqrt(2)) - 1) < 1e-12);
}

/* Each case: the minimum time by each limit in seconds (NAME_at_most: only an upper bound of it is known),
 * the time taken, the expected share of the limit (-1: unknown), and the name of that limit. */
static void shares(void **state) {
  (void)state;
  static const struct {
    ls_least least;
    f64 seconds, share;
    const char *bound;
  } cases[] = {
      {{.mem = 1e-3}, 2e-3, 0.5, "mem"},
      {{.mem = 1e-3, .irr = 5e-4}, 2e-3, 0.5, "mem"},
      {{.mem = 1e-3, .irr = 1.5e-3}, 2e-3, 0.75, "irr"},
      {{.mem = 1e-3, .irr = 3e-3}, 2e-3, 1, "irr"}, /* faster than random accesses allow: at that limit */
      {{.irr = 3e-3}, 2e-3, 1, "irr"},
      {{.mem = 3e-3}, 2e-3, -1, ""}, /* faster than the limit, which therefore does not apply */
      {{.mem = 3e-3, .irr = 1e-3}, 2e-3, -1, ""},
      {{.irr = 2.05e-3}, 2e-3, 1, "irr"},
      {{.mem_at_most = 1e-3}, 2e-3, -1, ""},
      {{.mem_at_most = 1e-3, .irr = 1.5e-3}, 2e-3, 0.75, "irr"}, /* irr is tighter in any case */
      {{.mem_at_most = 1.6e-3, .irr = 1.5e-3}, 2e-3, -1, ""},
      {{.mem_at_most = 1e-3, .irr = 3e-3}, 2e-3, 1, "irr"},
      {{.mem = 1e-3, .irr_at_most = 9e-4}, 2e-3, 0.5, "mem"},
      {{.mem = 1e-3, .irr_at_most = 9e-3}, 2e-3, -1, ""},
      {{.mem = 1e-3, .ops = 1.5e-3}, 2e-3, 0.75, "ops"},
      {{.mem = 1e-3, .link = 1.5e-3}, 2e-3, 0.75, "link"},
      {{.mem = 1e-3, .link = 5e-4}, 2e-3, 0.5, "mem"},
      {{.link = 3e-3}, 2e-3, -1, ""},
      {{.mem = 1e-3, .irr = 1.5e-3, .ops = 5e-4}, 2e-3, 0.75, "irr"},
      {{.mem_at_most = 1e-3, .ops = 1.5e-3}, 2e-3, 0.75, "ops"},
      {{.mem_at_most = 1e-3, .ops = 5e-4}, 2e-3, -1, ""}, /* the bytes may be the tighter limit */
      {{.ops = 3e-3}, 2e-3, -1, ""},
      {{0}, 2e-3, -1, ""},
      {{.mem = 1e-3}, 0, -1, ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *bound = NULL;
    const f64 share = ls_limits_share(&cases[i].least, cases[i].seconds, &bound);
    if (fabs(share - cases[i].share) > 1e-12 || strcmp(bound, cases[i].bound) != 0)
      fail_msg("case %zu: %g %s", i, share, bound);
  }
}

static void bounds_of_shares(void **state) {
  (void)state;
  static const struct {
    ls_least least;
    f64 seconds, share;
    const char *bound;
  } cases[] = {
      {{.mem_at_most = 1e-3}, 2e-3, 0.5, "mem"},
      {{.mem_at_most = 1e-3, .irr = 1.5e-3}, 2e-3, 0.75, "irr"},
      {{.mem = 1e-4, .irr_at_most = 5e-4}, 2e-3, 0.25, "irr"},
      {{.mem_at_most = 1e-3, .ops = 5e-4}, 2e-3, 0.5, "mem"},
      {{.irr_at_most = 3e-3},
       2e-3,
       -1,
       ""}, /* only an upper bound, which is above the time taken: no share is known */
      {{0}, 2e-3, -1, ""},
      {{.mem_at_most = 1e-3}, 0, -1, ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *bound = NULL;
    const f64 share = ls_limits_share_at_most(&cases[i].least, cases[i].seconds, &bound);
    if (fabs(share - cases[i].share) > 1e-12 || strcmp(bound, cases[i].bound) != 0)
      fail_msg("case %zu: %g %s", i, share, bound);
  }
}

/* Memory in a cache may be faster than its limit; operations may not. */
static void limits_that_are_too_low(void **state) {
  (void)state;
  const ls_least ops = {.ops = 1.1e-3}, mem = {.mem = 5e-3, .ops = 1e-3};
  const char *bound;
  assert_true(ls_limits_too_low(&ops, 1e-3) && ls_limits_share(&ops, 1e-3, &bound) < 0);
  assert_false(ls_limits_too_low(&ops, 1.06e-3));
  assert_false(ls_limits_too_low(&mem, 1e-3));
  assert_false(ls_limits_too_low(&ops, 0));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(measured_then_cached),
                                     TEST(broken_files_are_not_believed),

                                     cmocka_unit_test(updates_by_type),
                                     TEST(unwritable_cache),
                                     TEST(interrupted),
                                     TEST(little_memory),
                                     cmocka_unit_test(interpolation),
                                     cmocka_unit_test(shares),
                                     cmocka_unit_test(bounds_of_shares),
                                     cmocka_unit_test(limits_that_are_too_low)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
