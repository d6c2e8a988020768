/* Guided lessons: samples/lessons/NUMBER-NAME.lua, run page by page by the command `lesson`. */
#ifndef LS_REPL_LESSON_H
#define LS_REPL_LESSON_H

#include <stdbool.h>

/* Calls `each` with every word that may follow `lesson`, for completion. */
void ls_lesson_names(void (*each)(void *, const char *), void *ctx);

/* What Enter on an empty line does while a lesson is open: returns the command to run (`lesson next`), or ""
 * if this call did everything (showed more of the page, or pointed to the open question). NULL if no lesson
 * is open or the lesson is at its end. */
const char *ls_lesson_on_enter(void);

#endif
