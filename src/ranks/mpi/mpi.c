/* The transport of processes that mpirun has started, on one host or several. It is a separate module,
 * lockstep-mpi.so, so that the program does not need MPI, and only this folder must be recompiled for another
 * MPI. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/mpi/control.h"
#include "ranks/mpi/wire.h"
#include "ranks/transport.h"

enum { PIECE = 1 << 30 /* counts of MPI are ints */, SMALL = 1 << 20 };

static ls_transport table;
static const ls_transport_user *user;
static char error[MPI_MAX_ERROR_STRING + 64];

static const char *wrong(int status) {
  int length;
  if (status == MPI_SUCCESS) return NULL;
  MPI_Error_string(status, error, &length);
  return error;
}

/* Only one thread at a time may call MPI: LOCKED(call) makes a call under the lock. */
static int locked(int status) {
  wire_unlock();
  return status;
}
#define LOCKED(call) (wire_lock(), locked(call))
#define ALL control_communicator()

/* Waits for a request, and yields the processor from time to time. At a prompt Ctrl-C is ignored here: all
 * ranks have reached the exchange, so it will end. */
static const char *wait_for(int status, MPI_Request *request) {
  const char *bad = NULL;
  for (u64 looks = 0; status == MPI_SUCCESS && !bad; looks++) {
    int done = 0;
    wire_lock();
    status = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (!done && status == MPI_SUCCESS) {
      bad = control_lost();
      if (!bad && !user->prompt && user->interrupted()) bad = "interrupted";
      if (bad) wire_abandon(*request);
    }
    wire_unlock();
    if (done) break;
    if (!bad) wire_doze(looks);
  }
  return bad ? bad : wrong(status);
}

/* After an exchange is abandoned, MPI may still read or write its memory. Memory of at most SMALL bytes may
 * be on a stack, so MPI gets a copy, which is not freed after a failure. Larger memory belongs to the caller;
 * if holds() returns true, the caller must not free it. */
static bool held;
static bool holds(void) {
  const bool out = held;
  held = false;
  return out;
}
static void *staged(const void *x, u64 bytes) {
  if (bytes > SMALL) return (void *)(uintptr_t)x;
  void *y = malloc(bytes + 1);
  if (y) memcpy(y, x, bytes);
  return y;
}
/* Ends the use of y, the memory that staged() returned. `into`: the caller's memory, which gets y's
 * contents; NULL if MPI has only read y. Returns `bad`, the error of the exchange. */
static const char *finish(void *into, u64 bytes, void *y, const char *bad) {
  if (bad && bytes > SMALL) held = true;
  if (bad || bytes > SMALL) return bad;
  if (into) memcpy(into, y, bytes);
  free(y);
  return NULL;
}
static const char no_memory[] = "no memory for what goes to other ranks";

static u64 least(u64 a, u64 b) { return a < b ? a : b; }

static const char *broadcast(void *x, u64 bytes, int root) {
  char *y = staged(x, bytes);
  const char *bad = y ? NULL : no_memory;
  for (u64 at = 0; !bad && at < bytes; at += PIECE) {
    MPI_Request r;
    bad = wait_for(LOCKED(MPI_Ibcast(y + at, (int)least(bytes - at, PIECE), MPI_BYTE, root, ALL, &r)), &r);
  }
  return finish(x, bytes, y, bad);
}

static const char *all_gather(void *x, const u64 *bounds) {
  const int count = table.count;
  const u64 bytes = bounds[count];
  const char *bad = NULL;
  if (bytes > PIECE) { /* more than MPI can count: one broadcast per rank */
    for (int q = 0; !bad && q < count; q++)
      bad = broadcast((char *)x + bounds[q], bounds[q + 1] - bounds[q], q);
    held |= bad != NULL;
    return bad;
  }
  int *lengths = malloc(2 * (size_t)count * sizeof *lengths), *places = lengths + count;
  void *y = staged(x, bytes);
  if (lengths && y) {
    for (int q = 0; q < count; q++) lengths[q] = (int)(bounds[q + 1] - bounds[q]), places[q] = (int)bounds[q];
    MPI_Request r;
    bad = wait_for(LOCKED(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, y, lengths, places, MPI_BYTE, ALL, &r)),
                   &r);
  } else {
    bad = no_memory;
  }
  if (!bad) free(lengths); /* else MPI may still read them */
  return finish(x, bytes, y, bad);
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

/* MPICH 4.0 compares unsigned integers as signed ones, so we define the minimum and the maximum. */
static MPI_Op least_op, greatest_op;
static void combine(void *from, void *into, int count, MPI_Datatype type, ls_reduction op) {
  for (ls_dtype t = LS_U8; t < LS_DTYPES; t++)
    if (type_of(t) == type) {
      user->combine(into, from, (u64)count, t, op);
      return;
    }
}
static void take_least(void *from, void *into, int *count, MPI_Datatype *type) {
  combine(from, into, *count, *type, LS_MINIMUM);
}
static void take_greatest(void *from, void *into, int *count, MPI_Datatype *type) {
  combine(from, into, *count, *type, LS_MAXIMUM);
}
static MPI_Op op_of(ls_reduction op) {
  return op == LS_SUM ? MPI_SUM : op == LS_MINIMUM ? least_op : greatest_op;
}

