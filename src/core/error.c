#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/escape.h"

static _Thread_local char message[1024];

ls_status ls_fail(ls_status st, const char *fmt, ...) {
  char text[sizeof message]; /* the arguments may point into message */
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  ls_escaped(text, LS_ESCAPE_LINES, message, sizeof message);
  return st;
}

ls_status ls_fail_prefix(ls_status st, const char *fmt, ...) {
  char text[sizeof message];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (n >= 0 && (size_t)n < sizeof text) snprintf(text + n, sizeof text - (size_t)n, "%s", message);
  ls_escaped(text, LS_ESCAPE_LINES, message, sizeof message);
  return st;
}

const char *ls_error(void) { return message; }

int ls_exit_code(ls_status st) {
  switch (st) {
  case LS_OK: return 0;
  case LS_EINPUT: return 3;
  case LS_EDEVICE: return 4;
  case LS_EINTERRUPTED: return 130;
  default: return 1;
  }
}
