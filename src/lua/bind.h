/* Functions that the Lua bindings share. */
#ifndef LS_LUA_BIND_H
#define LS_LUA_BIND_H

#include "core/string_builder.h"
#include "data/graph.h"
#include "session/raise.h"

/* Runs work(arg) by ls_work (quick: on this thread) and, if memory was short, once more after a full garbage
 * collection. Ends its progress line and raises an error if it fails, so the caller must hold nothing that an
 * error would leak. */
void ls_do(lua_State *L, ls_status (*work)(void *), void *arg, bool quick);
/* Below this many vertices and edges, linear work takes less time than waking the worker thread. */
enum { LS_QUICK = 100 * 1000 };
static inline bool ls_is_quick(const ls_graph *g) { return g->m + g->n < LS_QUICK; }
/* Tells the collector that a userdata with this many bytes outside of Lua, which it cannot see, was created:
 * for every 64 MiB or more the collector takes a step of that size. */
void ls_tell_collector(lua_State *L, u64 bytes);

/* Raises if the table at stack index t has a key that is not one of the names, so that a mistyped option is
 * not ignored. */
void ls_check_options(lua_State *L, int t, const char *function, const char *const *names, size_t count);

/* Argument i as the path of a file to read; "samples/..." works from any current directory
 * (core/folder.h). */
const char *ls_check_path(lua_State *L, int i);

/* Pushes a text of the items of the list at 1, one per line. `text` replaces the item on top of the stack by
 * its text. */
void ls_push_lines(lua_State *L, void (*text)(lua_State *L));

/* Pushes the names as one text, "a, b and c" if `last` is " and ", and returns it. */
const char *ls_push_listed(lua_State *L, const char *const *names, size_t count, const char *last);
/* Pushes a list of strings. */
void ls_push_strings(lua_State *L, const char *const *strings, int count);

/* Pushes the text and frees it, even if Lua has no memory. Raises if the text is incomplete. */
void ls_push_text(lua_State *L, ls_text *t);

/* Is value i a whole number? 1e6 is, the string "1" is not. If so, lua_tointeger returns it. */
static inline bool ls_is_whole(lua_State *L, int i) {
  int whole = 0;
  if (lua_type(L, i) == LUA_TNUMBER) lua_tointegerx(L, i, &whole);
  return whole;
}

/* Sets a field of the table on top. */
static inline void ls_set_number(lua_State *L, const char *name, f64 x) {
  lua_pushnumber(L, x);
  lua_setfield(L, -2, name);
}
static inline void ls_set_integer(lua_State *L, const char *name, u64 x) {
  lua_pushinteger(L, (lua_Integer)x);
  lua_setfield(L, -2, name);
}
static inline void ls_set_string(lua_State *L, const char *name, const char *x) {
  lua_pushstring(L, x);
  lua_setfield(L, -2, name);
}
static inline void ls_set_boolean(lua_State *L, const char *name, bool x) {
  lua_pushboolean(L, x);
  lua_setfield(L, -2, name);
}
/* Gives the table on top a metatable with only this __tostring. */
void ls_set_tostring(lua_State *L, lua_CFunction text);

/* Userdata. A metatable's __methods is the table of methods, to which Lua code may add, and which may have an
 * __index for old names (lua/base/renamed.lua); its __fields maps the names of fields to one line of doc;
 * reading them runs no code. ls_push_graph and ls_push_buffer take ownership of the reference and release it
 * if Lua cannot allocate. */
void ls_new_metatable(lua_State *L, const char *name, const luaL_Reg *metamethods);
/* Also with __methods, and with `index` as __index, whose upvalue 1 is the table of methods. If index is
 * NULL, that table is __index. Leaves the metatable on the stack. */
void ls_new_type(lua_State *L, const char *name, const luaL_Reg *metamethods, const luaL_Reg *methods,
                 lua_CFunction index);
/* Sets __fields of the metatable on top. A row, of row_bytes, begins with two pointers: name and doc. */
void ls_set_docs(lua_State *L, const void *rows, size_t count, size_t row_bytes);
ls_graph *ls_check_graph(lua_State *L, int i);
ls_graph *ls_test_graph(lua_State *L, int i); /* NULL if it is not a graph */
void ls_push_graph(lua_State *L, ls_graph *g);
/* ls_check_graph for a caller that runs long work: also pushes a value that keeps the graph alive, even if a
 * finalizer closes it meanwhile. */
ls_graph *ls_pin_graph(lua_State *L, int i);
ls_buffer *ls_check_buffer(lua_State *L, int i); /* raises on a closed one */
ls_buffer *ls_test_buffer(lua_State *L, int i);
void ls_push_buffer(lua_State *L, ls_buffer *b);
/* Pushes a new buffer; raises if there is no memory. */
ls_buffer *ls_push_new_buffer(lua_State *L, ls_dtype type, u64 rows, u64 cols);
/* The same; returns its elements, which the caller must write. */
void *ls_push_output(lua_State *L, ls_dtype type, u64 rows, u64 cols);
/* Argument i: a buffer with one element per vertex of g, of type t (LS_W: of any type that distances have).
 */
ls_buffer *ls_check_per_vertex(lua_State *L, int i, const ls_graph *g, ls_dtype t);

/* If the buffer has one element per vertex of a graph whose labels are not the vertices' numbers, pushes that
 * graph and returns true; else pushes nothing. The buffer keeps the graph alive. */
bool ls_push_labels(lua_State *L, int buffer);
void ls_copy_labels(lua_State *L, int from, int to);

/* Defines a primitive in Lua: a function with the primitive's name. For a loop, prim.adopt(name) in
 * prelude.lua makes the function. */
struct ls_prim;
void ls_push_prim(lua_State *L, struct ls_prim *p);
void ls_publish_prim(lua_State *L, struct ls_prim *p); /* the same, and calls prim.adopt */

/* One opener per file; open.c calls them. */
int ls_open_buffer(lua_State *L);    /* l_buffer.c: buffer.new, methods */
int ls_open_graph(lua_State *L);     /* l_graph.c: graph type, graph.from_edges, methods */
int ls_open_load(lua_State *L);      /* l_load.c: graph.load, g:save */
int ls_open_gen(lua_State *L);       /* l_gen.c: gen.* */
int ls_open_reference(lua_State *L); /* l_reference.c: reference.* */
int ls_open_cycle(lua_State *L);     /* l_cycle.c: reference.find_cycle, check_cycle, ... */
int ls_open_network(lua_State *L);   /* l_network.c: reference.components, pagerank, triangles */
int ls_open_ranks(lua_State *L);     /* l_ranks.c: ranks.count, ranks.rank */
int ls_open_paper(lua_State *L);     /* l_paper.c: what lua/base/paper.lua needs of the system */
int ls_open_judge(lua_State *L);     /* l_judge.c: runs the programs that judge tests */
int ls_open_model(lua_State *L);     /* l_model.c: model.load, models of equations, reference.simulate */
int ls_open_prim(lua_State *L);      /* l_prim.c: one global per primitive, state.* */
int ls_open_kernel(lua_State *L);    /* l_kernel.c: kernel.*, loop */
int ls_open_device(lua_State *L);    /* l_device.c: device(), device.limits(), compare */
int ls_open_trace(lua_State *L);     /* l_trace.c: stats(), trace.* */
int ls_open_session(lua_State *L);   /* l_session.c: session.*, iterations(), checkpoint(), coroutine.* */
int ls_open_os(lua_State *L);        /* l_os.c: os.setlocale */
int ls_open_algorithm(lua_State *L); /* l_algorithm.c: algorithm.nearest */

#endif
