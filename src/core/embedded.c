#include "core/embedded.h"

#include <string.h>

const ls_embedded *ls_embedded_find(const ls_embedded *list, const char *name) {
  for (const ls_embedded *e = list; e->name; e++)
    if (strcmp(e->name, name) == 0) return e;
  return NULL;
}

const ls_embedded *ls_library_file(const char *name) {
  const ls_embedded *found = NULL;
  const size_t len = strlen(name);
  for (const ls_embedded *e = ls_embedded_lua; e->name; e++) {
    const char *slash = strrchr(e->name, '/'), *last = slash ? slash + 1 : e->name;
    if (strcmp(e->name, name) == 0) return e;
    if (strncmp(last, name, len) != 0 || (last[len] && strcmp(last + len, ".lua") != 0)) continue;
    if (found) return NULL;
    found = e;
  }
  return found;
}
