#include "lua/base/l_plot.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "lua/base/l_buffer.h"

static ls_status (*draw)(const ls_plot *p);

void ls_plot_hook(ls_status (*f)(const ls_plot *p)) { draw = f; }

#define OPTIONS "file, title, x, y, xlabel, ylabel, log, points, rows, width, height"

/* --- numbers; their sources stay on the stack, which keeps them alive -------------------------------- */

/* The list or buffer at i as reals, in a userdata that is pushed. */
static const f64 *numbers(lua_State *L, int i, const char *what, u64 *count) {
  i = lua_absindex(L, i);
  ls_buffer *b = ls_test_buffer(L, i);
  if (!b && lua_type(L, i) == LUA_TSTRING && !isdigit((unsigned char)*what))
    luaL_error(
        L,
        "plot: '%s' is not an option (%s), and the values of a line must be a list or a buffer, not a text",
        what, OPTIONS);
  if (!b && !lua_istable(L, i))
    luaL_error(L, "plot: %s: expected a list of numbers or a buffer, got %s", what, luaL_typename(L, i));
  *count = b ? b->count : (u64)lua_rawlen(L, i);
  f64 *out = lua_newuserdatauv(L, *count * sizeof *out + 1, 0);
  const void *p = b ? ls_host_read(L, b) : NULL;
  for (u64 k = 0; k < *count; k++) {
    if (b) {
      out[k] = ls_number_real(ls_number_at(b->type, p, k));
      continue;
    }
    lua_rawgeti(L, i, (lua_Integer)k + 1);
    int good;
    out[k] = lua_tonumberx(L, -1, &good);
    if (!good)
      luaL_error(
          L, "plot: %s: item %I is not a number, but %s%s", what, (LUAI_UACINT)(k + 1), luaL_typename(L, -1),
          lua_istable(L, -1) ? " (for a list of records: plot{rows = records, x = \"FIELD\", y = \"FIELD\"})"
                             : "");
    lua_pop(L, 1);
  }
  return out;
}

/* Pushes a userdata with 1, 2, ..., count. */
static const f64 *ordinals(lua_State *L, u64 count) {
  f64 *out = lua_newuserdatauv(L, count * sizeof *out + 1, 0);
  for (u64 k = 0; k < count; k++) out[k] = (f64)(k + 1);
  return out;
}

/* Pushes the names of a record's fields, sorted: "ms, n". */
static const char *fields_of(lua_State *L, int record) {
  luaL_Buffer b;
  lua_getglobal(L, "table");
  lua_getfield(L, -1, "sort");
  lua_newtable(L);
  const int list = lua_gettop(L);
  lua_Integer n = 0;
  for (lua_pushnil(L); lua_next(L, record); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) lua_pushvalue(L, -2), lua_rawseti(L, list, ++n);
  lua_pushvalue(L, list - 1);
  lua_pushvalue(L, list);
  lua_call(L, 1, 0);
  luaL_buffinit(L, &b);
  for (lua_Integer i = 1; i <= n; i++) {
    if (i > 1) luaL_addstring(&b, ", ");
    lua_rawgeti(L, list, i);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

/* Pushes a userdata with field `key` of every record of the list at `rows`. */
static const f64 *column(lua_State *L, int rows, const char *key, u64 count) {
  f64 *out = lua_newuserdatauv(L, count * sizeof *out + 1, 0);
  bool found = count == 0;
  for (u64 k = 0; k < count; k++) {
    if (lua_rawgeti(L, rows, (lua_Integer)k + 1) != LUA_TTABLE)
      luaL_error(L, "plot: rows: item %I is not a record", (LUAI_UACINT)(k + 1));
    lua_pushstring(L, key);
    lua_rawget(L, -2);
    int good;
    found = found || !lua_isnil(L, -1);
    out[k] = lua_isnil(L, -1) ? (f64)NAN : lua_tonumberx(L, -1, &good); /* a record without it leaves a gap */
    if (!lua_isnil(L, -1) && !good)
      luaL_error(L, "plot: %s of row %I is not a number", key, (LUAI_UACINT)(k + 1));
    lua_pop(L, 2);
  }
  if (!found) {
    lua_rawgeti(L, rows, 1);
    luaL_error(L, "plot: no row has a field '%s'; the first has %s", key, fields_of(L, lua_gettop(L)));
  }
  return out;
}

/* --- lines ------------------------------------------------------------------------------------------- */

static void add(lua_State *L, ls_plot *p, const char *name, const f64 *x, const f64 *y, u64 count) {
  if (p->count == LS_PLOT_LINES) luaL_error(L, "plot: more than %d lines", LS_PLOT_LINES);
  p->lines[p->count++] = (ls_plot_line){name, x, y, count};
}

/* Adds the value on top as a line: a list, a buffer, or {y = ..., x = ..., name = ...}. What the line refers
 * to stays on the stack. */
static void add_value(lua_State *L, ls_plot *p, const char *name, const f64 *common, u64 ncommon) {
  const int at = lua_gettop(L);
  u64 count, nx = ncommon;
  const f64 *x = common, *y;
  bool record = lua_istable(L, at) && lua_getfield(L, at, "y") != LUA_TNIL;
  if (record) {
    if (lua_getfield(L, at, "name") == LUA_TSTRING) name = lua_tostring(L, -1);
    y = numbers(L, at + 1, name, &count);
    if (lua_getfield(L, at, "x") != LUA_TNIL) x = numbers(L, -1, "x", &nx);
  } else {
    lua_settop(L, at);
    y = numbers(L, at, name, &count);
  }
  if (!x) x = ordinals(L, nx = count);
  if (nx != count)
    luaL_error(L, "plot: %s has %I values, but x has %I", name, (LUAI_UACINT)count, (LUAI_UACINT)nx);
  add(L, p, name, x, y, count);
}

static const char *text_option(lua_State *L, const char *key) {
  if (lua_getfield(L, 1, key) == LUA_TNIL || lua_type(L, -1) != LUA_TSTRING) return "";
  return lua_tostring(L, -1); /* stays on the stack */
}

static int size_option(lua_State *L, const char *key) {
  int good = 1;
  lua_Integer n = lua_getfield(L, 1, key) == LUA_TNIL ? 0 : lua_tointegerx(L, -1, &good);
  if (!good || n < 0 || n > 10000) luaL_error(L, "plot: %s: expected a number up to 10000", key);
  lua_pop(L, 1);
  return (int)n;
}

static bool is_option(const char *key) {
  static const char *const names[] = {"title", "x",    "y",      "xlabel", "ylabel", "log",
                                      "file",  "rows", "points", "width",  "height"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], key) == 0) return true;
  return false;
}

