/* Prompt commands that are written as function calls: quit(), exit(2), load("x.gr"), g = load("x.gr").
 * load("...") is the command only if the string is the name of a file; else it is Lua's load, which compiles
 * the string. */
#ifndef LS_REPL_CALL_COMMANDS_H
#define LS_REPL_CALL_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

/* If the line is such a call, returns the command's name ("quit" or "load"), and its arguments in `rest`;
 * else NULL. */
const char *ls_call_command(const char *line, char *rest, size_t bytes);

#endif
