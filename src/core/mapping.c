#include "core/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fault.h"
#include "core/mem.h"
#include "core/wait.h"

struct ls_mapping {
  int slot, fd;
  char *path;
  u64 size; /* the file's size when it was mapped */
  struct timespec written;
  bool changed;
  double looked;
};

/* What the signal handler reads, and what it reports. */
enum { SLOTS = 256 };
static struct slot {
  _Atomic(char *) from; /* NULL: free */
  _Atomic u64 bytes;
  atomic_bool lost;
} slots[SLOTS];
static _Atomic u64 losses;

/* After a SIGBUS at address: replaces the mapping that contains it by zeros. False: none contains it.
 * Async-signal-safe. */
static bool mend(const void *address) {
  for (int i = 0; i < SLOTS; i++) {
    char *from = atomic_load(&slots[i].from);
    const u64 bytes = atomic_load(&slots[i].bytes);
    if (!from || (const char *)address < from || (const char *)address >= from + bytes) continue;
    /* The whole mapping: page by page would soon exceed the number of mappings that a process may have. */
    if (mmap(from, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
      return false;
    atomic_store(&slots[i].lost, true);
    atomic_fetch_add(&losses, 1);
    return true;
  }
  return false;
}

static int take_slot(char *from, u64 bytes) {
  for (int i = 0; i < SLOTS; i++) {
    if (atomic_load(&slots[i].from)) continue; /* mappings are made by one thread at a time */
    atomic_store(&slots[i].lost, false);
    atomic_store(&slots[i].bytes, bytes);
    atomic_store(&slots[i].from, from);
    return i;
  }
  return -1;
}

ls_status ls_mapping_new(int fd, const char *path, u64 bytes, ls_mapping **out) {
  struct stat info;
  ls_mapping *m = ls_calloc(1, sizeof *m);
  if (!m) return LS_EMEM;
  *m = (ls_mapping){.slot = -1, .fd = fcntl(fd, F_DUPFD_CLOEXEC, 3), .path = ls_strdup(path)};
  ls_status st = m->path ? LS_OK : LS_EMEM;
  if (!st && (m->fd < 0 || fstat(m->fd, &info) != 0))
    st = ls_fail(LS_EINPUT, "%s: %s", path, strerror(errno));
  if (!st) {
    m->size = (u64)info.st_size;
    m->written = info.st_mtim;
    ls_fault_mend(mend);
    void *p = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, m->fd, 0);
    if (p == MAP_FAILED)
      st = ls_fail(LS_EINPUT, "%s: cannot be mapped: %s", path, strerror(errno));
    else if ((m->slot = take_slot(p, bytes)) < 0)
      st = (munmap(p, bytes), ls_fail(LS_EMEM, "%s: %d files are mapped already", path, SLOTS));
  }
  if (st)
    ls_mapping_free(m);
  else
    *out = m;
  return st;
}

void ls_mapping_free(ls_mapping *m) {
  if (!m) return;
  if (m->slot >= 0) {
    struct slot *s = &slots[m->slot];
    char *from = atomic_load(&s->from);
    munmap(from, atomic_load(&s->bytes));
    atomic_store(&s->from, NULL);
  }
  if (m->fd >= 0) close(m->fd);
  ls_free(m->path);
  ls_free(m);
}

const void *ls_mapping_bytes(const ls_mapping *m) { return atomic_load(&slots[m->slot].from); }

ls_status ls_mapping_check(ls_mapping *m) {
  const double now = ls_now();
  struct stat info;
  if (!m->changed && now - m->looked > 1e-3) {
    m->looked = now;
    m->changed = fstat(m->fd, &info) != 0 || (u64)info.st_size != m->size ||
                 info.st_mtim.tv_sec != m->written.tv_sec || info.st_mtim.tv_nsec != m->written.tv_nsec;
  }
  if (!m->changed && !atomic_load(&slots[m->slot].lost)) return LS_OK;
  return ls_fail(LS_EINPUT,
                 "%s: the file was changed after it was loaded, while it was mapped; load it again", m->path);
}

u64 ls_mapping_losses(void) { return atomic_load(&losses); }

ls_status ls_mapping_lost_since(u64 count) {
  if (atomic_load(&losses) == count) return LS_OK;
  return ls_fail(LS_EINPUT, "a mapped file was changed while it was read; load it again");
}
