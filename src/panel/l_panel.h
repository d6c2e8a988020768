/* The Lua functions panel.on, .off, .show and .is_on: lessons open the panel, measurements open and close
 * it. */
#ifndef LS_PANEL_L_PANEL_H
#define LS_PANEL_L_PANEL_H

#include <lua.h>

#include "core/error.h"

ls_status panel_open_lua(lua_State *L);

#endif
