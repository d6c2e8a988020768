/* Running a tool, such as a compiler, while the keyboard is heard: Ctrl-C ends it. */
#ifndef LS_COMPILE_TOOL_H
#define LS_COMPILE_TOOL_H

#include "core/error.h"
#include "core/types.h"

/* The program that a variable of the environment names, or the first of the names that is on the PATH. words:
 * the program's path and its options, of which `most` fit, ended by NULL; text: where they are kept. false:
 * there is none. */
bool ls_tool_find(const char *variable, const char *const *names, char *text, size_t bytes, char **words,
                  int most);

/* Runs it with nothing to read; what it prints goes to the file `log`, its temporary files to that
 * file's folder. LS_OK: it has run, and *status is its
 * exit status. LS_EINTERRUPTED: Ctrl-C; it was ended. LS_EIO: it could not be started. */
ls_status ls_tool_run(char *const *words, const char *log, int *status);

/* Writes a file into a folder; `name` may have folders in it, which are made. */
ls_status ls_tool_write(const char *folder, const char *name, const char *text, size_t bytes);

#endif
