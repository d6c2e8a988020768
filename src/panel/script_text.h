/* Lua source text, by lines: of the embedded library, or of a file. */
#ifndef LS_PANEL_SCRIPT_TEXT_H
#define LS_PANEL_SCRIPT_TEXT_H

#include <stdbool.h>

typedef struct script_text {
  const char *name; /* "scc.lua", as `where` has it */
  int lines;        /* 0: there is no text */
} script_text;

/* The text of the stopped function; while nothing is paused, of the last. NULL: none was ever seen. It stays
 * as it is until the next call. */
const script_text *script_text_present(void);
/* From now on that text, until something stops: a chunk name as Lua has it. */
void script_text_show(const char *chunk);
void script_text_forget(void); /* there is none until something stands or runs again */
/* Line i, from 1, without its end; not ended: *bytes long. */
const char *script_text_line(const script_text *s, int i, int *bytes);
/* Does line i begin inside a long comment or string? */
bool script_text_inside(const script_text *s, int i);

#endif
