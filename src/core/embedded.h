/* The library lua/NAME.lua, put into the program at build time (cmake/Embed.cmake). */
#ifndef LS_CORE_EMBEDDED_H
#define LS_CORE_EMBEDDED_H

#include <stddef.h>

typedef struct ls_embedded {
  const char *name; /* "scc.lua" */
  const char *text;
  size_t bytes;
} ls_embedded;
extern const ls_embedded ls_embedded_lua[]; /* ended by a name of NULL */

#endif
