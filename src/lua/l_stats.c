/* stats() in Lua: what every primitive has cost, as a table of rows, as text, as CSV and as JSON lines. */
#include "lua/l_stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/output.h"
#include "lua/l_stats_lines.h"
#include "run/limits.h"
#include "run/trace.h"

enum { MAX_ROWS = 800 };

static const char *kernel_of(const ls_stat *s) { return s->prim ? s->prim->name : "(host gap)"; }

/* --- rows -------------------------------------------------------------------------------------------- */

static f64 a_second(f64 what, const ls_stat *s) { return s->total > 0 ? what / s->total : 0; }

/* The columns of a row in Lua, CSV and JSON; a value that is not known is left out. */
typedef struct column {
  const char *name;
  f64 (*value)(const ls_stat *s);
} column;

static f64 col_calls(const ls_stat *s) { return (f64)s->calls; }
static f64 col_total(const ls_stat *s) { return s->total; }
static f64 col_average(const ls_stat *s) { return s->average; }
static f64 col_median(const ls_stat *s) { return s->median; }
static f64 col_min(const ls_stat *s) { return s->min; }
static f64 col_max(const ls_stat *s) { return s->max; }
static f64 col_bytes(const ls_stat *s) { return s->bytes > 0 ? s->bytes : NAN; }
static f64 col_gathers(const ls_stat *s) { return s->gathers > 0 ? s->gathers : NAN; }
static f64 col_bytes_at_most(const ls_stat *s) { return s->bytes_at_most > 0 ? s->bytes_at_most : NAN; }
static f64 col_gathers_at_most(const ls_stat *s) { return s->gathers_at_most > 0 ? s->gathers_at_most : NAN; }
static f64 col_edges(const ls_stat *s) { return s->edges > 0 ? s->edges : NAN; }
static f64 col_byte_rate(const ls_stat *s) { return s->bytes > 0 ? a_second(s->bytes, s) : NAN; }
static f64 col_edge_rate(const ls_stat *s) { return s->edge_time > 0 ? s->edges / s->edge_time : NAN; }
static f64 col_limit(const ls_stat *s) { return s->limit >= 0 ? s->limit : NAN; }

static const column columns[] = {
    {"calls", col_calls},
    {"total", col_total},
    {"average", col_average},
    {"median", col_median},
    {"min", col_min},
    {"max", col_max},
    {"bytes", col_bytes},
    {"gathers", col_gathers},
    {"bytes_at_most", col_bytes_at_most},
    {"gathers_at_most", col_gathers_at_most},
    {"edges", col_edges},
    {"bytes_per_second", col_byte_rate},
    {"edges_per_second", col_edge_rate},
    {"limit", col_limit},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void push_rows(lua_State *L, const ls_stat *rows, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_createtable(L, 0, COLUMNS + 3);
    lua_pushstring(L, kernel_of(&rows[i]));
    lua_setfield(L, -2, "kernel");
    if (rows[i].device) {
      lua_pushstring(L, rows[i].device->name);
      lua_setfield(L, -2, "device");
    }
    for (int c = 0; c < COLUMNS; c++) {
      f64 x = columns[c].value(&rows[i]);
      if (isnan(x)) continue;
      if (c == 0)
        lua_pushinteger(L, (lua_Integer)x);
      else
        lua_pushnumber(L, x);
      lua_setfield(L, -2, columns[c].name);
    }
    if (*rows[i].bound) {
      lua_pushstring(L, rows[i].bound);
      lua_setfield(L, -2, "bound");
    }
    lua_rawseti(L, -2, i + 1);
  }
}

/* --- text -------------------------------------------------------------------------------------------- */

/* A number in at most six columns, a prefix from a million on. */
static const char *six(f64 x, char out[16]) {
  static const char prefixes[] = "kMGTPE";
  if (x < 999999.5) {
    snprintf(out, 16, "%.*f", x < 0.0995 ? 3 : x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x);
    return out;
  }
  int p = 0;
  for (x /= 1000; x >= 999.5 && p < 5; p++) x /= 1000;
  snprintf(out, 16, "%.*f%c", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, prefixes[p]);
  return out;
}

static const char *count(u64 n, char out[16]) {
  if (n >= 1000000) return six((f64)n, out);
  snprintf(out, 16, "%llu", (unsigned long long)n);
  return out;
}

