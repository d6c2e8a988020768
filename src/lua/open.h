/* Opens the session with all that Lua code uses: Lua's own libraries, the bindings, and the library lua/. */
#ifndef LS_LUA_OPEN_H
#define LS_LUA_OPEN_H

#include "session/session.h"

lua_State *
ls_session_open(void); /* there is one session; NULL: it cannot be opened. ls_session_close ends it */

#endif
