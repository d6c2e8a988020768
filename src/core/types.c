#include "core/types.h"

#include <string.h>

static const struct {
  const char *name;
  size_t size;
} dtypes[] = {
    [LS_U8] = {"u8", 1},   [LS_U32] = {"u32", 4},   [LS_U64] = {"u64", 8},
    [LS_I32] = {"i32", 4}, [LS_I64] = {"i64", 8},   [LS_F32] = {"f32", 4},
    [LS_F64] = {"f64", 8}, [LS_NONE] = {"none", 0}, [LS_W] = {"W", 0},
};

size_t ls_dtype_size(ls_dtype t) { return dtypes[t].size; }

const char *ls_dtype_name(ls_dtype t) { return dtypes[t].name; }

ls_dtype ls_dtype_parse(const char *name) {
  for (int t = 0; t < LS_DTYPES; t++)
    if (strcmp(dtypes[t].name, name) == 0) return (ls_dtype)t;
  return LS_NONE;
}
