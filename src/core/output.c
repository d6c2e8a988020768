#include "core/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

ls_output ls_out = {LS_TEXT, LS_ASCII, false};

static int taken_over;

int ls_output_columns_are(int columns) {
  const int before = taken_over;
  taken_over = columns;
  return before;
}

int ls_output_columns(void) {
  if (taken_over) return taken_over;
  if (!isatty(STDOUT_FILENO)) return 0;
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}
