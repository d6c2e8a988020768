/* What the panel's own files share: panel.c lives, draws and listens, act.c acts on keys. */
#ifndef LS_PANEL_PARTS_H
#define LS_PANEL_PARTS_H

#include "panel/panel.h"

typedef struct panel {
  bool on;
  bool toggle;       /* ^Xa was typed outside: as soon as Readline has returned */
  bool stale;        /* everything is to be drawn, */
  bool stale_prompt; /* or only the prompt and the key line */
  bool unfinished;   /* the keys that wait are the beginning of one */
  int judged;        /* bytes of the queue that are for the prompt, once it is back */
  char asked[64];    /* what is typed behind `/` */
  int helped;        /* the view that help has taken the place of, -1: none */
  char until[200];   /* the last `until` */
  ls_frame frame;
} panel;
extern panel the_panel;

/* A line into the prompt's pane. */
void panel_say(ls_style style, const char *text);
/* Runs a command at the prompt, seen as if it had been typed. */
void panel_run(const char *command);
void panel_toggle(void);

/* Does what a key of the panel's own asks for; false: it is none. running: only what can be done meanwhile
 * is. */
bool act_on_key(int key, bool running);
/* Takes a key for the view that has the focus, or for the question behind `/`; false: not taken. */
bool act_in_view(int key);

#endif
