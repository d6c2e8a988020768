#include "repl/output/csv.h"

#include <math.h>
#include <string.h>

#include "lua/bind.h"
#include "repl/output/json.h"

/* Writes the value at index as one field: a buffer or a table without __tostring as JSON, a finite number as
 * in JSON, nan and inf as tostring writes them. */
static void field(lua_State *L, int index, ls_text *out) {
  if (lua_isnil(L, index)) return;
  if (lua_type(L, index) == LUA_TNUMBER && isfinite(lua_tonumber(L, index))) {
    ls_json(L, index, out);
    return;
  }
  const ls_buffer *b = ls_test_buffer(L, index);
  if ((b && !b->closed) || (lua_istable(L, index) && luaL_getmetafield(L, index, "__tostring") == LUA_TNIL)) {
    const size_t begin = out->len;
    ls_json(L, index, out);
    lua_pushlstring(L, ls_text_str(out) + begin, out->len - begin);
    ls_text_cut(out, begin);
  } else {
    if (lua_istable(L, index)) lua_pop(L, 1);
    luaL_tolstring(L, index, NULL);
  }
  size_t len;
  const char *s = lua_tolstring(L, -1, &len);
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

/* Vertex v as the graph's file has it: g:label(v). */
static void label(lua_State *L, int graph, lua_Integer v, ls_text *out) {
  lua_getfield(L, graph, "label");
  lua_pushvalue(L, graph);
  lua_pushinteger(L, v);
  lua_call(L, 2, 1);
  field(L, lua_gettop(L), out);
  lua_pop(L, 1);
}

/* Pushes the sorted list of all names that occur in the n records at index; returns how many. */
static lua_Integer push_columns(lua_State *L, int index, lua_Integer n) {
  lua_newtable(L);
  lua_newtable(L); /* set of the names seen */
  int list = lua_gettop(L) - 1, seen = list + 1;
  lua_Integer count = 0, nameless = 0;
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, index, i);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pop(L, 1);
      if (lua_type(L, -1) != LUA_TSTRING) {
        nameless = i;
        continue;
      }
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
  if (count && nameless)
    luaL_error(L, "row %I has a value without a name, while other values have names", (LUAI_UACINT)nameless);
  for (lua_Integer i = 2; i <= count; i++) /* insertion sort: columns are few */
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

/* Writes fields 1 .. count of the row or, if columns > 0, those that the list at `columns` names. */
static void record(lua_State *L, int row, int columns, lua_Integer count, ls_text *out) {
  for (lua_Integer c = 1; c <= count; c++) {
    if (c > 1) ls_text_putc(out, ',');
    lua_rawgeti(L, columns ? columns : row, c);
    if (columns) lua_rawget(L, row);
    field(L, lua_gettop(L), out);
    lua_pop(L, 1);
  }
}

/* Pushes the list of the columns to write, in order, and returns its length: the field `columns` of the table
 * at index, or __columns of its metatable. Returns 0 if neither is a list; one value is pushed in any
 * case. */
static lua_Integer push_order(lua_State *L, int index) {
  lua_pushnil(L);
  if (!lua_istable(L, index)) return 0;
  lua_pop(L, 1);
  lua_pushliteral(L, "columns");
  if (lua_rawget(L, index) != LUA_TTABLE) {
    lua_pop(L, 1);
    if (luaL_getmetafield(L, index, "__columns") == LUA_TNIL) lua_pushnil(L);
  }
  const lua_Integer count = lua_istable(L, -1) ? (lua_Integer)lua_rawlen(L, -1) : 0;
  for (lua_Integer i = 1; i <= count; i++) {
    if (lua_rawgeti(L, -1, i) != LUA_TSTRING)
      luaL_error(L, "columns: expected a list of names, got a %s as item %I", luaL_typename(L, -1),
                 (LUAI_UACINT)i);
    lua_pop(L, 1);
  }
  return count;
}

/* Writes the n rows of the list at index. If `ordered` > 0, records are written with only the `ordered`
 * columns that the list at `order` names. */
static void rows(lua_State *L, int index, lua_Integer n, int order, lua_Integer ordered, ls_text *out) {
  bool tables = true;
  for (lua_Integer i = 1; i <= n && tables; i++) {
    tables = lua_rawgeti(L, index, i) == LUA_TTABLE;
    lua_pop(L, 1);
  }
  lua_Integer count = tables ? push_columns(L, index, n) : 0;
  if (count && ordered) {
    lua_pop(L, 1);
    lua_pushvalue(L, order);
    count = ordered;
  }
  int columns = lua_gettop(L);
  if (count) {
    record(L, columns, 0, count, out);
    ls_text_putc(out, '\n');
  }
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, index, i);
    int row = lua_gettop(L);
    if (count)
      record(L, row, columns, count, out);
    else if (tables)
      record(L, row, 0, (lua_Integer)lua_rawlen(L, row), out);
    else
      field(L, row, out);
    ls_text_putc(out, '\n');
    lua_pop(L, 1);
  }
  if (tables) lua_pop(L, 1);
}

