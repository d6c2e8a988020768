/* Files that were put into the program at build time (cmake/Embed.cmake). */
#ifndef LS_CORE_EMBEDDED_H
#define LS_CORE_EMBEDDED_H

#include <stddef.h>

typedef struct ls_embedded {
  const char *name; /* "scc/scc.lua" */
  const char *text;
  size_t bytes;
} ls_embedded;
/* Each array ends with an entry whose name is NULL. */
extern const ls_embedded ls_embedded_lua[];  /* the library: lua/FAMILY/NAME.lua */
extern const ls_embedded ls_embedded_code[]; /* the same, compiled by the build's Lua (cmake/compile_lua.c) */
extern const ls_embedded ls_embedded_headers[]; /* what kernels include: "language/kernel.h" */
extern const ls_embedded
    ls_embedded_patterns[]; /* templates for the command `new`, which contain NAME: "algorithm.lua" */

/* The file of that name; NULL if there is none. */
const ls_embedded *ls_embedded_find(const ls_embedded *list, const char *name);
/* The file of the library that a user calls by its whole name or, if only one is called so, by the last part
 * of it, with or without its ending: "scc/scc.lua", "scc.lua", "scc". */
const ls_embedded *ls_library_file(const char *name);

#endif
