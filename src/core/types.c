#include "core/types.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  size_t size;
} dtypes[] = {
#define FACTS(tag, T, least, greatest, none) [tag] = {#T, sizeof(T)},
    LS_TYPES(FACTS)
#undef FACTS
        [LS_NONE] = {"none", 0},
    [LS_W] = {"W", 0},
};

size_t ls_dtype_size(ls_dtype t) { return dtypes[t].size; }

const char *ls_dtype_name(ls_dtype t) { return dtypes[t].name; }

ls_dtype ls_dtype_parse(const char *name) {
  for (int t = 0; t < LS_DTYPES; t++)
    if (strcmp(dtypes[t].name, name) == 0) return (ls_dtype)t;
  return LS_NONE;
}

bool ls_dtype_is_real(ls_dtype t) { return t == LS_F32 || t == LS_F64; }

const char *ls_dtype_names(void) {
  static char names[LS_DTYPES * 5 + 4];
  size_t used = strlen(names);
  for (int t = used ? LS_DTYPES : 0; t < LS_DTYPES; t++) {
    const char *before = !t ? "" : t == LS_DTYPES - 1 ? " or " : ", ";
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", before, dtypes[t].name);
  }
  return names;
}
