/* Readline inside the panel: Readline edits the line, the panel draws it and passes the keys on to
 * Readline. */
#ifndef LS_PANEL_LINE_EDITOR_H
#define LS_PANEL_LINE_EDITOR_H

#include "panel/canvas/pane.h"

/* Takes input, redisplay and the terminal over from Readline; ls_edit_give gives them back. typing: a line is
 * being edited now; it is kept. */
void ls_edit_take(bool typing);
void ls_edit_give(bool typing);
/* To be called after Readline is set up and before ls_edit_take: installs input functions that, also outside
 * of the panel, pass keys typed ahead to Readline. */
void ls_edit_begin(void);

/* Bytes typed but not yet handled, in the panel or outside of it. */
typedef struct ls_queue {
  char *s;
  int first, count, room;
  int judged; /* while something runs: bytes at the front known to be for the prompt */
} ls_queue;
extern ls_queue ls_typed;
void ls_queue_add(const char *s, int n); /* the bytes are lost if memory is short */
void ls_queue_drop(int at, int n);       /* removes n bytes from offset `at` on */

/* Lets Readline handle one key, which it reads from the queue, or from the terminal if the queue is empty. */
void ls_edit_key(void);
/* Passes the first n bytes of the queue to Readline, until a line is complete or a signal is to be
 * handled. */
void ls_edit_feed(int n);
/* Makes Readline abandon an unfinished search, argument or key; keeps the line. */
void ls_edit_settle(void);
/* Gets the prompt, the text and the cursor of the edited line. */
void ls_edit_look(ls_typing *t);
/* Inserts text at the beginning of the edited line. */
void ls_edit_prefix(const char *text);
/* Appends text to the edited line. */
void ls_edit_append(const char *text);
/* Set by the panel: shows the alternatives of a completion. */
extern void (*ls_edit_matches)(char **matches, int count, int longest);

#endif
