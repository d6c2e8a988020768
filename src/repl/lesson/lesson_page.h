/* The open lesson: loads its file, and runs and shows its pages. */
#ifndef LS_REPL_LESSON_PAGE_H
#define LS_REPL_LESSON_PAGE_H

#include <stdbool.h>

#include "core/error.h"
#include "repl/lesson/lesson_list.h"
#include "core/string_builder.h"
#include "session/session.h"

/* --- for the panel ------------------------------------------------------------------------------------ */

/* The title of the open lesson and the text of its current page, each paragraph on one long line; "" if none
 * is open. `number` changes whenever a page is shown. */
typedef struct ls_lesson_page {
  const char *title, *text;
  int page, pages, number;
  const char *file;
} ls_lesson_page;
ls_lesson_page ls_lesson_present(void);

/* Set by the panel, which shows the text of a page next to the prompt. */
typedef struct ls_lesson_reader {
  bool (*show)(void); /* shows a new page; false: print it at the prompt instead */
  bool (*more)(void); /* scrolls to the part not seen yet; false: all of it was seen */
  void (*end)(void);  /* the lesson is closed */
} ls_lesson_reader;
void ls_lesson_read_by(const ls_lesson_reader *r);

/* --- for the command lesson --------------------------------------------------------------------------- */

extern struct lesson_state {
  const ls_lesson *of; /* the open lesson; NULL: none */
  int page, pages;     /* the page last shown, from 1 (0: none yet), and how many there are */
  bool playing;        /* the commands of a page are running */
  ls_text shown;       /* the text of the page last shown */
  int shown_number;    /* changes whenever a page is shown */
  ls_text answer;      /* the answer to the question of that page; empty if it asks none */
  bool answered;       /* the question was answered correctly */
  bool asked_on;       /* Enter was pressed once while the question was open */
  bool ended;          /* the learner was told that the lesson is at its end */
  bool opened;         /* a page has opened the panel, or found it open */
  bool brought;        /* a page has opened the panel, so `lesson end` closes it */
  /* the stop at which the page last shown left the algorithm */
  bool paused, recorded;
  ls_stop_kind kind;
  u64 seq;
  char where[64];
  const ls_lesson_reader *reader;
} the_lesson;

/* Reads a lesson's file, closes another lesson, and makes it the open one, at its beginning. */
ls_status lesson_begin(const ls_lesson *l);
/* Closes the lesson, if one is open. */
void lesson_leave(void);

/* Copies a page's field (item = 0), or element `item` of a field that is a list, to out, which the caller
 * frees. False if absent. */
bool lesson_field(int page, const char *name, int item, ls_text *out);
bool lesson_has_answers(void); /* does the last page have answers? */

/* Before a page is played: brings the algorithm to the stop at which the previous page left it, unless it is
 * already there or `page` begins a run of its own. again: does so even if the algorithm seems to be there. */
ls_status lesson_prepare(int page, bool again);
/* Runs the commands of a page and checks its claims; its text and its question go to the_lesson.shown.
 * author: the panel is left alone, and messages may reveal the answer. */
ls_status lesson_play(int page, bool author);
/* Plays a page and shows it. */
ls_status lesson_show(int page, bool author);
/* Puts the lesson, page and field in front of the message of a failure. */
ls_status lesson_placed(ls_status st, int page, const char *name);

#endif
