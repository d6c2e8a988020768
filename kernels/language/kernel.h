/* The language that kernel bodies are written in: a C subset that gcc compiles for the CPU and nvcc for the
 * GPU. A body says what ONE thread does; the drivers (driver/) decide which threads run. A body can use
 *
 *   a      its arguments, by their names in the row's ARGS macro, and the sizes a->n (vertices) and a->m (edges)
 *   count  its counters, one for each COUNT of the row: count->moved++
 *   v, e   its vertex and its edge; in the QUEUE domain `item`, the item of the queue
 *   W      the row's element type
 *
 * and PUSH(queue, x), which appends x to a queue that the row fills, and the atomics of atomics.h. The driver defines PUSH
 * and LS_PUSH_OF(type), a thread's handle of a queue with items of that type. */
#ifndef KERNEL_H
#define KERNEL_H

#include "core/types.h"
#include "language/atomics.h"

typedef u8 none; /* W of a row without element types */

#define LS_JOIN_(a, b) a##_##b
#define LS_JOIN(a, b) LS_JOIN_(a, b)

#ifdef __CUDACC__
#define LS_INLINE static __device__ __forceinline__ __attribute__((unused))
#else
#define LS_INLINE static inline __attribute__((always_inline, unused))
#endif

/* For a u64 x. LOWEST_BIT: index of its lowest 1 bit, x != 0. BIT_COUNT: number of its 1 bits. */
#ifdef __CUDACC__
#define LOWEST_BIT(x) ((u32)__ffsll((long long)(x)) - 1)
#define BIT_COUNT(x) ((u32)__popcll(x))
#else
#define LOWEST_BIT(x) ((u32)__builtin_ctzll(x))
#define BIT_COUNT(x) ((u32)__builtin_popcountll(x))
#endif

/* An array argument is a plain pointer; in the checked variant it carries its extent. */
#ifdef LS_CHECKED
#include "language/checked.h"
#include "language/checked_atomics.h"
#else
#define LS_ARRAY(type) type *
#define LS_POINTER(array) (array)
#define LS_NO_ARRAY(type) NULL
#define LS_ONE(variable) (&(variable)) /* a local variable as an array of one */
#define LS_SET_ARRAY(field, type) field = (type *)bind->ptr[k++];
#define LS_ENTERED(result, function, none, parameters, given, who) LS_INLINE result function parameters
#endif

/* --- arguments ----------------------------------------------------------------------------------------- */

/* The class of each role: an array that is read, one that is written, a number, or a counter. */
#define LS_CLASS_IN READ
#define LS_CLASS_OFF READ
#define LS_CLASS_START READ
#define LS_CLASS_END READ
#define LS_CLASS_QIN READ
#define LS_CLASS_INOUT WRITE
#define LS_CLASS_OUT WRITE
#define LS_CLASS_QOUT WRITE
#define LS_CLASS_QAHEAD WRITE
#define LS_CLASS_QMORE WRITE
#define LS_CLASS_VALUE VALUE
#define LS_CLASS_COUNT COUNT
#define LS_CLASS_LOST COUNT
#define LS_BY_CLASS(macro, role) LS_JOIN(macro, LS_CLASS_##role)

#define LS_FIELD(role, type, name, ...) LS_BY_CLASS(LS_FIELD, role)(type, name)
#define LS_FIELD_READ(type, name) LS_ARRAY(const type) name;
#define LS_FIELD_WRITE(type, name) LS_ARRAY(type) name;
#define LS_FIELD_VALUE(type, name) type name;
#define LS_FIELD_COUNT(type, name)

#define LS_COUNTER(role, type, name, ...) LS_BY_CLASS(LS_COUNTER, role)(name)
#define LS_COUNTER_READ(name)
#define LS_COUNTER_WRITE(name)
#define LS_COUNTER_VALUE(name)
#define LS_COUNTER_COUNT(name) u32 name;

