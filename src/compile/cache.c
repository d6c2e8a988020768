#include "compile/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/checksum.h"
#include "core/folder.h"
#include "core/mem.h"
#include "core/random.h"
#include "core/atomic_file.h"

enum { HEX = 32, MOST_FILES = 4096 };
static const u64 most_bytes = 64ull << 20;

/* Appended to the contents: a shared library may be followed by any bytes. */
typedef struct trailer {
  char magic[8];
  u64 bytes, checksum;
} trailer;
static const char magic[8] = "lockstep";

static bool folder(char out[LS_CACHE_PATH]) {
  return ls_cache_folder("kernels", out, LS_CACHE_PATH - LS_CACHE_NAME - 1) && ls_cache_make(out);
}

static bool path_of(const char *name, char path[LS_CACHE_PATH]) {
  if (!folder(path)) return false;
  strcat(path, "/");
  strcat(path, name);
  return true;
}

void ls_cache_name(const void *key, size_t bytes, const char *extension, char out[LS_CACHE_NAME]) {
  const u8 *p = key;
  u64 other = 0xcbf29ce484222325ull; /* a different hash (FNV-1a), for the second half */
  for (size_t i = 0; i < bytes; i++) other = (other ^ p[i]) * 0x100000001b3ull;
  snprintf(out, LS_CACHE_NAME, "%016llx%016llx.%s", (unsigned long long)ls_checksum(key, bytes),
           (unsigned long long)ls_mix(other + bytes), extension);
}

u64 ls_headers_sum(const ls_embedded *headers) {
  u64 sum = 0;
  for (const ls_embedded *e = headers; e->name; e++)
    sum = ls_mix(sum + ls_checksum(e->text, e->bytes)) + ls_checksum(e->name, strlen(e->name));
  return sum;
}

static void *read_whole(const char *path, size_t *bytes) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  struct stat st;
  char *p = NULL;
  if (fd < 0) return NULL;
  const bool plain = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                     st.st_size > (off_t)sizeof(trailer) && (u64)st.st_size <= most_bytes;
  if (plain) p = ls_malloc((size_t)st.st_size);
  size_t got = 0;
  while (p && got < (size_t)st.st_size) {
    const ssize_t n = read(fd, p + got, (size_t)st.st_size - got);
    if (n <= 0) break;
    got += (size_t)n;
  }
  close(fd);
  if (!p) return NULL;
  trailer t;
  memcpy(&t, p + (got >= sizeof t ? got - sizeof t : 0), sizeof t);
  const bool whole = got == (size_t)st.st_size && memcmp(t.magic, magic, sizeof magic) == 0 &&
                     t.bytes == got - sizeof t && t.checksum == ls_checksum(p, t.bytes);
  if (!whole) {
    ls_free(p);
    return NULL;
  }
  *bytes = t.bytes;
  return p;
}

void *ls_cache_read(const char *name, size_t *bytes) {
  char path[LS_CACHE_PATH];
  if (!path_of(name, path)) return NULL;
  void *p = read_whole(path, bytes);
  if (p) utimensat(AT_FDCWD, path, NULL, 0); /* the time of last use, for make_room */
  return p;
}

bool ls_cache_find(const char *name, char path[LS_CACHE_PATH]) {
  size_t bytes;
  void *p = ls_cache_read(name, &bytes);
  const bool found = p != NULL;
  ls_free(p);
  return found && path_of(name, path);
}

/* --- the size of the cache ---------------------------------------------------------------------------- */

typedef struct entry {
  char name[LS_CACHE_NAME];
  u64 bytes;
  struct timespec used;
} entry;

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const entry *)a)->used, *y = &((const entry *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

static bool is_ours(const char *name) {
  const size_t len = strlen(name);
  return len < LS_CACHE_NAME && strspn(name, "0123456789abcdef") == HEX && name[HEX] == '.';
}

/* Removes the least recently used files until `wanted` more bytes fit. */
static void make_room(const char *in, size_t wanted) {
  DIR *d = opendir(in);
  entry *entries = d ? ls_malloc(MOST_FILES * sizeof *entries) : NULL;
  int n = 0;
  u64 sum = wanted;
  for (struct dirent *e; entries && n < MOST_FILES && (e = readdir(d));) {
    struct stat st;
    if (!is_ours(e->d_name) || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    memcpy(entries[n].name, e->d_name, strlen(e->d_name) + 1);
    entries[n].bytes = (u64)st.st_size;
    entries[n++].used = st.st_mtim;
    sum += (u64)st.st_size;
  }
  if (entries) qsort(entries, (size_t)n, sizeof *entries, by_use);
  for (int i = 0; i < n && (sum > most_bytes || n - i >= MOST_FILES); i++) {
    unlinkat(dirfd(d), entries[i].name, 0);
    sum -= entries[i].bytes;
  }
  ls_free(entries);
  if (d) closedir(d);
}

bool ls_cache_keep(const char *name, const void *contents, size_t bytes, char path[LS_CACHE_PATH]) {
  ls_atomic_file r;
  trailer t = {.bytes = bytes, .checksum = ls_checksum(contents, bytes)};
  memcpy(t.magic, magic, sizeof magic);
  if (bytes + sizeof t > most_bytes || !folder(path)) return false;
  make_room(path, bytes + sizeof t);
  if (!path_of(name, path)) return false;
  ls_status st = ls_atomic_file_open(&r, path);
  if (st) return false;
  st = ls_atomic_file_write(&r, contents, bytes);
  if (!st) st = ls_atomic_file_write(&r, &t, sizeof t);
  return !ls_atomic_file_close(&r, st);
}
