/* Lua source text, by lines: of the embedded library, or of a file. */
#ifndef LS_PANEL_SOURCE_H
#define LS_PANEL_SOURCE_H

#include <stdbool.h>

typedef struct ls_source {
  const char *name; /* "scc.lua", as `where` has it */
  int lines;        /* 0: there is no text */
} ls_source;

/* The text of the stopped function; while nothing is paused, of the last. NULL: none was ever seen. It stays
 * as it is until the next call. */
const ls_source *ls_source_present(void);
/* Line i, from 1, without its end; not ended: *bytes long. */
const char *ls_source_line(const ls_source *s, int i, int *bytes);
/* Does line i begin inside a long comment or string? */
bool ls_source_inside(const ls_source *s, int i);

#endif
