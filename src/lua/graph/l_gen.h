/* Shared by the files of the generators' binding. */
#ifndef LS_LUA_L_GEN_H
#define LS_LUA_L_GEN_H

#include "lua/bind.h"

int ls_gen_clients_call(lua_State *L); /* l_clients.c: gen.clients{...} */

#endif
