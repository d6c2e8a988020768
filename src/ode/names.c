#include "ode/names.h"

#include <string.h>

#include "core/mem.h"

typedef struct ls_names_entry {
  const char *name; /* NULL: free */
  u32 value;
} entry;

static u32 hash(const char *s) { /* FNV-1a */
  u32 h = 2166136261u;
  for (; *s; s++) h = (h ^ (u8)*s) * 16777619u;
  return h;
}

/* The name's entry, or the free one where it would go. */
static entry *place(const ls_names *n, const char *name) {
  u32 i = hash(name) & (n->room - 1);
  while (n->entries[i].name && strcmp(n->entries[i].name, name) != 0) i = (i + 1) & (n->room - 1);
  return &n->entries[i];
}

u32 ls_names_find(const ls_names *n, const char *name) {
  if (!n->room) return LS_NO_NAME;
  const entry *e = place(n, name);
  return e->name ? e->value : LS_NO_NAME;
}

static ls_status grow(ls_names *n) {
  ls_names larger = {.count = n->count, .room = n->room ? 2 * n->room : 8};
  if (!(larger.entries = ls_calloc(larger.room, sizeof *larger.entries))) return LS_EMEM;
  for (u32 i = 0; i < n->room; i++)
    if (n->entries[i].name) *place(&larger, n->entries[i].name) = n->entries[i];
  ls_free(n->entries);
  *n = larger;
  return LS_OK;
}

ls_status ls_names_put(ls_names *n, const char *name, u32 value) {
  if (2 * (n->count + 1) > n->room) {
    ls_status st = grow(n);
    if (st) return st;
  }
  entry *e = place(n, name);
  if (!e->name) n->count++;
  *e = (entry){name, value};
  return LS_OK;
}

void ls_names_free(ls_names *n) {
  ls_free(n->entries);
  *n = (ls_names){0};
}
