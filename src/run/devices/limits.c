#include "run/devices/limits.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/atomic_file.h"
#include "core/wait.h"
#include "run/devices/limits_cpu.h"

const ls_dtype ls_minplus_types[LS_MINPLUS_TYPES] = {LS_F32, LS_I32, LS_I16, LS_F64, LS_I64};

const char *ls_minplus_name(int i, char out[24]) {
  snprintf(out, 24, "minplus_%s", ls_dtype_name(ls_minplus_types[i]));
  return out;
}

/* --- the cache file --------------------------------------------------------------------------------------
 */

/* One `name value` per line, times in picoseconds, so that every value is an integer and independent of the
 * locale. The file's name contains the device's model and size: the threads of a CPU, or the multiprocessors
 * of (a part of) a GPU. */
static const char first_line[] = "lockstep limits 3\n";
static const char last_line[] = "end\n"; /* missing in a truncated file */

/* A build without optimization, or with a sanitizer, measures only a fortieth of what a CPU can do, so it has
 * a cache file of its own. */
#ifdef LS_SLOW_BUILD
#define OF_BUILD "-slow"
#else
#define OF_BUILD ""
#endif

static bool cache_path(const ls_device *d, char *out, size_t bytes) {
  char folder[3072], model[sizeof d->model];
  if (!ls_cache_folder(NULL, folder, sizeof folder)) return false;
  size_t i = 0;
  for (; d->model[i]; i++) model[i] = isalnum((unsigned char)d->model[i]) ? d->model[i] : '_';
  model[i] = 0;
  int size = d->processor == LS_CUDA ? d->units : d->threads;
  int n = snprintf(out, bytes, "%s/limits-%s-%d" OF_BUILD ".txt", folder, model, size);
  return n > 0 && (size_t)n < bytes;
}

/* A member of ls_limits, its name in the file, and the unit of the number there. */
typedef struct value {
  char name[24];
  f64 *at;
  f64 unit;
} value;

enum { SCALARS = 5, BY_SIZE = 4, VALUES = SCALARS + LS_MINPLUS_TYPES + BY_SIZE * LS_GATHER_SIZES };

static void values_of(ls_limits *l, value v[VALUES]) {
  const value scalars[SCALARS] = {{"copy", &l->copy, 1},
                                  {"multiply_add_f64", &l->multiply_add_f64, 1},
                                  {"launch_ps", &l->launch, 1e-12},
                                  {"launch_readback_ps", &l->launch_readback, 1e-12},
                                  {"transfer", &l->transfer, 1}};
  memcpy(v, scalars, sizeof scalars);
  v += SCALARS;
  for (int i = 0; i < LS_MINPLUS_TYPES; i++, v++) {
    *v = (value){.at = &l->minplus[ls_minplus_types[i]], .unit = 1};
    ls_minplus_name(i, v->name);
  }
  for (int i = 0; i < LS_GATHER_SIZES; i++) {
    const value here[BY_SIZE] = {{"gather_bytes", &l->gather_bytes[i], 1},
                                 {"stream", &l->stream[i], 1},
                                 {"gather", &l->gather[i], 1},
                                 {"atomic_min", &l->atomic_min[i], 1}};
    memcpy(v + BY_SIZE * i, here, sizeof here);
  }
}

/* Are these plausible limits? The file may be old, truncated or edited. */
static bool plausible(ls_limits *l) {
  value v[VALUES];
  values_of(l, v);
  for (int i = 0; i < VALUES; i++)
    if (!(isfinite(*v[i].at) && (*v[i].at > 0 || v[i].at == &l->transfer))) return false;
  for (int i = 1; i < LS_GATHER_SIZES; i++)
    if (l->gather_bytes[i] <= l->gather_bytes[i - 1]) return false;
  return true;
}

static bool read_cache(const ls_device *d, ls_limits *out) {
  char path[4096], line[128], name[64];
  if (!cache_path(d, path, sizeof path)) return false;
  FILE *f = fopen(path, "r");
  if (!f) return false;
  ls_limits l = {0};
  value v[VALUES];
  values_of(&l, v);
  bool good = fgets(line, sizeof line, f) && strcmp(line, first_line) == 0;
  for (int i = 0; good && i < VALUES; i++) {
    unsigned long long x;
    char end;
    good = fgets(line, sizeof line, f) && sscanf(line, "%63s %llu%c", name, &x, &end) == 3 && end == '\n' &&
           strcmp(name, v[i].name) == 0;
    if (good) *v[i].at = (f64)x * v[i].unit;
  }
  good = good && fgets(line, sizeof line, f) && strcmp(line, last_line) == 0;
  fclose(f);
  good = good && plausible(&l);
  if (good) *out = l;
  return good;
}

static ls_status write_limits(FILE *f, void *arg) {
  value v[VALUES];
  values_of(arg, v);
  fputs(first_line, f);
  for (int i = 0; i < VALUES; i++)
    fprintf(f, "%s %llu\n", v[i].name, (unsigned long long)(*v[i].at / v[i].unit + 0.5));
  fputs(last_line, f);
  return LS_OK;
}

