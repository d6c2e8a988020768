/* The lines of a Lua source text, from the embedded library or a file. */
#ifndef LS_PANEL_SCRIPT_TEXT_H
#define LS_PANEL_SCRIPT_TEXT_H

#include <stdbool.h>

typedef struct script_text {
  const char *name; /* "scc.lua", as in the `where` of a stop */
  int lines;        /* 0: there is no text */
} script_text;

/* The text of the stopped function or, if nothing is stopped, the last one. NULL: there is none. Valid until
 * the next call. */
const script_text *script_text_present(void);
/* Selects the text of a chunk (named as in Lua: "@scc.lua"), until something stops. */
void script_text_show(const char *chunk);
void script_text_forget(void); /* there is no text until the next stop or run */
/* Line i, from 1, without its newline; *bytes long, not NUL-terminated. */
const char *script_text_line(const script_text *s, int i, int *bytes);
/* Does line i begin inside a long comment or string? */
bool script_text_inside(const script_text *s, int i);

#endif
