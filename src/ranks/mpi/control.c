#include "ranks/mpi/control.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/thread.h"
#include "ranks/mpi/caught.h"

typedef enum kind {
  WORD,      /* to rank 0: this rank has come to an exchange */
  DONE,      /* to rank 0: a line has ended */
  BYE,       /* to rank 0: this rank ends */
  GO,        /* to the others: all have come; the words of all */
  NO,        /* this exchange does not take place; why */
  EPOCH,     /* what was under way is given up */
  INTERRUPT, /* who has not run so many lines is interrupted */
  ALIVE,     /* nothing else */
  LINE,
  END /* there are no more lines */
} kind;

/* What every message begins with. */
typedef struct head {
  u32 kind, epoch;
  u64 line;   /* that the sender runs, or has run; 0: none */
  u64 place;  /* which exchange of the epoch */
  ls_line at; /* of LINE */
  bool failed;
} head;

typedef struct message { /* that is on its way, or a line that waits */
  struct message *next;
  MPI_Request request;
  int to;
  u64 bytes;
  head h;
  char text[];
} message;

typedef struct peer {
  bool waiting, ended; /* in an exchange, at `at`; it has said good bye */
  head at;
  void *word;
  u64 lines, failed, moves;
  f64 heard;  /* when a message of it came; of rank 0 in peers[0] */
  char *said; /* on standard error, from malloc */
  size_t said_bytes;
} peer;

enum { PERIOD = 20 * 1000 * 1000, TAG = 1 };

static const f64 SIGN = 0.5; /* seconds between two signs of life */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm comm = MPI_COMM_NULL;
static const ls_transport_user *user;
static int rank, count;
static bool closed;      /* MPI is not to be called any more */
static char broken[256]; /* why an exchange failed: from then on the ranks are at different places */
static char lost[256];   /* the same, for good */
static u32 epoch = 1;    /* that this rank is in */
static u64 arrived;      /* exchanges it has come to in this epoch */
static u64 line, line_done, epoch_line; /* that it runs; that has ended; the last one before the epoch */
static bool ended;                      /* this rank */
static message *sends;                  /* not known to have left */

static peer peers[LS_MOST_RANKS]; /* rank 0's view of the others; they have only peers[0].heard */

/* The others' view of rank 0. */
static u32 wanted = 1; /* its epoch; */
static f64 wanted_since;
static head answer; /* what it has said of the exchange that this rank has come to */
static char answer_text[256];
static void *answer_words;
static u64 words_bytes;
static message *lines, **lines_end = &lines;
static bool no_more_lines;

void control_lock(void) { pthread_mutex_lock(&lock); }
void control_unlock(void) { pthread_mutex_unlock(&lock); }

static f64 now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (f64)t.tv_sec + 1e-9 * (f64)t.tv_nsec;
}

/* --- messages, under the lock ----------------------------------------------------------------------------
 */