/* A failure to write the cache is ignored: it only costs another measurement next time. */
static void write_cache(const ls_device *d, ls_limits *l) {
  char folder[3072], path[4096];
  if (!ls_cache_folder(NULL, folder, sizeof folder) || !cache_path(d, path, sizeof path)) return;
  ls_cache_make(folder);
  ls_atomic_file_write_all(path, write_limits, l);
}

/* --- by device -------------------------------------------------------------------------------------------
 */

enum { MAX_KNOWN = 40 };
static struct {
  const ls_device *device;
  ls_limits limits;
} known[MAX_KNOWN];
static int nknown;

static void remember(const ls_device *d, const ls_limits *l) {
  int i = 0;
  while (i < nknown && known[i].device != d) i++;
  if (i == MAX_KNOWN) return;
  if (i == nknown) nknown++;
  known[i].device = d;
  known[i].limits = *l;
}

bool ls_limits_known(const ls_device *d, ls_limits *out) {
  for (int i = 0; i < nknown; i++)
    if (known[i].device == d) {
      *out = known[i].limits;
      return true;
    }
  if (!read_cache(d, out)) return false;
  remember(d, out);
  return true;
}

typedef struct job {
  ls_device *device;
  ls_limits *limits;
  ls_status st;
} job;

static void measure(void *arg) {
  job *j = arg;
#ifdef LOCKSTEP_WITH_CUDA
  if (j->device->processor == LS_CUDA)
    j->st = ls_limits_cuda(j->device, j->limits);
  else
#endif
    j->st = ls_limits_cpu(j->device, j->limits);
}

ls_status ls_limits_of(ls_device *d, bool again, ls_limits *out) {
  if (!again && ls_limits_known(d, out)) return LS_OK;
  ls_limits l = {0};
  job j = {.device = d, .limits = &l};
  ls_work(measure, &j, false);
  if (j.st) return j.st;
  if (d->processor == LS_CPU) ls_limits_cpu_launch(d, &l);
  if (!plausible(&l)) return ls_fail(LS_EDEVICE, "%s: its limits could not be measured", d->name);
  remember(d, &l);
  write_cache(d, &l);
  *out = l;
  return LS_OK;
}

/* --- what they mean --------------------------------------------------------------------------------------
 */

/* Interpolates the rates at the measured sizes, linearly between logarithms of size and rate. */
static f64 at_size(const ls_limits *l, const f64 rate[LS_GATHER_SIZES], f64 bytes) {
  if (bytes <= l->gather_bytes[0]) return rate[0];
  for (int i = 1; i < LS_GATHER_SIZES; i++) {
    if (bytes > l->gather_bytes[i]) continue;
    f64 part = log(bytes / l->gather_bytes[i - 1]) / log(l->gather_bytes[i] / l->gather_bytes[i - 1]);
    return rate[i - 1] * pow(rate[i] / rate[i - 1], part);
  }
  return rate[LS_GATHER_SIZES - 1];
}

f64 ls_limits_gather(const ls_limits *l, f64 bytes) { return at_size(l, l->gather, bytes); }
f64 ls_limits_stream(const ls_limits *l, f64 bytes) { return at_size(l, l->stream, bytes); }

f64 ls_limits_updates(const ls_limits *l, ls_dtype type) { return type < LS_DTYPES ? l->minplus[type] : 0; }

static f64 link_rate;
void ls_limits_set_link(f64 rate) { link_rate = rate; }
f64 ls_limits_link(void) { return link_rate; }

static const char *tightest(f64 irr, f64 mem, const ls_least *least) {
  const f64 touched = fmax(irr, mem);
  if (least->link > touched && least->link > least->ops) return "link";
  return least->ops > touched ? "ops" : irr > mem ? "irr" : "mem";
}

enum { OFF_BY = 5 }; /* a measured limit may be wrong by this many per cent */

bool ls_limits_too_low(const ls_least *least, f64 seconds) {
  return seconds > 0 && least->ops > (1 + 0.01 * OFF_BY) * seconds;
}

f64 ls_limits_share(const ls_least *least, f64 seconds, const char **bound) {
  const f64 passed = (1 + 0.01 * OFF_BY) * seconds;
  const f64 touched = fmax(fmax(least->irr, least->mem), fmax(least->ops, least->link));
  const f64 most = fmax(least->mem_at_most, least->irr_at_most);
  *bound = "";
  if (seconds <= 0 || touched <= 0 || least->mem > passed || least->ops > passed || least->link > passed)
    return -1;
  if (least->irr <= seconds && most > touched) return -1;
  *bound = tightest(least->irr, least->mem, least);
  return fmin(touched / seconds, 1);
}

f64 ls_limits_share_at_most(const ls_least *least, f64 seconds, const char **bound) {
  const f64 irr = fmax(least->irr, least->irr_at_most), mem = fmax(least->mem, least->mem_at_most);
  const f64 most = fmax(fmax(irr, mem), fmax(least->ops, least->link));
  *bound = "";
  if (seconds <= 0 || most <= 0 || most > seconds) return -1;
  *bound = tightest(irr, mem, least);
  return most / seconds;
}
