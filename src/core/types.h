/* The scalar types that host and kernels share, and their run-time tags. */
#ifndef LS_CORE_TYPES_H
#define LS_CORE_TYPES_H

#ifdef __CUDACC_RTC__ /* NVRTC has no system headers */
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
#define INT16_MIN (-32767 - 1)
#define INT16_MAX 32767
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807l - 1)
#define INT64_MAX 9223372036854775807l
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 0xffffffffu
#define UINT64_MAX 0xfffffffffffffffful
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define DBL_EPSILON 2.2204460492503131e-16
#define NULL 0
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef float f32;
typedef double f64;

/* Every element type: X(tag, type, least, greatest, does the greatest mean "none" or "no path"?). */
#define LS_INTEGERS(X)                                                                                       \
  X(LS_U8, u8, 0, UINT8_MAX, false)                                                                          \
  X(LS_U16, u16, 0, UINT16_MAX, true)                                                                        \
  X(LS_U32, u32, 0, UINT32_MAX, true)                                                                        \
  X(LS_U64, u64, 0, UINT64_MAX, false)                                                                       \
  X(LS_I16, i16, INT16_MIN, INT16_MAX, true)                                                                 \
  X(LS_I32, i32, INT32_MIN, INT32_MAX, true)                                                                 \
  X(LS_I64, i64, INT64_MIN, INT64_MAX, true)
#define LS_REALS(X) X(LS_F32, f32, -INFINITY, INFINITY, true) X(LS_F64, f64, -INFINITY, INFINITY, true)
#define LS_TYPES(X) LS_INTEGERS(X) LS_REALS(X)

#ifdef __CUDACC__ /* so that one access reads or writes it */
#define LS_AT_ONCE __align__(16)
#else
#define LS_AT_ONCE
#endif

/* A queue item of 16 bytes; the queue is an array of u64, two per item. */
typedef struct LS_AT_ONCE u64x2 {
  u64 x, y;
} u64x2;

typedef enum ls_dtype {
#define TAG(tag, T, least, greatest, none) tag,
  LS_TYPES(TAG)
#undef TAG
      LS_DTYPES,       /* number of element types */
  LS_NONE = LS_DTYPES, /* an unweighted graph's weight type */
  LS_W                 /* in a row or a schema: the weight type of the graph that it is used with */
} ls_dtype;

#define LS_NO_VERTEX 0xffffffffu

size_t ls_dtype_size(ls_dtype t);          /* bytes per element; 0 for LS_NONE and LS_W */
const char *ls_dtype_name(ls_dtype t);     /* "u32", "f64", "none", "W" */
ls_dtype ls_dtype_parse(const char *name); /* LS_NONE if name is not a type */
bool ls_dtype_is_real(ls_dtype t);
const char *ls_dtype_names(void); /* "u8, u16, u32, ... or f64" */

#endif
