/* The functions of `algorithm` that are written in C: nearest, progress, vertices as text, labels, tally.
 * lua/base/algorithm.lua adds the others. */
#include "lua/bind.h"

#include "core/nearest.h"
#include "core/escape.h"
#include "core/wait.h"
#include "data/partition.h"
#include "data/reduce.h"

enum { MOST_NAMES = 256 };

/* algorithm.nearest(word, {name, ...}) */
static int nearest(lua_State *L) {
  const char *word = luaL_checkstring(L, 1), *names[MOST_NAMES];
  size_t count = 0;
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checkstack(L, MOST_NAMES, "too many names");
  for (lua_Integer i = 1; count < MOST_NAMES && lua_rawgeti(L, 2, i) == LUA_TSTRING; i++)
    names[count++] = lua_tostring(L, -1);            /* the names stay on the stack while they are compared */
  lua_pushstring(L, ls_nearest(word, names, count)); /* nil if it is NULL */
  return 1;
}

/* algorithm.progress(what, done [, total]), algorithm.progress() */
static int progress(lua_State *L) {
  if (lua_isnoneornil(L, 1)) return ls_progress_end(), 0;
  const lua_Integer done = luaL_checkinteger(L, 2), total = luaL_optinteger(L, 3, 0); /* 0: not known */
  luaL_argcheck(L, done >= 0 && (total >= done || lua_isnoneornil(L, 3)), 2, "from 0 to the total");
  ls_progress(luaL_checkstring(L, 1), (u64)done, (u64)total);
  return 0;
}

/* algorithm.vertex_text(g, v) */
static int vertex_text(lua_State *L) {
  const ls_graph *g = ls_check_graph(L, 1);
  const lua_Integer v = luaL_checkinteger(L, 2);
  luaL_argcheck(L, v >= 0 && v < (lua_Integer)g->n, 2, "no vertex of the graph");
  char text[LS_VERTEX_CHARS], shown[2 * LS_VERTEX_CHARS];
  lua_pushstring(L, ls_escaped(ls_graph_vertex_text(g, (u32)v, text), 0, shown, sizeof shown));
  return 1;
}

/* algorithm.numbering(g) */
static int numbering(lua_State *L) {
  char text[LS_NUMBERING_CHARS];
  lua_pushstring(L, ls_graph_numbering(ls_check_graph(L, 1), text));
  return 1;
}

static bool has_labels(const ls_graph *g) { return g->ids || g->vertex_names || g->label_base != 0; }

/* algorithm.meaning(b, word, g) */
static int meaning(lua_State *L) {
  static const char *const words[] = {"value", "greatest", "least", "vertex", NULL};
  static const u8 missing[] = {LS_MISSING_NONE, LS_MISSING_GREATEST, LS_MISSING_LEAST, LS_MISSING_GREATEST};
  ls_buffer *b = ls_check_buffer(L, 1);
  const int word = luaL_checkoption(L, 2, NULL, words);
  const ls_graph *g = ls_check_graph(L, 3);
  b->missing = missing[word];
  b->vertices = word == 3;
  if (has_labels(g) && b->rows == g->n && !b->cols) {
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, 1, 1);
  }
  return 0;
}

/* algorithm.labels(x): x is a graph or a buffer. Returns the graph, or the graph of the buffer, if the
 * graph's labels are not the vertices' numbers; else nil */
static int labels(lua_State *L) {
  const ls_graph *g = ls_test_graph(L, 1);
  if (g && has_labels(g)) return lua_settop(L, 1), 1;
  return !g && ls_test_buffer(L, 1) && ls_push_labels(L, 1);
}

/* algorithm.tally(sizes, most) returns a list {size, times, size, times, ...} and a number. The list has the
 * `most` largest different values in the u32 buffer `sizes`, each followed by how often it occurs. The number
 * is how many different values the buffer has. */
static int tally(lua_State *L) {
  enum { MOST = 64 };
  ls_tally t[MOST];
  u32 different = 0;
  ls_buffer *b = ls_check_buffer(L, 1);
  const lua_Integer most = luaL_checkinteger(L, 2);
  luaL_argcheck(L, b->type == LS_U32 && b->count <= UINT32_MAX, 1, "sizes of classes, u32, expected");
  luaL_argcheck(L, most >= 0 && most <= MOST, 2, "from 0 to 64 sizes");
  const u32 *sizes = ls_buffer_read(b);
  const ls_status st = sizes ? ls_partition_tally(sizes, b->count, (u32)most, t, &different) : LS_EMEM;
  if (st) return ls_raise(L, st);
  lua_newtable(L);
  for (u32 i = 0; i < different && i < (u32)most; i++) {
    lua_pushinteger(L, t[i].size);
    lua_rawseti(L, -2, 2 * (lua_Integer)i + 1);
    lua_pushinteger(L, (lua_Integer)t[i].times);
    lua_rawseti(L, -2, 2 * (lua_Integer)i + 2);
  }
  lua_pushinteger(L, different);
  return 2;
}

int ls_open_algorithm(lua_State *L) {
  static const luaL_Reg functions[] = {{"nearest", nearest},
                                       {"progress", progress},
                                       {"vertex_text", vertex_text},
                                       {"numbering", numbering},
                                       {"meaning", meaning},
                                       {"labels", labels},
                                       {"tally", tally},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  lua_setglobal(L, "algorithm");
  return 0;
}
