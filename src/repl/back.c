/* The commands that go back in a stepped run, and forward again. */
#include "repl/command.h"

#include <stdlib.h>
#include <string.h>

#include "repl/repl.h"
#include "run/journal.h"

static ls_status back(const char *rest) {
  u64 n;
  ls_status st = ls_count_of(rest, 1, &n);
  return st ? st : ls_show(ls_session_back(n), 0);
}

static ls_status forward(const char *rest) {
  u64 n;
  ls_status st = ls_count_of(rest, 0, &n);
  return st ? st : ls_show(ls_session_forward(n), 0);
}

static void say_position(void) {
  const ls_position p = ls_journal_position();
  const f64 mib = 1 << 20;
  if (!p.budget)
    ls_say("nothing is recorded: the journal is off\n");
  else if (!p.on)
    ls_say("nothing is recorded now; stepping will be, within %.4g MiB\n", (f64)p.budget / mib);
  else
    ls_say("recorded: #%llu to #%llu (%llu stop%s back, %llu forward), %.2f of %.4g MiB\n",
           (unsigned long long)p.first, (unsigned long long)p.newest, (unsigned long long)p.behind,
           p.behind == 1 ? "" : "s", (unsigned long long)p.ahead, (f64)p.bytes / mib, (f64)p.budget / mib);
}

static ls_status journal(const char *rest) {
  ls_status st = LS_OK;
  if (strcmp(rest, "off") == 0) {
    st = ls_journal_budget(0);
  } else if (*rest) {
    char *end;
    f64 mib = strtod(rest, &end);
    if (*end || !(mib > 0) || mib > 1e9) return ls_fail(LS_EARG, "journal [MIB | off], got `%s`", rest);
    st = ls_journal_budget((u64)(mib * (1 << 20)));
  }
  if (!st) say_position();
  return st;
}

static ls_status checkpoint(const char *rest) {
  ls_text path = {0};
  const char *after = rest;
  if (!ls_word(&after, &path) || *after) {
    bool failed = path.failed;
    ls_text_free(&path);
    return failed ? LS_EMEM : ls_fail(LS_EARG, "checkpoint wants one file");
  }
  ls_ran ran = ls_session_checkpoint(ls_text_str(&path));
  ls_text_free(&path);
  const ls_stop *stop = ls_session_stop();
  if (ran == LS_DONE) ls_note("(it has ended before an iteration did: nothing is saved)\n");
  ls_status st = ls_show(ran, ls_session_results());
  if (st || ran != LS_PAUSED || strncmp(stop->why, "checkpoint ", 11) == 0) return st;
  bool told = strstr(stop->why, "no checkpoint") != NULL;
  return ls_fail(LS_EIO, "%s", told ? "" : "nothing is saved: it stopped before its iteration had ended");
}

const ls_command ls_commands_back[] = {
    {"back", "back [N]",
     "Goes one stop back (or N) in a run that was stepped.\n"
     "Buffers, locals and the stop line are those of that moment. A step that `until` or `next` did not stop at is a\n"
     "stop here too, and so is a change by hand. In the past nothing can be launched or written; step, next, iter\n"
     "and until go forward through what is recorded, at most to the present. `until` sees the counts, the locals\n"
     "and the buffers of that moment. continue and finish go on from the present.",
     back, true},
    {"forward", "forward [N]", "Goes N stops forward again; alone: to the present.", forward, false},
    {"journal", "journal [MIB | off]",
     "Tells how far back the recording reaches; or gives it so much memory.\n"
     "When the memory is full, the oldest stops are forgotten. A buffer that is larger than all of it is not\n"
     "recorded: what it held in the past cannot be looked at, what the others held can. Free runs are not recorded: `continue` without any\n"
     "breakpoint ends the recording, and the next stop begins a new one.",
     journal, false},
    {"checkpoint", "checkpoint FILE",
     "Runs to the end of the present iteration, saves the state there, stops.\n"
     "The algorithm goes on from it with {from = \"FILE\"}, in this session or a later one, as in\n"
     "scc.maxima(g, {from = \"x.ckpt\"}). In a script: checkpoint(path [, every]).",
     checkpoint, false},
    {NULL, NULL, NULL, NULL, false},
};
