/* Between l_model_dve.c, which loads DVE models, and l_dve.c, what they are to Lua. */
#ifndef LS_LUA_L_DVE_H
#define LS_LUA_L_DVE_H

#include "lua/l_model.h"
#include "model/dve/space.h"

/* Pushes a model without contents; what it is to hold is then stored in the place returned. */
ls_dve **ls_push_dve(lua_State *L);

#endif
