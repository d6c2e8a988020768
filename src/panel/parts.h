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

ls_status panel_open_lua(lua_State *L);
void panel_read_lessons(void); /* lessons are shown in a pane (view_lesson.c) */

/* A line into the prompt's pane. */
void panel_say(ls_style style, const char *text);
/* Runs a command at the prompt, seen as if it had been typed. */
void panel_run(const char *command);
void panel_toggle(void);

/* Reads what was typed into the queue, waiting so many milliseconds for it. */
void panel_read_keys(int patience);
void panel_input(void);    /* serves one key of the queue */
void panel_overhear(void); /* while something runs: what can be served meanwhile is */

bool act_is_own(int key);        /* is it one of the panel's own? */
bool act_while_running(int key); /* and one for which nothing need stand still? */
void act_on_key(int key, bool running);
/* Takes a key for the view that has the focus, or for the question behind `/`; false: not taken. */
bool act_in_view(int key);

#endif
