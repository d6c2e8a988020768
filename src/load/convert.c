#include <math.h>

#include "core/mem.h"
#include "load/graph.h"

static bool from_integer(i64 x, u64 scale, ls_dtype type, void *to, u64 e) {
  i64 scaled;
  if (__builtin_mul_overflow(x, (i64)scale, &scaled)) return false;
  switch (type) {
  case LS_I32: ((i32 *)to)[e] = (i32)scaled; return scaled == (i32)scaled;
  case LS_I64: ((i64 *)to)[e] = scaled; return true;
  case LS_F32: {
    f32 r = (f32)x;
    ((f32 *)to)[e] = r;
    return fabsf(r) < 0x1p63f && (i64)r == x;
  }
  default: {
    f64 r = (f64)x;
    ((f64 *)to)[e] = r;
    return fabs(r) < 0x1p63 && (i64)r == x;
  }
  }
}

static bool from_real(f64 x, ls_dtype type, void *to, u64 e) {
  if (type == LS_F64) {
    ((f64 *)to)[e] = x;
    return true;
  }
  if (type == LS_F32) {
    ((f32 *)to)[e] = (f32)x;
    return isfinite((f32)x) == isfinite(x); /* rounding to f32 was requested */
  }
  if (!(fabs(x) < 0x1p63) || x != floor(x)) return false;
  return from_integer((i64)x, 1, type, to, e);
}

ls_status ls_load_convert(const char *path, u64 at, u64 m, ls_dtype from, void *w, const ls_load_options *o,
                          ls_dtype *type, void **out) {
  u64 scale = o->scale > 0 ? (u64)o->scale : 1;
  bool real = from == LS_F32 || from == LS_F64;
  *type = o->weights == LS_NONE ? from : o->weights;
  *out = w;
  if (*type == from && scale == 1) return LS_OK;
  void *to = *out = ls_malloc(m * ls_dtype_size(*type));
  if (!to) return LS_EMEM;
  for (u64 e = 0; e < m; e++) {
    f64 r = 0;
    i64 i = 0;
    switch (from) {
    case LS_I32: i = ((const i32 *)w)[e]; break;
    case LS_I64: i = ((const i64 *)w)[e]; break;
    case LS_F32: r = (f64)((const f32 *)w)[e]; break;
    default: r = ((const f64 *)w)[e];
    }
    if (real ? from_real(r, *type, to, e) : from_integer(i, scale, *type, to, e)) continue;
    ls_free(to);
    *out = NULL;
    unsigned long long byte = at + e * ls_dtype_size(from), edge = e;
    const char *name = ls_dtype_name(*type), *scaled = scale > 1 ? " times the scale" : "";
    if (real)
      return ls_fail(LS_EINPUT, "%s: byte %llu: weight %.17g of edge %llu is no %s", path, byte, r, edge,
                     name);
    return ls_fail(LS_EINPUT, "%s: byte %llu: weight %lld of edge %llu%s is not exact in %s", path, byte,
                   (long long)i, edge, scaled, name);
  }
  return LS_OK;
}
