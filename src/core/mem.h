/* Host memory: counted, and able to fail on demand, so that every allocation's failure can be tested.
 *
 * LOCKSTEP_FAIL_ALLOC=k in the environment makes the k-th allocation (from 1) fail, once; k+ that one and all
 * after. */
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
/* ls_grown(p, count, room, first, size): an array at p with place for one element more than its count, of
 * size bytes each: where they fill its room, that doubles, from `first` on, and the array may have moved.
 * NULL on failure: then both are as they were. The count and *room are u32 or u64. */
void *ls_grown_u32(void *p, u32 count, u32 *room, u32 first, size_t size);
void *ls_grown_u64(void *p, u64 count, u64 *room, u64 first, size_t size);
#ifndef __cplusplus
#define ls_grown(p, count, room, first, size)                                                                \
  _Generic((room), u32 * : ls_grown_u32, u64 * : ls_grown_u64)(p, count, room, first, size)
#endif
char *ls_strdup(const char *s);
void ls_free(void *p); /* NULL is fine */

/* Asks for large pages for a large block: one that is used whole and often at random, where thousands of
 * first touches and of missed translations take longer than many a kernel. Where the system has none, nothing
 * happens. */
void ls_mem_large_pages(void *p, size_t bytes);

/* Copies so many rows of so many bytes each, which begin to_row and from_row bytes apart: by all threads,
 * where they are many bytes. The two places are apart, or the same. */
void ls_mem_copy_rows(void *to, size_t to_row, const void *from, size_t from_row, u64 rows, size_t bytes);

u64 ls_mem_in_use(void);
u64 ls_mem_available(void); /* bytes that the machine, or the container we run in, can still give */
u64 ls_mem_peak(void);
void ls_mem_fail_at(u64 k); /* the k-th allocation from now fails; 0: none does */

#ifdef __cplusplus
}
#endif

#endif
