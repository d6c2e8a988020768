#include "repl/csv.h"

#include <string.h>

#include "lua/bind.h"

static void field(lua_State *L, int index, ls_text *out) {
  if (lua_isnil(L, index)) return;
  size_t len;
  const char *s = luaL_tolstring(L, index, &len);
  if (strcspn(s, ",\"\r\n") == len) {
    ls_text_add(out, s, len);
  } else {
    ls_text_putc(out, '"');
    for (size_t i = 0; i < len; i++) {
      if (s[i] == '"') ls_text_putc(out, '"');
      ls_text_putc(out, s[i]);
    }
    ls_text_putc(out, '"');
  }
  lua_pop(L, 1);
}

/* Pushes the sorted list of all names that occur in the n records at index; returns how many. */
static lua_Integer push_columns(lua_State *L, int index, lua_Integer n) {
  lua_newtable(L);
  lua_newtable(L); /* those seen */
  int list = lua_gettop(L) - 1, seen = list + 1;
  lua_Integer count = 0;
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, index, i);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pop(L, 1);
      if (lua_type(L, -1) != LUA_TSTRING) continue;
      lua_pushvalue(L, -1);
      if (lua_rawget(L, seen) == LUA_TNIL) {
        lua_pushvalue(L, -2);
        lua_rawseti(L, list, ++count);
        lua_pushvalue(L, -2);
        lua_pushboolean(L, 1);
        lua_rawset(L, seen);
      }
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  for (lua_Integer i = 2; i <= count; i++) /* by insertion: columns are few */
    for (lua_Integer j = i; j > 1; j--) {
      lua_rawgeti(L, list, j - 1);
      lua_rawgeti(L, list, j);
      bool sorted = strcmp(lua_tostring(L, -2), lua_tostring(L, -1)) <= 0;
      if (sorted) {
        lua_pop(L, 2);
        break;
      }
      lua_rawseti(L, list, j - 1);
      lua_rawseti(L, list, j);
    }
  return count;
}

static void record(lua_State *L, int row, int columns, lua_Integer count, ls_text *out) {
  for (lua_Integer c = 1; c <= count; c++) {
    if (c > 1) ls_text_putc(out, ',');
    lua_rawgeti(L, columns, c);
    lua_rawget(L, row);
    field(L, lua_gettop(L), out);
    lua_pop(L, 1);
  }
}

static void list(lua_State *L, int row, lua_Integer n, ls_text *out) {
  for (lua_Integer c = 1; c <= n; c++) {
    if (c > 1) ls_text_putc(out, ',');
    lua_rawgeti(L, row, c);
    field(L, lua_gettop(L), out);
    lua_pop(L, 1);
  }
}

void ls_csv(lua_State *L, int index, ls_text *out) {
  index = lua_absindex(L, index);
  lua_Integer n = lua_istable(L, index) ? (lua_Integer)lua_rawlen(L, index) : 0;
  if (n == 0) {
    field(L, index, out);
    ls_text_putc(out, '\n');
    return;
  }
  bool rows = true;
  for (lua_Integer i = 1; i <= n && rows; i++) {
    rows = lua_rawgeti(L, index, i) == LUA_TTABLE;
    lua_pop(L, 1);
  }
  lua_Integer count = rows ? push_columns(L, index, n) : 0;
  int columns = lua_gettop(L);
  if (count) {
    list(L, columns, count, out);
    ls_text_putc(out, '\n');
  }
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, index, i);
    int row = lua_gettop(L);
    if (count)
      record(L, row, columns, count, out);
    else if (rows)
      list(L, row, (lua_Integer)lua_rawlen(L, row), out);
    else
      field(L, row, out);
    ls_text_putc(out, '\n');
    lua_pop(L, 1);
  }
  if (rows) lua_pop(L, 1);
}
