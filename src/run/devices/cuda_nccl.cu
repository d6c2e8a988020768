#include "run/devices/cuda_nccl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "run/devices/cuda_check.h"

extern "C" {
#include "core/wait.h"
#include "ranks/rank_stats.h"
}

/* --- the library --- */

/* The part of NCCL's interface that is used; NCCL has it since version 2.14. */
typedef struct ncclComm *Communicator;
struct Unique { char bytes[128]; };
struct Settings { /* the first fields of NCCL's ncclConfig_t; NCCL reads only `size` bytes */
  size_t size = sizeof(Settings);
  unsigned magic = 0xcafebeef, version = 21400;
  int blocking = 0; /* calls return at once; CommGetAsyncError says whether they are done */
};
enum { DONE = 0, IN_PROGRESS = 7, BYTES = 1 /* ncclUint8 */, OLDEST = 21400 };

struct Library {
  int (*GetVersion)(int *);
  const char *(*GetErrorString)(int);
  int (*GetUniqueId)(Unique *);
  int (*CommInitRankConfig)(Communicator *, int, Unique, int, Settings *);
  int (*CommGetAsyncError)(Communicator, int *);
  int (*CommAbort)(Communicator);
  int (*GroupStart)(void);
  int (*GroupEnd)(void);
  int (*Broadcast)(const void *, void *, size_t, int type, int root, Communicator, cudaStream_t);
  int (*AllReduce)(const void *, void *, size_t, int type, int op, Communicator, cudaStream_t);
  int (*Reduce)(const void *, void *, size_t, int type, int op, int root, Communicator, cudaStream_t);
  int (*Send)(const void *, size_t, int type, int rank, Communicator, cudaStream_t);
  int (*Recv)(void *, size_t, int type, int rank, Communicator, cudaStream_t);
};
static Library nccl;
static Communicator communicator; /* NULL: NCCL is not used */
static char name[32];
static char absent[192]; /* why NCCL is not used */

