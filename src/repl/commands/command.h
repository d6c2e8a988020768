/* Prompt commands: one const struct per command, one table per file of src/repl. */
#ifndef LS_REPL_COMMAND_H
#define LS_REPL_COMMAND_H

#include "core/error.h"
#include "repl/output/output.h"
#include "session/session.h"

typedef struct ls_command {
  const char *name;
  const char *usage; /* "step [N]" */
  const char *doc;   /* one line, then details */
  /* rest is what follows the name, trimmed. Prints its own output; on failure sets ls_error(). */
  ls_status (*exec)(const char *rest);
  bool repeats; /* Enter on an empty line repeats it */
} ls_command;

/* Tables of commands, terminated by a name of NULL; commands.c joins them. */
extern const ls_command ls_commands_step[]; /* start step next iter finish continue until break tbreak ... */
extern const ls_command ls_commands_back[]; /* back forward journal checkpoint */
extern const ls_command ls_commands_lesson[];
extern const ls_command ls_commands_look[];   /* help info stats trace time device ... */
extern const ls_command ls_commands_kernel[]; /* new bounds */
extern const ls_command ls_commands_file[];   /* load source edit run ... */

/* Adds a table of commands that are defined outside src/repl; at most 4. */
void ls_commands_add(const ls_command *table);

/* Finds a command by its name, an alias (b c d f h i n p q s u w, exit, ls, cls) or an unambiguous prefix;
 * else NULL. */
const ls_command *ls_command_find(const char *word, size_t len);
const ls_command *ls_command_at(int i); /* all of them, as listed; NULL past the last */

/* Reports how a run ended, and pops what it left on the session's stack. LS_DONE: prints the nresults values
 * on top (nothing if there are none) and keeps them as _ (the first) and _1, _2, ... LS_ERROR: prints the
 * message, with the nearest name if one is misspelt, and returns the status of the error; ls_error() is empty
 * then, so that the caller prints nothing more. Other outcomes print nothing. */
ls_status ls_show(ls_ran ran, int nresults);
/* ls_show, given the text that the user typed: hints about an error may be derived from it. */
ls_status ls_show_of(ls_ran ran, int nresults, const char *chunk);
/* The answer of a command with --json or --csv: prints the table that push(given) returns. */
ls_status ls_answer(lua_CFunction push, const void *given);

/* Writes the question that the user must confirm before this command, typed at a terminal, does something
 * that cannot be undone: deleting all breakpoints, quitting while an algorithm is stopped. False: no
 * question. */
bool ls_command_question(const ls_command *c, const char *rest, char *question, size_t bytes);

/* To be called before an algorithm that is at a stop is abandoned: tells the user. */
void ls_note_dropped(void);
/* If there are other ranks, tells the user that only rank 0 has loaded the edited file. */
void ls_note_alone(const char *path);
/* Loads an edited model only to report its errors, then discards it. */
ls_status ls_try_model(const char *path);

/* Runs a script. With --json or --csv, what it returns is printed. */
ls_status ls_run_script(const char *path, int argc, char **argv);
/* Is `lockstep WORD ...` a command line of the library? Its module is lua/WORD/command.lua. */
bool ls_is_tool(const char *word);
/* Runs it: its function gets argv[1] and the following as a list. */
ls_status ls_run_tool(int argc, char **argv);

/* Opens an editor on a file, at the line of the last error if that was in this file, and waits for it.
 * (editor.c) */
ls_status ls_open_editor(const char *path);
/* Opens an editor on the source file of a primitive (on a copy if it is built in), then loads it.
 * (kernels.c) */
ls_status ls_edit_kernel(const char *name);
ls_status ls_load_kernel(const char *path);
ls_status ls_restore_kernel(const char *name);
bool ls_new_question(const char *rest, char *question, size_t bytes); /* ls_command_question of `new` */

/* Prints a stop and the expressions of `display`; to be registered by ls_session_on_stop. */
void ls_show_stop(const ls_stop *stop);

#endif
