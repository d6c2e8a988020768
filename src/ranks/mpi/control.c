#include "ranks/mpi/control.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ranks/mpi/stderr_capture.h"
#include "ranks/mpi/wire.h"

typedef struct waiting_line {
  struct waiting_line *next;
  ls_line at;
  char text[];
} waiting_line;

typedef struct peer {
  bool waiting, ended; /* it waits in the exchange `at`; it has sent BYE */
  bool left;           /* when it ended, MPI requests of this rank were still pending */
  head at;
  void *word;
  u64 lines, failed, moves;
  char *said; /* what it wrote to standard error; from malloc */
  size_t said_bytes;
} peer;

static const ls_transport_user *user;
static int rank, count;
static char broken[256]; /* why an exchange failed: since then the ranks are at different points */
static char lost[256];   /* why an exchange failed while data moved: this communicator is not used any more */
static u32 epoch = 1;    /* the epoch of this rank */
static u64 arrived;      /* exchanges that this rank has reached in this epoch */
/* Numbers of lines of the prompt: the last one that began, the last one that ended, the last one before this
 * epoch. */
static u64 line, line_done, epoch_line;
static bool ended; /* this rank has ended */

/* Data moves on the communicator of the current generation. If a rank hangs during an exchange, MPI
 * may still move its data after the exchange was abandoned; then the next epoch uses the next communicator.
 * All communicators are created at the beginning, because creating one needs all ranks. */
enum { GENERATIONS = 8, NONE = GENERATIONS };
static MPI_Comm communicators[GENERATIONS];
static u32 generation, wanted_generation;
static bool spoiled; /* data was lost on this communicator; in rank 0: by any rank */

static peer peers[LS_MOST_RANKS]; /* rank 0's view of the others */

/* The others' view of rank 0. */
static u32 wanted = 1; /* the epoch of rank 0 */
static f64 wanted_since;
static head answer; /* rank 0's answer about the exchange in which this rank waits */
static char answer_text[256];
static void *answer_words;
static u64 words_bytes;
static waiting_line *lines, **lines_end = &lines;
static bool no_more_lines;

MPI_Comm control_communicator(void) { return communicators[generation]; }

/* --- received messages; under the lock --------------------------------------------------------------------
 */

/* Tells rank r that the exchange in which it waits does not take place, and why. */
static void refuse(int r, const char *why) {
  peer *p = &peers[r];
  p->waiting = false;
  wire_send(r, (head){.kind = NO, .epoch = p->at.epoch, .place = p->at.place}, why, strlen(why));
}

/* Rank 0: why the exchange in which a rank waits cannot take place; NULL: it can. */
static const char *hopeless(const peer *p) {
  if (ended) return "rank 0 has ended and does not take part";
  if (p->at.epoch != epoch) return LS_SAYS_DROPPED;
  if (*lost) return lost;
  if (*broken) return broken;
  return p->at.line && p->at.line <= line_done ? "rank 0 has ended this line without this exchange" : NULL;
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
      wire_give_in("no memory for a message of another rank");
    const char *why = hopeless(p);
    if (why) refuse(r, why);
    break;
  case DONE:
    p->lines = h->line;
    if (h->failed) p->failed = h->line;
    if (h->generation == generation + 1) spoiled = true;
    if (bytes && p->said_bytes < CAUGHT_MOST) {
      char *more = realloc(p->said, p->said_bytes + bytes);
      if (!more) break;
      memcpy(more + p->said_bytes, text, bytes);
      p->said = more;
      p->said_bytes += bytes;
    }
    break;
  case BYE:
    p->ended = true;
    p->left = h->failed;
    wire_has_ended(r);
    break;
  default: break;
  }
}

static void hear_zero(const head *h, const char *text, u64 bytes) {
  waiting_line *m;
  switch (h->kind) {
  case GO:
  case NO:
    if (h->epoch != epoch || h->place != arrived) break; /* this rank has left that exchange */
    answer = *h;
    if (h->kind == NO) snprintf(answer_text, sizeof answer_text, "%.*s", (int)bytes, text);
    if (h->kind == GO && bytes == words_bytes) memcpy(answer_words, text, bytes);
    break;
  case EPOCH:
    wanted = h->epoch;
    wanted_generation = h->generation;
    wanted_since = wire_now();
    break;
  case INTERRUPT:
    if (line_done < h->line) kill(getpid(), SIGINT);
    break;
  case LINE:
    m = malloc(sizeof *m + bytes + 1);
    if (!m) {
      wire_give_in("no memory for a line of the prompt");
      break;
    }
    *m = (waiting_line){.at = h->at};
    memcpy(m->text, text, bytes);
    m->text[bytes] = 0;
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

static void hear(int from, const head *h, const char *text, u64 bytes) {
  if (rank == 0)
    hear_other(from, h, text, bytes);
  else
    hear_zero(h, text, bytes);
}

/* --- exchanges -------------------------------------------------------------------------------------------
 */

/* Rank 0: why rank r will not come to this exchange; NULL: it may still come. */
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
    return wire_silent(r) ? wire_of_silence(r) : NULL;
  return text;
}

/* Called by rank 0 in an exchange. Returns true once it is decided whether the exchange takes place, and
 * sends the decision to the other ranks. *wrong: the reason why it does not take place, or NULL. */
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
    wire_send(r, (head){.kind = GO, .epoch = epoch, .place = arrived}, all, (u64)count * bytes);
  }
  return true;
}

