/* What the LIBRARY rows share: one function serves all element types and looks at the launch's. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "run/launch.h"

/* Runs DO(type) for the launch's element type. */
#define FOR_TYPE(L, DO)              \
  switch ((L)->type) {               \
  case LS_U8: DO(u8); break;         \
  case LS_U32: DO(u32); break;       \
  case LS_U64: DO(u64); break;       \
  case LS_I32: DO(i32); break;       \
  case LS_I64: DO(i64); break;       \
  case LS_F32: DO(f32); break;       \
  case LS_F64: DO(f64); break;       \
  default: break;                    \
  }

/* The type in which a sum of `type` is taken: signed integers wrap as unsigned ones do. */
#define SUM_IN(type) sum_in_##type
typedef u8 sum_in_u8;
typedef u32 sum_in_u32, sum_in_i32;
typedef u64 sum_in_u64, sum_in_i64;
typedef f32 sum_in_f32;
typedef f64 sum_in_f64;

/* A VALUE of the element type travels as the widest of its kind. */
#define VALUE_OF(type, v) ((type)((type)0.5 != 0 ? (type)(v).f : (type)(v).i))

#endif
