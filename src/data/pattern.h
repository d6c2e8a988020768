/* The initial contents of a buffer: the same bits in every element, or each element its own index. They are
 * generated where the buffer is first used, on the host or on a device. */
#ifndef LS_DATA_PATTERN_H
#define LS_DATA_PATTERN_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_pattern {
  u64 bits;      /* the low bytes are the bits of each element */
  bool identity; /* ignore bits: element i is i */
} ls_pattern;

/* Parses the initial contents in a schema: a number; "none", all bits one; "inf", the greatest value of the
 * type or infinity; "huge", all bytes 0x7f; "empty", a queue of length 0; "identity". LS_EARG: the word is
 * unknown, or the number does not fit the type. */
ls_status ls_pattern_read(const char *text, ls_dtype type, ls_pattern *out);

/* Writes elements [first, first + count) to `out`, in host memory. */
void ls_pattern_put(ls_pattern p, size_t element_bytes, u64 first, u64 count, void *out);

/* The value of every byte, if all bytes of all elements are the same; otherwise -1. */
int ls_pattern_byte(ls_pattern p, size_t element_bytes);
/* The bits of an element, repeated to fill eight bytes. */
u64 ls_pattern_repeated(ls_pattern p, size_t element_bytes);

#endif
