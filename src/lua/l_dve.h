/* What the bindings of DVE models share: l_model_dve.c loads them, l_dve.c is what they are to Lua,
 * l_dve_space.c has their state spaces, l_dve_levels.c what makes a space by rows, l_dve_compile.c what
 * compiles a model. */
#ifndef LS_LUA_L_DVE_H
#define LS_LUA_L_DVE_H

#include "lua/l_model.h"
#include "model/dve/space.h"

enum { LS_DVE_TEXT = 4096 }; /* bytes of a state or a step in words, at most */

/* Pushes a model without contents; what it is to hold is then stored in the place returned. */
ls_dve **ls_push_dve(lua_State *L);
ls_dve *ls_check_dve(lua_State *L, int i);

/* A state as Lua has it: a string of its words. */
const u32 *ls_check_dve_state(lua_State *L, int i, const ls_dve *m);
void ls_push_dve_state(lua_State *L, const ls_dve *m, const u32 *state);
void ls_push_dve_text(lua_State *L, const char *text);

#define LS_DVE_SPACE "lockstep.dve.space"
/* Takes the reference over. */
void ls_push_dve_space(lua_State *L, ls_dve_space *s);
ls_dve_space *ls_check_dve_space(lua_State *L, int i);

/* A model's own function, of dve.compile; NULL where there is no argument. */
ls_dve_maker *ls_check_dve_maker(lua_State *L, int i, const ls_dve *m);

#endif
