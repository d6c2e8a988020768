/* stats() in Lua: what every primitive has cost, as a table of rows, as text, as CSV and as JSON lines. */
#include "lua/base/l_stats.h"

#include <math.h>
#include <string.h>

#include "core/output.h"
#include "lua/base/l_stats_lines.h"
#include "run/record/stats_text.h"

static void push_rows(lua_State *L, const ls_stat *rows, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_createtable(L, 0, LS_STAT_COLUMNS + 3);
    ls_set_string(L, "kernel", rows[i].name);
    if (rows[i].device) ls_set_string(L, "device", rows[i].device->name);
    for (int c = 0; c < LS_STAT_COLUMNS; c++) {
      f64 x = ls_stat_columns[c].value(&rows[i]);
      if (isnan(x)) continue;
      if (c == 0)
        ls_set_integer(L, ls_stat_columns[c].name, (u64)x);
      else
        ls_set_number(L, ls_stat_columns[c].name, x);
    }
    if (*rows[i].bound) ls_set_string(L, "bound", rows[i].bound);
    lua_rawseti(L, -2, i + 1);
  }
}

static const ls_stat_column *sorted_by; /* NULL: not sorted */
static void as_page(ls_text *b, const ls_stat *rows, int n) { ls_stats_text(b, rows, n, sorted_by); }

/* Pushes the text that `add` makes of the rows. */
static void push_text(lua_State *L, const ls_stat *rows, int n,
                      void (*add)(ls_text *, const ls_stat *, int)) {
  ls_text text = {0};
  add(&text, rows, n);
  ls_push_text(L, &text);
}

static bool option(lua_State *L, const char *name) {
  lua_getfield(L, 1, name);
  bool set = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return set;
}

/* Is `by` "line"? *order: the column that it names, or NULL. */
static bool check_options(lua_State *L, const ls_stat_column **order) {
  static const char *const names[] = {"by", "csv", "json"};
  ls_check_options(L, 1, "stats", names, 3);
  lua_getfield(L, 1, "by");
  const char *by = lua_isnil(L, -1) ? "kernel" : luaL_tolstring(L, -1, NULL);
  const bool lines = strcmp(by, "line") == 0;
  *order = ls_stat_column_named(by);
  if (!lines && !*order && strcmp(by, "kernel") != 0)
    luaL_error(
        L, "stats: by: \"line\" or a column expected, as \"limit\", \"total\" or \"calls\", got \"%s\"", by);
  lua_settop(L, 1);
  return lines;
}

/* stats(): a list of rows that prints as a table. stats("reset") starts again from zero; stats{csv = true}
 * and stats{json = true} return text; stats{by = "line"} has one row per line of the scripts, stats{by =
 * "limit"} sorts by that column. */
static int stats(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    if (strcmp(lua_tostring(L, 1), "reset") != 0)
      return luaL_error(L, "stats: \"reset\" or a table of options expected, got \"%s\"", lua_tostring(L, 1));
    ls_trace_reset();
    return 0;
  }
  const ls_stat_column *order = NULL;
  if (!lua_isnoneornil(L, 1)) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (check_options(L, &order)) {
      ls_push_stats_lines(L, option(L, "csv")    ? LS_STATS_CSV
                             : option(L, "json") ? LS_STATS_JSON
                                                 : LS_STATS_ROWS);
      return 1;
    }
  }
  ls_stat *rows = lua_newuserdatauv(L, LS_STATS_MOST * sizeof *rows, 0);
  int n = ls_trace_stats(rows, LS_STATS_MOST);
  if (n > LS_STATS_MOST) n = LS_STATS_MOST;
  if (order) ls_stats_sort(rows, n, order);
  if (lua_istable(L, 1) && option(L, "csv")) {
    push_text(L, rows, n, ls_stats_csv);
  } else if (lua_istable(L, 1) && option(L, "json")) {
    push_text(L, rows, n, ls_stats_json);
  } else {
    const char *columns[LS_STAT_COLUMNS + 3] = {"kernel", "device"};
    for (int c = 0; c < LS_STAT_COLUMNS; c++) columns[c + 2] = ls_stat_columns[c].name;
    columns[LS_STAT_COLUMNS + 2] = "bound";
    push_rows(L, rows, n);
    sorted_by = order;
    push_text(L, rows, n, ls_out.form == LS_CSV ? ls_stats_csv : as_page);
    ls_set_page(L, columns, LS_STAT_COLUMNS + 3);
  }
  return 1;
}

void ls_open_stats(lua_State *L) { lua_register(L, "stats", stats); }