static void give_in(const char *what) {
  fprintf(stderr, "lockstep: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static message *message_new(const head *h, const void *text, u64 bytes) {
  message *m = malloc(sizeof *m + bytes + 1);
  if (!m) {
    give_in("no memory for a message to another rank");
    return NULL;
  }
  *m = (message){.h = *h, .bytes = bytes};
  if (bytes) memcpy(m->text, text, bytes);
  m->text[bytes] = 0;
  return m;
}

static void reap(void) {
  for (message **at = &sends; *at;) {
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

static void send(int to, head h, const void *text, u64 bytes) {
  if (closed) return;
  message *m = message_new(&h, text, bytes);
  if (!m) return;
  if (MPI_Isend(&m->h, (int)(sizeof m->h + bytes), MPI_BYTE, to, TAG, comm, &m->request) != MPI_SUCCESS) {
    free(m); /* who is missing is found where it is waited for */
    return;
  }
  m->to = to;
  m->next = sends;
  sends = m;
}
_Static_assert(offsetof(message, text) == offsetof(message, h) + sizeof(head), "a head and its text are one");

/* An answer to the exchange that rank r waits in. */
static void refuse(int r, const char *why) {
  peer *p = &peers[r];
  p->waiting = false;
  send(r, (head){.kind = NO, .epoch = p->at.epoch, .place = p->at.place}, why, strlen(why));
}

/* Rank 0: why the exchange that rank r has come to will not take place; NULL: it may. */
static const char *hopeless(const peer *p) {
  if (ended) return "rank 0 has ended and does not take part";
  if (p->at.epoch != epoch) return LS_SAYS_DROPPED;
  if (*lost) return lost;
  if (*broken) return broken;
  return p->at.line && p->at.line <= line_done ? "rank 0 has ended this line without it" : NULL;
}

static void hear_other(int r, const head *h, const char *text, u64 bytes) {
  peer *p = &peers[r];
  p->moves++;
  switch (h->kind) {
  case WORD:
    free(p->word);
    p->at = *h;
    p->waiting = true;
    p->word = malloc(bytes);
    if (p->word)
      memcpy(p->word, text, bytes);
    else
      give_in("no memory for what another rank says");
    const char *why = hopeless(p);
    if (why) refuse(r, why);
    break;
  case DONE:
    p->lines = h->line;
    if (h->failed) p->failed = h->line;
    if (bytes && p->said_bytes < CAUGHT_MOST) {
      char *more = realloc(p->said, p->said_bytes + bytes);
      if (!more) break;
      memcpy(more + p->said_bytes, text, bytes);
      p->said = more;
      p->said_bytes += bytes;
    }
    break;
  case BYE: p->ended = true; break;
  default: break;
  }
}

static void hear_zero(const head *h, const char *text, u64 bytes) {
  message *m;
  switch (h->kind) {
  case GO:
  case NO:
    if (h->epoch != epoch || h->place != arrived) break; /* it has left that exchange */
    answer = *h;
    if (h->kind == NO) snprintf(answer_text, sizeof answer_text, "%.*s", (int)bytes, text);
    if (h->kind == GO && bytes == words_bytes) memcpy(answer_words, text, bytes);
    break;
  case EPOCH:
    wanted = h->epoch;
    wanted_since = now();
    break;
  case INTERRUPT:
    if (line_done < h->line) kill(getpid(), SIGINT);
    break;
  case LINE:
    m = message_new(h, text, bytes);
    if (!m) break;
    *lines_end = m;
    lines_end = &m->next;
    break;
  case END:
    no_more_lines = true;
    if (line_done < line) kill(getpid(), SIGINT);
    break;
  default: break;
  }
}

/* Takes in what has come. The time in which this process was stopped itself does not count. */
static f64 pumped; /* when */
static void pump(void) {
  const f64 here = now();
  if (here - pumped > 1) {
    for (int r = 0; r < count; r++) peers[r].heard = here;
    wanted_since = here;
  }
  pumped = here;
  for (int there = 1; there && !closed;) {
    MPI_Status s;
    int bytes = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, comm, &there, &s) != MPI_SUCCESS || !there) break;
    MPI_Get_count(&s, MPI_BYTE, &bytes);
    char *all = malloc((size_t)bytes + 1);
    if (!all) {
      give_in("no memory for a message of another rank");
      return;
    }
    MPI_Recv(all, bytes, MPI_BYTE, s.MPI_SOURCE, TAG, comm, MPI_STATUS_IGNORE);
    all[bytes] = 0;
    peers[s.MPI_SOURCE].heard = here;
    head h;
    if ((size_t)bytes >= sizeof h) {
      memcpy(&h, all, sizeof h);
      if (rank == 0)
        hear_other(s.MPI_SOURCE, &h, all + sizeof h, (u64)bytes - sizeof h);
      else
        hear_zero(&h, all + sizeof h, (u64)bytes - sizeof h);
    }
    free(all);
  }
  if (!closed) reap();
}

static u64 spins = 20; /* looks before it sleeps */

void control_doze(u64 looks) {
  const struct timespec pause = {0, looks < 20000 ? 1000 : looks < 40000 ? 100000 : 1000000};
  if (looks > spins)
    nanosleep(&pause, NULL);
  else
    sched_yield();
}

static bool silent(int r) {
  return user->patience > 0 && !peers[r].ended && pumped - peers[r].heard >= user->patience;
}

/* Who is silent of those this rank looks at: rank 0 at all, the others at rank 0. -1: nobody. */
static int who_is_silent(void) {
  for (int r = rank == 0; r < (rank == 0 ? count : 1); r++)
    if ((rank == 0 || !user->prompt) && silent(r)) return r;
  return -1;
}

static const char *of_silence(int r) {
  static char text[64];
  snprintf(text, sizeof text, LS_SAYS_SILENT, r, user->patience);
  return text;
}

static bool on_its_way(int to) {
  for (const message *m = sends; m; m = m->next)
    if (m->to == to) return true;
  return false;
}

/* To all who look at this rank. To one that takes nothing in, no more is sent. */
static void show_sign(void) {
  const head alive = {.kind = ALIVE};
  if (rank > 0 && !on_its_way(0)) send(0, alive, NULL, 0);
  for (int r = 1; r < count && rank == 0 && !user->prompt; r++)
    if (!peers[r].ended && !silent(r) && !on_its_way(r)) send(r, alive, NULL, 0);
}

/* Ctrl-C of rank 0 comes while this rank computes, too; and the others see that it lives. */
static void *watch(void *unused) {
  (void)unused;
  f64 shown = 0;
  for (;;) {
    const struct timespec period = {0, PERIOD};
    nanosleep(&period, NULL);
    control_lock();
    pump();
    if (user->patience > 0 && now() - shown >= SIGN) show_sign(), shown = now();
    const bool out = closed;
    control_unlock();
    if (out) return NULL;
  }
}

/* --- exchanges -------------------------------------------------------------------------------------------
 */

/* Rank 0: is rank r there? If not, why not. */
static const char *missing(int r) {
  static char text[128];
  const peer *p = &peers[r];
  if (p->ended)
    snprintf(text, sizeof text, LS_SAYS_ENDED, r);
  else if (line && p->failed >= line)
    snprintf(text, sizeof text, LS_SAYS_FAILED, r);
  else if (line && p->lines >= line)
    snprintf(text, sizeof text, LS_SAYS_WITHOUT, r);
  else
    return silent(r) ? of_silence(r) : NULL;
  return text;
}

/* Rank 0, at an exchange: true: it is decided. *wrong: why it does not take place. */
static bool decide(void *all, u64 bytes, const char **wrong) {
  int there = 1;
  for (int r = 1; r < count && !*wrong; r++) {
    const peer *p = &peers[r];
    if (p->waiting && p->at.epoch == epoch && p->at.place == arrived)
      there++;
    else
      *wrong = missing(r);
  }
  if (there < count && !*wrong && user->interrupted()) *wrong = "interrupted";
  if (*wrong) {
    snprintf(broken, sizeof broken, "%s", *wrong);
    *wrong = broken;
    for (int r = 1; r < count; r++)
      if (peers[r].waiting) refuse(r, broken);
    return true;
  }
  if (there < count) return false;
  for (int r = 1; r < count; r++) memcpy((u8 *)all + (u64)r * bytes, peers[r].word, bytes);
  for (int r = 1; r < count; r++) {
    peers[r].waiting = false;
    send(r, (head){.kind = GO, .epoch = epoch, .place = arrived}, all, (u64)count * bytes);
  }
  return true;
}

/* Another rank, likewise. */
static bool answered(const char **wrong) {
  if (answer.epoch == epoch && answer.place == arrived) {
    if (answer.kind == NO) snprintf(broken, sizeof broken, "%s", answer_text), *wrong = broken;
    return true;
  }
  if (wanted != epoch)
    *wrong = LS_SAYS_DROPPED;
  else if (!user->prompt && user->interrupted()) /* at a prompt rank 0 is, and says so */
    *wrong = "interrupted";
  else if (who_is_silent() >= 0)
    *wrong = of_silence(who_is_silent());
  if (*wrong) snprintf(broken, sizeof broken, "%s", *wrong), *wrong = broken;
  return *wrong != NULL;
}

const char *control_agree(const void *mine, void *all, u64 bytes) {
  static char again[384];
  const char *before = *lost ? lost : broken, *wrong = NULL;
  if (*before) {
    snprintf(again, sizeof again, LS_SAYS_BEFORE, before);
    return again;
  }
  control_lock();
  arrived++;
  if (rank == 0)
    memcpy(all, mine, bytes);
  else {
    answer_words = all;
    words_bytes = (u64)count * bytes;
    send(0, (head){.kind = WORD, .epoch = epoch, .line = line, .place = arrived}, mine, bytes);
  }
  for (u64 looks = 0;; looks++) {
    pump();
    if (rank == 0 ? decide(all, bytes, &wrong) : answered(&wrong)) break;
    control_unlock();
    control_doze(looks);
    control_lock();
  }
  control_unlock();
  return wrong;
}

/* What rank 0 gives up has mostly arrived already; else some rank does not take part in the middle of it, and
 * what MPI still has of our memory cannot be taken back from it. */
const char *control_lost(void) {
  pump();
  const bool given_up = rank > 0 && wanted != epoch && pumped - wanted_since > 3;
  const int gone = who_is_silent();
  if (!given_up && gone < 0) return NULL;
  snprintf(lost, sizeof lost, "%s, while data moved", gone >= 0 ? of_silence(gone) : "rank 0 has given up");
  closed = true;
  return lost;
}

/* --- lines of a prompt -----------------------------------------------------------------------------------
 */

static void to_all(head h, const void *text, u64 bytes) {
  for (int r = 1; r < count; r++) send(r, h, text, bytes);
}

static void enter(u32 e) {
  if (e == epoch) return;
  control_lock();
  epoch = e;
  epoch_line = line;
  arrived = 0;
  *broken = 0;
  for (int r = 1; r < count && rank == 0; r++)
    if (peers[r].waiting && peers[r].at.epoch != epoch) refuse(r, LS_SAYS_DROPPED);
  control_unlock();
}

static u32 this_epoch(void) { return epoch; }

static u32 next_epoch(void) {
  control_lock();
  to_all((head){.kind = EPOCH, .epoch = epoch + 1}, NULL, 0);
  control_unlock();
  return epoch + 1;
}

static void interrupt(u64 many) {
  control_lock();
  for (int r = 1; r < count; r++)
    if (!peers[r].ended && peers[r].lines < many) send(r, (head){.kind = INTERRUPT, .line = many}, NULL, 0);
  control_unlock();
}

static void next_line(void) { line++; }

static void on_line_done(bool failed) {
  u64 bytes;
  char *text = caught_take(&bytes);
  control_lock();
  line_done = line;
  if (rank > 0) send(0, (head){.kind = DONE, .line = line, .failed = failed}, text, bytes);
  for (int r = 1; r < count && rank == 0; r++) {
    const char *why = peers[r].waiting ? hopeless(&peers[r]) : NULL;
    if (why) refuse(r, failed ? "rank 0 has failed" : why);
  }
  control_unlock();
  free(text);
}

static bool any_failed(void) {
  bool out = *broken != 0;
  control_lock();
  for (int r = 1; r < count; r++) out |= peers[r].failed > epoch_line;
  control_unlock();
  return out;
}

static u64 progress(u64 many, bool *done, bool *stuck) {
  u64 sum = 0;
  *done = *stuck = true;
  control_lock();
  pump();
  for (int r = 1; r < count; r++) {
    const peer *p = &peers[r];
    sum += p->moves;
    if (closed || p->ended || p->lines >= many || silent(r)) continue;
    *done = false;
    *stuck &= p->waiting;
  }
  control_unlock();
  return sum;
}

static void send_line(const ls_line *l, const char *text) {
  control_lock();
  to_all((head){.kind = LINE, .at = *l}, text, strlen(text));
  control_unlock();
}

static bool receive_line(ls_line *l, char **text) {
  for (u64 looks = 0;; looks++) {
    control_lock();
    pump();
    message *m = lines;
    if (m) {
      lines = m->next;
      if (!lines) lines_end = &lines;
      *l = m->h.at;
      *text = strdup(m->text);
      free(m);
    }
    const bool out = no_more_lines || closed;
    control_unlock();
    if (m) return *text != NULL;
    if (out) return false;
    const struct timespec pause = {0, looks < 1000 ? 1000 * 1000 : 5 * 1000 * 1000};
    nanosleep(&pause, NULL);
  }
}

static size_t said(int r, char *text, size_t bytes) {
  peer *p = &peers[r];
  control_lock();
  const size_t n = p->said_bytes < bytes ? p->said_bytes : bytes;
  if (n) {
    memcpy(text, p->said, n);
    p->said_bytes -= n;
    memmove(p->said, p->said + n, p->said_bytes);
  }
  control_unlock();
  return n;
}

const ls_transport_lines control_lines = {.enter = enter,
                                          .epoch = this_epoch,
                                          .next_epoch = next_epoch,
                                          .interrupt = interrupt,
                                          .line = next_line,
                                          .line_done = on_line_done,
                                          .failed = any_failed,
                                          .progress = progress,
                                          .send = send_line,
                                          .receive = receive_line,
                                          .said = said};

/* --- beginning and end -----------------------------------------------------------------------------------
 */

const char *control_open(const ls_transport_user *u, int own, int ranks, int here) {
  if (sysconf(_SC_NPROCESSORS_ONLN) > here) spins = 2000; /* else who is waited for has no processor */
  user = u, rank = own, count = ranks;
  if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) return "no second communicator";
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (ls_thread_start(watch, NULL) != 0) return "no thread to listen to the other ranks";
  if (user->prompt && rank > 0) caught_begin();
  return NULL;
}

/* Rank 0 answers the others until all have ended; they need not be asked behind their good bye. */
void control_end(void) {
  caught_end(rank);
  control_lock();
  ended = true;
  if (rank > 0) {
    send(0, (head){.kind = BYE}, NULL, 0);
  } else {
    if (user->prompt) to_all((head){.kind = EPOCH, .epoch = epoch + 1}, NULL, 0);
    if (user->prompt) to_all((head){.kind = END}, NULL, 0);
    for (int r = 1; r < count; r++)
      if (peers[r].waiting) refuse(r, "rank 0 has ended and does not take part");
  }
  if (*lost) MPI_Abort(MPI_COMM_WORLD, 1); /* MPI waits for what has begun */
  for (u64 looks = 0; !closed; looks++) {
    bool left = sends != NULL;
    pump();
    for (int r = 1; r < count && rank == 0; r++) left |= !peers[r].ended;
    if (!left) break;
    if (rank == 0 && who_is_silent() >= 0) give_in(of_silence(who_is_silent()));
    control_unlock();
    control_doze(looks);
    control_lock();
  }
  closed = true;
  control_unlock();
}
