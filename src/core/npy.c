#include "core/npy.h"

#include <stdio.h>
#include <string.h>

enum { BEGIN = 10, TEXT = LS_NPY_HEAD - BEGIN };

void ls_npy_head(ls_dtype type, u64 rows, u64 cols, char out[LS_NPY_HEAD]) {
  char text[TEXT], columns[24] = "";
  const int size = (int)ls_dtype_size(type);
  const char order = size == 1 ? '|' : __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  if (cols) snprintf(columns, sizeof columns, " %llu", (unsigned long long)cols);
  const int n =
      snprintf(text, sizeof text, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (%llu,%s), }", order,
               ls_dtype_name(type)[0], size, (unsigned long long)rows, columns);
  memset(out, ' ', LS_NPY_HEAD);
  memcpy(out, "\x93NUMPY\x01\x00", 8);
  out[8] = TEXT;
  out[9] = 0;
  memcpy(out + BEGIN, text, (size_t)n);
  out[LS_NPY_HEAD - 1] = '\n';
}
