/* Runs a tool, such as a compiler, while the keyboard is served; Ctrl-C ends the tool. */
#ifndef LS_COMPILE_TOOL_H
#define LS_COMPILE_TOOL_H

#include <sys/types.h>

#include "core/error.h"
#include "core/types.h"

/* Finds the program that an environment variable names or, if it is not set, the first of the names on the
 * PATH. `words` gets the program's path and its options, ended by NULL, `most` entries at most; they point
 * into text. false: there is none. */
bool ls_tool_find(const char *variable, const char *const *names, char *text, size_t bytes, char **words,
                  int most);

/* Starts a command with empty standard input. Its output goes to the file `log`, its temporary files to that
 * file's folder. LS_EIO: it could not be started. */
ls_status ls_tool_start(char *const *words, const char *log, pid_t *tool);
/* Waits until all tools have ended; status[i] is the wait status of the i-th. If that fails, or on Ctrl-C
 * (LS_EINTERRUPTED), those that still run are killed. */
ls_status ls_tools_wait(const pid_t *tools, int count, int *status);

void ls_tools_kill(const pid_t *tools, int count);

/* Writes a file into a folder; `name` may contain folders, which are created. */
ls_status ls_tool_write(const char *folder, const char *name, const char *text, size_t bytes);

#endif
