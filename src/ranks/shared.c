/* The transport of ranks on one host, by shared memory: each rank copies a piece of at most LS_SLAB bytes to
 * its slab, which the others read after a barrier. Each rank has two slabs, used alternately, so that one
 * barrier per piece suffices: a rank that writes a slab again has passed the barrier that its readers enter
 * after reading. */
#include "ranks/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/thread.h"
#include "core/wait.h"
#include "ranks/pipes.h"

static ls_shared *shared;
static const ls_transport_user *user;
static int count, rank;
static u64 arrived;      /* barriers that this rank has reached */
static u64 turn;         /* number of pieces; its parity selects the slab */
static u32 epoch = 1;    /* the epoch of this rank */
static bool fresh;       /* this rank has just entered the epoch: others may still read its slabs */
static u64 line;         /* number of the prompt's line that it runs */
static u64 epoch_line;   /* number of the last line before the epoch */
static int spins;        /* polls before this rank sleeps */
static char broken[128]; /* why an exchange failed: since then the ranks are at different points */

static u8 *slab(int r) { return (u8 *)(shared + 1) + ((u64)r * 2 + turn % 2) * LS_SLAB; }

size_t ls_shared_bytes(int ranks) { return sizeof(ls_shared) + (size_t)ranks * 2 * LS_SLAB; }

