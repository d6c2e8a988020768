/* Prompt commands: one const struct each; a file of src/repl/ holds one subject's. */
#ifndef LS_REPL_COMMAND_H
#define LS_REPL_COMMAND_H

#include "core/error.h"

typedef struct ls_command {
  const char *name;
  const char *usage; /* "step [N]" */
  const char *doc;   /* one line, then details */
  ls_status (*exec)(const char *rest); /* what follows the name, trimmed; prints by itself; on failure ls_error() */
  bool repeats;      /* Enter on an empty line repeats it */
} ls_command;

/* Tables, each ended by a name of NULL; commands.c joins them. */
extern const ls_command ls_commands_step[]; /* start step next iter finish continue until break tbreak ... */
extern const ls_command ls_commands_look[]; /* help info stats trace time device ... */
extern const ls_command ls_commands_file[]; /* load source edit run ... */

const ls_command *ls_command_find(const char *word, size_t len); /* exact, or an unambiguous prefix of >= 1 */

/* Everything that is shown goes through here, so that a panel can take it over. */
void ls_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));  /* stdout: data */
void ls_note(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* stderr: messages */

#endif
