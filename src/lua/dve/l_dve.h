/* Shared by the bindings of DVE models: l_model_dve.c loads models; l_dve.c has their type in Lua,
 * l_dve_space.c the type of their state spaces; l_dve_levels.c helps to build a state space by kernels;
 * l_dve_compile.c compiles a model. */
#ifndef LS_LUA_L_DVE_H
#define LS_LUA_L_DVE_H

#include "lua/base/l_model.h"
#include "model/dve/space.h"

enum { LS_DVE_TEXT = 4096 }; /* maximum size in bytes of a state or a step as text */

/* Pushes a userdata without a model; returns the address at which the caller then stores its model. */
ls_dve **ls_push_dve(lua_State *L);
ls_dve *ls_check_dve(lua_State *L, int i);

/* In Lua a state is a string of its words. */
const u32 *ls_check_dve_state(lua_State *L, int i, const ls_dve *m);
void ls_push_dve_state(lua_State *L, const ls_dve *m, const u32 *state);
void ls_push_dve_text(lua_State *L, const char *text);

#define LS_DVE_SPACE "lockstep.dve.space"
/* Takes ownership of the caller's reference to s. */
void ls_push_dve_space(lua_State *L, ls_dve_space *s);
ls_dve_space *ls_check_dve_space(lua_State *L, int i);

/* The compiled function of model m, which dve.compile has made; NULL if there is no argument i. */
ls_dve_maker *ls_check_dve_maker(lua_State *L, int i, const ls_dve *m);

#endif
