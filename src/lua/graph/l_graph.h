/* Shared by the files of the graph binding. */
#ifndef LS_LUA_L_GRAPH_H
#define LS_LUA_L_GRAPH_H

#include "lua/bind.h"

extern const luaL_Reg ls_graph_makers[]; /* l_graph_new.c: graph.from_edges */
extern const luaL_Reg ls_graph_ops[];    /* l_graph_ops.c: methods that make graphs */
extern const luaL_Reg ls_graph_parts[];  /* l_graph_ops.c: functions that only lua/graph/graph.lua uses */
/* If the current device is a GPU and there are enough edges: pushes the function of lua/graph/graph.lua that
 * builds a graph from an edge list (which = 1) or a subgraph (2), and returns true. */
bool ls_graph_on_gpu(lua_State *L, u64 m, int which);
extern const luaL_Reg ls_graph_look[]; /* l_graph_stats.c: g:stats */

#endif
