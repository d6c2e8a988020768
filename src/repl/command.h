/* Prompt commands: one const struct each; a file of src/repl/ holds one subject's. */
#ifndef LS_REPL_COMMAND_H
#define LS_REPL_COMMAND_H

#include "core/error.h"
#include "repl/say.h"
#include "session/session.h"

typedef struct ls_command {
  const char *name;
  const char *usage; /* "step [N]" */
  const char *doc;   /* one line, then details */
  ls_status (*exec)(
      const char *rest); /* what follows the name, trimmed; prints by itself; on failure ls_error() */
  bool repeats;          /* Enter on an empty line repeats it */
} ls_command;

/* Tables, each ended by a name of NULL; commands.c joins them. */
extern const ls_command ls_commands_step[]; /* start step next iter finish continue until break tbreak ... */
extern const ls_command ls_commands_back[]; /* back forward journal checkpoint */
extern const ls_command ls_commands_lesson[];
extern const ls_command ls_commands_look[];   /* help info stats trace time device ... */
extern const ls_command ls_commands_kernel[]; /* new bounds */
extern const ls_command ls_commands_file[];   /* load source edit run ... */

/* A table more, from outside of src/repl. At most 4. */
void ls_commands_add(const ls_command *table);

/* Exact, or an unambiguous beginning; of a single letter the usual one: b c d f h i n p q s u w. */
const ls_command *ls_command_find(const char *word, size_t len);
const ls_command *ls_command_at(int i); /* all of them, as listed; NULL past the last */

/* Shows how a run ended and takes what it left off the session's stack. LS_DONE: prints the nresults values
 * on top (none: prints nothing) and keeps them as _ (the first) and _1, _2, ...; LS_ERROR: prints the
 * message, with the nearest name where one is misspelt, and returns the status behind it with an empty
 * ls_error(), so that nothing is told twice. The others print nothing. */
ls_status ls_show(ls_ran ran, int nresults);
/* The same for a chunk that a person has written: what is told of an error may come from its text. */
ls_status ls_show_of(ls_ran ran, int nresults, const char *chunk);

/* What is to be asked before a command that is typed at a terminal does what cannot be undone: deleting all
 * breakpoints, leaving while something is started. false: nothing. */
bool ls_command_question(const ls_command *c, const char *rest, char *question, size_t bytes);

/* Before something that drops an algorithm that stands at a stop: says so. */
void ls_note_dropped(void);
/* Says that rank 0 alone has loaded what was edited, where there are others. */
void ls_note_alone(const char *path);
/* Loads a model that was edited, which says what is wrong in it, and drops it again. */
ls_status ls_try_model(const char *path);

/* Runs a script. With --json or --csv, what it returns is printed. */
ls_status ls_run_script(const char *path, int argc, char **argv);

/* Opens an editor on a file, at the line of the last error if that was in this file, and waits for it.
 * (editor.c) */
ls_status ls_open_editor(const char *path);
/* Edits the file of a primitive, a copy where it was built in, and loads it. (kernels.c) */
ls_status ls_edit_kernel(const char *name);
ls_status ls_load_kernel(const char *path);
ls_status ls_restore_kernel(const char *name);
bool ls_new_question(const char *rest, char *question, size_t bytes); /* of `new`, as ls_command_question */

/* Shows a stop and the displays: for ls_session_on_stop. */
void ls_show_stop(const ls_stop *stop);

#endif
