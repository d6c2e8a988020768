/* The panel: the prompt with views around it. */
#ifndef LS_PANEL_PANEL_H
#define LS_PANEL_PANEL_H

#include "session/session.h"
#include "panel/canvas/frame.h"

/* Opens the panel. LS_EARG, with the reason, if there is no prompt on a terminal. */
ls_status ls_panel_on(void);
void ls_panel_off(void);
void ls_panel_close(void); /* closes the panel for good, and frees its memory */
void panel_toggle(void);
void panel_reset(void); /* restores the default arrangement and settings of the views */
bool ls_panel_is_on(void);
/* Opens the panel if necessary, and makes the view visible. */
ls_status ls_panel_show(const char *view);

/* Release the terminal (async-signal-safe), and take it again. */
void panel_leave(void);
void panel_resume(void);

/* Runs a command, shown at the prompt as if it had been typed. */
void panel_run(const char *command);
/* For ls_session_on_stop: prints the stop at the prompt, and adds it to the log. */
void ls_panel_stop(const ls_stop *stop);

/* The frame that is shown, or would be if the panel were on: for snapshots. */
ls_frame *ls_panel_frame(void);

#endif