static const char *rate(f64 x, char out[16]) {
  if (isnan(x)) return "-";
  static const char prefixes[] = " kMGTP";
  int p = 0;
  for (; x >= 999.5 && p < 5; p++) x /= 1000;
  snprintf(out, 16, "%.*f%c", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, prefixes[p]);
  return out;
}

static const char *gigabytes(f64 x, char out[16]) { return isnan(x) ? "-" : six(x * 1e-9, out); }

static void add_row(luaL_Buffer *b, const ls_stat *s) {
  char name[16], calls[16], total[16], times[4][16], gb[16], edges[16], limit[24] = "-";
  bool cut = strlen(kernel_of(s)) > 15;
  snprintf(name, sizeof name, "%.*s%s", cut ? 14 : 15, kernel_of(s), cut ? "~" : "");
  const f64 t[] = {s->average, s->median, s->min, s->max};
  for (int i = 0; i < 4; i++) six(t[i] * 1e6, times[i]);
  if (s->limit >= 0)
    snprintf(limit, sizeof limit, "%.0f%% %s", s->limit < 9.99 ? 100 * s->limit : 999, s->bound);
  char line[160];
  snprintf(line, sizeof line, "\n%-15s %6s %7s %6s %6s %6s %6s %6s %5s %8s", name, count(s->calls, calls),
           six(s->total * 1e3, total), times[0], times[1], times[2], times[3],
           gigabytes(col_byte_rate(s), gb), rate(col_edge_rate(s), edges), limit);
  luaL_addstring(b, line);
}

static void add_head(luaL_Buffer *b, const char *device) {
  char line[160];
  snprintf(line, sizeof line, "%-15s %6s %7s %6s %6s %6s %6s %6s %5s %8s", device, "calls", "tot ms",
           "avg us", "median", "min", "max", "GB/s", "edg/s", "limit");
  luaL_addstring(b, line);
}

/* A block a device, the busiest first, then the host gap. */
static void push_text(lua_State *L, const ls_stat *rows, int n) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  bool done[MAX_ROWS] = {false}, unmeasured = false, any = false;
  for (int i = 0; i < n; i++) {
    if (done[i] || !rows[i].device) continue;
    if (any) luaL_addchar(&b, '\n');
    any = true;
    add_head(&b, rows[i].device->name);
    for (int k = i; k < n; k++)
      if (rows[k].device == rows[i].device) {
        add_row(&b, &rows[k]);
        done[k] = true;
      }
    ls_limits l;
    unmeasured = unmeasured || !ls_limits_known(rows[i].device, &l);
  }
  if (n && !rows[n - 1].device) {
    if (!any) add_head(&b, "");
    add_row(&b, &rows[n - 1]);
  }
  if (!n) luaL_addstring(&b, ls_trace_enabled() ? "nothing has run yet" : "nothing was traced: trace.on()");
  if (unmeasured) luaL_addstring(&b, "\nlimit: unknown until device.limits() has measured it");
  if (ls_trace_lost()) {
    char line[80];
    snprintf(line, sizeof line, "\n%llu calls are missing: memory had run out",
             (unsigned long long)ls_trace_lost());
    luaL_addstring(&b, line);
  }
  luaL_pushresult(&b);
}

/* --- CSV and JSON lines ------------------------------------------------------------------------------ */

/* A number that reads back exactly; the locale has no say in its point. */
static void add_number(luaL_Buffer *b, f64 x) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", x);
  char *comma = strchr(text, ',');
  if (comma) *comma = '.';
  luaL_addstring(b, text);
}

static void push_csv(lua_State *L, const ls_stat *rows, int n) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "kernel,device");
  for (int c = 0; c < COLUMNS; c++) {
    luaL_addchar(&b, ',');
    luaL_addstring(&b, columns[c].name);
  }
  luaL_addstring(&b, ",bound\n");
  for (int i = 0; i < n; i++) {
    luaL_addstring(&b, kernel_of(&rows[i]));
    luaL_addchar(&b, ',');
    if (rows[i].device) luaL_addstring(&b, rows[i].device->name);
    for (int c = 0; c < COLUMNS; c++) {
      luaL_addchar(&b, ',');
      f64 x = columns[c].value(&rows[i]);
      if (!isnan(x)) add_number(&b, x);
    }
    luaL_addchar(&b, ',');
    luaL_addstring(&b, rows[i].bound);
    luaL_addchar(&b, '\n');
  }
  luaL_pushresult(&b);
}

