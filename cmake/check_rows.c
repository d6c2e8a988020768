/* Run by the build after the rows are compiled: reports the first malformed row as an error. */
#include <stdio.h>

#include "run/launch/row.h"

int main(void) {
  if (!ls_rows_check()) return 0;
  fprintf(stderr, "error: %s\n", ls_error());
  return 1;
}
