/* Guided lessons: samples/lessons/NUMBER-NAME.lua, walked by the command `lesson`. */
#ifndef LS_REPL_LESSON_H
#define LS_REPL_LESSON_H

#include <stdbool.h>

/* Calls each with every word that may follow `lesson`, for completion. */
void ls_lesson_names(void (*each)(void *, const char *), void *ctx);

/* The present page's text, paragraphs of one long line each, and the lesson's title; "" where there is none.
 * `number` changes with every page that is shown. */
typedef struct ls_lesson_page {
  const char *title, *text;
  int page, pages, number;
  const char *file;
} ls_lesson_page;
ls_lesson_page ls_lesson_present(void);

/* Enter on an empty line, which is a lesson's while one is open. NULL: none is, or it is at its end; "": more
 * of the page is shown now; else the command that goes on. */
const char *ls_lesson_on_enter(void);

/* Who shows the text beside the prompt: the panel. */
typedef struct ls_lesson_reader {
  bool (*show)(void); /* a page begins; false: it is to be said at the prompt */
  bool (*more)(void); /* shows what of the text has not been seen yet; false: all was */
  void (*end)(void);  /* the lesson is over */
} ls_lesson_reader;
void ls_lesson_read_by(const ls_lesson_reader *r);

#endif
