/* Writes a lesson as one HTML file. Each page has its commands with their output, a picture of the view, the
 * text, and the question. */
#ifndef LS_REPL_LESSON_EXPORT_H
#define LS_REPL_LESSON_EXPORT_H

#include "core/error.h"
#include "core/string_builder.h"

typedef struct ls_export {
  ls_text html, heard; /* the file; the output captured last */
  /* Descriptors while output is captured. `into`: the file in memory that receives the output; kept[1] and
   * kept[2]: duplicates of stdout and stderr. */
  int into, kept[3];
  int columns; /* the width of output before the capture */
  bool listening;
} ls_export;

void ls_export_begin(ls_export *e, const char *title);
/* Captures stdout and stderr until ls_export_heard, which puts the output into e->heard. */
ls_status ls_export_listen(ls_export *e);
void ls_export_heard(ls_export *e);
/* Appends a page with the captured output. view: the name of a view, drawn in its current state; NULL:
 * none. */
void ls_export_page(ls_export *e, int page, int pages, const char *view, const char *text);
/* Appends text that is hidden until the reader opens it. */
void ls_export_answer(ls_export *e, const char *title, const char *text);
ls_status ls_export_write(ls_export *e, const char *path);
void ls_export_free(ls_export *e);

#endif