/* --- a table of columns ------------------------------------------------------------------------------ */

/* The number of items of the value at index if it can be a column (an open buffer, or a list without tables
 * and userdata); else -1. */
static lua_Integer column_length(lua_State *L, int index) {
  const ls_buffer *b = ls_test_buffer(L, index);
  if (b) return b->closed ? -1 : (lua_Integer)b->count;
  if (!lua_istable(L, index)) return -1;
  const lua_Integer n = (lua_Integer)lua_rawlen(L, index);
  for (lua_Integer i = 1; i <= n; i++) {
    const int type = lua_rawgeti(L, index, i);
    lua_pop(L, 1);
    if (type == LUA_TTABLE || type == LUA_TUSERDATA) return -1;
  }
  return n > 0 ? n : -1;
}

/* Are all fields of the table, except `columns`, columns of one length? Then *n is the number of rows. Raises
 * an error if all are columns, at least one is a buffer, and the lengths differ. */
static bool is_columnar(lua_State *L, int table, lua_Integer *n) {
  bool all = true, same = true, buffers = false;
  *n = -1;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    const int at = lua_gettop(L);
    const bool named = lua_type(L, at - 1) == LUA_TSTRING;
    if (!named || strcmp(lua_tostring(L, at - 1), "columns") != 0) {
      const lua_Integer length = named ? column_length(L, at) : -1;
      all = all && length >= 0;
      same = same && (*n < 0 || length == *n);
      buffers = buffers || ls_test_buffer(L, at);
      *n = length;
    }
    lua_pop(L, 1);
  }
  if (all && !same && buffers) luaL_error(L, "the columns of this table have different lengths");
  return all && same && *n >= 0;
}

/* Pushes the graph whose labels name the rows: the one to which all labelled columns belong; nil if there is
 * no such column, or if they belong to several graphs. */
static void push_row_labels(lua_State *L, int first, lua_Integer count) {
  lua_pushnil(L);
  const int graph = lua_gettop(L);
  for (int c = first; c < first + count; c++) {
    if (!ls_test_buffer(L, c) || !ls_push_labels(L, c)) continue;
    if (!lua_isnil(L, graph) && !lua_rawequal(L, graph, -1)) { /* a second graph: ambiguous */
      lua_settop(L, graph - 1);
      lua_pushnil(L);
      return;
    }
    lua_replace(L, graph);
  }
}

static void item(lua_State *L, int column, lua_Integer i, ls_text *out) {
  ls_buffer *b = ls_test_buffer(L, column);
  f64 f;
  i64 v;
  if (b && b->vertices && ls_push_labels(L, column)) {
    if (!ls_element_missing(L, b, (u64)i)) {
      if (ls_buffer_get(b, (u64)i, &f, &v)) ls_raise(L, LS_EDEVICE);
      label(L, lua_gettop(L), v, out);
    }
    lua_pop(L, 1);
  } else if (b) {
    ls_element(L, b, (u64)i, true, out);
  } else if (lua_istable(L, column)) {
    lua_rawgeti(L, column, i + 1);
    field(L, lua_gettop(L), out);
    lua_pop(L, 1);
  }
}

