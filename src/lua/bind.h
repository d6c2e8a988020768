/* What the Lua bindings share. Only src/lua raises Lua errors. */
#ifndef LS_LUA_BIND_H
#define LS_LUA_BIND_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "data/graph.h"

/* Raises ls_error() as a Lua error with the position of the caller, and remembers st for the exit code. */
int ls_raise(lua_State *L, ls_status st);
ls_status ls_last_status(void); /* what ls_raise last remembered */
void ls_clear_status(void);
void ls_set_status(ls_status st); /* what was remembered before something that is to leave no trace */

/* Does heavy work by ls_work (quick: here and now), once more after a full collection where memory was short,
 * ends its progress line, and raises what fails. The caller may hold nothing that a raise would leak. */
void ls_do(lua_State *L, ls_status (*work)(void *), void *arg, bool quick);
/* A userdata that holds so many bytes was made: the collector can't see them, so it takes a step as large. */
void ls_tell_collector(lua_State *L, u64 bytes);

/* Pushes the items of the list at 1, one a line; text turns the item on top into what is shown. */
void ls_push_lines(lua_State *L, void (*text)(lua_State *L));

/* Userdata. A metatable's __methods is the table of methods (open for additions), its __fields maps the names
 * of fields to one line of doc; neither executes anything. Push takes the reference over (and releases it if
 * Lua cannot allocate). */
ls_graph *ls_check_graph(lua_State *L, int i);
ls_graph *ls_test_graph(lua_State *L, int i); /* NULL where it is no graph */
void ls_push_graph(lua_State *L, ls_graph *g);
/* ls_check_graph for who does not come back to Lua at once: pushes what keeps the graph alive, though a
 * finalizer close it meanwhile. */
ls_graph *ls_pin_graph(lua_State *L, int i);
ls_buffer *ls_check_buffer(lua_State *L, int i); /* raises on a closed one */
ls_buffer *ls_test_buffer(lua_State *L, int i);
void ls_push_buffer(lua_State *L, ls_buffer *b);

/* One opener a file; ls_open_all calls them in this order and then runs the embedded lua/ library. */
int ls_open_buffer(lua_State *L);    /* l_buffer.c: buffer.new, methods */
int ls_open_graph(lua_State *L);     /* l_graph.c: graph type, graph.from_edges, methods */
int ls_open_load(lua_State *L);      /* l_load.c: graph.load, g:save */
int ls_open_gen(lua_State *L);       /* l_gen.c: gen.* */
int ls_open_reference(lua_State *L); /* l_reference.c: reference.* */
int ls_open_cycle(lua_State *L);     /* l_cycle.c: reference.howard and its kin */
int ls_open_model(lua_State *L);     /* l_model.c: model.load, models of equations, reference.simulate */
int ls_open_prim(lua_State *L);      /* l_prim.c: one global a primitive, state.* */
int ls_open_device(lua_State *L);    /* l_device.c: device(), device.limits(), compare */
int ls_open_trace(lua_State *L);     /* l_trace.c: stats(), trace.* */
int ls_open_session(lua_State *L);   /* session: iterations(), coroutine replacements */
int ls_open_os(lua_State *L);        /* l_os.c: os.setlocale */

void ls_open_all(lua_State *L);

/* Embedded at build time (cmake/Embed.cmake): every lua/NAME.lua. */
typedef struct ls_embedded {
  const char *name; /* "scc.lua" */
  const char *text;
  size_t bytes;
} ls_embedded;
extern const ls_embedded ls_embedded_lua[]; /* ended by a name of NULL */

#endif
