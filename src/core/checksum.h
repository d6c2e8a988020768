/* A 64-bit checksum for files of ours: finds what disks and transfers do, at memory speed. No defence against
 * someone who means it. */
#ifndef LS_CORE_CHECKSUM_H
#define LS_CORE_CHECKSUM_H

#include "core/types.h"

enum { LS_CHECKSUM_BLOCK = 1 << 20 };

/* In parallel over blocks of 1 MiB; the same for any number of threads. */
u64 ls_checksum(const void *p, u64 bytes);

/* In steps, for several readers of one array: the sums of its blocks first to past - 1 are added up (an array
 * of so many bytes has ls_checksum_count of them), and the checksum is ls_checksum_of the sum of all. */
u64 ls_checksum_blocks(const void *p, u64 bytes, u64 first, u64 past);
static inline u64 ls_checksum_count(u64 bytes) {
  return bytes / LS_CHECKSUM_BLOCK + 1;
} /* the last may be empty */
u64 ls_checksum_of(u64 sum);

#endif
