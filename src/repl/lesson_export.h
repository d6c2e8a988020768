/* A lesson as one file for a browser: what was typed and answered, the view beside it, the text, the
 * questions. */
#ifndef LS_REPL_LESSON_EXPORT_H
#define LS_REPL_LESSON_EXPORT_H

#include "core/error.h"
#include "repl/text.h"

typedef struct ls_export {
  ls_text html, heard;
  int into,
      kept[3]; /* descriptors, while it listens: of the temporary file, and those of stdout and stderr */
  int columns; /* how wide output was before */
  bool listening;
} ls_export;

void ls_export_begin(ls_export *e, const char *title);
/* What is printed from here on, until ls_export_heard, belongs to the page. */
ls_status ls_export_listen(ls_export *e);
void ls_export_heard(ls_export *e);
/* Adds a page. view: the name of a view as it is now; NULL: none. */
void ls_export_page(ls_export *e, int page, int pages, const char *view, const char *text);
/* Adds text that the reader opens. */
void ls_export_answer(ls_export *e, const char *title, const char *text);
ls_status ls_export_write(ls_export *e, const char *path);
void ls_export_free(ls_export *e);

#endif
