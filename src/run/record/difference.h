/* What changed in an array, in compact form: runs of changed elements. A run consists of the number of
 * unchanged elements before it, its length, and old XOR new of each element, so that one difference can be
 * applied in both directions. */
#ifndef LS_RUN_DIFFERENCE_H
#define LS_RUN_DIFFERENCE_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_difference {
  u8 *runs; /* ls_malloc's; NULL: nothing changed */
  u64 bytes, room;
  u64 end; /* the element after the last run */
} ls_difference;

/* Adds the changes from was[0 .. count-1] to now[...], elements of `size` bytes (1, 2, 4 or 8), which are the
 * array's elements from `first` on. Called for the blocks of the array in order. LS_EMEM leaves d valid. */
ls_status ls_difference_add(ls_difference *d, u64 first, const void *was, const void *now, u64 count,
                            size_t size);
/* Joins the differences of consecutive parts of an array, each of which was built from an empty difference.
 * *d is overwritten; it is allocated with almost no spare room. */
ls_status ls_difference_join(const ls_difference *parts, u64 count, ls_difference *d);
/* Turns the array's old contents into the new, or the new into the old. */
void ls_difference_apply(const ls_difference *d, void *array, size_t size);
void ls_difference_free(ls_difference *d);

#endif
