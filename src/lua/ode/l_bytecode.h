/* Shared by l_bytecode.c, the type of bytecode in Lua, and the views that show it. */
#ifndef LS_LUA_L_BYTECODE_H
#define LS_LUA_L_BYTECODE_H

#include "lua/bind.h"
#include "ode/code.h"

typedef struct ls_seen_code {
  ls_code code;
  char step[32];                     /* the optimisation that made it from `before`; "": none */
  const struct ls_seen_code *before; /* kept alive by this one; NULL: none */
} ls_seen_code;

const ls_seen_code *ls_test_code(lua_State *L, int i); /* NULL if it is not bytecode */

#endif