void ls_shared_ring(ls_shared *s) {
  atomic_fetch_add(&s->bell, 1);
  if (atomic_load(&s->sleeping)) syscall(SYS_futex, &s->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool ls_shared_silent(const ls_shared *s, ls_signs *seen, int r, f64 seconds) {
  const f64 now = ls_now();
  if (now - seen->looked > 1)
    for (int q = 0; q < s->count; q++) seen->of[q].since = now;
  seen->looked = now;
  const u32 signs = atomic_load(&s->rank[r].signs);
  if (signs != seen->of[r].signs) {
    seen->of[r].signs = signs;
    seen->of[r].since = now;
    seen->of[r].silent = false;
  }
  if (now - seen->of[r].since >= seconds) seen->of[r].silent = true;
  return seen->of[r].silent;
}

static bool silent(int r) {
  static ls_signs seen;
  if (user->patience <= 0 || r == rank || (r == 0 && user->prompt)) return false;
  if (!ls_shared_silent(shared, &seen, r, user->patience)) return false;
  atomic_store(&shared->rank[r].silent, true);
  return true;
}

static void *show_signs(void *unused) {
  (void)unused;
  for (;;) {
    const struct timespec period = {0, LS_SIGN_MS * 1000 * 1000};
    atomic_fetch_add(&shared->rank[rank].signs, 1);
    nanosleep(&period, NULL);
  }
  return NULL;
}

/* Without the launcher, nothing records that a rank has ended, so all count as ended; they all get SIGTERM
 * then. */
static int state_of(int r) {
  return getppid() == shared->launcher ? atomic_load(&shared->rank[r].state) : LS_RANK_ENDED;
}

/* Why rank r will not reach its barrier number `barriers`; NULL: it may still reach it. */
static const char *missing(int r, u64 barriers) {
  const ls_shared_rank *other = &shared->rank[r];
  const int state = state_of(r);
  const bool failed = line && atomic_load(&other->failed) >= line;
  const bool without = line && atomic_load(&other->lines) >= line;
  if (atomic_load(&other->arrived) >= barriers) return NULL; /* r reached it; it may have failed since */
  if (atomic_load(&shared->epoch) != epoch) return strcpy(broken, LS_SAYS_DROPPED);
  if (state == LS_RANK_RUNS && !failed && !without) {
    if (!silent(r)) return NULL;
    snprintf(broken, sizeof broken, LS_SAYS_SILENT, r, user->patience);
    return broken;
  }
  if (state == LS_RANK_RUNS)
    snprintf(broken, sizeof broken, failed ? LS_SAYS_FAILED : LS_SAYS_WITHOUT, r);
  else if (state == LS_RANK_KILLED)
    snprintf(broken, sizeof broken, "rank %d was ended by signal %d (%s)", r, other->signal,
             strsignal(other->signal));
  else
    snprintf(broken, sizeof broken, LS_SAYS_ENDED, r);
  return broken;
}

/* Waits until all ranks have reached as many barriers as this one. */
static const char *meet(void) {
  if (*broken) {
    static char again[256];
    snprintf(again, sizeof again, LS_SAYS_BEFORE, broken);
    return again;
  }
  atomic_store(&shared->rank[rank].arrived, ++arrived);
  ls_shared_ring(shared);
  for (int r = 0; r < count; r++) {
    const _Atomic u64 *there = &shared->rank[r].arrived;
    for (int i = 0; i < spins && atomic_load(there) < arrived; i++) sched_yield();
    while (atomic_load(there) < arrived) {
      const u32 bell = atomic_load(&shared->bell);
      const char *wrong = missing(r, arrived);
      if (!wrong && atomic_load(there) >= arrived) break;
      if (!wrong && user->interrupted()) wrong = strcpy(broken, "interrupted");
      if (wrong) return wrong;
      const struct timespec most = {0, 50 * 1000 * 1000};
      atomic_fetch_add(&shared->sleeping, 1);
      syscall(SYS_futex, &shared->bell, FUTEX_WAIT, bell, &most, NULL, 0);
      atomic_fetch_sub(&shared->sleeping, 1);
    }
  }
  return NULL;
}

static const char *barrier(void) {
  const char *wrong = NULL;
  if (fresh) { /* wait until all have left the old epoch */
    fresh = false;
    wrong = meet();
  }
  return wrong ? wrong : meet();
}

/* --- lines of a prompt ---------------------------------------------------------------------------------- */

static void enter_epoch(u32 e) {
  if (e == epoch) return;
  epoch = e;
  epoch_line = line;
  arrived = (u64)e << 32;
  turn = 0;
  *broken = 0;
  fresh = true;
}
static u32 this_epoch(void) { return epoch; }
static u32 next_epoch(void) {
  const u32 next = atomic_fetch_add(&shared->epoch, 1) + 1;
  ls_shared_ring(shared);
  return next;
}
static void next_line(void) { line++; }
static void line_done(bool failed) {
  if (failed) atomic_store(&shared->rank[rank].failed, line);
  atomic_store(&shared->rank[rank].lines, line);
  ls_shared_ring(shared);
}
static bool any_failed(void) {
  for (int r = 0; r < count; r++)
    if (atomic_load(&shared->rank[r].failed) > epoch_line) return true;
  return *broken != 0;
}
static void interrupt(u64 lines) {
  for (int r = 1; r < count; r++) {
    const int pid = atomic_load(&shared->rank[r].pid);
    if (pid > 0 && state_of(r) == LS_RANK_RUNS && atomic_load(&shared->rank[r].lines) < lines)
      kill(pid, SIGINT);
  }
}
static u64 progress(u64 lines, bool *done, bool *stuck) {
  u64 sum = 0;
  *done = *stuck = true;
  for (int r = 1; r < count; r++) {
    const ls_shared_rank *other = &shared->rank[r];
    const u64 there = atomic_load(&other->arrived), ran = atomic_load(&other->lines);
    sum += there + ran;
    if (state_of(r) != LS_RANK_RUNS || ran >= lines || silent(r)) continue;
    *done = false;
    *stuck &= there > arrived;
  }
  return sum;
}

static u64 least(u64 a, u64 b) { return a < b ? a : b; }

static const char *all_gather(void *x, const u64 *bounds);
static const char *agree(const void *mine, void *all, u64 bytes) {
  u64 bounds[LS_MOST_RANKS + 1];
  for (int r = 0; r <= count; r++) bounds[r] = (u64)r * bytes;
  memcpy((u8 *)all + bounds[rank], mine, bytes);
  return all_gather(all, bounds);
}

/* The exchange ends with one more barrier: will all ranks reach it? */
static const char *lost(void) {
  for (int r = 0; r < count; r++) {
    const char *wrong = r == rank ? NULL : missing(r, arrived + 1);
    if (wrong) return wrong;
  }
  return NULL;
}

/* Copies what rank r has passed to agree(), if r has reached the next barrier. That must be the barrier in
 * agree(), and r does not write its slab again before this rank has reached the same barrier. */
static bool look(int r, void *said, u64 bytes) {
  if (*broken || atomic_load(&shared->rank[r].arrived) != arrived + 1) return false;
  memcpy(said, slab(r), bytes);
  return true;
}

static const char *broadcast(void *x, u64 bytes, int root) {
  u8 *all = x;
  for (u64 at = 0; at < bytes; at += LS_SLAB, turn++) {
    const u64 n = least(bytes - at, LS_SLAB);
    if (rank == root) memcpy(slab(root), all + at, n);
    const char *wrong = barrier();
    if (wrong) return wrong;
    if (rank != root) memcpy(all + at, slab(root), n);
  }
  return NULL;
}

static const char *all_gather(void *x, const u64 *bounds) {
  u8 *all = x;
  u64 most = 0;
  for (int r = 0; r < count; r++)
    if (bounds[r + 1] - bounds[r] > most) most = bounds[r + 1] - bounds[r];
  for (u64 at = 0; at < most; at += LS_SLAB, turn++) {
    for (int pass = 0; pass < 2; pass++) { /* writes this rank's piece; after the barrier reads the others' */
      for (int r = 0; r < count; r++) {
        const u64 length = bounds[r + 1] - bounds[r];
        if ((r == rank) != (pass == 0) || at >= length) continue;
        const u64 n = least(length - at, LS_SLAB);
        u8 *mine = all + bounds[r] + at;
        if (pass == 0)
          memcpy(slab(r), mine, n);
        else
          memcpy(mine, slab(r), n);
      }
      const char *wrong = pass == 0 ? barrier() : NULL;
      if (wrong) return wrong;
    }
  }
  return NULL;
}

/* Each rank reduces a part of each piece, in the order of the ranks, and then reads the parts of the others,
 * so that all get the same bits. */
static const char *all_reduce(void *x, u64 elements, ls_dtype type, ls_reduction op) {
  const u64 size = ls_dtype_size(type), piece = LS_SLAB / size;
  u8 *all = x;
  for (u64 at = 0; at < elements; at += piece, turn++) {
    const u64 n = least(elements - at, piece), part = (n + (u64)count - 1) / (u64)count;
    memcpy(slab(rank), all + at * size, n * size);
    const char *wrong = barrier();
    if (wrong) return wrong;
    const u64 first = least(n, part * (u64)rank), mine = least(n - first, part);
    u8 *into = all + (at + first) * size;
    if (mine) memcpy(into, slab(0) + first * size, mine * size);
    for (int r = 1; r < count && mine; r++) user->combine(into, slab(r) + first * size, mine, type, op);
    turn++; /* the results use the other slab: others still read this one */
    if (mine) memcpy(slab(rank), into, mine * size);
    wrong = barrier();
    if (wrong) return wrong;
    for (int r = 0; r < count; r++) {
      const u64 from = least(n, part * (u64)r), theirs = least(n - from, part);
      if (r != rank && theirs) memcpy(all + (at + from) * size, slab(r), theirs * size);
    }
  }
  return NULL;
}

static const char *reduce_scatter(void *x, const u64 *bounds, ls_dtype type, ls_reduction op) {
  const u64 size = ls_dtype_size(type), piece = LS_SLAB / size, elements = bounds[count];
  u8 *all = x;
  for (u64 at = 0; at < elements; at += piece, turn++) {
    const u64 past = least(elements, at + piece);
    memcpy(slab(rank), all + at * size, (past - at) * size);
    const char *wrong = barrier();
    if (wrong) return wrong;
    const u64 first = bounds[rank] > at ? bounds[rank] : at, last = least(bounds[rank + 1], past);
    if (first >= last) continue;
    memcpy(all + first * size, slab(0) + (first - at) * size, (last - first) * size);
    for (int r = 1; r < count; r++)
      user->combine(all + first * size, slab(r) + (first - at) * size, last - first, type, op);
  }
  return NULL;
}

/* The slab has one place per receiver. */
static const char *all_to_all(const void *send, void *receive, const u64 *out, const u64 *in, u64 most) {
  const u64 place = LS_SLAB / (u64)count;
  const u8 *from = send;
  u8 *to = receive;
  for (u64 at = 0; at < most; at += place, turn++) {
    u64 begin = 0;
    for (int q = 0; q < count; q++) {
      const u64 length = out[q];
      if (at < length) memcpy(slab(rank) + (u64)q * place, from + begin + at, least(length - at, place));
      begin += length;
    }
    const char *wrong = barrier();
    if (wrong) return wrong;
    begin = 0;
    for (int r = 0; r < count; r++) {
      const u64 length = in[r];
      if (at < length) memcpy(to + begin + at, slab(r) + (u64)rank * place, least(length - at, place));
      begin += length;
    }
  }
  return NULL;
}

static void end(int code) {
  (void)code; /* the launcher gets the exit code */
  atomic_store(&shared->rank[rank].state, LS_RANK_ENDED);
  ls_shared_ring(shared);
}

bool ls_shared_started(void) { return getenv(LS_SHARED_VARIABLE) != NULL; }

ls_status ls_shared_open(const ls_transport_user *u, const ls_transport **out) {
  static const ls_transport_lines lines = {.enter = enter_epoch,
                                           .epoch = this_epoch,
                                           .next_epoch = next_epoch,
                                           .interrupt = interrupt,
                                           .line = next_line,
                                           .line_done = line_done,
                                           .failed = any_failed,
                                           .progress = progress,
                                           .send = ls_pipes_send,
                                           .receive = ls_pipes_receive,
                                           .said = ls_pipes_said};
  static ls_transport table = {.name = "shared memory",
                               .one_host = true,
                               .agree = agree,
                               .look = look,
                               .broadcast = broadcast,
                               .all_gather = all_gather,
                               .all_reduce = all_reduce,
                               .reduce_scatter = reduce_scatter,
                               .all_to_all = all_to_all,
                               .lost = lost,
                               .end = end};
  int fd, more = 0;
  const char *text = getenv(LS_SHARED_VARIABLE);
  if (sscanf(text, "%d %d %d %n", &rank, &count, &fd, &more) != 3 || count < 1 || count > LS_MOST_RANKS ||
      rank < 0 || rank >= count)
    return ls_fail(LS_EARG, "%s is \"%s\"; it is set only by lockstep --ranks", LS_SHARED_VARIABLE, text);
  void *memory = mmap(NULL, ls_shared_bytes(count), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED)
    return ls_fail(LS_EMEM, "the ranks' memory cannot be shared: %s", strerror(errno));
  close(fd);
  if (ls_pipes_open(rank, count, text + more)) table.lines = &lines;
  unsetenv(LS_SHARED_VARIABLE); /* programs that it starts are not ranks */
  shared = memory;
  atomic_store(&shared->rank[rank].pid, getpid());
  user = u;
  if (user->patience > 0 && ls_thread_start(show_signs, NULL) != 0)
    return ls_fail(LS_EMEM, "the thread that shows the other ranks that this one is alive cannot be started");
  spins = sysconf(_SC_NPROCESSORS_ONLN) > count ? 2000 : 20;
  table.count = count;
  table.rank = table.here = rank;
  *out = &table;
  return LS_OK;
}
