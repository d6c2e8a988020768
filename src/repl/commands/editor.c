/* The user's editor: $VISUAL or $EDITOR, else nano or vi. */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "repl/commands/command.h"
#include "repl/repl.h"

/* The line of this file in which the last error was, from a message such as "walk.lua:44: ..." or "...
 * (walk.h:9)"; 0 if the message does not name the file. */
static int line_of_error(const char *path) {
  const char *base = ls_base_name(path);
  const size_t n = strlen(base);
  for (const char *s = ls_complaint(); (s = strstr(s, base)); s++) {
    const bool begins = s == ls_complaint() || strchr(" (/'\n", s[-1]);
    if (begins && s[n] == ':' && atoi(s + n + 1) > 0) return atoi(s + n + 1);
  }
  return 0;
}

/* Does the editor take +LINE before the file? Other editors may take it for a file's name. */
static bool takes_line(const char *editor) {
  static const char *const known[] = {"vi",    "vim",   "nvim",        "view", "gvim", "nano",
                                      "pico",  "emacs", "emacsclient", "mg",   "jed",  "joe",
                                      "jmacs", "ne",    "micro",       "kak",  "ex",   "gedit"};
  const size_t n = strcspn(editor, " ");
  size_t from = n;
  while (from > 0 && editor[from - 1] != '/') from--;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i]) == n - from && memcmp(editor + from, known[i], n - from) == 0) return true;
  return false;
}

ls_status ls_open_editor(const char *path) {
  const char *editor = getenv("VISUAL");
  if (!editor || !*editor) editor = getenv("EDITOR");
  const bool chosen = editor && *editor;
  if (!chosen) editor = "$(command -v nano || echo vi)"; /* nano shows its keys */
  if (!chosen && ls_prompt_interactive())
    ls_note(
        "(an editor opens; in vi: i to write, then Esc and :wq to save and leave. VISUAL or EDITOR names another)\n");
  const int line = line_of_error(path);
  ls_text command = {0};
  ls_text_printf(&command, "%s ", editor); /* unquoted: $EDITOR may contain options */
  if (line && (!chosen || takes_line(editor)))
    ls_text_printf(&command, "+%d ", line);
  else if (line)
    ls_note("(the error is in line %d)\n", line);
  ls_text_putc(&command, '\'');
  for (const char *s = path; *s; s++) {
    if (*s == '\'')
      ls_text_puts(&command, "'\\''");
    else
      ls_text_putc(&command, *s);
  }
  ls_text_putc(&command, '\'');
  if (line) ls_complaint_forget(); /* the text has changed */
  ls_status st = command.failed ? LS_EMEM : LS_OK;
  if (!st && ls_shell(command.s, true))
    st = ls_fail(LS_EIO, "the editor failed: %s (set VISUAL or EDITOR)", command.s);
  ls_text_free(&command);
  return st;
}