/* Called by ranks above 0 in an exchange: has rank 0 decided whether it takes place? *wrong: why it does
 * not. */
static bool answered(const char **wrong) {
  if (answer.epoch == epoch && answer.place == arrived) {
    if (answer.kind == NO) snprintf(broken, sizeof broken, "%s", answer_text), *wrong = broken;
    return true;
  }
  if (wanted != epoch)
    *wrong = LS_SAYS_DROPPED;
  else if (!user->prompt && user->interrupted()) /* at a prompt rank 0 is interrupted, and tells the others */
    *wrong = "interrupted";
  else if (wire_who_is_silent() >= 0)
    *wrong = wire_of_silence(wire_who_is_silent());
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
  wire_lock();
  arrived++;
  if (rank == 0)
    memcpy(all, mine, bytes);
  else {
    answer_words = all;
    words_bytes = (u64)count * bytes;
    wire_send(0, (head){.kind = WORD, .epoch = epoch, .line = line, .place = arrived}, mine, bytes);
  }
  for (u64 looks = 0;; looks++) {
    wire_pump();
    if (rank == 0 ? decide(all, bytes, &wrong) : answered(&wrong)) break;
    wire_unlock();
    wire_doze(looks);
    wire_lock();
  }
  wire_unlock();
  return wrong;
}

const char *control_lost_beside(void) {
  const char *wrong = NULL;
  wire_lock();
  wire_pump();
  for (int r = 1; rank == 0 && r < count && !wrong; r++) wrong = missing(r);
  if (rank > 0 && wanted != epoch) wrong = LS_SAYS_DROPPED;
  if (rank > 0 && !wrong && wire_who_is_silent() >= 0) wrong = wire_of_silence(wire_who_is_silent());
  if (wrong) snprintf(broken, sizeof broken, "%s", wrong);
  wire_unlock();
  return wrong ? broken : NULL;
}

bool control_look(int r, void *said, u64 bytes) {
  if (rank > 0) return false;
  wire_lock();
  wire_pump();
  const peer *p = &peers[r];
  const bool there = p->waiting && p->at.epoch == epoch && p->at.place == arrived + 1;
  if (there) memcpy(said, p->word, bytes);
  wire_unlock();
  return there;
}

static void to_all(head h, const void *text, u64 bytes) {
  for (int r = 1; r < count; r++) wire_send(r, h, text, bytes);
}

/* When rank 0 aborts an exchange, the data has usually arrived already, so the other ranks wait up to 3 s for
 * the data. If it does not arrive, some rank hangs in the middle of the exchange, and the memory that MPI
 * still uses cannot be taken back. */
const char *control_lost(void) {
  wire_pump();
  const f64 since = wanted_since > wire_awake() ? wanted_since : wire_awake();
  const bool given_up =
      rank > 0 && wanted != epoch && (wanted_generation != generation || wire_now() - since > 3);
  const int gone = wire_who_is_silent();
  if (!given_up && gone < 0) return NULL;
  snprintf(lost, sizeof lost, "%s, while data moved",
           gone >= 0 ? wire_of_silence(gone) : "rank 0 has given up");
  spoiled = true;
  if (rank == 0)
    to_all((head){.kind = EPOCH, .epoch = epoch + 1, .generation = NONE}, NULL, 0); /* let them fail, too */
  return lost;
}

/* --- lines of a prompt -----------------------------------------------------------------------------------
 */

static void enter(u32 e) {
  if (e == epoch) return;
  wire_lock();
  epoch = e;
  epoch_line = line;
  arrived = 0;
  *broken = 0;
  if (wanted_generation != generation &&
      (rank == 0 || wanted == e)) { /* wanted > e: rank 0 has aborted epoch e, too */
    generation = wanted_generation;
    *lost = 0;
    spoiled = false;
  }
  for (int r = 1; r < count && rank == 0; r++)
    if (peers[r].waiting && peers[r].at.epoch != epoch) refuse(r, LS_SAYS_DROPPED);
  wire_unlock();
}

static u32 this_epoch(void) { return epoch; }

/* The generation of the next epoch. */
static u32 next_generation(void) {
  if (!spoiled) return generation;
  if (generation + 1 < GENERATIONS) return generation + 1;
  snprintf(lost, sizeof lost,
           "data was lost %d times, and MPI cannot move more: save what is needed and start again",
           GENERATIONS);
  return generation;
}

static u32 next_epoch(void) {
  wire_lock();
  wanted_generation = next_generation();
  to_all((head){.kind = EPOCH, .epoch = epoch + 1, .generation = wanted_generation}, NULL, 0);
  wire_unlock();
  return epoch + 1;
}

