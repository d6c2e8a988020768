#include "repl/output/json.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/escape.h"
#include "core/text.h"
#include "data/reduce.h"
#include "lua/bind.h"

enum { DEPTH = 64 };

/* Writes the first character of s as in JSON; returns how many bytes of s it took. A byte that is not UTF-8
 * becomes U+FFFD; control characters and invisible ones are escaped. */
static size_t character(ls_text *out, const char *s, size_t n) {
  char shown[LS_ESCAPED_CHAR];
  u32 ch = 0;
  const size_t bytes = ls_utf8_read(s, n, &ch);
  if (bytes == 0) {
    ls_text_puts(out, "\\ufffd");
    return 1;
  }
  ls_escaped_char(s, n, 0, shown);
  if (ch == '"' || ch == '\\')
    ls_text_printf(out, "\\%c", (char)ch);
  else if (ch == '\n')
    ls_text_puts(out, "\\n");
  else if (memcmp(s, shown, bytes) == 0)
    ls_text_add(out, s, bytes);
  else if (ch > 0xffff)
    ls_text_printf(out, "\\u%04x\\u%04x", 0xd7c0 + (ch >> 10), 0xdc00 + (ch & 0x3ff));
  else
    ls_text_printf(out, "\\u%04x", ch);
  return bytes;
}

static void string(ls_text *out, const char *s, size_t len) {
  ls_text_putc(out, '"');
  while (len > 0) {
    const size_t bytes = character(out, s, len);
    s += bytes;
    len -= bytes;
  }
  ls_text_putc(out, '"');
}

typedef char number_text[40];

static const char *real(double x, number_text text) { return isfinite(x) ? ls_exact(x, text) : "null"; }

bool ls_element_missing(lua_State *L, ls_buffer *b, u64 i) {
  if (b->missing == LS_MISSING_NONE) return false;
  const void *p = ls_buffer_read(b); /* the whole buffer: one copy from the device, not one per element */
  if (!p) ls_raise(L, LS_EDEVICE);
  return ls_number_is_missing(b->type, ls_number_at(b->type, p, i), b->missing);
}

void ls_element(lua_State *L, ls_buffer *b, u64 i, bool csv, ls_text *out) {
  f64 f;
  i64 whole;
  number_text text;
  if (ls_element_missing(L, b, i)) {
    ls_text_puts(out, csv ? "" : "null");
    return;
  }
  if (ls_buffer_get(b, i, &f, &whole)) ls_raise(L, LS_EDEVICE);
  if (ls_dtype_is_real(b->type) && csv && !isfinite(f))
    ls_text_puts(out, isnan(f) ? "nan" : f > 0 ? "inf" : "-inf");
  else if (ls_dtype_is_real(b->type))
    ls_text_puts(out, real(f, text));
  else if (b->type == LS_U64)
    ls_text_printf(out, "%llu", (unsigned long long)whole);
  else
    ls_text_printf(out, "%lld", (long long)whole);
}

static void buffer(lua_State *L, ls_buffer *b, ls_text *out) {
  ls_text_putc(out, '[');
  for (u64 i = 0; i < b->count; i++) {
    if (i) ls_text_putc(out, ',');
    ls_element(L, b, i, false, out);
  }
  ls_text_putc(out, ']');
}

static void json(lua_State *L, int index, ls_text *out, int depth);

typedef struct name {
  const char *s;
  size_t len;
  lua_Integer item; /* `list` of object() has the key at 2 * item + 1, its value after it */
} name;

static int by_name(const void *a, const void *b) {
  const name *x = a, *y = b;
  int order = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);
  return order ? order : x->len < y->len ? -1 : x->len > y->len;
}

/* Pushes the text of the key on top of the stack: for a number or boolean its literal, for a userdata or
 * table the result of its __tostring. Raises an error for other keys. */
static void push_name(lua_State *L) {
  number_text text;
  switch (lua_type(L, -1)) {
  case LUA_TSTRING: lua_pushvalue(L, -1); return;
  case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, -1) ? "true" : "false"); return;
  case LUA_TNUMBER:
    if (lua_isinteger(L, -1)) {
      lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, -1));
      return;
    }
    if (isfinite(lua_tonumber(L, -1)))
      lua_pushstring(L, real(lua_tonumber(L, -1), text));
    else
      lua_pushstring(L, lua_tonumber(L, -1) > 0 ? "inf" : "-inf"); /* no key is NaN */
    return;
  default:
    if (luaL_getmetafield(L, -1, "__tostring") == LUA_TNIL)
      luaL_error(L, "a key is a %s, which JSON cannot represent; expected a string, a number or a boolean",
                 luaL_typename(L, -1));
    lua_pop(L, 1);
    luaL_tolstring(L, -1, NULL);
  }
}

/* Converts the string on top of the stack to a JSON string, in quotes, and pushes that. Two different strings
 * may become equal, because bytes that are not UTF-8 are replaced. */
static void push_quoted(lua_State *L, ls_text *scratch) {
  const size_t begin = scratch->len;
  size_t len;
  const char *s = lua_tolstring(L, -1, &len);
  string(scratch, s, len);
  lua_pushlstring(L, ls_text_str(scratch) + begin, scratch->len - begin);
  ls_text_cut(scratch, begin);
}

/* Copies all keys and values out of the table first: a key's __tostring, which may be a user's function,
 * could change the table while it is traversed. */
