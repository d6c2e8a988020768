/* What the panel looks like from one session to the next: $XDG_STATE_HOME/lockstep/panel. */
#ifndef LS_PANEL_REMEMBER_H
#define LS_PANEL_REMEMBER_H

#include "panel/frame.h"

/* Neither is an error where the file cannot be had. */
void ls_remember_read(ls_frame *f);
void ls_remember_write(const ls_frame *f);

#endif
