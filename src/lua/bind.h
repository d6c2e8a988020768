/* What the Lua bindings share. */
#ifndef LS_LUA_BIND_H
#define LS_LUA_BIND_H

#include "data/graph.h"
#include "session/raise.h"

/* Does heavy work by ls_work (quick: here and now), once more after a full collection where memory was short,
 * ends its progress line, and raises what fails. The caller may hold nothing that a raise would leak. */
void ls_do(lua_State *L, ls_status (*work)(void *), void *arg, bool quick);
/* A userdata that holds so many bytes was made: the collector can't see them, so it takes a step as large. */
void ls_tell_collector(lua_State *L, u64 bytes);

/* Raises if the table at place t of the stack has a key that is none of the names: a mistyped option must not
 * be passed over. */
void ls_check_options(lua_State *L, int t, const char *function, const char *const *names, size_t count);

/* The path of a file to read that is argument i, "samples/..." from any folder (core/folder.h). */
const char *ls_check_path(lua_State *L, int i);

/* Pushes the items of the list at 1, one a line; text turns the item on top into what is shown. */
void ls_push_lines(lua_State *L, void (*text)(lua_State *L));

/* Is value i a whole number? 1e6 is one, the text "1" is none. lua_tointeger gives it. */
static inline bool ls_is_whole(lua_State *L, int i) {
  int whole = 0;
  if (lua_type(L, i) == LUA_TNUMBER) lua_tointegerx(L, i, &whole);
  return whole;
}

/* A field of the table on top. */
static inline void ls_set_number(lua_State *L, const char *name, f64 x) {
  lua_pushnumber(L, x);
  lua_setfield(L, -2, name);
}
static inline void ls_set_integer(lua_State *L, const char *name, u64 x) {
  lua_pushinteger(L, (lua_Integer)x);
  lua_setfield(L, -2, name);
}

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
ls_buffer *ls_push_new_buffer(lua_State *L, ls_dtype type, u64 rows,
                              u64 cols); /* raises where none can be made */

/* Pushes the graph whose vertices the buffer has one element for, and returns true, if its labels are not the
 * vertices' numbers; else pushes nothing. The buffer keeps the graph alive. */
bool ls_push_labels(lua_State *L, int buffer);
void ls_copy_labels(lua_State *L, int from, int to);

/* A row becomes a primitive: a function of its name. A loop's is made by prelude.lua: prim.adopt(name). */
struct ls_prim;
void ls_push_prim(lua_State *L, struct ls_prim *p);
void ls_publish_prim(lua_State *L, struct ls_prim *p); /* likewise, and prelude.lua is told */

/* One opener a file; open.c calls them. */
int ls_open_buffer(lua_State *L);    /* l_buffer.c: buffer.new, methods */
int ls_open_graph(lua_State *L);     /* l_graph.c: graph type, graph.from_edges, methods */
int ls_open_load(lua_State *L);      /* l_load.c: graph.load, g:save */
int ls_open_gen(lua_State *L);       /* l_gen.c: gen.* */
int ls_open_reference(lua_State *L); /* l_reference.c: reference.* */
int ls_open_cycle(lua_State *L);     /* l_cycle.c: reference.howard and its kin */
int ls_open_network(lua_State *L);   /* l_network.c: reference.components and its kin */
int ls_open_ranks(lua_State *L);     /* l_ranks.c: ranks.count, ranks.rank */
int ls_open_model(lua_State *L);     /* l_model.c: model.load, models of equations, reference.simulate */
int ls_open_prim(lua_State *L);      /* l_prim.c: one global a primitive, state.* */
int ls_open_kernel(lua_State *L);    /* l_kernel.c: kernel.*, loop */
int ls_open_device(lua_State *L);    /* l_device.c: device(), device.limits(), compare */
int ls_open_trace(lua_State *L);     /* l_trace.c: stats(), trace.* */
int ls_open_session(lua_State *L);   /* l_session.c: session.*, iterations(), checkpoint(), coroutine.* */
int ls_open_os(lua_State *L);        /* l_os.c: os.setlocale */
int ls_open_algorithm(lua_State *L); /* l_algorithm.c: algorithm.nearest */

#endif
