/* The kinds of models. Each has a loader and opens its own type. */
#ifndef LS_LUA_L_MODEL_H
#define LS_LUA_L_MODEL_H

#include "lua/bind.h"

/* Called with model.load's arguments (a path, and options or nothing); returns how many results it has
 * pushed. */
int ls_dve_load(lua_State *L);          /* l_model_dve.c: .dve, .mdve */
int ls_ode_load(lua_State *L);          /* l_model_ode.c: other files; contents determine the format */
void ls_open_dve(lua_State *L);         /* l_dve.c: the type of models, dve.* */
void ls_open_dve_spaces(lua_State *L);  /* l_dve_space.c: state spaces */
void ls_open_dve_levels(lua_State *L);  /* l_dve_levels.c: functions for lua/dve/levels.lua */
void ls_open_dve_compile(lua_State *L); /* l_dve_compile.c */
void ls_open_ode(lua_State *L);         /* l_model_ode.c: the type of models, and functions in `model` */

#endif
