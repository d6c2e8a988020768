/* States in Lua: state.scc(g), s.comp, s.graph, s:close(). */
#include "lua/l_state.h"

#include <string.h>

#include "core/mem.h"

#define STATE "lockstep.state"

ls_state *ls_test_state(lua_State *L, int i) {
  ls_state **box = luaL_testudata(L, i, STATE);
  return box ? *box : NULL;
}

static ls_state *check(lua_State *L, int i) {
  ls_state *s = *(ls_state **)luaL_checkudata(L, i, STATE);
  if (!s || s->closed) luaL_error(L, "the state is closed");
  return s;
}

static int no_type(lua_State *L, const ls_schema *schema) {
  char types[LS_TYPES_TEXT];
  const char *got = luaL_tolstring(L, 2, NULL);
  if (schema->types >> LS_NONE & 1)
    return luaL_error(L, "state.%s: expected no element type, got %s", schema->name, got);
  return luaL_error(L, "state.%s: expected the element type %s, got %s", schema->name,
                    ls_types_text(schema->types, types), got);
}

static int new_state(lua_State *L) {
  const ls_schema *schema = lua_touserdata(L, lua_upvalueindex(1));
  ls_graph *g = ls_check_graph(L, 1);
  ls_dtype type = LS_NONE;
  if (!lua_isnoneornil(L, 2)) {
    if (lua_type(L, 2) == LUA_TSTRING) type = ls_dtype_parse(lua_tostring(L, 2));
    if (type == LS_NONE) return no_type(L, schema);
  }
  if (lua_gettop(L) > 2)
    return luaL_error(L, "state.%s: expected a graph and an element type, got %d arguments", schema->name,
                      lua_gettop(L));
  ls_state **box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = NULL;
  luaL_setmetatable(L, STATE);
  ls_status st = ls_state_new(schema, g, type, box);
  if (st == LS_EMEM || st == LS_EDEVICE) { /* what the collector holds may be enough */
    lua_gc(L, LUA_GCCOLLECT);
    st = ls_state_new(schema, g, type, box);
  }
  if (st) return ls_raise(L, st);
  u64 bytes = 0;
  for (int i = 0; i < schema->nfields; i++) bytes += ls_buffer_bytes((*box)->buffers[i]);
  ls_tell_collector(L, bytes);
  return 1;
}

static int index_state(lua_State *L) {
  ls_state *s = check(L, 1);
  const char *key = luaL_checkstring(L, 2);
  if (strcmp(key, "graph") == 0) {
    ls_push_graph(L, ls_graph_retain(s->graph));
    return 1;
  }
  ls_buffer *b = ls_state_field(s, key);
  if (b) {
    ls_push_buffer(L, ls_buffer_retain(b));
    return 1;
  }
  luaL_getmetatable(L, STATE);
  lua_getfield(L, -1, "__methods");
  lua_getfield(L, -1, key);
  if (lua_isnil(L, -1)) return luaL_error(L, "a state %s has no field '%s'", s->schema->name, key);
  return 1;
}

static int close_state(lua_State *L) {
  ls_state **box = luaL_checkudata(L, 1, STATE);
  if (*box) ls_state_free(*box);
  *box = NULL;
  return 0;
}

static int describe(lua_State *L) {
  ls_state **box = luaL_checkudata(L, 1, STATE);
  if (!*box) return lua_pushliteral(L, "state (closed)"), 1;
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  lua_pushfstring(L, "state %s of %s", (*box)->schema->name, (*box)->graph->name);
  luaL_addvalue(&out);
  for (int i = 0; i < (*box)->schema->nfields; i++) {
    const ls_field *f = &(*box)->schema->fields[i];
    const ls_buffer *b = (*box)->buffers[i];
    lua_pushfstring(L, "\n  %s %s[%I]  ", f->name, ls_dtype_name(b->type), (lua_Integer)b->count);
    luaL_addvalue(&out);
    luaL_addstring(&out, f->doc);
  }
  luaL_pushresult(&out);
  return 1;
}

int ls_open_state(lua_State *L) {
  luaL_newmetatable(L, STATE);
  const luaL_Reg meta[] = {{"__index", index_state},
                           {"__gc", close_state},
                           {"__close", close_state},
                           {"__tostring", describe},
                           {NULL, NULL}};
  luaL_setfuncs(L, meta, 0);
  lua_newtable(L);
  lua_pushcfunction(L, close_state);
  lua_setfield(L, -2, "close");
  lua_setfield(L, -2, "__methods");
  lua_pop(L, 1);
  lua_newtable(L);
  for (int i = 0; i < ls_schemas(); i++) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)ls_schema_at(i));
    lua_pushcclosure(L, new_state, 1);
    lua_setfield(L, -2, ls_schema_at(i)->name);
  }
  lua_setglobal(L, "state");
  return 0;
}