/* Returns what is wrong, or NULL. */
static const char *open_library() {
  void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return "there is no libnccl.so.2 where the system looks for libraries";
#define FIND(function)                               \
  *(void **)&nccl.function = dlsym(library, "nccl" #function); \
  if (!nccl.function) return "libnccl.so.2 is older than 2.14: it has no nccl" #function;
  FIND(GetVersion)
  FIND(GetErrorString)
  FIND(GetUniqueId)
  FIND(CommInitRankConfig)
  FIND(CommGetAsyncError)
  FIND(CommAbort)
  FIND(GroupStart)
  FIND(GroupEnd)
  FIND(Broadcast)
  FIND(AllReduce)
  FIND(Reduce)
  FIND(Send)
  FIND(Recv)
#undef FIND
  int version = 0;
  if (nccl.GetVersion(&version) != DONE || version < OLDEST) return "libnccl.so.2 is older than 2.14";
  snprintf(name, sizeof name, "NCCL %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
  return NULL;
}

const char *ls_nccl_name(void) { return name; }

static bool is_fine(int error) { return error == DONE || error == IN_PROGRESS; }

static int type_of(ls_dtype type) {
  switch (type) {
  case LS_U8: return 1;
  case LS_I32: return 2;
  case LS_U32: return 3;
  case LS_I64: return 4;
  case LS_U64: return 5;
  case LS_F32: return 7;
  case LS_F64: return 8;
  default: return -1;
  }
}
bool ls_nccl_reduces(ls_dtype type) { return type_of(type) >= 0; }
static int op_of(u32 op) { return op == LS_SUM ? 0 : op == LS_MINIMUM ? 3 : 2; }

/* --- waiting --- */

static void give_up(const char *why) {
  snprintf(absent, sizeof absent, "%s", why);
  if (communicator) nccl.CommAbort(communicator);
  communicator = NULL;
}

/* Waits until NCCL has finished its call, and then, if `stream` is not NULL, until the stream has. After Ctrl-C the
 * call has 0.3 s to end by itself. seconds: time limit; 0: none. */
static ls_status settle(ls_launch *L, const char *what, const cudaStream_t *stream, f64 seconds) {
  ls_looks looks = {0, 0};
  f64 interrupted = 0;
  for (;;) {
    int state = DONE;
    const int asked = nccl.CommGetAsyncError(communicator, &state);
    const char *wrong = NULL;
    cudaError_t e = cudaErrorNotReady;
    if (asked != DONE || !is_fine(state)) wrong = nccl.GetErrorString(asked != DONE ? asked : state);
    if (!wrong && state == DONE) e = stream ? cudaStreamQuery(*stream) : cudaSuccess;
    if (!wrong && e == cudaSuccess) return LS_OK;
    if (e != cudaErrorNotReady) {
      give_up("the device failed");
      return ls_cuda_check(L->device, e, what);
    }
    if (!wrong && ls_look_again(&looks)) {
      wrong = ls_exchange_lost();
      if (!ls_interrupted()) interrupted = 0;
      else if (interrupted == 0) interrupted = ls_now();
      else if (ls_now() - interrupted > 0.3) wrong = "interrupted";
      if (!wrong && seconds > 0 && ls_now() - looks.begun > seconds) wrong = "it did not answer";
    }
    if (!wrong) continue;
    char text[sizeof absent]; /* a copy, because the abort may change it */
    snprintf(text, sizeof text, "%s", wrong);
    give_up(text);
    return ls_fail(ls_interrupted() ? LS_EINTERRUPTED : LS_EIO, "%s, by %s: %s", what, name, text);
  }
}

/* Completes a call of NCCL that returned `error`: waits until all ranks have completed the call. */
static ls_status finish(ls_launch *L, cudaStream_t stream, int error) {
  if (!is_fine(error)) {
    const char *why = nccl.GetErrorString(error);
    give_up(why);
    return ls_fail(LS_EIO, "%s, by %s: %s", L->prim->name, name, why);
  }
  ls_status st = settle(L, L->prim->name, &stream, 0);
  if (!st) st = ls_exchange_meet(L->prim->name, 1);
  if (st && communicator) give_up("an exchange failed before");
  return st;
}

/* --- joining --- */

/* Creates the communicator of all ranks, or sets *why. */
static ls_status join(ls_launch *L, const char **why) {
  static Unique id; /* rank 0 creates it and broadcasts it */
  const u64 ranks = (u64)ls_ranks(), me = (u64)ls_rank();
  if (me == 0 && nccl.GetUniqueId(&id) != DONE) *why = "NCCL found no way between the ranks";
  bool good;
  ls_status st = ls_exchange_all(!*why, &good);
  if (st || !good) return st;
  st = ls_exchange_broadcast(&id, 1, sizeof id, 0);
  if (st) return st;
  Settings settings;
  const int error = nccl.CommInitRankConfig(&communicator, (int)ranks, id, (int)me, &settings);
  if (!is_fine(error)) {
    *why = nccl.GetErrorString(error);
    communicator = NULL;
  } else if (settle(L, "NCCL", NULL, 60)) {
    *why = absent;
  }
  return LS_OK;
}

ls_status ls_cuda_find_nccl(ls_launch *L, bool *there, const char **why) {
  static cudaUUID_t devices[LS_MOST_RANKS];
  static bool looked;
  *there = communicator != NULL, *why = absent;
  if (looked) return LS_OK;
  looked = true;
  const u64 ranks = (u64)ls_ranks(), me = (u64)ls_rank();
  const char *wrong = open_library();
  cudaDeviceProp own;
  if (ls_cuda_use(L->device) || cudaGetDeviceProperties(&own, L->device) != cudaSuccess) wrong = "no device";
  else devices[me] = own.uuid;
  ls_status st = ls_exchange_gather(devices, ranks, sizeof *devices, me, me + 1);
  for (u64 r = 0; !st && r < ranks; r++)
    if (r != me && memcmp(&devices[r], &devices[me], sizeof *devices) == 0) wrong = "two ranks share a device";
  bool good = false;
  if (!st) st = ls_exchange_all(!wrong, &good);
  if (!st && good) st = join(L, &wrong);
  if (!st) st = ls_exchange_all(good && !wrong, &good);
  if (st || !good) give_up(wrong ? wrong : "another rank cannot use it");
  *there = communicator != NULL;
  return st;
}

/* --- moves --- */

ls_status ls_nccl_gather(ls_launch *L, cudaStream_t stream, void *x, const u64 *bounds) {
  const int ranks = ls_ranks(), me = ls_rank();
  ls_rank_stats_moved(bounds[ranks] - (bounds[me + 1] - bounds[me]));
  int error = nccl.GroupStart();
  for (int r = 0; r < ranks && is_fine(error); r++) {
    u8 *piece = (u8 *)x + bounds[r];
    if (bounds[r + 1] > bounds[r]) error = nccl.Broadcast(piece, piece, bounds[r + 1] - bounds[r], BYTES, r, communicator, stream);
  }
  const int ended = nccl.GroupEnd();
  return finish(L, stream, is_fine(error) ? ended : error);
}

ls_status ls_nccl_reduce(ls_launch *L, cudaStream_t stream, void *x, u64 count, ls_dtype type, u32 op) {
  const u64 ranks = (u64)ls_ranks();
  ls_rank_stats_moved(2 * (ranks - 1) * (count * ls_dtype_size(type) / ranks));
  return finish(L, stream, nccl.AllReduce(x, x, count, type_of(type), op_of(op), communicator, stream));
}

ls_status ls_nccl_reduce_scatter(ls_launch *L, cudaStream_t stream, void *x, const u64 *bounds, ls_dtype type, u32 op) {
  const int ranks = ls_ranks(), me = ls_rank();
  const u64 size = ls_dtype_size(type);
  ls_rank_stats_moved((bounds[me + 1] - bounds[me]) * size * ((u64)ranks - 1));
  int error = nccl.GroupStart();
  for (int r = 0; r < ranks && is_fine(error); r++) {
    u8 *piece = (u8 *)x + bounds[r] * size;
    if (bounds[r + 1] > bounds[r])
      error = nccl.Reduce(piece, piece, bounds[r + 1] - bounds[r], type_of(type), op_of(op), r, communicator, stream);
  }
  const int ended = nccl.GroupEnd();
  return finish(L, stream, is_fine(error) ? ended : error);
}

ls_status ls_nccl_each_to_each(ls_launch *L, cudaStream_t stream, const void *send, const u64 *out, void *receive,
                               const u64 *in) {
  const int ranks = ls_ranks(), me = ls_rank();
  ls_rank_stats_moved(in[ranks] - in[0] - (in[me + 1] - in[me]));
  int error = nccl.GroupStart();
  for (int r = 0; r < ranks; r++) {
    const u64 goes = out[r + 1] - out[r], comes = in[r + 1] - in[r];
    if (is_fine(error) && goes) error = nccl.Send((const u8 *)send + out[r], goes, BYTES, r, communicator, stream);
    if (is_fine(error) && comes) error = nccl.Recv((u8 *)receive + in[r], comes, BYTES, r, communicator, stream);
  }
  const int ended = nccl.GroupEnd();
  return finish(L, stream, is_fine(error) ? ended : error);
}