/* Sets the fields of `args` from `bind`, which holds the arguments in the row's order. k: index of the argument. */
#define LS_SET(role, type, name, ...) LS_BY_CLASS(LS_SET, role)(type, name)
#define LS_SET_READ(type, name) LS_SET_ARRAY(args.name, const type)
#define LS_SET_WRITE(type, name) LS_SET_ARRAY(args.name, type)
#define LS_SET_VALUE(type, name) args.name = (type)LS_VALUE_AS_##type(bind->value[k++]);
#define LS_SET_COUNT(type, name) k++;
#define LS_VALUE_AS_u8(x) (x).i
#define LS_VALUE_AS_u16(x) (x).i
#define LS_VALUE_AS_u32(x) (x).u
#define LS_VALUE_AS_u64(x) (x).U
#define LS_VALUE_AS_i16(x) (x).i
#define LS_VALUE_AS_i32(x) (x).i
#define LS_VALUE_AS_i64(x) (x).i
#define LS_VALUE_AS_f32(x) (x).f
#define LS_VALUE_AS_f64(x) (x).f

/* LS_IS(WHAT, role) expands to 1 if LS_IS_WHAT_role is defined below, else to 0. LS_WHEN(WHAT, role, text) expands to `text`
 * in that case, else to nothing. */
#define LS_IS_TAKEN_QIN , 1
#define LS_IS_FILLED_QOUT , 1
#define LS_IS_FILLED_QAHEAD , 1
#define LS_IS_FILLED_QMORE , 1
#define LS_IS_AHEAD_QAHEAD , 1
#define LS_IS_LOST_LOST , 1
#define LS_IS_ROWS_OFF , 1
#define LS_IS_START_START , 1
#define LS_IS_END_END , 1
#define LS_IS(what, role) LS_IS_(LS_IS_##what##_##role, 0, 0)
#define LS_IS_(...) LS_SECOND(__VA_ARGS__)
#define LS_SECOND(a, b, ...) b
#define LS_WHEN(what, role, ...) LS_WHEN_(LS_IS(what, role), __VA_ARGS__)
#define LS_WHEN_(is, ...) LS_JOIN(LS_WHEN, is)(__VA_ARGS__)
#define LS_WHEN_0(...)
#define LS_WHEN_1(...) __VA_ARGS__

/* Struct field for a queue that the row fills. */
#define LS_QUEUE(role, type, name, ...) LS_WHEN(FILLED, role, LS_PUSH_OF(type) name;)
/* Struct field of the item type of the queue that is the domain. */
#define LS_TAKEN(role, type, name, ...) LS_WHEN(TAKEN, role, type item;)
#ifdef __cplusplus
#define LS_ITEM(name) decltype(LS_JOIN(name##_taken, W)::item)
#else
#define LS_ITEM(name) __typeof__(((LS_JOIN(name##_taken, W) *)0)->item)
#endif
/* The edges of v: first .. last-1. */
#define LS_ROW_OFF(role, type, name, ...) LS_WHEN(ROWS, role, row.first = a->name[v], row.last = a->name[v + 1];)
#define LS_ROW_START(role, type, name, ...) LS_WHEN(START, role, row.first = a->name[v], checked = true;)
#define LS_ROW_END(role, type, name, ...) LS_WHEN(END, role, row.last = a->name[v], checked = true;)
typedef struct ls_row {
  u32 first, last;
} ls_row;

/* Declares NAME's structs of arguments, counters and queues for the current W, and the function that returns the edge range of
 * a vertex. A counter belongs to one thread in one launch, so 32 bits are enough; sums over threads have 64. ls_edges is the
 * number of edges walked: counted by the driver in the EDGES and BEST domains, by the body (LOOKED_AT) in the WALK domain. */
