/* Calls that people type where the prompt has a command: quit(), exit(2), load("x.gr"), g = load("x.gr").
 * Lua's own load takes a text of Lua: what can be one stays Lua. */
#ifndef LS_REPL_CALLS_H
#define LS_REPL_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/* The command that the whole line means, "quit" or "load", with what is to follow it in rest; NULL: none. */
const char *ls_call_command(const char *line, char *rest, size_t bytes);

#endif