/* The names of the columns, in their order. */
static void push_names(lua_State *L) {
  lua_Integer k = 0;
  lua_newtable(L);
  lua_pushliteral(L, "kernel");
  lua_rawseti(L, -2, ++k);
  lua_pushliteral(L, "device");
  lua_rawseti(L, -2, ++k);
  for (int c = 0; c < COLUMNS; c++) {
    lua_pushstring(L, columns[c].name);
    lua_rawseti(L, -2, ++k);
  }
  lua_pushliteral(L, "bound");
  lua_rawseti(L, -2, ++k);
}

static void push_json(lua_State *L, const ls_stat *rows, int n) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < n; i++) { /* names of rows and devices hold nothing to escape */
    luaL_addstring(&b, "{\"kernel\":\"");
    luaL_addstring(&b, kernel_of(&rows[i]));
    luaL_addstring(&b, "\"");
    if (rows[i].device) {
      luaL_addstring(&b, ",\"device\":\"");
      luaL_addstring(&b, rows[i].device->name);
      luaL_addstring(&b, "\"");
    }
    for (int c = 0; c < COLUMNS; c++) {
      f64 x = columns[c].value(&rows[i]);
      if (isnan(x)) continue;
      luaL_addstring(&b, ",\"");
      luaL_addstring(&b, columns[c].name);
      luaL_addstring(&b, "\":");
      add_number(&b, x);
    }
    if (*rows[i].bound) {
      luaL_addstring(&b, ",\"bound\":\"");
      luaL_addstring(&b, rows[i].bound);
      luaL_addstring(&b, "\"");
    }
    luaL_addstring(&b, "}\n");
  }
  luaL_pushresult(&b);
}

/* --- stats ------------------------------------------------------------------------------------------- */

/* The text was made with the rows and stands in their metatable. */
static int stats_tostring(lua_State *L) {
  luaL_getmetafield(L, 1, "text");
  return 1;
}

static bool option(lua_State *L, const char *name) {
  lua_getfield(L, 1, name);
  bool set = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return set;
}

/* Is `by` "line"? */
static bool check_options(lua_State *L) {
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strcmp(key, "csv") != 0 && strcmp(key, "json") != 0 && strcmp(key, "by") != 0)
      luaL_error(L, "stats: unknown option '%s': by = \"line\", csv = true or json = true expected",
                 luaL_tolstring(L, -2, NULL));
  }
  lua_getfield(L, 1, "by");
  const char *by = lua_isnil(L, -1) ? "kernel" : luaL_tolstring(L, -1, NULL);
  const bool lines = strcmp(by, "line") == 0;
  if (!lines && strcmp(by, "kernel") != 0)
    luaL_error(L, "stats: by: \"line\" or \"kernel\" expected, got \"%s\"", by);
  lua_settop(L, 1);
  return lines;
}

/* stats(): a list of rows that prints as a table. stats("reset") begins anew; stats{csv = true} and
 * stats{json = true} give text; stats{by = "line"} has a row a line of the scripts. */
static int stats(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    if (strcmp(lua_tostring(L, 1), "reset") != 0)
      return luaL_error(L, "stats: \"reset\" or a table of options expected, got \"%s\"", lua_tostring(L, 1));
    ls_trace_reset();
    return 0;
  }
  if (!lua_isnoneornil(L, 1)) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (check_options(L)) {
      ls_push_stats_lines(L, option(L, "csv")    ? LS_STATS_CSV
                             : option(L, "json") ? LS_STATS_JSON
                                                 : LS_STATS_ROWS);
      return 1;
    }
  }
  ls_stat *rows = lua_newuserdatauv(L, MAX_ROWS * sizeof *rows, 0);
  int n = ls_trace_stats(rows, MAX_ROWS);
  if (n > MAX_ROWS) n = MAX_ROWS;
  if (lua_istable(L, 1) && option(L, "csv")) {
    push_csv(L, rows, n);
  } else if (lua_istable(L, 1) && option(L, "json")) {
    push_json(L, rows, n);
  } else {
    push_rows(L, rows, n);
    lua_createtable(L, 0, 2);
    if (ls_out.form == LS_CSV)
      push_csv(L, rows, n);
    else
      push_text(L, rows, n);
    lua_setfield(L, -2, "text");
    push_names(L);
    lua_setfield(L, -2, "__columns"); /* for --csv */
    lua_pushcfunction(L, stats_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_setmetatable(L, -2);
  }
  return 1;
}

void ls_open_stats(lua_State *L) {
  lua_pushcfunction(L, stats);
  lua_setglobal(L, "stats");
}
