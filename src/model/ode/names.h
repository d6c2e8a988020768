/* A table from texts to numbers: variables by name, modules by identifier. */
#ifndef LS_MODEL_NAMES_H
#define LS_MODEL_NAMES_H

#include "core/error.h"
#include "core/types.h"

#define LS_NO_NAME 0xffffffffu

typedef struct ls_names {
  u32 count, room; /* room: a power of two, or 0 */
  struct ls_names_entry *entries;
} ls_names; /* all zeros: empty */

/* The number that goes with the name, or LS_NO_NAME. */
u32 ls_names_find(const ls_names *n, const char *name);
/* Keeps the pointer, not a copy. What the name had before is replaced. */
ls_status ls_names_put(ls_names *n, const char *name, u32 value);
void ls_names_free(ls_names *n);

#endif