/* Writes a line of names, then one line per row: the row's number from 0, under the name `i`, and one item
 * per column. If the rows are vertices of a graph with labels, the label replaces the number, under the name
 * `vertex`. Neither is written if a column is called `i` or `vertex`. Items that are vertices are written as
 * labels too. */
static void columnar(lua_State *L, int table, lua_Integer n, int order, lua_Integer count, ls_text *out) {
  if (count) {
    lua_pushvalue(L, order);
  } else {
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, table);
    lua_rawseti(L, -2, 1);
    count = push_columns(L, lua_gettop(L), 1);
    lua_remove(L, -2);
  }
  const int names = lua_gettop(L);
  bool numbered = true;
  luaL_checkstack(L, (int)count + 8, "too many columns");
  for (lua_Integer c = 1; c <= count; c++) {
    lua_rawgeti(L, names, c);
    if (strcmp(lua_tostring(L, -1), "i") == 0 || strcmp(lua_tostring(L, -1), "vertex") == 0) numbered = false;
    lua_rawget(L, table);
  }
  push_row_labels(L, names + 1, count);
  const int graph = lua_gettop(L);
  const bool labelled = !lua_isnil(L, graph);
  if (numbered) ls_text_puts(out, labelled ? "vertex," : "i,");
  record(L, names, 0, count, out);
  ls_text_putc(out, '\n');
  for (lua_Integer i = 0; i < n; i++) {
    if (numbered && labelled) {
      label(L, graph, i, out);
      ls_text_putc(out, ',');
    } else if (numbered) {
      ls_text_printf(out, "%lld,", (long long)i);
    }
    for (lua_Integer c = 1; c <= count; c++) {
      if (c > 1) ls_text_putc(out, ',');
      item(L, names + (int)c, i, out);
    }
    ls_text_putc(out, '\n');
  }
  lua_settop(L, names - 1);
}

static bool is_empty(lua_State *L, int table) {
  lua_pushnil(L);
  if (!lua_next(L, table)) return true;
  lua_pop(L, 2);
  return false;
}

void ls_csv(lua_State *L, int index, ls_text *out) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 24, NULL);
  ls_buffer *b = ls_test_buffer(L, index);
  if (b && !b->closed) {
    for (u64 i = 0; i < b->count; i++) {
      const size_t before = out->len;
      item(L, index, (lua_Integer)i, out);
      if (out->len == before) ls_text_puts(out, "\"\""); /* readers of CSV skip empty lines */
      ls_text_putc(out, '\n');
    }
    return;
  }
  const bool record = ls_push_record(L, index);
  if (!record) lua_pushvalue(L, index);
  const int value = lua_gettop(L);
  const bool table = !record && lua_istable(L, index);
  lua_Integer n = table ? (lua_Integer)lua_rawlen(L, index) : 1, length;
  const lua_Integer ordered = push_order(L, index);
  const int order = lua_gettop(L);
  if (table && n == 0 && is_columnar(L, index, &length)) {
    columnar(L, index, length, order, ordered, out);
    lua_settop(L, value - 1);
    return;
  }
  lua_newtable(L); /* the rows; objects with fields are converted to tables */
  if (!table || n == 0) {
    lua_pushvalue(L, value);
    lua_rawseti(L, -2, 1);
    n = !table || !is_empty(L, index);
  } else {
    for (lua_Integer i = 1; i <= n; i++) {
      lua_rawgeti(L, index, i);
      if (ls_push_record(L, -1)) lua_remove(L, -2);
      lua_rawseti(L, -2, i);
    }
  }
  rows(L, lua_gettop(L), n, order, ordered, out);
  lua_settop(L, value - 1);
}