static int size_of(ls_dtype type) {
  int size;
  MPI_Type_size(type_of(type), &size);
  return size;
}

static const char *all_reduce(void *x, u64 count, ls_dtype type, ls_reduction op) {
  const u64 size = (u64)size_of(type), piece = PIECE / size;
  char *y = staged(x, count * size);
  const char *bad = y ? NULL : no_memory;
  for (u64 at = 0; !bad && at < count; at += piece) {
    MPI_Request r;
    bad = wait_for(LOCKED(MPI_Iallreduce(MPI_IN_PLACE, y + at * size, (int)least(count - at, piece),
                                         type_of(type), op_of(op), ALL, &r)),
                   &r);
  }
  return finish(x, count * size, y, bad);
}

static const char *reduce_scatter(void *x, const u64 *bounds, ls_dtype type, ls_reduction op) {
  const u64 size = (u64)size_of(type), piece = PIECE / size, bytes = bounds[table.count] * size;
  char *y = staged(x, bytes);
  const char *bad = y ? NULL : no_memory;
  for (int q = 0; q < table.count; q++)
    for (u64 at = bounds[q]; !bad && at < bounds[q + 1]; at += piece) {
      MPI_Request r;
      char *here = y + at * size;
      const int n = (int)least(bounds[q + 1] - at, piece);
      bad = wait_for(LOCKED(MPI_Ireduce(q == table.rank ? MPI_IN_PLACE : here, here, n, type_of(type),
                                        op_of(op), q, ALL, &r)),
                     &r);
    }
  return finish(x, bytes, y, bad);
}

/* Each pair of ranks exchanges pieces of at most PIECE bytes, so that the total may exceed what MPI can
 * count. */
static const char *all_to_all(const void *send, void *receive, const u64 *out, const u64 *in, u64 most) {
  const int count = table.count;
  (void)most;
  u64 n = 0, room = 0, sent = 0, received = 0;
  for (int q = 0; q < count; q++) {
    room += in[q] / PIECE + out[q] / PIECE + 2;
    sent += out[q], received += in[q];
  }
  MPI_Request *requests = malloc(room * sizeof *requests);
  char *x = staged(send, sent), *y = staged(receive, received);
  if (!requests || !x || !y) {
    free(requests);
    if (sent <= SMALL) free(x);
    if (received <= SMALL) free(y);
    return no_memory;
  }
  int status = MPI_SUCCESS;
  u64 from = 0, to = 0;
  for (int q = 0; q < count; q++) {
    for (u64 at = 0; status == MPI_SUCCESS && at < in[q]; at += PIECE)
      status =
          LOCKED(MPI_Irecv(y + to + at, (int)least(in[q] - at, PIECE), MPI_BYTE, q, 0, ALL, &requests[n++]));
    for (u64 at = 0; status == MPI_SUCCESS && at < out[q]; at += PIECE)
      status = LOCKED(
          MPI_Isend(x + from + at, (int)least(out[q] - at, PIECE), MPI_BYTE, q, 0, ALL, &requests[n++]));
    from += out[q], to += in[q];
  }
  const char *bad = wrong(status);
  for (u64 i = 0; i < n && status == MPI_SUCCESS; i++) {
    if (!bad) {
      bad = wait_for(status, &requests[i]);
    } else { /* one has failed: abandon the remaining requests */
      wire_lock();
      wire_abandon(requests[i]);
      wire_unlock();
    }
  }
  free(requests);
  finish(NULL, sent, x, bad);
  return finish(receive, received, y, bad);
}

static void end(int code) {
  int ended;
  MPI_Finalized(&ended);
  if (ended) return;
  if (code && !user->prompt) { /* the others would wait for ever */
    wire_lock();
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
    *message = "the library lacks MPI_THREAD_SERIALIZED: calls from several threads, one at a time";
    return NULL;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  *message = wrong(MPI_Op_create(take_least, true, &least_op));
  if (!*message) *message = wrong(MPI_Op_create(take_greatest, true, &greatest_op));
  if (*message) return NULL;
  user = u;
  table = (ls_transport){.name = "MPI",
                         .agree = control_agree,
                         .look = control_look,
                         .broadcast = broadcast,
                         .all_gather = all_gather,
                         .all_reduce = all_reduce,
                         .reduce_scatter = reduce_scatter,
                         .all_to_all = all_to_all,
                         .lost = control_lost_beside,
                         .holds = holds,
                         .end = end};
  MPI_Comm_size(MPI_COMM_WORLD, &table.count);
  MPI_Comm_rank(MPI_COMM_WORLD, &table.rank);
  MPI_Comm host;
  int there = table.count;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, table.rank, MPI_INFO_NULL, &host) ==
      MPI_SUCCESS) {
    MPI_Comm_rank(host, &table.here);
    MPI_Comm_size(host, &there);
    table.one_host = there == table.count; /* the same result in all ranks */
    MPI_Comm_free(&host);
  }
  *message = table.count > 1 ? control_open(u, table.rank, table.count, there) : NULL;
  if (*message) return NULL;
  if (u->prompt) table.lines = &control_lines;
  return &table;
}