static void object(lua_State *L, int index, ls_text *out, int depth) {
  lua_Integer count = 0;
  lua_newtable(L); /* key, value, key, value ... */
  const int list = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, list, 2 * ++count - 1);
    lua_rawseti(L, list, 2 * count);
  }
  /* Allocated by Lua, which frees it if an error is raised. */
  name *names = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
  lua_createtable(L, (int)(count < INT_MAX ? count : INT_MAX), 0); /* keeps the strings in `names` alive */
  for (lua_Integer i = 0; i < count; i++) {
    lua_rawgeti(L, list, 2 * i + 1);
    push_name(L);
    push_quoted(L, out);
    names[i].s = lua_tolstring(L, -1, &names[i].len) + 1; /* without the quotes */
    names[i].len -= 2;
    names[i].item = i;
    lua_rawseti(L, list + 2, i + 1);
    lua_pop(L, 2);
  }
  qsort(names, (size_t)count, sizeof *names, by_name);
  ls_text_putc(out, '{');
  for (lua_Integer i = 0; i < count; i++) {
    if (i && by_name(&names[i - 1], &names[i]) == 0) {
      lua_pushlstring(L, names[i].s, names[i].len);
      luaL_error(L, "two keys of a table become the same key \"%s\" in JSON, as 1 and \"1\" do",
                 lua_tostring(L, -1));
    }
    if (i) ls_text_putc(out, ',');
    ls_text_putc(out, '"');
    ls_text_add(out, names[i].s, names[i].len);
    ls_text_puts(out, "\":");
    lua_rawgeti(L, list, 2 * names[i].item + 2);
    json(L, lua_gettop(L), out, depth + 1);
    lua_pop(L, 1);
  }
  ls_text_putc(out, '}');
  lua_settop(L, list - 1);
}

/* Called with a userdata and the __fields of its type: returns a table of the userdata's fields. */
static int read_fields(lua_State *L) {
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, 2)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushvalue(L, -1);
    lua_gettable(L, 1);
    lua_rawset(L, 3);
  }
  return 1;
}

bool ls_push_record(lua_State *L, int index) {
  ls_graph *g = ls_test_graph(L, index);
  const int top = lua_gettop(L);
  index = lua_absindex(L, index);
  if (g) {
    lua_createtable(L, 0, 3);
    lua_pushstring(L, g->name ? g->name : "");
    lua_setfield(L, -2, "graph");
    lua_pushinteger(L, g->n);
    lua_setfield(L, -2, "n");
    lua_pushinteger(L, (lua_Integer)g->m);
    lua_setfield(L, -2, "m");
    if (g->vertex_names && g->vertex_names->unexpanded) {
      lua_pushinteger(L, (lua_Integer)g->vertex_names->unexpanded);
      lua_setfield(L, -2, "unexpanded");
    }
    return true;
  }
  if (lua_istable(L, index)) { /* the result of an algorithm */
    if (luaL_getmetafield(L, index, "__record") != LUA_TFUNCTION) return lua_settop(L, top), false;
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    if (!lua_istable(L, -1)) luaL_error(L, "__record: expected a table, got %s", luaL_typename(L, -1));
    return true;
  }
  if (lua_type(L, index) != LUA_TUSERDATA || luaL_getmetafield(L, index, "__fields") == LUA_TNIL)
    return false;
  lua_pushcfunction(L, read_fields);
  lua_pushvalue(L, index);
  lua_pushvalue(L, -3);
  bool read = lua_pcall(L, 2, 1, 0) == LUA_OK; /* reading fields of a closed object may fail */
  lua_remove(L, -2);
  if (!read) lua_pop(L, 1);
  return read;
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

/* Is the table a list? A field `columns`, which only CSV uses, is ignored. */
static bool is_array(lua_State *L, int index, lua_Integer n) {
  lua_pushnil(L);
  while (lua_next(L, index)) {
    const bool order =
        lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "columns") == 0 && lua_istable(L, -1);
    lua_pop(L, 1);
    if (order) continue;
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
  number_text text;
  luaL_checkstack(L, 16, NULL);
  if (depth > DEPTH) luaL_error(L, "the value is nested more than %d deep, or contains itself", DEPTH);
  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN: ls_text_puts(out, lua_toboolean(L, index) ? "true" : "false"); return;
  case LUA_TNUMBER:
    if (lua_isinteger(L, index))
      ls_text_printf(out, "%lld", (long long)lua_tointeger(L, index));
    else
      ls_text_puts(out, real(lua_tonumber(L, index), text));
    return;
  case LUA_TSTRING:
    s = lua_tolstring(L, index, &len);
    string(out, s, len);
    return;
  case LUA_TTABLE: {
    if (ls_push_record(L, index)) {
      object(L, lua_gettop(L), out, depth);
      lua_pop(L, 1);
      return;
    }
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
      ls_text_printf(out, ",\"n\":%u,\"m\":%llu", g->n, (unsigned long long)g->m);
      if (g->vertex_names && g->vertex_names->unexpanded)
        ls_text_printf(out, ",\"unexpanded\":%llu", (unsigned long long)g->vertex_names->unexpanded);
      ls_text_putc(out, '}');
    } else if (ls_push_record(L, index)) {
      object(L, lua_gettop(L), out, depth);
      lua_pop(L, 1);
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

/* Is it a list that prints itself as a table? */
static bool is_rows(lua_State *L, int index) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index) || luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return false;
  lua_pop(L, 1);
  if (lua_rawlen(L, index) > 0) return true;
  lua_pushnil(L);
  if (!lua_next(L, index)) return true; /* an empty list */
  lua_pop(L, 2);
  return false;
}

void ls_json_lines(lua_State *L, int index, ls_text *out) {
  index = lua_absindex(L, index);
  lua_Integer n = lua_istable(L, index) ? (lua_Integer)lua_rawlen(L, index) : 0;
  if (!is_rows(L, index)) {
    ls_json(L, index, out);
    ls_text_putc(out, '\n');
    return;
  }
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, index, i);
    ls_json(L, lua_gettop(L), out);
    ls_text_putc(out, '\n');
    lua_pop(L, 1);
  }
}
