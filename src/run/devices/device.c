#include "run/devices/device.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "data/buffer.h"
#include "ranks/ranks.h"
#ifdef LOCKSTEP_WITH_CUDA
#include "run/devices/cuda.h"
#endif

enum { CPU_DEVICES = 2, MAX_DEVICES = 34 };

static ls_device list[MAX_DEVICES];
static int count; /* 0: not listed yet */
static ls_device *current;

/* --- what the operating system says of the CPU -----------------------------------------------------------
 */

/* Finds the first line that begins with `key`; out is what follows the key and its separators. */
static bool line_of(const char *path, const char *key, char *out, size_t bytes) {
  FILE *f = fopen(path, "r");
  if (!f) return false;
  char line[512];
  bool found = false;
  while (!found && fgets(line, sizeof line, f)) {
    size_t k = strlen(key);
    if (strncmp(line, key, k) != 0) continue;
    const char *value = line + k + strspn(line + k, " \t:");
    snprintf(out, bytes, "%.*s", (int)strcspn(value, "\n"), value);
    found = true;
  }
  fclose(f);
  return found;
}

/* Bytes of "24684084 kB", "32768K" or "32M"; 0 if it is not a number ("max"). */
static u64 bytes_of(const char *text) {
  char *end;
  u64 n = strtoull(text, &end, 10);
  end += strspn(end, " ");
  return *end == 'k' || *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}

static u64 meminfo(const char *key) {
  char text[64];
  return line_of("/proc/meminfo", key, text, sizeof text) ? bytes_of(text) : 0;
}

/* A container's limit (control groups, version 2); 0: none. */
static u64 group_memory(const char *file) {
  char path[64], text[64];
  snprintf(path, sizeof path, "/sys/fs/cgroup/%s", file);
  return line_of(path, "", text, sizeof text) ? bytes_of(text) : 0;
}

/* Bytes of the last-level cache of cpu0: the largest of index0 .. index9. */
static u64 last_level_cache(void) {
  u64 largest = 0;
  for (int i = 0; i < 10; i++) {
    char path[80], text[32];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
    u64 bytes = line_of(path, "", text, sizeof text) ? bytes_of(text) : 0;
    if (bytes > largest) largest = bytes;
  }
  return largest;
}

static void list_cpu(void) {
  ls_device *d = &list[0];
  *d = (ls_device){
      .processor = LS_CPU, .name = "cpu", .threads = omp_get_max_threads(), .cache = last_level_cache()};
  d->units = (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (!line_of("/proc/cpuinfo", "model name", d->model, sizeof d->model) &&
      !line_of("/proc/cpuinfo", "Model", d->model, sizeof d->model))
    snprintf(d->model, sizeof d->model, "unknown CPU");
  d->memory = meminfo("MemTotal");
  if (!d->memory) d->memory = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
  u64 group = group_memory("memory.max");
  if (group && group < d->memory) d->memory = group;
  list[1] = *d;
  list[1].threads = 1;
  snprintf(list[1].name, sizeof list[1].name, "cpu:1");
  count = CPU_DEVICES;
}

/* --- the list --------------------------------------------------------------------------------------------
 */

int ls_devices(void) {
  if (count) return count;
  list_cpu();
#ifdef LOCKSTEP_WITH_CUDA
  int gpus = ls_cuda_devices(list + CPU_DEVICES, MAX_DEVICES - CPU_DEVICES);
  count += gpus < MAX_DEVICES - CPU_DEVICES ? gpus : MAX_DEVICES - CPU_DEVICES;
#endif
  return count;
}

ls_device *ls_device_at(int i) { return i >= 0 && i < ls_devices() ? &list[i] : NULL; }

/* Ranks on one host get different GPUs if there are enough. */
static ls_device *first_gpu(bool lost_too) {
  const int gpus = ls_devices() - CPU_DEVICES;
  for (int i = 0; i < gpus; i++) {
    ls_device *d = &list[CPU_DEVICES + (i + ls_rank_here()) % gpus];
    if (lost_too || !d->lost) return d;
  }
  return NULL;
}

static void no_such(const char *name) {
  char names[256] = "";
  for (int i = 0; i < ls_devices(); i++) {
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", list[i].name);
  }
#ifdef LOCKSTEP_WITH_CUDA
  const char *why = "";
#else
  const char *why = strncmp(name, "cuda", 4) == 0 ? " (this build has no CUDA back end)" : "";
#endif
  ls_fail(LS_EDEVICE, "no device '%s'%s; there are: %s", name, why, names);
}

ls_status ls_device_fail_lost(const ls_device *d) {
  return ls_fail(LS_EDEVICE, "%s is lost (%s) until lockstep is started again; %s", d->name, d->why,
                 d == current ? "device(\"cpu\") goes on without it"
                              : "contents that only it held are lost, those that the host holds are intact");
}

ls_device *ls_device_find(const char *name) {
  ls_device *d = NULL;
  if (strcmp(name, "auto") == 0) return (d = first_gpu(false)) ? d : ls_device_at(0);
  if (strcmp(name, "cuda") == 0 && !(d = first_gpu(false))) d = first_gpu(true);
  for (int i = 0; !d && i < ls_devices(); i++)
    if (strcmp(name, list[i].name) == 0) d = &list[i];
  if (!d) {
    no_such(name);
  } else if (d->lost) {
    ls_device_fail_lost(d);
    d = NULL;
  }
  return d;
}

ls_status ls_device_only_one(void) {
  return ls_fail(
      LS_EARG,
      "device: a process runs on one device at a time; several work together as ranks, each a process "
      "with a device of its own: lockstep --ranks 2 (help ranks)");
}

ls_device *ls_device_current(void) {
  if (!current) current = ls_device_find("auto");
  return current;
}

void ls_device_use(ls_device *d) { current = d; }

void ls_device_bound(u64 bytes) {
  const ls_processor kind = ls_device_current()->processor;
  for (int i = 0; i < ls_devices(); i++)
    if (list[i].processor == kind && bytes < list[i].memory) list[i].memory = bytes;
  ls_buffer_bound(kind == LS_CPU, bytes);
}

ls_status ls_device_memory_free(const ls_device *d, u64 *bytes) {
  ls_status st = LS_OK;
  *bytes = 0;
#ifdef LOCKSTEP_WITH_CUDA
  if (d->processor == LS_CUDA) st = ls_cuda_memory_free(d->index, bytes);
#endif
  if (d->processor == LS_CPU) *bytes = ls_mem_available();
  const u64 room = ls_buffer_room(d->processor == LS_CPU);
  if (room < *bytes) *bytes = room;
  return st;
}
