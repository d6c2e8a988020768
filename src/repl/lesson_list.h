/* Which lessons there are: samples/lessons/NUMBER-NAME.lua, and a file of one's own. */
#ifndef LS_REPL_LESSON_LIST_H
#define LS_REPL_LESSON_LIST_H

#include <limits.h>
#include <stdbool.h>

#include "core/error.h"

enum { LS_LESSON_NAME = 48, LS_LESSON_TITLE = 80 };

typedef struct ls_lesson {
  int number;                /* 0: one's own */
  char name[LS_LESSON_NAME]; /* "trimming" */
  char title[LS_LESSON_TITLE];
  char file[PATH_MAX];
} ls_lesson;

/* Finds those that are installed; LS_EINPUT where there are none. */
ls_status ls_lessons_find(void);
/* In their order; NULL past the last. */
const ls_lesson *ls_lesson_at(int i);
/* By number, name or file; NULL: there is none. */
const ls_lesson *ls_lesson_named(const char *name);
bool ls_lesson_is_file(const char *name); /* the name ends in .lua */
/* The lesson after this one; NULL: it is the last, or one's own. */
const ls_lesson *ls_lesson_after(const ls_lesson *l);

#endif