#define ARGS(name, ARGS_MACRO)                                                                              \
  typedef struct LS_JOIN(name##_args, W) {                                                                  \
    u32 n, m;                                                                                               \
    ARGS_MACRO(LS_FIELD, W)                                                                                 \
  } LS_JOIN(name##_args, W);                                                                                \
  typedef struct LS_JOIN(name##_counts, W) {                                                                \
    ARGS_MACRO(LS_COUNTER, W)                                                                               \
    u32 ls_edges;                                                                                           \
  } LS_JOIN(name##_counts, W);                                                                              \
  typedef struct LS_JOIN(name##_queues, W) {                                                                \
    ARGS_MACRO(LS_QUEUE, W)                                                                                 \
  } LS_JOIN(name##_queues, W);                                                                              \
  typedef struct LS_JOIN(name##_taken, W) {                                                                 \
    ARGS_MACRO(LS_TAKEN, W)                                                                                 \
  } LS_JOIN(name##_taken, W);                                                                               \
  LS_INLINE ls_row LS_JOIN(name##_row, W)(const LS_JOIN(name##_args, W) *a, u32 v) {                        \
    ls_row row = {0, 0};                                                                                    \
    bool checked = false;                                                                                   \
    ARGS_MACRO(LS_ROW_OFF, W)                                                                               \
    ARGS_MACRO(LS_ROW_START, W)                                                                             \
    ARGS_MACRO(LS_ROW_END, W)                                                                               \
    (void)a, (void)v;                                                                                       \
    if (checked && row.last < row.first) row.last = row.first;                                              \
    return row;                                                                                             \
  }

/* Declares `args`: NAME's arguments as the launch L binds them. */
#define BOUND_ARGS(name, ARGS_MACRO)                                                                        \
  const ls_bind *bind = &L->bind;                                                                           \
  LS_JOIN(name##_args, W) args = {0};                                                                       \
  int k = 0;                                                                                                \
  args.n = L->n, args.m = L->m;                                                                             \
  ARGS_MACRO(LS_SET, W)                                                                                     \
  (void)k, (void)bind;

/* The number of counters that a domain has in addition to the row's COUNTs. */
enum {
#define DOMAIN(name, own, chunk, short_name, thread) LS_OWN_COUNTS_##name = own,
#include "language/domains.def"
#undef DOMAIN
};
#define LS_COUNTS_OF(counts, DOMAIN) (sizeof(counts) / sizeof(u32) - 1 + LS_OWN_COUNTS_##DOMAIN)

/* --- bodies -------------------------------------------------------------------------------------------- */

#define LS_BODY(name, who, given, ...)                                                                       \
  LS_ENTERED(void, LS_JOIN(name##_body, W), ,                                                               \
             (const LS_JOIN(name##_args, W) *a, LS_JOIN(name##_counts, W) *count,                           \
              LS_JOIN(name##_queues, W) *push, __VA_ARGS__), given, who)

#define VERTEX_BODY(name) LS_BODY(name, (v), (a, count, push, v), u32 v) /* VERTEX and VERTEX_WALK */
#define EDGE_BODY(name) LS_BODY(name, (e), (a, count, push, e), u32 e)
#define ELEMENT_BODY(name) LS_BODY(name, (i), (a, count, push, i), u64 i)
#define QUEUE_BODY(name) LS_BODY(name, (item), (a, count, push, item), LS_ITEM(name) item)
#define EDGES_BODY(name) LS_BODY(name, (v, e), (a, count, push, v, e), u32 v, u32 e) /* VERTEX_EDGES and QUEUE_EDGES */
#define TILE_BODY(name) LS_BODY(name, (tile), (a, count, push, tile), u32 tile)
#define GRID_BODY(name) LS_BODY(name, (grid->me), (a, count, push, grid), ls_grid *grid)

/* Barrier over all threads of a grid; writes before it are visible to all of them after it. */
#define GRID_SYNC(grid)                    \
  {                                        \
    if (ls_grid_arrive(grid))              \
      while (ls_grid_waits(grid)) {        \
      }                                    \
    ls_grid_go_on(grid);                   \
  }

/* SHAPE(name, threads, resident) or SHAPE(name, threads, resident, bytes), after the row's ARGS: the launch shape on CUDA.
 *
 *   threads   threads per block: a multiple of 32, at most 512 (GRID rows: 1024)
 *   resident  the number of blocks that a multiprocessor must be able to hold at the same time
 *   bytes     size of a TILE row's TILE_MEMORY
 *
 * A thread may then use 65536 / (threads * resident) registers, at most 255. The default shape, 512 and 3, leaves 40. Only rows
 * in which a thread or a block has one item may have a SHAPE; a step of a loop has the loop's shape. A call may ask for fewer
 * threads per block: {block_size = N}. */
#ifdef __CUDACC__
template <class Args> struct ls_shape_of {
  static constexpr u32 threads = 0, resident = 0, bytes = 0; /* 0: the driver's default */
};
template <class Args> struct ls_shape_of<const Args *> : ls_shape_of<Args> {}; /* for the type of a body's `a` */
#define SHAPE(name, threads, ...) LS_SHAPE(name, threads, __VA_ARGS__, 0, 0)
#define LS_SHAPE(name, threads_, resident_, bytes_, ...)                                \
  template <> struct ls_shape_of<LS_JOIN(name##_args, W)> {                             \
    static constexpr u32 threads = threads_, resident = resident_, bytes = bytes_;      \
    static_assert(threads % 32 == 0 && threads > 0 && threads <= 1024 && resident > 0,  \
                  "a SHAPE is (name, threads, resident): threads a multiple of 32 and at most 512, of a GRID row 1024"); \
  };
#else
#define SHAPE(...)
#endif

/* SELECT(name) returns whether vertex v is selected: only the edges of selected vertices are walked. Every row of an EDGES or
 * BEST domain has one. */
#define SELECT(name) \
  LS_ENTERED(bool, LS_JOIN(name##_select, W), false, (const LS_JOIN(name##_args, W) *a, u32 v), (a, v), (v))

/* SCORE(name, type) returns the score of the edge v -> to[e]. In a BEST domain the body runs once for each selected vertex, with
 * its edge e of least score (ties: lowest edge index) and that score `best`; e is NO_EDGE if the vertex has no edge. */
#define SCORE(name, type)                 \
  typedef type LS_JOIN(name##_scored, W); \
  LS_ENTERED(type, LS_JOIN(name##_score, W), (type)0, (const LS_JOIN(name##_args, W) *a, u32 v, u32 e), (a, v, e), (v, e, LS_AS_ONE))
#define BEST_BODY(name, type) LS_BODY(name, (v, e, LS_AS_ONE), (a, count, push, v, e, best), u32 v, u32 e, type best)
#define NO_EDGE 0xffffffffu

/* A VERTEX_WALK body chooses its edges itself and reports their number by LOOKED_AT. */
#define LOOKED_AT(edges) (count->ls_edges += (edges))

#define UNUSED_BODY ((void)a, (void)count, (void)push)

/* The edge u -> v as a 64-bit queue item. */
LS_INLINE u64 edge_item(u32 u, u32 v) { return (u64)u << 32 | v; }
LS_INLINE u32 edge_from(u64 item) { return (u32)(item >> 32); }
LS_INLINE u32 edge_to(u64 item) { return (u32)item; }

/* --- tiles: one body, run by a block of threads (CUDA) or as a loop nest (CPU) ----------------------------- */

enum { TILE = 32 }; /* a tile is TILE x TILE elements */

/* TILE_ARRAY(type, name) declares a tile in the block's memory. TILE_MEMORY(type, name, count) declares an array there; a body
 * may have only one. On CUDA it is in the dynamic shared memory that the row's SHAPE asks for, which may exceed the 48 KiB that
 * are available to declared arrays. */
#define LS_ONE_TILE_MEMORY const int ls_one_tile_memory __attribute__((unused)) = 0

/* Within EACH, the name that TILE_SYNC calls is a variable: a barrier there, which not all threads reach, does not compile. */
#define TILE_SYNC TILE_SYNC_must_stand_outside_EACH()
#ifdef __CUDACC__
#define TILE_ARRAY(type, name) __shared__ type name[TILE][TILE + 1]
#ifdef LS_CHECKED
#define LS_TILE_MEMORY (ls_who + 2 * blockDim.x) /* after ls_who's two words per thread */
#else
extern __shared__ __align__(16) unsigned char ls_tile_memory[];
#define LS_TILE_MEMORY ls_tile_memory
#endif
#define TILE_MEMORY(type, name, count)                                                       \
  static_assert(sizeof(type) * (count) <= ls_shape_of<decltype(a)>::bytes,                   \
                "the SHAPE of a row with a TILE_MEMORY says its bytes: (name, threads, resident, bytes)"); \
  LS_ONE_TILE_MEMORY;                                                                        \
  type *const name = (type *)LS_TILE_MEMORY
#define EACH(i, j)                                                                                            \
  for (u32 i = threadIdx.x / TILE, j = threadIdx.x % TILE, TILE_SYNC_must_stand_outside_EACH = blockDim.x / TILE; \
       i < TILE; i += TILE_SYNC_must_stand_outside_EACH)
LS_INLINE void TILE_SYNC_must_stand_outside_EACH(void) { __syncthreads(); }
#else
#define TILE_ARRAY(type, name) type name[TILE][TILE + 1]
#define TILE_MEMORY(type, name, count) \
  LS_ONE_TILE_MEMORY;                  \
  type name[count]
#define EACH(i, j)               \
  for (u32 i = 0; i < TILE; i++) \
    for (u32 j = 0, TILE_SYNC_must_stand_outside_EACH = 1; j < TILE; j += TILE_SYNC_must_stand_outside_EACH)
LS_INLINE void TILE_SYNC_must_stand_outside_EACH(void) {}
#endif

#endif
