#include "core/npy.h"

#include <stdio.h>
#include <string.h>

enum { BEGIN = 10, TEXT = LS_NPY_HEAD - BEGIN };

void ls_npy_head(ls_dtype type, int dimensions, const u64 shape[LS_NPY_DIMENSIONS], char out[LS_NPY_HEAD]) {
  char text[TEXT], more[2 * 24] = "";
  const int size = (int)ls_dtype_size(type);
  const char order = size == 1 ? '|' : __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  for (int d = 1, used = 0; d < dimensions; d++)
    used += snprintf(more + used, sizeof more - (size_t)used, "%s%llu", d > 1 ? ", " : " ",
                     (unsigned long long)shape[d]);
  const int n =
      snprintf(text, sizeof text, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (%llu,%s), }", order,
               ls_dtype_name(type)[0], size, (unsigned long long)shape[0], more);
  memset(out, ' ', LS_NPY_HEAD);
  memcpy(out, "\x93NUMPY\x01\x00", 8);
  out[8] = TEXT;
  out[9] = 0;
  memcpy(out + BEGIN, text, (size_t)n);
  out[LS_NPY_HEAD - 1] = '\n';
}
