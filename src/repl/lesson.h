/* Guided lessons: samples/lessons/NUMBER-NAME.lua, run page by page by the command `lesson`. */
#ifndef LS_REPL_LESSON_H
#define LS_REPL_LESSON_H

#include <stdbool.h>

/* Calls each with every word that may follow `lesson`, for completion. */
void ls_lesson_names(void (*each)(void *, const char *), void *ctx);

/* The title of the open lesson and the text of its current page, each paragraph on one long line; "" if none
 * is open. `number` changes whenever a page is shown. */
typedef struct ls_lesson_page {
  const char *title, *text;
  int page, pages, number;
  const char *file;
} ls_lesson_page;
ls_lesson_page ls_lesson_present(void);

/* What Enter on an empty line does while a lesson is open: returns the command to run (`lesson next`), or ""
 * if this call did everything (showed more of the page, or pointed to the open question). NULL if no lesson
 * is open or the lesson is at its end. */
const char *ls_lesson_on_enter(void);

/* Set by the panel, which shows the text of a page next to the prompt. */
typedef struct ls_lesson_reader {
  bool (*show)(void); /* shows a new page; false: print it at the prompt instead */
  bool (*more)(void); /* scrolls to the part not seen yet; false: all of it was seen */
  void (*end)(void);  /* the lesson is closed */
} ls_lesson_reader;
void ls_lesson_read_by(const ls_lesson_reader *r);

#endif
