/* For authors of lessons: runs all pages of a lesson at once, without a learner. Afterwards no lesson is
 * open. */
#ifndef LS_REPL_LESSON_AUTHOR_H
#define LS_REPL_LESSON_AUTHOR_H

#include "repl/lesson/lesson_list.h"

/* Shows all pages. */
ls_status lesson_run(const ls_lesson *l);
/* Shows all pages; prints how many pages, claims and questions there are, and what the author should improve.
 */
ls_status lesson_check(const ls_lesson *l);
/* Writes what a learner sees on all pages to an HTML file. */
ls_status lesson_export(const ls_lesson *l, const char *file);

#endif
