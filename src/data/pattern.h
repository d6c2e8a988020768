/* What a buffer holds that nobody has written yet: the same bits in every element, or each its own index.
 * Made where it is first wanted, on the host or on a device. */
#ifndef LS_DATA_PATTERN_H
#define LS_DATA_PATTERN_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_pattern {
  u64 bits;      /* of an element: its low bytes */
  bool identity; /* no bits: element i is i */
} ls_pattern;

/* Reads what a schema says: "0" and any other number; "none", all bits one; "inf", the greatest value of the
 * type or infinity; "huge", bytes of 0x7f; "empty", a queue of length 0; "identity". LS_EARG: there are no
 * such contents, or the number does not fit the type. */
ls_status ls_pattern_read(const char *text, ls_dtype type, ls_pattern *out);

/* The elements first .. first + count - 1, to out in host memory. */
void ls_pattern_put(ls_pattern p, size_t element_bytes, u64 first, u64 count, void *out);

/* The byte that all bytes of an element are; -1 where they differ. */
int ls_pattern_byte(ls_pattern p, size_t element_bytes);
/* The bits of an element, repeated in all eight bytes. */
u64 ls_pattern_repeated(ls_pattern p, size_t element_bytes);

#endif
