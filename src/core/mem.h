/* Host memory: counted, and able to fail on demand, so that every allocation's failure can be tested.
 *
 * LOCKSTEP_FAIL_ALLOC=k in the environment makes the k-th allocation (from 1) fail, once; k+ makes that one
 * and all later ones fail. */
#ifndef LS_CORE_MEM_H
#define LS_CORE_MEM_H

#include "core/error.h"
#include "core/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL on failure, with the message set (bytes wanted, bytes in use). bytes = 0 gives a valid pointer.
 * Blocks are 64-byte aligned. */
void *ls_malloc(size_t bytes);
void *ls_calloc(size_t count, size_t size);
void *ls_realloc(void *p, size_t bytes); /* p stays valid on failure */
/* ls_grown(p, count, room, first, size) makes space for one more element in the array p, which has `count`
 * elements of `size` bytes. If count has reached *room, *room doubles (from 0 it becomes `first`) and the
 * array may move. Returns the array; NULL on failure, with p and *room unchanged. count and *room are both
 * u32 or both u64. */
void *ls_grown_u32(void *p, u32 count, u32 *room, u32 first, size_t size);
void *ls_grown_u64(void *p, u64 count, u64 *room, u64 first, size_t size);
#ifndef __cplusplus
#define ls_grown(p, count, room, first, size)                                                                \
  _Generic((room), u32 * : ls_grown_u32, u64 * : ls_grown_u64)(p, count, room, first, size)
#endif
char *ls_strdup(const char *s);
void ls_free(void *p); /* NULL is fine */

/* Requests large pages for a block that is used as a whole and often accessed at random, where page faults
 * and TLB misses would take longer than many kernels. No effect if the system has none or the block is below
 * 4 MiB. */
void ls_mem_large_pages(void *p, size_t bytes);

/* Copies `rows` rows of `bytes` bytes, which begin to_row and from_row bytes apart; large copies use all
 * threads. The two areas are disjoint or identical. */
void ls_mem_copy_rows(void *to, size_t to_row, const void *from, size_t from_row, u64 rows, size_t bytes);

u64 ls_mem_in_use(void);
u64 ls_mem_available(void); /* bytes that the machine, or the container we run in, can still provide */
u64 ls_mem_peak(void);
void ls_mem_fail_at(u64 k); /* the k-th allocation from now fails; 0: none does */

#ifdef __cplusplus
}
#endif

#endif
