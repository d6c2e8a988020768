/* Shared by l_buffer.c, the buffer type; l_buffer_text.c, which prints it; l_buffer_file.c, its files; and
 * l_buffer_methods.c, operations on a whole buffer. */
#ifndef LS_LUA_L_BUFFER_H
#define LS_LUA_L_BUFFER_H

#include "data/reduce.h"
#include "lua/bind.h"

#define LS_BUFFER_NAME "lockstep.buffer" /* name of its metatable */

extern const luaL_Reg ls_buffer_methods[];
int ls_buffer_tostring(lua_State *L);                    /* __tostring */
const char *ls_buffer_where(ls_buffer *b, char out[32]); /* "host", "cuda:0", "both", ... */
int ls_buffer_save(lua_State *L);                        /* b:save(path [, {none =}]) */
extern const luaL_Reg ls_buffer_files[];                 /* buffer.load, buffer.writer */
void ls_open_buffer_writer(lua_State *L);
void ls_open_histogram(lua_State *L); /* the type of b:hist()'s result */

ls_number ls_check_number(lua_State *L, int i);
void ls_push_number(lua_State *L, ls_number x); /* an integer that does not fit 64 bits becomes a float */
static inline void ls_set_value(lua_State *L, const char *name,
                                ls_number x) { /* a field of the table on top */
  ls_push_number(L, x);
  lua_setfield(L, -2, name);
}

/* May distances have this type? */
static inline bool ls_is_distance(ls_dtype t) {
  return t == LS_I16 || t == LS_I32 || t == LS_I64 || t == LS_U32 || ls_dtype_is_real(t);
}

/* The host side of b: ls_host_read for reading only, ls_host_update also for writing. Raise on failure; if
 * memory is short, they first collect garbage and try again. */
const void *ls_host_read(lua_State *L, ls_buffer *b);
void *ls_host_update(lua_State *L, ls_buffer *b);

/* `count` elements of b from `first` on, for reading. Pushes a value that keeps them alive. Copies only these
 * elements to the host, unless the host side is valid or many are wanted. */
const void *ls_host_part(lua_State *L, ls_buffer *b, u64 first, u64 count);

/* Raises if the user looks at the past and b's contents at that moment were not recorded. */
void ls_check_known(lua_State *L, const ls_buffer *b);

/* Raises if Lua may not write b. */
void ls_check_writable(lua_State *L, const ls_buffer *b);

/* Integer argument i, which must be in 0 .. limit. */
u64 ls_check_index(lua_State *L, int i, u64 limit, const char *what);

#endif
