#include "repl/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/bind.h"

enum { DEPTH = 64 };

static void string(ls_text *out, const char *s, size_t len) {
  ls_text_putc(out, '"');
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c == '"' || c == '\\')
      ls_text_printf(out, "\\%c", c);
    else if (c == '\n')
      ls_text_puts(out, "\\n");
    else if (c < 0x20)
      ls_text_printf(out, "\\u%04x", c);
    else
      ls_text_putc(out, (char)c);
  }
  ls_text_putc(out, '"');
}

static void real(ls_text *out, double x) {
  char text[40];
  if (!isfinite(x)) {
    ls_text_puts(out, "null");
    return;
  }
  for (int digits = 15; digits <= 17; digits++) { /* the shortest that reads back the same */
    snprintf(text, sizeof text, "%.*g", digits, x);
    if (strtod(text, NULL) == x) break;
  }
  ls_text_puts(out, text);
}

static void buffer(lua_State *L, ls_buffer *b, ls_text *out) {
  ls_text_putc(out, '[');
  for (u64 i = 0; i < b->count; i++) {
    f64 f;
    i64 whole;
    if (ls_buffer_get(b, i, &f, &whole)) ls_raise(L, LS_EDEVICE);
    if (i) ls_text_putc(out, ',');
    if (ls_dtype_is_real(b->type))
      real(out, f);
    else if (b->type == LS_U64)
      ls_text_printf(out, "%llu", (unsigned long long)whole);
    else
      ls_text_printf(out, "%lld", (long long)whole);
  }
  ls_text_putc(out, ']');
}

static void json(lua_State *L, int index, ls_text *out, int depth);

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void object(lua_State *L, int index, ls_text *out, int depth) {
  size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    count++;
  }
  /* Sorted names, in memory that Lua frees should something raise. Numbers become names, as JSON asks. */
  const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
  lua_newtable(L);
  int values = lua_gettop(L);
  count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    luaL_tolstring(L, -2, NULL); /* key, value, name */
    names[count++] = lua_tostring(L, -1);
    lua_insert(L, -2);
    lua_rawset(L, values);
  }
  qsort(names, count, sizeof *names, by_name);
  ls_text_putc(out, '{');
  for (size_t i = 0; i < count; i++) {
    if (i) ls_text_putc(out, ',');
    string(out, names[i], strlen(names[i]));
    ls_text_putc(out, ':');
    lua_pushstring(L, names[i]);
    lua_rawget(L, values);
    json(L, lua_gettop(L), out, depth + 1);
    lua_pop(L, 1);
  }
  ls_text_putc(out, '}');
  lua_pop(L, 2);
}

static void array(lua_State *L, int index, lua_Integer n, ls_text *out, int depth) {
  ls_text_putc(out, '[');
  for (lua_Integer i = 1; i <= n; i++) {
    if (i > 1) ls_text_putc(out, ',');
    lua_rawgeti(L, index, i);
    json(L, lua_gettop(L), out, depth + 1);
    lua_pop(L, 1);
  }
  ls_text_putc(out, ']');
}

static bool is_array(lua_State *L, int index, lua_Integer n) {
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > n) {
      lua_pop(L, 1);
      return false;
    }
  }
  return n > 0;
}

static void json(lua_State *L, int index, ls_text *out, int depth) {
  size_t len;
  const char *s;
  ls_buffer *b;
  ls_graph *g;
  luaL_checkstack(L, 16, NULL);
  if (depth > DEPTH) luaL_error(L, "nested more than %d deep, or in a cycle", DEPTH);
  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN: ls_text_puts(out, lua_toboolean(L, index) ? "true" : "false"); return;
  case LUA_TNUMBER:
    if (lua_isinteger(L, index))
      ls_text_printf(out, "%lld", (long long)lua_tointeger(L, index));
    else
      real(out, lua_tonumber(L, index));
    return;
  case LUA_TSTRING:
    s = lua_tolstring(L, index, &len);
    string(out, s, len);
    return;
  case LUA_TTABLE: {
    lua_Integer n = (lua_Integer)lua_rawlen(L, index);
    if (is_array(L, index, n))
      array(L, index, n, out, depth);
    else
      object(L, index, out, depth);
    return;
  }
  case LUA_TUSERDATA:
    if ((b = ls_test_buffer(L, index)) && !b->closed) {
      buffer(L, b, out);
    } else if ((g = ls_test_graph(L, index))) {
      ls_text_puts(out, "{\"graph\":");
      string(out, g->name ? g->name : "", g->name ? strlen(g->name) : 0);
      ls_text_printf(out, ",\"n\":%u,\"m\":%llu}", g->n, (unsigned long long)g->m);
    } else {
      s = luaL_tolstring(L, index, &len);
      string(out, s, len);
      lua_pop(L, 1);
    }
    return;
  default: ls_text_puts(out, "null");
  }
}

void ls_json(lua_State *L, int index, ls_text *out) { json(L, lua_absindex(L, index), out, 0); }

void ls_json_lines(lua_State *L, int index, ls_text *out) {
  index = lua_absindex(L, index);
  lua_Integer n = lua_istable(L, index) ? (lua_Integer)lua_rawlen(L, index) : 0;
  bool rows = n > 0 && luaL_getmetafield(L, index, "__tostring") != LUA_TNIL;
  if (!rows) {
    ls_json(L, index, out);
    return;
  }
  lua_pop(L, 1);
  for (lua_Integer i = 1; i <= n; i++) {
    if (i > 1) ls_text_putc(out, '\n');
    lua_rawgeti(L, index, i);
    ls_json(L, lua_gettop(L), out);
    lua_pop(L, 1);
  }
}
