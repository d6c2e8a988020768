/* Readline inside the panel: it edits, the panel shows and hands it the keys. */
#ifndef LS_PANEL_EDIT_H
#define LS_PANEL_EDIT_H

#include "panel/pane.h"

/* Takes Readline's reading, redisplay and terminal away from it, and gives them back. typing: is a line being
 * typed now? It survives. */
void ls_edit_take(bool typing);
void ls_edit_give(bool typing);
/* When Readline has been set up, and before anything is taken: outside of the panel, too, Readline gets what
 * was typed ahead. */
void ls_edit_begin(void);

/* Keys typed but not yet served, in the panel or outside of it. */
typedef struct ls_queue {
  char *s;
  int first, count, room;
  int judged; /* bytes that wait for the prompt while something runs: the panel does not want them */
} ls_queue;
extern ls_queue ls_typed;
void ls_queue_add(const char *s, int n); /* out of memory: they are lost */
void ls_queue_drop(int at, int n);       /* some from the middle; at 0: the beginning */

/* Lets Readline serve one key, which it reads from the queue, then from the terminal. */
void ls_edit_key(void);
/* Hands the first n bytes of the queue to Readline, until a line is complete or a signal is to be served. */
void ls_edit_feed(int n);
/* Readline leaves what it is in the middle of (a search, an argument, half a key); the line stays. */
void ls_edit_settle(void);
/* What is to be seen of the line. */
void ls_edit_look(ls_typing *t);
/* Puts text before what has been typed. */
void ls_edit_prefix(const char *text);
/* Adds text to what has been typed. */
void ls_edit_append(const char *text);
/* Where the alternatives of a completion are shown. */
extern void (*ls_edit_matches)(char **matches, int count, int longest);

#endif
