/* Shared by l_model_ode.c, the type of models of differential equations, and l_simulate.c. */
#ifndef LS_LUA_L_MODEL_ODE_H
#define LS_LUA_L_MODEL_ODE_H

#include "lua/bind.h"
#include "ode/model.h"

ls_ode *ls_check_model(lua_State *L, int i); /* raises if the model is closed */

int ls_model_simulate(lua_State *L);    /* reference.simulate */
int ls_model_breaks(lua_State *L);      /* reference.breaks */
int ls_model_write_table(lua_State *L); /* model.write_table */
int ls_model_stream(lua_State *L);      /* model.stream */
void ls_open_course(lua_State *L);      /* the type that owns a simulation's result until Lua has it */
void ls_open_bytecode(lua_State *L);    /* l_bytecode.c: model.compile */

#endif
