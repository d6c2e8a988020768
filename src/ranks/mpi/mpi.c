/* The transport of processes that mpirun has started, on one host or several: a module of its own,
 * lockstep-mpi.so, so that the program needs no MPI, and so that this folder is all that has to be compiled
 * for another MPI. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/mpi/control.h"
#include "ranks/transport.h"

enum { PIECE = 1 << 30 }; /* counts of MPI are ints */

static ls_transport table;
static const ls_transport_user *user;
static char error[MPI_MAX_ERROR_STRING + 64];

static const char *wrong(int status) {
  int length;
  if (status == MPI_SUCCESS) return NULL;
  MPI_Error_string(status, error, &length);
  return error;
}

/* MPI is called by one thread at a time. */
static int locked(int status) {
  control_unlock();
  return status;
}
#define LOCKED(call) (control_lock(), locked(call))

/* Waits for what was begun; the processor is given up now and then. At a prompt Ctrl-C is not heard here: all
 * ranks have come, and what has begun ends. */
static const char *wait_for(int status, MPI_Request *request) {
  for (u64 looks = 0; status == MPI_SUCCESS; looks++) {
    int done = 0;
    control_lock();
    status = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    const char *lost = done ? NULL : control_lost();
    control_unlock();
    if (done) break;
    if (lost) return lost;
    if (!user->prompt && user->interrupted()) return "interrupted";
    control_doze(looks);
  }
  return wrong(status);
}

static u64 least(u64 a, u64 b) { return a < b ? a : b; }

static const char *broadcast(void *x, u64 bytes, int root) {
  const char *bad = NULL;
  for (u64 at = 0; !bad && at < bytes; at += PIECE) {
    MPI_Request r;
    bad = wait_for(
        LOCKED(MPI_Ibcast((char *)x + at, (int)least(bytes - at, PIECE), MPI_BYTE, root, MPI_COMM_WORLD, &r)),
        &r);
  }
  return bad;
}

static const char *all_gather(void *x, const u64 *bounds) {
  const int count = table.count;
  const char *bad = NULL;
  if (bounds[count] > PIECE) { /* more than MPI can count: each in its turn */
    for (int q = 0; !bad && q < count; q++)
      bad = broadcast((char *)x + bounds[q], bounds[q + 1] - bounds[q], q);
    return bad;
  }
  int lengths[count], places[count];
  for (int q = 0; q < count; q++) lengths[q] = (int)(bounds[q + 1] - bounds[q]), places[q] = (int)bounds[q];
  MPI_Request r;
  return wait_for(
      LOCKED(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, x, lengths, places, MPI_BYTE, MPI_COMM_WORLD, &r)),
      &r);
}

static MPI_Datatype type_of(ls_dtype type) {
  switch (type) {
  case LS_U8: return MPI_UINT8_T;
  case LS_U16: return MPI_UINT16_T;
  case LS_U32: return MPI_UINT32_T;
  case LS_U64: return MPI_UINT64_T;
  case LS_I16: return MPI_INT16_T;
  case LS_I32: return MPI_INT32_T;
  case LS_I64: return MPI_INT64_T;
  case LS_F32: return MPI_FLOAT;
  default: return MPI_DOUBLE;
  }
}
static MPI_Op op_of(ls_reduction op) { return op == LS_SUM ? MPI_SUM : op == LS_MINIMUM ? MPI_MIN : MPI_MAX; }

static int size_of(ls_dtype type) {
  int size;
  MPI_Type_size(type_of(type), &size);
  return size;
}

static const char *all_reduce(void *x, u64 count, ls_dtype type, ls_reduction op) {
  const u64 size = (u64)size_of(type), piece = PIECE / size;
  const char *bad = NULL;
  for (u64 at = 0; !bad && at < count; at += piece) {
    MPI_Request r;
    bad = wait_for(LOCKED(MPI_Iallreduce(MPI_IN_PLACE, (char *)x + at * size, (int)least(count - at, piece),
                                         type_of(type), op_of(op), MPI_COMM_WORLD, &r)),
                   &r);
  }
  return bad;
}