static void interrupt(u64 many) {
  wire_lock();
  for (int r = 1; r < count; r++)
    if (!peers[r].ended && peers[r].lines < many)
      wire_send(r, (head){.kind = INTERRUPT, .line = many}, NULL, 0);
  wire_unlock();
}

static void next_line(void) { line++; }

static void on_line_done(bool failed) {
  u64 bytes;
  char *text = stderr_capture_take(&bytes);
  wire_lock();
  line_done = line;
  if (rank > 0)
    wire_send(0,
              (head){.kind = DONE, .line = line, .failed = failed, .generation = *lost ? generation + 1 : 0},
              text, bytes);
  for (int r = 1; r < count && rank == 0; r++) {
    const char *why = peers[r].waiting ? hopeless(&peers[r]) : NULL;
    if (why) refuse(r, failed ? "rank 0 has failed" : why);
  }
  wire_unlock();
  free(text);
}

static bool any_failed(void) {
  bool out = *broken || spoiled;
  wire_lock();
  for (int r = 1; r < count; r++) out |= peers[r].failed > epoch_line;
  wire_unlock();
  return out;
}

static u64 progress(u64 many, bool *done, bool *stuck) {
  u64 sum = 0;
  *done = *stuck = true;
  wire_lock();
  wire_pump();
  for (int r = 1; r < count; r++) {
    const peer *p = &peers[r];
    sum += p->moves;
    if (p->ended || p->lines >= many || wire_silent(r)) continue;
    *done = false;
    *stuck &= p->waiting || spoiled; /* after a loss of data, no rank is waited for */
  }
  wire_unlock();
  return sum;
}

static void send_line(const ls_line *l, const char *text) {
  wire_lock();
  to_all((head){.kind = LINE, .at = *l}, text, strlen(text));
  wire_unlock();
}

static bool receive_line(ls_line *l, char **text) {
  for (u64 looks = 0;; looks++) {
    wire_lock();
    wire_pump();
    waiting_line *m = lines;
    if (m) {
      lines = m->next;
      if (!lines) lines_end = &lines;
      *l = m->at;
      *text = strdup(m->text);
      free(m);
    }
    const bool out = no_more_lines || wire_closed();
    wire_unlock();
    if (m) return *text != NULL;
    if (out) return false;
    const struct timespec pause = {0, looks < 1000 ? 1000 * 1000 : 5 * 1000 * 1000};
    nanosleep(&pause, NULL);
  }
}

static size_t said(int r, char *text, size_t bytes) {
  peer *p = &peers[r];
  wire_lock();
  const size_t n = p->said_bytes < bytes ? p->said_bytes : bytes;
  if (n) {
    memcpy(text, p->said, n);
    p->said_bytes -= n;
    memmove(p->said, p->said + n, p->said_bytes);
  }
  wire_unlock();
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
  user = u, rank = own, count = ranks;
  for (int g = 0; g < GENERATIONS; g++) {
    if (MPI_Comm_dup(MPI_COMM_WORLD, &communicators[g]) != MPI_SUCCESS) return "no communicator of its own";
    MPI_Comm_set_errhandler(communicators[g], MPI_ERRORS_RETURN);
  }
  const char *wrong = wire_open(u, own, ranks, here, hear);
  if (!wrong && user->prompt && rank > 0) stderr_capture_begin();
  return wrong;
}

/* Abandoned requests may still complete, if the ranks that hung continue: waits at most 2 s for that. */
static void wait_for_abandoned(void) {
  const f64 begun = wire_now();
  for (u64 looks = 0; wire_abandoned() && wire_now() - begun < 2; looks++) {
    wire_pump();
    wire_unlock();
    wire_doze(looks);
    wire_lock();
  }
}

/* Rank 0 answers the others until all have sent BYE, after which they need no answer. MPI can only end
 * normally if nothing is in flight. */
void control_end(void) {
  stderr_capture_end(rank);
  wire_lock();
  ended = true;
  if (rank == 0) {
    const head gone = {.kind = EPOCH, .epoch = epoch + 1, .generation = spoiled ? NONE : generation};
    if (user->prompt) to_all(gone, NULL, 0);
    if (user->prompt) to_all((head){.kind = END}, NULL, 0);
    for (int r = 1; r < count; r++)
      if (peers[r].waiting) refuse(r, "rank 0 has ended and does not take part");
  }
  if (*lost && !user->prompt) wire_give_in(lost);
  wait_for_abandoned();
  bool left = wire_abandoned();
  if (rank > 0) wire_send(0, (head){.kind = BYE, .failed = left}, NULL, 0);
  for (u64 looks = 0;; looks++) {
    bool busy = !wire_sent() || (rank > 0 && left);
    wire_pump();
    for (int r = 1; r < count && rank == 0; r++) busy |= !peers[r].ended, left |= peers[r].left;
    if (!busy) break;
    if (rank == 0 && wire_who_is_silent() >= 0) wire_give_in(wire_of_silence(wire_who_is_silent()));
    wire_unlock();
    wire_doze(looks);
    wire_lock();
  }
  if (left) wire_give_in("a failed exchange is still pending: MPI ends all ranks");
  wire_close();
  wire_unlock();
}
