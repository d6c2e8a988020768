/* The list of lessons: samples/lessons/NUMBER-NAME.lua, and files of the user's own. */
#ifndef LS_REPL_LESSON_LIST_H
#define LS_REPL_LESSON_LIST_H

#include <limits.h>
#include <stdbool.h>

#include "core/error.h"

enum { LS_LESSON_NAME = 48, LS_LESSON_TITLE = 80 };

typedef struct ls_lesson {
  int number;                /* 0: a file of the user's own */
  char name[LS_LESSON_NAME]; /* such as "trimming" */
  char title[LS_LESSON_TITLE];
  char file[PATH_MAX];
} ls_lesson;

/* Reads the list of installed lessons, once; LS_EINPUT if there are none. */
ls_status ls_lessons_find(void);
/* The installed lessons, by number; NULL past the last. */
const ls_lesson *ls_lesson_at(int i);
/* Finds a lesson by its number, name or file; NULL if there is none. */
const ls_lesson *ls_lesson_named(const char *name);
bool ls_lesson_is_file(const char *name); /* the name ends in .lua */
/* The lesson after this one; NULL if it is the last or a file of the user's own. */
const ls_lesson *ls_lesson_after(const ls_lesson *l);

#endif
