/* Between l_buffer.c, the buffer type; l_buffer_text.c, how it is printed; l_buffer_file.c, its files; and
 * l_buffer_methods.c, what can be asked of a whole buffer. */
#ifndef LS_LUA_L_BUFFER_H
#define LS_LUA_L_BUFFER_H

#include "data/reduce.h"
#include "lua/bind.h"

#define LS_BUFFER_NAME "lockstep.buffer" /* of its metatable */

extern const luaL_Reg ls_buffer_methods[];
int ls_buffer_tostring(lua_State *L);                    /* __tostring */
const char *ls_buffer_where(ls_buffer *b, char out[32]); /* "host", "cuda:0", "both", ... */
int ls_buffer_save(lua_State *L);                        /* b:save(path [, {none =}]) */
extern const luaL_Reg ls_buffer_files[];                 /* buffer.load, buffer.writer */
void ls_open_buffer_writer(lua_State *L);
void ls_open_histogram(lua_State *L); /* the type of b:hist()'s result */

/* Pushes a closed buffer; what it is to hold is then stored in the place returned. */
ls_buffer **ls_push_closed_buffer(lua_State *L);

ls_number ls_check_number(lua_State *L, int i);
void ls_push_number(lua_State *L, ls_number x); /* integers beyond Lua's become floats */

/* The host side for reading, or for writing too. Raises. When memory is short it collects garbage and tries
 * again. */
const void *ls_host_read(lua_State *L, ls_buffer *b);
void *ls_host_update(lua_State *L, ls_buffer *b);

/* Raises in the past where it is not recorded what b held then. */
void ls_check_known(lua_State *L, const ls_buffer *b);

/* Raises where Lua may not write b. */
void ls_check_writable(lua_State *L, const ls_buffer *b);

/* Integer argument i as one of 0 .. limit. */
u64 ls_check_index(lua_State *L, int i, u64 limit, const char *what);

#endif
