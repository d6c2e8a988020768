/* What the panel's keys ask of the script view. */
#ifndef LS_PANEL_SCRIPT_H
#define LS_PANEL_SCRIPT_H

#include "panel/view.h"

/* A breakpoint on the view's line, on or off. */
ls_status ls_script_toggle(ls_view_state *st);

void ls_script_forget(void); /* it shows nothing until something stands or runs again */

#endif
