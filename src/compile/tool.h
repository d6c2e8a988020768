/* Runs a tool, such as a compiler, while the keyboard is served; Ctrl-C ends the tool. */
#ifndef LS_COMPILE_TOOL_H
#define LS_COMPILE_TOOL_H

#include "core/error.h"
#include "core/types.h"

/* Finds the program that an environment variable names or, if it is not set, the first of the names on the
 * PATH. words gets the program's path and its options, ended by NULL, `most` entries at most; they point into
 * text. false: there is none. */
bool ls_tool_find(const char *variable, const char *const *names, char *text, size_t bytes, char **words,
                  int most);

/* Runs a command with empty standard input. Its output goes to the file `log`, its temporary files to that
 * file's folder. LS_OK: it has ended, and *status is its wait status. LS_EINTERRUPTED: Ctrl-C; it was killed.
 * LS_EIO: it could not be started. */
ls_status ls_tool_run(char *const *words, const char *log, int *status);

/* Writes a file into a folder; `name` may contain folders, which are created. */
ls_status ls_tool_write(const char *folder, const char *name, const char *text, size_t bytes);

#endif
