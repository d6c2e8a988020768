/* The panel on the terminal: decides what is redrawn and when, and writes to the prompt's pane. */
#ifndef LS_PANEL_SCREEN_H
#define LS_PANEL_SCREEN_H

#include "panel/canvas/frame.h"

enum { SCREEN_MS = 50 }; /* minimum time between two redraws, in milliseconds */

extern struct screen {
  bool on;           /* the panel is on the terminal */
  bool stale;        /* everything must be redrawn */
  bool stale_prompt; /* the prompt and the key line must be redrawn */
  ls_frame frame;
  ls_canvas canvas;
} the_screen;

void screen_begin(void); /* in the first call, sets up the frame with the saved arrangement */
void screen_settle_size(void);
void screen_draw(void);       /* redraws what is stale */
f64 screen_since_drawn(void); /* seconds since everything was drawn */
f64 screen_pause(void);       /* minimum time between two redraws while something runs, in seconds */

bool screen_take_output(void); /* moves captured output into the prompt's pane; was there any? */
/* screen_say adds a line to the prompt's pane; screen_echo adds a prompt and the line typed at it. */
void screen_say(ls_style style, const char *text);
void screen_echo(const char *prompt, const char *line, const char *after);
void screen_set_off(void); /* something begins to run */

#endif