/* Adds the lines of the option `rows`, a list of records: the option `y` names one or several fields of the
 * records, the option `x` the field of the x coordinates. */
static void add_rows(lua_State *L, ls_plot *p) {
  const int rows = lua_gettop(L);
  luaL_argcheck(L, lua_istable(L, rows), 1, "rows: a list of records expected");
  const u64 count = (u64)lua_rawlen(L, rows);
  const f64 *x = *p->x_name ? column(L, rows, p->x_name, count) : ordinals(L, count);
  const int names = lua_gettop(L) + 1;
  const int type = lua_getfield(L, 1, "y");
  if (type == LUA_TSTRING) {
    add(L, p, lua_tostring(L, names), x, column(L, rows, lua_tostring(L, names), count), count);
    return;
  }
  if (type != LUA_TTABLE) luaL_error(L, "plot: 'rows' needs y = \"FIELD\" or y = {\"FIELD\", ...}");
  for (lua_Integer k = 1, n = (lua_Integer)lua_rawlen(L, names); k <= n; k++) {
    luaL_checkstack(L, 8, NULL);
    if (lua_rawgeti(L, names, k) != LUA_TSTRING) luaL_error(L, "plot: y: field names expected");
    const char *name = lua_tostring(L, -1);
    add(L, p, name, x, column(L, rows, name, count), count);
  }
}

/* Adds the named series of the table at 1, sorted by name, so that their order is always the same. */
static void add_named(lua_State *L, ls_plot *p, const f64 *common, u64 ncommon) {
  const char *last = "";
  for (;;) {
    const char *next = NULL;
    lua_pushnil(L);
    while (lua_next(L, 1)) {
      lua_pop(L, 1);
      if (lua_type(L, -1) != LUA_TSTRING) continue;
      const char *key = lua_tostring(L, -1); /* the table keeps the string alive */
      if (!is_option(key) && strcmp(key, last) > 0 && (!next || strcmp(key, next) < 0)) next = key;
    }
    if (!next) return;
    luaL_checkstack(L, 8, NULL);
    lua_getfield(L, 1, next);
    add_value(L, p, next, common, ncommon);
    last = next;
  }
}

static int plot(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  ls_plot p = {0};
  p.title = text_option(L, "title");
  p.x_name = text_option(L, "x");
  p.y_name = text_option(L, "y");
  const char *x_label = text_option(L, "xlabel"), *y_label = text_option(L, "ylabel");
  p.file = text_option(L, "file");
  if (!*p.file) p.file = NULL;
  const char *log = text_option(L, "log");
  if (*log && strspn(log, "xy") != strlen(log))
    return luaL_error(L, "plot: log: expected true, \"x\", \"y\" or \"xy\"");
  p.log_x = strchr(log, 'x') != NULL;
  p.log_y = strchr(log, 'y') != NULL || (lua_getfield(L, 1, "log") == LUA_TBOOLEAN && lua_toboolean(L, -1));
  lua_getfield(L, 1, "points");
  p.points = lua_toboolean(L, -1);
  p.width = size_option(L, "width");
  p.height = size_option(L, "height");
  const f64 *common = NULL;
  u64 ncommon = 0;
  const int x_type = lua_getfield(L, 1, "x");
  if (x_type != LUA_TNIL && x_type != LUA_TSTRING) common = numbers(L, -1, "x", &ncommon);
  if (lua_getfield(L, 1, "rows") != LUA_TNIL) {
    add_rows(L, &p);
  } else {
    for (lua_Integer k = 1, n = (lua_Integer)lua_rawlen(L, 1); k <= n; k++) {
      luaL_checkstack(L, 8, NULL);
      const char *name = lua_pushfstring(L, "%I", (LUAI_UACINT)k);
      lua_rawgeti(L, 1, k);
      add_value(L, &p, name, common, ncommon);
    }
    const int y_type = lua_getfield(L, 1, "y"); /* plot{x = {...}, y = {...}} */
    if (y_type != LUA_TNIL && y_type != LUA_TSTRING) add_value(L, &p, "y", common, ncommon);
    add_named(L, &p, common, ncommon);
  }
  if (*x_label) p.x_name = x_label;
  if (*y_label) p.y_name = y_label;
  if (p.count == 0)
    return luaL_error(L,
                      "plot: nothing to plot: pass values, as in plot{name = {1, 4, 9}}, or records, as in "
                      "plot{rows = records, x = \"n\", y = \"time\"}");
  if (!draw) return luaL_error(L, "plot: this program cannot draw plots");
  ls_status st = draw(&p);
  return st ? ls_raise(L, st) : 0;
}

int ls_open_plot(lua_State *L) {
  lua_register(L, "plot", plot);
  return 0;
}
