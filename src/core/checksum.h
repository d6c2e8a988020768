/* A 64-bit checksum for files of ours: finds what disks and transfers do, at memory speed. No defence against
 * someone who means it. */
#ifndef LS_CORE_CHECKSUM_H
#define LS_CORE_CHECKSUM_H

#include "core/types.h"

/* In parallel over blocks of 1 MiB; the same for any number of threads. */
u64 ls_checksum(const void *p, u64 bytes);

#endif
