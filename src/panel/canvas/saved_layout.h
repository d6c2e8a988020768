/* Saves the arrangement of the panel from session to session: $XDG_STATE_HOME/lockstep/panel. */
#ifndef LS_PANEL_SAVED_LAYOUT_H
#define LS_PANEL_SAVED_LAYOUT_H

#include "panel/canvas/frame.h"

/* A file that cannot be read or written is ignored. */
void ls_saved_layout_read(ls_frame *f);
void ls_saved_layout_write(const ls_frame *f);

#endif
