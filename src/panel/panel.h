/* The panel: the prompt with views around it. */
#ifndef LS_PANEL_PANEL_H
#define LS_PANEL_PANEL_H

#include "session/session.h"
#include "panel/frame.h"

/* LS_EARG with the reason where there is no terminal to show it on. */
ls_status ls_panel_on(void);
void ls_panel_off(void);
void ls_panel_close(void); /* off, and for good: its memory is freed */
void panel_toggle(void);
void panel_reset(void); /* which view is where, and its settings, as in the first session */
bool ls_panel_is_on(void);
/* Opens the panel if need be, with that view in sight. */
ls_status ls_panel_show(const char *view);

/* Gives the terminal back, async-signal-safe, and takes it again. */
void panel_leave(void);
void panel_resume(void);

/* Runs a command at the prompt, seen as if it had been typed. */
void panel_run(const char *command);
/* For ls_session_on_stop: tells the prompt and keeps the log. */
void ls_panel_stop(const ls_stop *stop);

/* What is shown, or would be: for snapshots. */
ls_frame *ls_panel_frame(void);

#endif
