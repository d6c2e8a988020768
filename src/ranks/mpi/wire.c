#include "ranks/mpi/wire.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/thread.h"

typedef struct message { /* in flight; also an abandoned request */
  struct message *next;
  MPI_Request request;
  int to;
  head h;
  char text[];
} message;
_Static_assert(offsetof(message, text) == offsetof(message, h) + sizeof(head), "a head and its text are one");

enum { PERIOD = 20 * 1000 * 1000, TAG = 1 };

static const f64 SIGN = 0.5; /* seconds between two heartbeats */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm comm = MPI_COMM_NULL;
static const ls_transport_user *user;
static int rank, count;
static void (*hear)(int from, const head *h, const char *text, u64 bytes);
static bool closed;
static message *sends;           /* messages that may not have been sent yet */
static message *abandoned;       /* requests of data transfers, not messages */
static f64 heard[LS_MOST_RANKS]; /* when the last message of each rank arrived */
static bool ended[LS_MOST_RANKS];
static u64 spins = 20; /* polls before this rank sleeps */

void wire_lock(void) { pthread_mutex_lock(&lock); }
void wire_unlock(void) { pthread_mutex_unlock(&lock); }
void wire_close(void) { closed = true; }
bool wire_closed(void) { return closed; }
bool wire_sent(void) { return !sends; }
void wire_has_ended(int r) { ended[r] = true; }

f64 wire_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (f64)t.tv_sec + 1e-9 * (f64)t.tv_nsec;
}

void wire_give_in(const char *what) {
  fprintf(stderr, "lockstep: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void reap(message **list) {
  for (message **at = list; *at;) {
    message *m = *at;
    int left = 0;
    if (MPI_Test(&m->request, &left, MPI_STATUS_IGNORE) == MPI_SUCCESS && !left) {
      at = &m->next;
      continue;
    }
    *at = m->next;
    free(m);
  }
}

void wire_send(int to, head h, const void *text, u64 bytes) {
  if (closed) return;
  message *m = malloc(sizeof *m + bytes + 1);
  if (!m) {
    wire_give_in("no memory for a message to another rank");
    return;
  }
  m->h = h;
  if (bytes) memcpy(m->text, text, bytes);
  if (MPI_Isend(&m->h, (int)(sizeof m->h + bytes), MPI_BYTE, to, TAG, comm, &m->request) != MPI_SUCCESS) {
    free(m); /* a missing rank is detected where it is waited for */
    return;
  }
  m->to = to;
  m->next = sends;
  sends = m;
}

void wire_abandon(MPI_Request request) {
  message *m = calloc(1, sizeof *m);
  if (!m) {
    wire_give_in("no memory to keep an unfinished request");
    return;
  }
  *m = (message){.next = abandoned, .request = request, .to = -1};
  abandoned = m;
}
bool wire_abandoned(void) { return abandoned != NULL; }

static f64 pumped, awake; /* time of the last wire_pump; see wire_awake */
f64 wire_awake(void) { return awake; }
void wire_pump(void) {
  const f64 here = wire_now();
  if (here - pumped > 1) {
    for (int r = 0; r < count; r++) heard[r] = here;
    awake = here;
  }
  pumped = here;
  for (int there = 1; there && !closed;) {
    MPI_Status s;
    int bytes = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, comm, &there, &s) != MPI_SUCCESS || !there) break;
    MPI_Get_count(&s, MPI_BYTE, &bytes);
    char *all = malloc((size_t)bytes + 1);
    if (!all) {
      wire_give_in("no memory for a message of another rank");
      return;
    }
    MPI_Recv(all, bytes, MPI_BYTE, s.MPI_SOURCE, TAG, comm, MPI_STATUS_IGNORE);
    all[bytes] = 0;
    heard[s.MPI_SOURCE] = here;
    head h;
    if ((size_t)bytes >= sizeof h) {
      memcpy(&h, all, sizeof h);
      hear(s.MPI_SOURCE, &h, all + sizeof h, (u64)bytes - sizeof h);
    }
    free(all);
  }
  if (!closed) reap(&sends), reap(&abandoned);
}

void wire_doze(u64 looks) {
  const struct timespec pause = {0, looks < 20000 ? 1000 : looks < 40000 ? 100000 : 1000000};
  if (looks > spins)
    nanosleep(&pause, NULL);
  else
    sched_yield();
}

bool wire_silent(int r) { return user->patience > 0 && !ended[r] && pumped - heard[r] >= user->patience; }

int wire_who_is_silent(void) {
  for (int r = rank == 0; r < (rank == 0 ? count : 1); r++)
    if ((rank == 0 || !user->prompt) && wire_silent(r)) return r;
  return -1;
}

const char *wire_of_silence(int r) {
  static char text[64];
  snprintf(text, sizeof text, LS_SAYS_SILENT, r, user->patience);
  return text;
}

static bool on_its_way(int to) {
  for (const message *m = sends; m; m = m->next)
    if (m->to == to) return true;
  return false;
}

/* Sends a heartbeat to all ranks that watch this one, except those to which an earlier message is still in
 * flight. */
static void show_sign(void) {
  const head alive = {.kind = ALIVE};
  if (rank > 0 && !on_its_way(0)) wire_send(0, alive, NULL, 0);
  for (int r = 1; r < count && rank == 0 && !user->prompt; r++)
    if (!ended[r] && !wire_silent(r) && !on_its_way(r)) wire_send(r, alive, NULL, 0);
}

/* Thread that receives messages and sends heartbeats even while this rank computes, so that rank 0 can
 * interrupt it. */
static void *watch(void *unused) {
  (void)unused;
  f64 shown = 0;
  for (;;) {
    const struct timespec period = {0, PERIOD};
    nanosleep(&period, NULL);
    wire_lock();
    wire_pump();
    if (user->patience > 0 && wire_now() - shown >= SIGN) show_sign(), shown = wire_now();
    const bool out = closed;
    wire_unlock();
    if (out) return NULL;
  }
}

const char *wire_open(const ls_transport_user *u, int own, int ranks, int here,
                      void (*hearer)(int from, const head *h, const char *text, u64 bytes)) {
  /* With fewer cores than ranks, long polling would take the processor from the ranks that are waited for. */
  if (sysconf(_SC_NPROCESSORS_ONLN) > here) spins = 2000;
  user = u, rank = own, count = ranks, hear = hearer;
  if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) return "no second communicator";
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return ls_thread_start(watch, NULL) == 0 ? NULL : "no thread to listen to the other ranks";
}
