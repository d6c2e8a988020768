/* The panel's picture on the terminal: what of it is to be drawn, when, and what is said in the prompt's
 * pane. */
#ifndef LS_PANEL_SCREEN_H
#define LS_PANEL_SCREEN_H

#include "panel/frame.h"

enum { SCREEN_MS = 50 }; /* from one picture to the next, at least */

extern struct screen {
  bool on;           /* the panel is on the terminal */
  bool stale;        /* everything is to be drawn, */
  bool stale_prompt; /* or only the prompt and the key line */
  ls_frame frame;
  ls_canvas canvas;
} the_screen;

void screen_begin(void); /* the first time: the frame as it was remembered */
void screen_settle_size(void);
void screen_draw(void);       /* what is stale */
f64 screen_since_drawn(void); /* seconds since everything was drawn */
f64 screen_pause(void);       /* so many seconds are to lie between two pictures while something runs */

bool screen_take_output(void); /* what was written goes into the prompt's pane; was there any? */
void screen_say(ls_style style, const char *text);                         /* a line into it */
void screen_echo(const char *prompt, const char *line, const char *after); /* what was typed */
void screen_set_off(void);                                                 /* from here on something runs */

#endif
