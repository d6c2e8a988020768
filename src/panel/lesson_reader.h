/* Lessons are read in a pane, where the panel is on: for ls_lesson_read_by. */
#ifndef LS_PANEL_LESSON_READER_H
#define LS_PANEL_LESSON_READER_H

#include "repl/lesson.h"

extern const ls_lesson_reader ls_panel_reader;

#endif
