/* States in Lua: state.scc(g), state.scc{n = 5, m = 8}, s.comp, s.n, s.graph, s:close(). */
#include "lua/base/l_state.h"

#include <string.h>

#include "core/mem.h"

#define STATE "lockstep.state"

ls_state *ls_test_state(lua_State *L, int i) {
  ls_state **box = luaL_testudata(L, i, STATE);
  return box ? *box : NULL;
}

static ls_state *check(lua_State *L, int i) {
  ls_state *s = *(ls_state **)luaL_checkudata(L, i, STATE);
  if (!s) luaL_error(L, "the state is closed");
  return s;
}

/* Raises: the value at index `at` is not an element type. */
static int no_type(lua_State *L, const ls_schema *schema, int at) {
  char types[LS_TYPES_TEXT];
  const char *got = luaL_tolstring(L, at, NULL);
  if (schema->types >> LS_NONE & 1)
    return luaL_error(L, "state.%s: expected no element type, got %s", schema->name, got);
  return luaL_error(L, "state.%s: expected the element type %s, got %s", schema->name,
                    ls_types_text(schema->types, types), got);
}

static ls_dtype check_type(lua_State *L, const ls_schema *schema, int at) {
  const ls_dtype type = lua_type(L, at) == LUA_TSTRING ? ls_dtype_parse(lua_tostring(L, at)) : LS_NONE;
  if (type == LS_NONE) no_type(L, schema, at);
  return type;
}

/* Reads {vars = 8, cells = 5000, type = "f64"}; the table keeps the names alive. */
static void take_table(lua_State *L, const ls_schema *schema, int at, ls_sizes *sizes, ls_dtype *type) {
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "state.%s: a table of sizes has names as keys", schema->name);
    const char *name = lua_tostring(L, -2);
    if (strcmp(name, "type") == 0) {
      *type = check_type(L, schema, lua_gettop(L));
      continue;
    }
    int exact = 0;
    const lua_Integer value = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &exact) : 0;
    if (!exact || value < 0)
      luaL_error(L, "state.%s: the size %s is %s, expected a whole number from 0 on", schema->name, name,
                 luaL_tolstring(L, -1, NULL));
    if (sizes->count == LS_MAX_SIZES) luaL_error(L, "state.%s: too many sizes are given", schema->name);
    ls_sizes_set(sizes, name, strlen(name), (u64)value);
  }
}

static ls_status make(lua_State *L, const ls_schema *schema, ls_state **box) {
  ls_sizes sizes = {.count = 0};
  ls_dtype type = LS_NONE;
  const int more = lua_istable(L, 1) ? 1 : 2;
  ls_graph *g = more == 2 ? ls_check_graph(L, 1) : NULL;
  if (lua_istable(L, more))
    take_table(L, schema, more, &sizes, &type);
  else if (!lua_isnoneornil(L, more))
    type = check_type(L, schema, more);
  return ls_state_new(schema, g, &sizes, type, box);
}

/* state.NAME([graph] [, element type or table of sizes]) */
static int new_state(lua_State *L) {
  const ls_schema *schema = lua_touserdata(L, lua_upvalueindex(1));
  const int given = lua_gettop(L);
  if (given > 2 || (given == 2 && lua_istable(L, 1)))
    return luaL_error(L,
                      "state.%s: expected a graph, and a table of sizes or an element type, got %d arguments",
                      schema->name, given);
  lua_settop(L, 2);
  ls_state **box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = NULL;
  luaL_setmetatable(L, STATE);
  ls_status st = make(L, schema, box);
  if (st == LS_EMEM || st == LS_EDEVICE) { /* a collection may free enough */
    lua_gc(L, LUA_GCCOLLECT);
    st = make(L, schema, box);
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
    if (s->graph)
      ls_push_graph(L, ls_graph_retain(s->graph));
    else
      lua_pushnil(L);
    return 1;
  }
  ls_buffer *b = ls_state_field(s, key);
  if (b) {
    ls_push_buffer(L, ls_buffer_retain(b));
    return 1;
  }
  u64 size;
  if (ls_state_size(s, key, &size)) return lua_pushinteger(L, (lua_Integer)size), 1;
  luaL_getmetatable(L, STATE);
  lua_getfield(L, -1, "__methods");
  lua_getfield(L, -1, key);
  if (lua_isnil(L, -1)) return luaL_error(L, "a state %s has no field '%s'", s->schema->name, key);
  return 1;
}

/* Raises: a state's buffers cannot be replaced, only their contents. */
static int assign_state(lua_State *L) {
  ls_state *s = check(L, 1);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  const ls_buffer *b = key ? ls_state_field(s, key) : NULL;
  if (!b)
    return luaL_error(
        L,
        "a state %s has no field '%s', and none can be added: keep it in a variable, or in a table of buffers, "
        "bundle{...}",
        s->schema->name, luaL_tolstring(L, 2, NULL));
  const ls_buffer *given = ls_test_buffer(L, 3);
  if (given && given->type == b->type && given->count == b->count)
    return luaL_error(L,
                      "a state's buffers cannot be replaced: copy(x, s.%s) copies x into it, "
                      "prim.swap(s.%s, x) exchanges contents",
                      key, key);
  return luaL_error(
      L,
      "a state's buffers cannot be replaced: s.%s[0] = x sets one element, s.%s:fill(x) sets all, "
      "copy(x, s.%s) copies a %s[%I] into it",
      key, key, key, ls_dtype_name(b->type), (LUAI_UACINT)b->count);
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
  char sizes[LS_SIZES_TEXT];
  ls_state_sizes_text(*box, sizes);
  const char *of = (*box)->graph ? " of " : "", *graph = (*box)->graph ? (*box)->graph->name : "";
  lua_pushfstring(L, "state %s%s%s%s%s", (*box)->schema->name, of, graph, *sizes ? ", " : "", sizes);
  luaL_addvalue(&out);
  for (int i = 0; i < (*box)->schema->nfields; i++) {
    const ls_field *f = &(*box)->schema->fields[i];
    const ls_buffer *b = (*box)->buffers[i];
    lua_pushfstring(L, "\n  %s %s[%I", f->name, ls_dtype_name(b->type), (lua_Integer)b->rows);
    luaL_addvalue(&out);
    if (b->cols) {
      lua_pushfstring(L, "x%I", (lua_Integer)b->cols);
      luaL_addvalue(&out);
    }
    luaL_addstring(&out, "]  ");
    luaL_addstring(&out, f->doc);
  }
  luaL_pushresult(&out);
  return 1;
}

int ls_open_state(lua_State *L) {
  luaL_newmetatable(L, STATE);
  const luaL_Reg meta[] = {{"__index", index_state}, {"__newindex", assign_state}, {"__gc", close_state},
                           {"__close", close_state}, {"__tostring", describe},     {NULL, NULL}};
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
