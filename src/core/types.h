/* The scalar types that host and kernels share, and their run-time tags. */
#ifndef LS_CORE_TYPES_H
#define LS_CORE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;
typedef float f32;
typedef double f64;

#ifdef __CUDACC__ /* there it is read and written at once */
#define LS_AT_ONCE __align__(16)
#else
#define LS_AT_ONCE
#endif

/* An item of 16 bytes: such a queue is an array of u64, of which two are an item. */
typedef struct LS_AT_ONCE u64x2 {
  u64 x, y;
} u64x2;

typedef enum ls_dtype {
  LS_U8,
  LS_U32,
  LS_U64,
  LS_I32,
  LS_I64,
  LS_F32,
  LS_F64,
  LS_DTYPES,           /* how many there are */
  LS_NONE = LS_DTYPES, /* an unweighted graph's weight type */
  LS_W                 /* in a row or a schema: the weight type it is used with */
} ls_dtype;

#define LS_NO_VERTEX 0xffffffffu

size_t ls_dtype_size(ls_dtype t);          /* bytes an element; 0 for LS_NONE and LS_W */
const char *ls_dtype_name(ls_dtype t);     /* "u32", "f64", "none", "W" */
ls_dtype ls_dtype_parse(const char *name); /* LS_NONE where the name is no type */

#endif
