/* The argument check of copy_part, shared by both processors: both ranges must be inside their buffers. */
#ifndef COMMON_PART_OF_BUFFER_H
#define COMMON_PART_OF_BUFFER_H

#include "run/launch/launch.h"

static inline ls_status copy_part_fits(const ls_launch *L, u64 from, u64 to) {
  const u64 count = L->items, k = L->bind.size[0], room = L->bind.size[3]; /* k, room: lengths of x and of y */
  if (count <= k - from && count <= room - to) return LS_OK;
  return ls_fail(LS_EARG, "copy_part: %llu elements from place %llu of %llu to place %llu of %llu do not lie within",
                 (unsigned long long)count, (unsigned long long)from, (unsigned long long)k, (unsigned long long)to,
                 (unsigned long long)room);
}

#endif
