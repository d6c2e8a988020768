/* The checks that all exchanges share, and the choice of the transport. */
#include "ranks/ranks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/async_job.h"
#include "core/counter_random.h"
#include "core/folder.h"
#include "core/mem.h"
#include "core/wait.h"
#include "ranks/shared_prompt.h"
#include "ranks/rank_stats.h"
#include "ranks/shared.h"

static const ls_transport *transport; /* NULL: there is one rank */

int ls_ranks(void) { return transport ? transport->count : 1; }
int ls_rank(void) { return transport ? transport->rank : 0; }
int ls_rank_here(void) { return transport ? transport->here : 0; }
bool ls_ranks_on_one_host(void) { return !transport || transport->one_host; }
const char *ls_ranks_transport(void) { return transport ? transport->name : "none"; }

static const char *_Atomic route; /* NULL: no exchange between devices yet */
const char *ls_ranks_route(void) {
  const char *name = route;
  return name ? name : ls_ranks_transport();
}
void ls_ranks_set_route(const char *name) { route = name; }

/* --- joining the other ranks -----------------------------------------------------------------------------
 */

#define COMBINE(T, expression)                                                                               \
  do {                                                                                                       \
    T *x = into;                                                                                             \
    const T *y = from;                                                                                       \
    for (u64 i = 0; i < count; i++) x[i] = (expression);                                                     \
  } while (0)

/* Reduces `from` into `into`. Integer sums wrap, as those of `reduce` do. */
static void combine(void *into, const void *from, u64 count, ls_dtype type, ls_reduction op) {
  switch (type) {
#define ONE(tag, T, least, greatest, none)                                                                   \
  case tag:                                                                                                  \
    if (op == LS_MINIMUM)                                                                                    \
      COMBINE(T, y[i] < x[i] ? y[i] : x[i]);                                                                 \
    else if (op == LS_MAXIMUM)                                                                               \
      COMBINE(T, y[i] > x[i] ? y[i] : x[i]);                                                                 \
    else                                                                                                     \
      COMBINE(SUM_##T, (SUM_##T)(x[i] + y[i]));                                                              \
    break;
#define SUM_u8 u8
#define SUM_u16 u16
#define SUM_u32 u32
#define SUM_u64 u64
#define SUM_i16 u16
#define SUM_i32 u32
#define SUM_i64 u64
#define SUM_f32 f32
#define SUM_f64 f64
    LS_TYPES(ONE)
#undef ONE
  default: break;
  }
}

static ls_transport_user user = {.interrupted = ls_interrupted, .combine = combine};

static bool started_by_mpirun(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) return true;
  return false;
}

bool ls_ranks_started(void) { return ls_shared_started() || started_by_mpirun(); }

