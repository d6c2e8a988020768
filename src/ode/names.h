/* Hash table from names to numbers: of variables by name, of modules by identifier. */
#ifndef LS_ODE_NAMES_H
#define LS_ODE_NAMES_H

#include "core/error.h"
#include "core/types.h"

#define LS_NO_NAME 0xffffffffu

typedef struct ls_names {
  u32 count, room; /* room: a power of two, or 0 */
  struct ls_names_entry *entries;
} ls_names; /* all zeros: empty */

/* The number of the name, or LS_NO_NAME. */
u32 ls_names_find(const ls_names *n, const char *name);
/* Sets the number of a name. Keeps the pointer to the name, not a copy. */
ls_status ls_names_put(ls_names *n, const char *name, u32 value);
void ls_names_free(ls_names *n);

#endif
