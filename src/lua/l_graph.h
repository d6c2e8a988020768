/* What the files of the graph binding share among themselves. */
#ifndef LS_LUA_L_GRAPH_H
#define LS_LUA_L_GRAPH_H

#include "lua/bind.h"

extern const luaL_Reg ls_graph_makers[]; /* l_graph_new.c: graph.from_edges */
extern const luaL_Reg ls_graph_ops[];    /* l_graph_ops.c: methods that make graphs */
extern const luaL_Reg ls_graph_parts[];  /* l_graph_ops.c: functions that lua/graph.lua takes for itself */
/* On a GPU, with so many edges: pushes what lua/graph.lua makes a graph of a list by (1), or a part of a
 * graph (2). */
bool ls_graph_on_gpu(lua_State *L, u64 m, int which);
extern const luaL_Reg ls_graph_look[]; /* l_graph_stats.c: g:stats */

#endif
