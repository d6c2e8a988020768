/* Shows the text of a lesson in a pane, if the panel is on; registered by ls_lesson_read_by. */
#ifndef LS_PANEL_LESSON_READER_H
#define LS_PANEL_LESSON_READER_H

#include "repl/lesson/lesson_page.h"

extern const ls_lesson_reader ls_panel_reader;

#endif