/* Opens the MPI module: next to the program, or where LOCKSTEP_MPI says. */
static void *open_module(char *path, size_t bytes) {
  const char *given = getenv("LOCKSTEP_MPI");
  if (given) {
    snprintf(path, bytes, "%s", given);
  } else {
    ls_program_path(path, bytes);
    char *slash = strrchr(path, '/');
    const size_t used = slash ? (size_t)(slash + 1 - path) : 0;
    snprintf(path + used, bytes - used, "lockstep-mpi.so");
  }
  return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

static ls_status open_mpi(void) {
  char path[4096];
  void *module = open_module(path, sizeof path);
  if (!module)
    return ls_fail(
        LS_EARG,
        "started by mpirun, but the module for MPI cannot be loaded: %s (it is built if CMake finds an "
        "MPI library)",
        dlerror());
  ls_transport_open open;
  *(void **)&open = dlsym(module, "ls_transport_mpi");
  if (!open) return ls_fail(LS_EARG, "%s is not a module of lockstep", path);
  const char *error = "";
  transport = open(&user, &error);
  if (!transport) return ls_fail(LS_EARG, "MPI: %s", error);
  if (transport->rank > 0 && !freopen("/dev/null", "w", stdout))
    return ls_fail(LS_EIO, "standard output cannot be redirected to /dev/null");
  return LS_OK;
}

/* Warns if srun has started processes that know nothing of each other, because its --mpi option does not
 * match. */
static void note_strangers(void) {
  const char *tasks = getenv("SLURM_STEP_NUM_TASKS"), *number = getenv("SLURM_PROCID");
  if (tasks && number && atoi(tasks) > 1 && atoi(number) == 0)
    fprintf(stderr,
            "lockstep: srun has started %d processes that do not know each other; --mpi=pmix (Open MPI) or "
            "--mpi=pmi2 (MPICH) makes them ranks: see `help hosts`\n",
            atoi(tasks));
}

static bool look_at(int rank, ls_rank_stats_said *said);
ls_status ls_ranks_open(bool prompt, f64 patience) {
  ls_status st = LS_OK;
  user.prompt = prompt;
  user.patience = patience;
  if (ls_shared_started())
    st = ls_shared_open(&user, &transport);
  else if (started_by_mpirun())
    st = open_mpi();
  if (!st && ls_ranks() > LS_MOST_RANKS) {
    const int count = ls_ranks();
    ls_ranks_close(1);
    st = ls_fail(LS_EARG, "%d ranks, expected %d at most", count, LS_MOST_RANKS);
  }
  if (!st && transport && transport->count == 1) { /* one rank needs no transport */
    transport->end(0);
    transport = NULL;
  }
  if (!st && transport) {
    ls_ranks_open_lines(transport);
    ls_rank_stats_open(transport->rank, transport->count, look_at);
  }
  if (!st && !transport) note_strangers();
  return st;
}

void ls_ranks_close(int exit_code) {
  ls_async_job_give_up(); /* a finalizer may have begun an exchange */
  if (transport) transport->end(exit_code);
  transport = NULL;
}

/* --- agreeing on a call ----------------------------------------------------------------------------------
 */

/* What each rank tells the others about the call that it makes. */
typedef struct word {
  char name[24];
  u64 count, size, op; /* must be equal in all ranks */
  u64 first, past;     /* the rank's own range */
  ls_rank_stats_said said;
} word;

/* The words of all ranks, of word_bytes() bytes each. */
static _Alignas(word) u8 words[LS_MOST_RANKS * sizeof(word)];
static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;
static bool exchanging;

/* Statistics of primitives are sent only if there is a prompt, whose user may want to see them. */
static u64 word_bytes(void) { return user.prompt ? sizeof(word) : offsetof(word, said.rows); }
static word *word_of(int r) { return (word *)(void *)(words + (u64)r * word_bytes()); }

static bool look_at(int rank, ls_rank_stats_said *said) {
  word w;
  if (!transport || !user.prompt || transport->rank > 0) return false;
  pthread_mutex_lock(&looking);
  const bool there = !exchanging && transport->look(rank, &w, sizeof w);
  pthread_mutex_unlock(&looking);
  if (there) *said = w.said;
  return there;
}

static ls_status differs(int rank, const char *what, u64 theirs, const char *name, u64 ours) {
  return ls_fail(
      LS_EARG,
      "%s: rank %d has %llu %s, rank 0 has %llu; all ranks make the same exchanges with the same sizes", name,
      rank, (unsigned long long)theirs, what, (unsigned long long)ours);
}

/* Exchanges the words of all ranks, and checks that they match. All ranks get the same error. */
static ls_status agree(word *mine) {
  const int count = transport->count;
  bool worked = false;
  const f64 begun = ls_now();
  ls_rank_stats_say(&mine->said);
  const char *error = transport->agree(mine, words, word_bytes());
  if (error) return ls_fail(ls_interrupted() ? LS_EINTERRUPTED : LS_EIO, "%s: %s", mine->name, error);
  ls_rank_stats_waited(ls_now() - begun, &word_of(0)->said);
  for (int r = 0; r < count; r++) worked |= word_of(r)->said.before > 0;
  for (int r = 0; r < count; r++) ls_rank_stats_hear(r, &word_of(r)->said, worked);
  for (int r = 1; r < count; r++) {
    const word *w = word_of(r), *zero = word_of(0);
    if (strcmp(w->name, zero->name))
      return ls_fail(
          LS_EARG,
          "rank %d calls %s while rank 0 calls %s; all ranks make the same exchanges in the same order", r,
          w->name, zero->name);
    if (w->count != zero->count) return differs(r, "elements", w->count, zero->name, zero->count);
    if (w->size != zero->size) return differs(r, "bytes an element", w->size, zero->name, zero->size);
    if (w->op != zero->op) return differs(r, "as its number", w->op, zero->name, zero->op);
  }
  return LS_OK;
}

/* Computes bounds from the ranges of all ranks, which must follow one another without gaps. */
static ls_status bounds_of(const word *mine, u64 *bounds) {
  u64 at = 0;
  for (int r = 0; r < transport->count; r++) {
    const word *w = word_of(r);
    if (w->first != at || w->past < w->first)
      return ls_fail(LS_EARG, "%s: rank %d has the range %llu to %llu, expected one that begins at %llu",
                     mine->name, r, (unsigned long long)w->first, (unsigned long long)w->past,
                     (unsigned long long)at);
    bounds[r] = at;
    at = w->past;
  }
  bounds[transport->count] = at;
  if (at != mine->count)
    return ls_fail(LS_EARG, "%s: the ranks' ranges end at %llu, expected %llu, the number of elements",
                   mine->name, (unsigned long long)at, (unsigned long long)mine->count);
  return LS_OK;
}

/* --- exchanges -------------------------------------------------------------------------------------------
 */

/* One exchange. It is run by the worker while the main thread serves the keyboard, or by the second thread
 * (core/async_job.h) while the main thread launches kernels. */
typedef struct job {
  word mine;
  void *x;
  u64 room, *starts, *sizes;
  const void *send;
  const u64 *send_bounds;
  ls_dtype type;
  const char *(*move)(struct job *j, u64 *bounds);
  bool ranges;   /* mine.first and mine.past are this rank's range */
  bool mistaken; /* if move fails, it is the caller's mistake */
  ls_status status;
} job;

static void run(void *arg) {
  job *j = arg;
  u64 bounds[LS_MOST_RANKS + 1];
  j->status = agree(&j->mine);
  if (!j->status && j->ranges) j->status = bounds_of(&j->mine, bounds);
  if (j->status || !j->move || (!j->mine.count && !j->starts)) return;
  const char *error = j->move(j, bounds);
  const ls_status failed = j->mistaken ? LS_EARG : ls_interrupted() ? LS_EINTERRUPTED : LS_EIO;
  if (error) j->status = ls_fail(failed, "%s: %s", j->mine.name, error);
}

static void set_exchanging(bool yes) {
  pthread_mutex_lock(&looking);
  exchanging = yes;
  pthread_mutex_unlock(&looking);
}

static ls_status exchange(job *j, const char *name) {
  const ls_status st = ls_on_worker() ? LS_OK : ls_async_job_finish(); /* one exchange at a time */
  if (st) return st;
  snprintf(j->mine.name, sizeof j->mine.name, "%s", name);
  set_exchanging(true);
  ls_work(run, j, false);
  set_exchanging(false);
  return j->status;
}

const char *ls_exchange_lost(void) { return transport ? transport->lost() : NULL; }

bool ls_exchange_holds(void) { return transport && transport->holds && transport->holds(); }

/* With one rank nothing moves, but its range must be everything. */
static ls_status alone(const char *name, u64 count, u64 first, u64 past) {
  if (first == 0 && past == count) return LS_OK;
  return ls_fail(LS_EARG, "%s: the range is %llu to %llu, expected 0 to %llu: there is one rank", name,
                 (unsigned long long)first, (unsigned long long)past, (unsigned long long)count);
}

static const char *move_nothing(job *j, u64 *bounds) {
  memcpy(j->starts, bounds, ((size_t)transport->count + 1) * sizeof *bounds);
  return NULL;
}
ls_status ls_exchange_bounds(const char *name, u64 count, u64 size, u64 first, u64 past, u64 *bounds) {
  bounds[0] = 0, bounds[1] = count;
  if (!transport) return alone(name, count, first, past);
  job j = {.mine = {.count = count, .size = size, .first = first, .past = past},
           .starts = bounds,
           .move = move_nothing,
           .ranges = true};
  return exchange(&j, name);
}

ls_status ls_exchange_agree(const char *name, u64 count, u64 size, u64 op) {
  if (!transport) return LS_OK;
  job j = {.mine = {.count = count, .size = size, .op = op}, .move = NULL};
  return exchange(&j, name);
}
ls_status ls_exchange_meet(const char *name, u64 place) { return ls_exchange_agree(name, place, 0, 0); }

static const char *move_gather(job *j, u64 *bounds) {
  for (int r = 0; r <= transport->count; r++) bounds[r] *= j->mine.size;
  ls_rank_stats_moved(bounds[transport->count] - (j->mine.past - j->mine.first) * j->mine.size);
  return transport->all_gather(j->x, bounds);
}
ls_status ls_exchange_gather(void *x, u64 count, u64 size, u64 first, u64 past) {
  if (!transport) return alone("all_gather", count, first, past);
  job j = {.mine = {.count = count, .size = size, .first = first, .past = past},
           .x = x,
           .move = move_gather,
           .ranges = true};
  return exchange(&j, "all_gather");
}

static const char *move_reduce(job *j, u64 *bounds) {
  (void)bounds;
  const u64 k = (u64)transport->count;
  /* Each rank reduces one part and gathers the parts that the other ranks have reduced. */
  ls_rank_stats_moved(2 * (k - 1) * (j->mine.count * j->mine.size / k));
  return transport->all_reduce(j->x, j->mine.count, j->type, (ls_reduction)j->mine.op);
}
ls_status ls_exchange_reduce(void *x, u64 count, ls_dtype type, ls_reduction op) {
  if (!transport) return LS_OK;
  job j = {.mine = {.count = count, .size = ls_dtype_size(type), .op = op},
           .x = x,
           .type = type,
           .move = move_reduce};
  return exchange(&j, "all_reduce");
}

ls_status ls_exchange_all(bool mine, bool *out) {
  u32 bad = !mine;
  const ls_status st = ls_exchange_reduce(&bad, 1, LS_U32, LS_MAXIMUM);
  *out = bad == 0;
  return st;
}

static const char *move_scatter(job *j, u64 *bounds) {
  ls_rank_stats_moved((j->mine.past - j->mine.first) * j->mine.size * ((u64)transport->count - 1));
  return transport->reduce_scatter(j->x, bounds, j->type, (ls_reduction)j->mine.op);
}
ls_status ls_exchange_reduce_scatter(void *x, u64 count, ls_dtype type, ls_reduction op, u64 first,
                                     u64 past) {
  if (!transport) return alone("reduce_scatter", count, first, past);
  job j = {.mine = {.count = count, .size = ls_dtype_size(type), .op = op, .first = first, .past = past},
           .x = x,
           .type = type,
           .move = move_scatter,
           .ranges = true};
  return exchange(&j, "reduce_scatter");
}

static const char *move_broadcast(job *j, u64 *bounds) {
  (void)bounds;
  if (transport->rank != (int)j->mine.op) ls_rank_stats_moved(j->mine.count * j->mine.size);
  return transport->broadcast(j->x, j->mine.count * j->mine.size, (int)j->mine.op);
}
ls_status ls_exchange_broadcast(void *x, u64 count, u64 size, u64 root) {
  if (root >= (u64)ls_ranks())
    return ls_fail(LS_EARG, "broadcast: root is %llu, expected a rank, below %d", (unsigned long long)root,
                   ls_ranks());
  if (!transport) return LS_OK;
  job j = {.mine = {.count = count, .size = size, .op = root}, .x = x, .move = move_broadcast};
  return exchange(&j, "broadcast");
}

/* Exchanges how many elements go from each rank to each rank. */
static const char *move_sizes(job *j, u64 *bounds) {
  static char error[128];
  const u64 k = (u64)transport->count, me = (u64)transport->rank;
  u64 *sizes = j->sizes;
  for (u64 r = 0; r <= k; r++) bounds[r] = r * k * sizeof *sizes;
  for (u64 q = 0; q < k; q++) sizes[me * k + q] = j->send_bounds[q + 1] - j->send_bounds[q];
  const char *wrong = transport->all_gather(sizes, bounds);
  for (u64 q = 0; !wrong && q < k; q++) { /* all ranks get the same result */
    u64 sum = 0;
    for (u64 r = 0; r < k; r++) sum += sizes[r * k + q];
    if (sum <= word_of((int)q)->past) continue;
    snprintf(error, sizeof error, "rank %llu gets %llu elements, but has room for %llu",
             (unsigned long long)q, (unsigned long long)sum, (unsigned long long)word_of((int)q)->past);
    wrong = error;
    j->mistaken = true;
  }
  j->starts[0] = 0;
  for (u64 r = 0; !wrong && r < k; r++) j->starts[r + 1] = j->starts[r] + sizes[r * k + me];
  return wrong;
}
ls_status ls_exchange_sizes(const char *name, const u64 *bounds, u64 size, u64 room, u64 *sizes,
                            u64 *starts) {
  job j = {.mine = {.size = size, .past = room},
           .starts = starts,
           .sizes = sizes,
           .send_bounds = bounds,
           .move = move_sizes};
  return exchange(&j, name);
}

/* Exchanges the sizes, then moves the elements. */
static const char *move_all_to_all(job *j, u64 *bounds) {
  const u64 k = (u64)transport->count, me = (u64)transport->rank, size = j->mine.size;
  u64 out[LS_MOST_RANKS], in[LS_MOST_RANKS], most = 0;
  j->sizes = ls_malloc(k * k * sizeof *j->sizes);
  if (!j->sizes) return "no memory for the sizes";
  const char *wrong = move_sizes(j, bounds);
  for (u64 i = 0; i < k * k; i++)
    if (j->sizes[i] > most) most = j->sizes[i];
  for (u64 q = 0; q < k; q++) out[q] = j->sizes[me * k + q] * size, in[q] = j->sizes[q * k + me] * size;
  if (!wrong) {
    ls_rank_stats_moved(j->starts[k] * size - in[me]);
    wrong = transport->all_to_all(j->send, j->x, out, in, most * size);
  }
  ls_free(j->sizes); /* even after a failure: MPI uses a copy of so small an array */
  return wrong;
}
ls_status ls_exchange_all_to_all(const void *x, const u64 *bounds, u64 size, void *y, u64 room, u64 *starts) {
  if (!transport) {
    const u64 count = bounds[1] - bounds[0];
    if (count > room)
      return ls_fail(LS_EARG, "all_to_all: rank 0 gets %llu elements, but has room for %llu",
                     (unsigned long long)count, (unsigned long long)room);
    if (count) memmove(y, (const u8 *)x + bounds[0] * size, count * size);
    starts[0] = 0, starts[1] = count;
    return LS_OK;
  }
  job j = {.mine = {.size = size, .past = room},
           .x = y,
           .starts = starts,
           .send = (const u8 *)x + bounds[0] * size,
           .send_bounds = bounds,
           .move = move_all_to_all};
  return exchange(&j, "all_to_all");
}

/* --- halo exchange ---------------------------------------------------------------------------------------
 */

/* A hash of `length` elements that go from one rank to another. Summed over all ranks, the hashes of what is
 * sent equal those of what is received, if the plans match. */
static u64 pair(u64 from, u64 to, u64 length) {
  return ls_mix((from * LS_MOST_RANKS + to + 1) * 0x9e3779b97f4a7c15u + length);
}

static const char *move_halo(job *j, u64 *bounds) {
  const u64 k = (u64)transport->count, size = j->mine.size;
  u64 in[LS_MOST_RANKS], sum = 0, most = 0, got = 0;
  for (u64 r = 0; r < k; r++) {
    const word *w = word_of((int)r);
    sum += w->past;
    if (w->first > most) most = w->first;
  }
  if (sum) {
    j->mistaken = true;
    return "what one rank sends is not what another expects: all ranks must use the plans that they made together";
  }
  *j->sizes = most;
  if (!j->x) return NULL; /* only the sizes were requested */
  for (u64 q = 0; q < k; q++) {
    bounds[q] = (j->send_bounds[q + 1] - j->send_bounds[q]) * size;
    in[q] = (j->starts[q + 1] - j->starts[q]) * size;
    got += q == (u64)transport->rank ? 0 : in[q];
  }
  ls_rank_stats_moved(got);
  return transport->all_to_all(j->send, j->x, bounds, in, most * size);
}
static ls_status halo(const char *name, const void *send, const u64 *bounds, u64 size, u64 op, void *receive,
                      const u64 *starts, u64 *most) {
  u64 sum = 0, own = 0;
  const u64 k = (u64)ls_ranks(), me = (u64)ls_rank();
  for (u64 q = 0; q < k; q++) {
    const u64 out = bounds[q + 1] - bounds[q];
    sum += pair(me, q, out) - pair(q, me, starts[q + 1] - starts[q]);
    if (out > own) own = out;
  }
  job j = {.mine = {.size = size, .op = op, .first = own, .past = sum},
           .x = receive,
           .starts = (u64 *)starts,
           .sizes = most,
           .send = send,
           .send_bounds = bounds,
           .move = move_halo};
  return exchange(&j, name);
}
ls_status ls_exchange_halo(const char *name, const void *send, const u64 *bounds, u64 size, u64 op,
                           void *receive, const u64 *starts) {
  u64 most;
  static u64 none;
  return halo(name, send, bounds, size, op, receive ? receive : &none, starts, &most);
}
ls_status ls_exchange_halo_sizes(const char *name, const u64 *bounds, u64 size, u64 op, const u64 *starts,
                                 u64 *most) {
  return halo(name, NULL, bounds, size, op, NULL, starts, most);
}
