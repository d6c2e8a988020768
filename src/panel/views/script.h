/* Functions of the script view for the panel's keys and for lessons. */
#ifndef LS_PANEL_SCRIPT_H
#define LS_PANEL_SCRIPT_H

#include "panel/views/view.h"

/* Sets a breakpoint on the line on which the keys act, or deletes the one there. */
ls_status ls_script_toggle(ls_view_state *st);

void ls_script_forget(void); /* the view shows nothing until the next stop or run */

#endif
