/* One prompt for several ranks: rank 0 has the terminal, and the others run the lines that it sends
 * (ranks/shared_prompt.h). An algorithm that rank 0 steps is not stopped on the others: they run on to the
 * next exchange and wait for rank 0 there. */
#include <stdlib.h>
#include <string.h>

#include "core/wait.h"
#include "ranks/shared_prompt.h"
#include "repl/commands/command.h"
#include "repl/repl.h"
#include "repl/watchdog.h"

bool ls_for_rank_0(const char *text) {
  static const char *const shared[] = {"load",  "source", "run",   "restore", "bounds",
                                       "races", "device", "start", "time",    "print"};
  const char *rest;
  const ls_command *c = ls_line_command(text, &rest);
  for (size_t i = 0; c && i < sizeof shared / sizeof *shared; i++)
    if (strcmp(shared[i], c->name) == 0) return false;
  return c || *text == '!' || *text == '?';
}

static ls_status run(const char *text, bool many, int number) {
  return many ? ls_input_block(text, "prompt")
              : ls_input_piece(text, number ? "stdin" : "prompt", number ? number : 1);
}

static void hear(const char *line) { ls_note("%s\n", line); }

ls_status ls_lead(const char *text, bool many, int number) {
  const char *rest;
  const ls_command *c = many ? NULL : ls_line_command(text, &rest);
  const bool drops = c && strcmp(c->name, "start") == 0;
  if (!ls_ranks_tell(text, many, number, ls_session_paused() && !drops)) {
    ls_complain("interrupted: the other ranks have stopped too", "");
    return LS_EINTERRUPTED;
  }
  const ls_status st = run(text, many, number);
  ls_ranks_told(st, ls_session_paused());
  ls_ranks_hear(hear, st ? ls_complaint() : "");
  return st;
}

void ls_lead_rest(void) { ls_ranks_rest(hear); }

void ls_follow(void) {
  ls_line line;
  char *text;
  int code;
  ls_session_stop_on_error(false);
  while (!ls_quitting(&code) && ls_ranks_line(&line, &text)) {
    unheard_begin(false); /* resets the count of Ctrl-C */
    ls_status st = run(text, line.many, (int)line.number);
    while (ls_session_paused()) { /* what `start` began runs to its end here */
      const ls_ran ran = ls_session_continue();
      if (ran != LS_PAUSED) st = ls_show(ran, 0);
    }
    ls_interrupt_clear();
    ls_ranks_told(st, false);
    free(text);
  }
}
