/* A 64-bit checksum for our own file formats, at memory speed. It detects corruption by disks and transfers,
 * but is no protection against deliberate changes. */
#ifndef LS_CORE_CHECKSUM_H
#define LS_CORE_CHECKSUM_H

#include "core/types.h"

enum { LS_CHECKSUM_BLOCK = 1 << 20 };

/* Computed in parallel over blocks of 1 MiB; the result does not depend on the number of threads. */
u64 ls_checksum(const void *p, u64 bytes);

/* The same checksum computed in parts, for an array of `bytes` bytes that several processes read:
 * ls_checksum_blocks returns the sum of the blocks [first, past). Add up the sums of all
 * ls_checksum_count(bytes) blocks; ls_checksum_of returns the checksum for that total. */
u64 ls_checksum_blocks(const void *p, u64 bytes, u64 first, u64 past);
static inline u64 ls_checksum_count(u64 bytes) {
  return bytes / LS_CHECKSUM_BLOCK + 1;
} /* the last block may be empty */
u64 ls_checksum_of(u64 sum);

#endif
