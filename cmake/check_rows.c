/* Run by the build once the rows are compiled: the first one that is not written as it should be is an error. */
#include <stdio.h>

#include "run/row.h"

int main(void) {
  if (!ls_rows_check()) return 0;
  fprintf(stderr, "error: %s\n", ls_error());
  return 1;
}
