/* Saves the arrangement of the panel from session to session: $XDG_STATE_HOME/lockstep/panel. */
#ifndef LS_PANEL_REMEMBER_H
#define LS_PANEL_REMEMBER_H

#include "panel/frame.h"

/* A file that cannot be read or written is ignored. */
void ls_remember_read(ls_frame *f);
void ls_remember_write(const ls_frame *f);

#endif