static const char *reduce_scatter(void *x, const u64 *bounds, ls_dtype type, ls_reduction op) {
  const u64 size = (u64)size_of(type), piece = PIECE / size;
  const char *bad = NULL;
  for (int q = 0; q < table.count; q++)
    for (u64 at = bounds[q]; !bad && at < bounds[q + 1]; at += piece) {
      MPI_Request r;
      char *here = (char *)x + at * size;
      const int n = (int)least(bounds[q + 1] - at, piece);
      bad = wait_for(LOCKED(MPI_Ireduce(q == table.rank ? MPI_IN_PLACE : here, here, n, type_of(type),
                                        op_of(op), q, MPI_COMM_WORLD, &r)),
                     &r);
    }
  return bad;
}

/* Pieces of at most PIECE bytes from each to each, so that their sum may be beyond what MPI counts. */
static const char *all_to_all(const void *send, void *receive, const u64 *bytes) {
  const int count = table.count, me = table.rank;
  const char *bad = NULL;
  MPI_Request *requests = NULL;
  u64 n = 0, room = 0;
  for (int q = 0; q < count; q++) room += bytes[me * count + q] / PIECE + bytes[q * count + me] / PIECE + 2;
  requests = malloc(room * sizeof *requests);
  if (!requests) return "no memory for its requests";
  int status = MPI_SUCCESS;
  u64 from = 0, to = 0;
  for (int q = 0; q < count; q++) {
    const u64 out = bytes[me * count + q], in = bytes[q * count + me];
    for (u64 at = 0; status == MPI_SUCCESS && at < in; at += PIECE)
      status = LOCKED(MPI_Irecv((char *)receive + to + at, (int)least(in - at, PIECE), MPI_BYTE, q, 0,
                                MPI_COMM_WORLD, &requests[n++]));
    for (u64 at = 0; status == MPI_SUCCESS && at < out; at += PIECE)
      status = LOCKED(MPI_Isend((const char *)send + from + at, (int)least(out - at, PIECE), MPI_BYTE, q, 0,
                                MPI_COMM_WORLD, &requests[n++]));
    from += out, to += in;
  }
  for (u64 i = 0; !bad && i < n; i++) bad = wait_for(status, &requests[i]);
  free(requests);
  return bad ? bad : wrong(status);
}

static void end(int code) {
  int ended;
  MPI_Finalized(&ended);
  if (ended) return;
  if (code && !user->prompt) { /* the others would wait for ever */
    control_lock();
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  if (table.count > 1) control_end();
  MPI_Finalize();
}

const ls_transport *ls_transport_mpi(const ls_transport_user *u, const char **message);
const ls_transport *ls_transport_mpi(const ls_transport_user *u, const char **message) {
  int given, status = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given);
  *message = wrong(status);
  if (*message) return NULL;
  if (given < MPI_THREAD_SERIALIZED) {
    *message = "it does not let one thread after the other call it";
    return NULL;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  user = u;
  table = (ls_transport){.name = "MPI",
                         .agree = control_agree,
                         .broadcast = broadcast,
                         .all_gather = all_gather,
                         .all_reduce = all_reduce,
                         .reduce_scatter = reduce_scatter,
                         .all_to_all = all_to_all,
                         .end = end};
  MPI_Comm_size(MPI_COMM_WORLD, &table.count);
  MPI_Comm_rank(MPI_COMM_WORLD, &table.rank);
  MPI_Comm host;
  int there = table.count;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, table.rank, MPI_INFO_NULL, &host) ==
      MPI_SUCCESS) {
    MPI_Comm_rank(host, &table.here);
    MPI_Comm_size(host, &there);
    table.one_host = there == table.count; /* which all find alike, or none does */
    MPI_Comm_free(&host);
  }
  *message = table.count > 1 ? control_open(u, table.rank, table.count, there) : NULL;
  if (*message) return NULL;
  if (u->prompt) table.lines = &control_lines;
  return &table;
}
