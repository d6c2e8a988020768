#include "core/mem.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNED = 64, LARGE = 1 << 28 };

/* Stored in front of each block, so that ls_free knows its size and where malloc's block begins. */
typedef struct header {
  size_t bytes;
  void *block; /* as malloc returned it */
} header;

static _Atomic u64 in_use, peak, countdown;
static atomic_bool for_good; /* every allocation from the k-th on fails, not only the k-th */
static atomic_flag asked_environment = ATOMIC_FLAG_INIT;

/* Fixes glibc's mmap threshold at 4 MiB, so that larger blocks return to the system when freed. By default
 * glibc raises it up to 32 MiB at the first such free, and then keeps smaller blocks. */
__attribute__((constructor)) static void give_memory_back(void) {
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

void ls_mem_fail_at(u64 k) { atomic_store(&countdown, k); }

u64 ls_mem_in_use(void) { return atomic_load(&in_use); }

u64 ls_mem_peak(void) { return atomic_load(&peak); }

static bool must_fail(void) {
  if (!atomic_flag_test_and_set(&asked_environment)) {
    const char *k = getenv("LOCKSTEP_FAIL_ALLOC");
    if (k) atomic_store(&for_good, strchr(k, '+') != NULL);
    if (k) ls_mem_fail_at(strtoull(k, NULL, 10));
  }
  u64 left = atomic_load(&countdown);
  while (left > (u64)for_good && !atomic_compare_exchange_weak(&countdown, &left, left - 1)) {}
  return left == 1;
}

static void count(i64 bytes) {
  u64 now = atomic_fetch_add(&in_use, (u64)bytes) + (u64)bytes;
  u64 top = atomic_load(&peak);
  while (bytes > 0 && now > top && !atomic_compare_exchange_weak(&peak, &top, now)) {}
}

static void *out_of_memory(size_t bytes) {
  ls_fail(LS_EMEM, "out of memory: %zu bytes wanted, %llu in use", bytes,
          (unsigned long long)ls_mem_in_use());
  return NULL;
}

/* Zeroed memory comes from calloc: the system provides large blocks as zero pages, and untouched pages cost
 * nothing. */
static void *allocate(size_t bytes, bool zeroed) {
  const size_t room = sizeof(header) + ALIGNED;
  if (bytes > SIZE_MAX - room || must_fail()) return out_of_memory(bytes);
  /* malloc would succeed on a system that overcommits, but touching the memory would then kill the
   * process. */
  if (bytes >= LARGE && bytes > ls_mem_available()) return out_of_memory(bytes);
  u8 *block = zeroed ? calloc(1, bytes + room) : malloc(bytes + room);
  if (!block) return out_of_memory(bytes);
  u8 *p = block + room - (uintptr_t)(block + room) % ALIGNED;
  const header h = {bytes, block};
  memcpy(p - sizeof h, &h, sizeof h);
  count((i64)bytes);
  return p;
}

void *ls_malloc(size_t bytes) { return allocate(bytes, false); }

void *ls_calloc(size_t n, size_t size) {
  if (size && n > SIZE_MAX / size) return out_of_memory(SIZE_MAX);
  return allocate(n * size, true);
}

static header header_of(const void *p) {
  header h;
  memcpy(&h, (const u8 *)p - sizeof h, sizeof h);
  return h;
}

void *ls_realloc(void *p, size_t bytes) {
  void *q = ls_malloc(bytes);
  if (!q || !p) return q;
  const size_t old = header_of(p).bytes;
  memcpy(q, p, old < bytes ? old : bytes);
  ls_free(p);
  return q;
}

void *ls_grown_u64(void *p, u64 count, u64 *room, u64 first, size_t size) {
  if (count < *room) return p;
  const u64 more = *room ? 2 * *room : first;
  void *q = ls_realloc(p, more * size);
  if (q) *room = more;
  return q;
}

void *ls_grown_u32(void *p, u32 count, u32 *room, u32 first, size_t size) {
  u64 wide = *room;
  if (count < *room) return p;
  if (wide > UINT32_MAX / 2) {
    ls_fail(LS_EMEM, "a list of more than 2^31 elements");
    return NULL;
  }
  void *q = ls_grown_u64(p, count, &wide, first, size);
  *room = (u32)wide;
  return q;
}

char *ls_strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = ls_malloc(n);
  return copy ? memcpy(copy, s, n) : NULL;
}

void ls_free(void *p) {
  if (!p) return;
  const header h = header_of(p);
  count(-(i64)h.bytes);
  free(h.block);
}

void ls_mem_large_pages(void *p, size_t bytes) {
  enum { PAGE = 2 << 20 };
  const uintptr_t from = ((uintptr_t)p + PAGE - 1) / PAGE * PAGE, to = ((uintptr_t)p + bytes) / PAGE * PAGE;
  if (bytes >= 2 * PAGE) madvise((void *)from, to - from, MADV_HUGEPAGE);
}

/* The number after `word` in a small text file; UINT64_MAX if there is none, such as "max" in a cgroup's
 * files. */
static u64 number_in(const char *path, const char *word) {
  FILE *f = fopen(path, "r");
  if (!f) return UINT64_MAX;
  char text[4096];
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  unsigned long long x;
  const char *at = strstr(text, word);
  return at && sscanf(at + strlen(word), "%llu", &x) == 1 ? x : UINT64_MAX;
}

u64 ls_mem_available(void) {
  u64 kilobytes = number_in("/proc/meminfo", "MemAvailable:");
  u64 machine = kilobytes == UINT64_MAX ? UINT64_MAX : kilobytes << 10;
  u64 limit = number_in("/sys/fs/cgroup/memory.max", ""),
      used = number_in("/sys/fs/cgroup/memory.current", "");
  /* The page cache is counted as used, but reclaimed on demand. */
  u64 cache = number_in("/sys/fs/cgroup/memory.stat", "inactive_file ");
  if (limit == UINT64_MAX || used == UINT64_MAX) return machine;
  if (cache != UINT64_MAX) used -= cache < used ? cache : used;
  u64 container = limit > used ? limit - used : 0;
  return machine < container ? machine : container;
}

void ls_mem_copy_rows(void *to, size_t to_row, const void *from, size_t from_row, u64 rows, size_t bytes) {
  enum { PIECE = 1 << 20 };
  if (to == from || !bytes) return;
  if (to_row == bytes && from_row == bytes) { /* contiguous: one row, copied in pieces */
    const u64 all = rows * bytes;
    rows = (all + PIECE - 1) / PIECE;
#pragma omp parallel for if (rows > 4)
    for (u64 i = 0; i < rows; i++) {
      const u64 at = i * PIECE;
      memcpy((u8 *)to + at, (const u8 *)from + at, all - at < PIECE ? all - at : PIECE);
    }
    return;
  }
#pragma omp parallel for if (rows * bytes > 4 * PIECE)
  for (u64 i = 0; i < rows; i++) memcpy((u8 *)to + i * to_row, (const u8 *)from + i * from_row, bytes);
}
