#include "data/vertex_names.h"

#include <string.h>

enum { MOST = 8 };
static const ls_vertex_names_kind *kinds[MOST];

void ls_vertex_names_kind_register(const ls_vertex_names_kind *kind) {
  for (int i = 0; i < MOST; i++) {
    if (kinds[i] == kind) return;
    if (kinds[i]) continue;
    kinds[i] = kind;
    return;
  }
}

const ls_vertex_names_kind *ls_vertex_names_kind_find(const char name[8]) {
  for (int i = 0; i < MOST && kinds[i]; i++)
    if (memcmp(kinds[i]->name, name, sizeof kinds[i]->name) == 0) return kinds[i];
  return NULL;
}
