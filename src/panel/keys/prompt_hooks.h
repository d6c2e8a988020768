/* Connects the panel to the prompt: the hooks of ls_front, and the command `panel`. */
#ifndef LS_PANEL_PROMPT_HOOKS_H
#define LS_PANEL_PROMPT_HOOKS_H

#include "core/error.h"

/* Registers the panel with the prompt and with Lua. To be called once, after the session is opened and before
 * anything runs. May fail with LS_EMEM. */
ls_status ls_panel_open(void);

#endif
