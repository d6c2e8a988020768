/* What the files of the graph binding share among themselves. */
#ifndef LS_LUA_L_GRAPH_H
#define LS_LUA_L_GRAPH_H

#include "lua/bind.h"

extern const luaL_Reg ls_graph_makers[]; /* l_graph_new.c: graph.from_edges */
extern const luaL_Reg ls_graph_ops[];    /* l_graph_ops.c: methods that make graphs */
extern const luaL_Reg ls_graph_look[];   /* l_graph_stats.c: g:stats */

#endif
