/* The panel as the prompt sees it, and its command. */
#ifndef LS_PANEL_FRONT_H
#define LS_PANEL_FRONT_H

#include "core/error.h"

/* Makes the panel known to the prompt and to Lua. Once, before anything runs, when the session is open.
 * LS_EMEM. */
ls_status ls_panel_open(void);

#endif
