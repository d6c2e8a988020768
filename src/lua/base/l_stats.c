/* stats() in Lua: what every primitive has cost, as a table of rows, as text, as CSV and as JSON lines. */
#include "lua/base/l_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/output.h"
#include "core/text.h"
#include "lua/base/l_stats_lines.h"
#include "run/launch/dispatch.h"
#include "run/record/load_balance.h"
#include "run/devices/limits.h"
#include "run/record/trace.h"

enum { MAX_ROWS = 800 };

/* Marks the old version of a kernel that was replaced while the program ran. */
static const char *age_of(const ls_stat *s) { return s->prim && s->prim->newer ? " (old)" : ""; }

/* --- rows -------------------------------------------------------------------------------------------- */

static f64 a_second(f64 what, const ls_stat *s) { return s->total > 0 ? what / s->total : 0; }

/* The columns of a row in Lua, CSV and JSON; an unknown value is omitted. */
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
static f64 col_limit_at_most(const ls_stat *s) { return s->limit_at_most >= 0 ? s->limit_at_most : NAN; }
/* The time that would be saved if the kernel ran at its limit; if only an upper bound of its share of the
 * limit is known, a lower bound of this time. */
static f64 col_gain(const ls_stat *s) {
  const f64 share = s->limit >= 0 ? s->limit : s->limit_at_most;
  return share >= 0 ? s->total * (1 - share) : NAN;
}

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
    {"limit_at_most", col_limit_at_most},
    {"gain", col_gain},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const column *sorted_by; /* NULL: not sorted */

/* Would a call's work at the limit take less time than a launch? Then its share of the limit means
 * nothing. */
static bool is_small(const ls_stat *s) {
  const f64 least = 0.5e-6;
  return s->device && s->limit >= 0 && s->limit < 0.5 && s->average * s->limit < least;
}

/* Are rows sorted by limit or gain? Both mean the order by gain: a kernel that is far from its limit but
 * takes no time is of no interest. */
static bool by_limit(void) {
  return sorted_by && (sorted_by->value == col_limit || sorted_by->value == col_gain);
}

/* Sorts rows by decreasing value. Rows whose value is unknown follow, by decreasing total time. The host gap
 * is always last. */
static int compare(const void *a, const void *b) {
  const ls_stat *x = a, *y = b;
  if (!x->prim || !y->prim) return (x->prim == NULL) - (y->prim == NULL);
  f64 (*const value)(const ls_stat *) = by_limit() ? col_gain : sorted_by->value;
  f64 i = value(x), k = value(y);
  if (isnan(i) != isnan(k)) return isnan(i) - isnan(k);
  if (isnan(i)) i = x->total, k = y->total;
  return (i < k) - (i > k);
}

static void push_rows(lua_State *L, const ls_stat *rows, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_createtable(L, 0, COLUMNS + 3);
    lua_pushstring(L, rows[i].name);
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

/* A number in at most six columns, with a unit prefix from a million on. */
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

enum { NAME = 15, REST = 65 }; /* least width of a name; width of all other columns */

/* The width of names: that of the longest, if there is room for it. */
static int names_width(const ls_stat *rows, int n) {
  int most = NAME;
  for (int i = 0; i < n; i++) {
    const int len = (int)(strlen(rows[i].name) + strlen(age_of(&rows[i])));
    if (len > most) most = len;
  }
  const int room = ls_output_columns() - REST;
  return ls_output_columns() == 0 || room >= most ? most : room > NAME ? room : NAME;
}

/* Adds the name in `width` columns, truncated if necessary. */
static void add_name(luaL_Buffer *b, const char *name, const char *age, int width) {
  const int len = (int)strlen(name), room = width - (int)strlen(age);
  luaL_addlstring(b, name, (size_t)(len > room ? room - 1 : len));
  if (len > room) luaL_addchar(b, '~');
  luaL_addstring(b, age);
  for (int at = len; at < room; at++) luaL_addchar(b, ' ');
}

/* Does the row lack the costs from which a limit could be computed? */
static bool has_no_model(const ls_prim *p) {
  return p && !*p->bytes && !*p->gathers && !p->operations && !ls_prim_exchanges(p);
}

static void add_row(luaL_Buffer *b, const ls_stat *s, int width) {
  char calls[16], total[16], times[4][16], of_bytes[16], of_edges[16], gain[16] = "-", limit[24] = "-";
  const f64 t[] = {s->average, s->median, s->min, s->max};
  for (int i = 0; i < 4; i++) six(t[i] * 1e6, times[i]);
  if (s->limit >= 0)
    snprintf(limit, sizeof limit, "%.0f%% %s", 100 * s->limit, s->bound);
  else if (s->limit_at_most >= 0 && s->limit_at_most < 0.985)
    snprintf(limit, sizeof limit, "<%.0f%% %s", ceil(100 * s->limit_at_most), s->bound);
  else if (has_no_model(s->prim))
    snprintf(limit, sizeof limit, "no model");
  if (!isnan(col_gain(s))) six(col_gain(s) * 1e3, gain);
  luaL_addchar(b, '\n');
  add_name(b, s->name, age_of(s), width);
  char line[160];
  count(s->calls, calls);
  six(s->total * 1e3, total);
  const char *gb = gigabytes(col_byte_rate(s), of_bytes), *edges = rate(col_edge_rate(s), of_edges);
  if (by_limit())
    snprintf(line, sizeof line, " %6s %7s %7s %6s %6s %6s %5s %8s", calls, total, gain, times[0], times[1],
             gb, edges, limit);
  else
    snprintf(line, sizeof line, " %6s %7s %6s %6s %6s %6s %6s %5s %8s", calls, total, times[0], times[1],
             times[2], times[3], gb, edges, limit);
  luaL_addstring(b, line);
}

static void add_head(luaL_Buffer *b, const char *device, int width) {
  char line[160];
  add_name(b, device, "", width);
  if (by_limit())
    snprintf(line, sizeof line, " %6s %7s %7s %6s %6s %6s %5s %8s", "calls", "tot ms", "gain ms", "avg us",
             "median", "GB/s", "edg/s", "limit");
  else
    snprintf(line, sizeof line, " %6s %7s %6s %6s %6s %6s %6s %5s %8s", "calls", "tot ms", "avg us", "median",
             "min", "max", "GB/s", "edg/s", "limit");
  luaL_addstring(b, line);
}

/* Adds a note on kernels that have too little work for a meaningful share of the limit. */
static void add_small(luaL_Buffer *b, const ls_stat *rows, int n) {
  enum { NAMED = 3 };
  int small = 0, named = 0;
  char line[300] = "", more[40] = "";
  for (int i = 0; i < n; i++) small += is_small(&rows[i]);
  for (int i = 0; i < n && named < NAMED; i++) {
    if (!is_small(&rows[i])) continue;
    const size_t used = strlen(line);
    const char *before = named++ == 0 ? "" : named == small ? " and " : ", ";
    snprintf(line + used, sizeof line - used, "%s%.60s", before, rows[i].name);
  }
  if (!small) return;
  if (small > NAMED) snprintf(more, sizeof more, " and %d more", small - NAMED);
  luaL_addstring(b, "\nsmall: ");
  luaL_addstring(b, line);
  luaL_addstring(b, more);
  luaL_addstring(
      b,
      "; a call has work for less than 0.5 us at the limit, too little to judge by: measure on a larger graph");
}

/* Adds a note on a kernel that was faster than its limit of operations, which a cache cannot explain. */
static void add_too_low(luaL_Buffer *b, const ls_stat *s) {
  char line[280];
  snprintf(
      line, sizeof line,
      "\nlimit: %.60s was quicker than the limit of operations of %s: device.limits(\"%s\", true) measures it anew",
      s->name, s->device->name, s->device->name);
  luaL_addstring(b, line);
}

/* The time that a call's average work would take at the limit. */
static f64 at_limit(const ls_stat *s) { return s->average * s->limit; }

static bool is_far(const ls_stat *s) {
  return s->settled && s->limit >= 0 && !is_small(s) && at_limit(s) < 0.5 * s->median;
}

/* Adds a note on the kernel with most to gain: its time, and its time at the limit. The reason is not known.
 */
static void add_most_gain(luaL_Buffer *b, const ls_stat *s) {
  char work[16], took[16], gain[16], total[16], line[360];
  const bool ops = strcmp(s->bound, "ops") == 0;
  snprintf(line, sizeof line,
           "\n%.60s has most to gain, %s of %s ms: a call takes %s us (median); what it %s would take only "
           "%s us at the limit (%s)",
           s->name, six(col_gain(s) * 1e3, gain), six(s->total * 1e3, total), six(s->median * 1e6, took),
           ops                             ? "computes"
           : strcmp(s->bound, "link") == 0 ? "gets"
                                           : "touches",
           six(at_limit(s) * 1e6, work),
           ops                             ? "ops: updates"
           : strcmp(s->bound, "link") == 0 ? "link: from other ranks"
           : strcmp(s->bound, "irr") == 0  ? "irr: memory at random"
                                           : "mem: memory in order");
  luaL_addstring(b, line);
}

/* One block per device, the busiest first, then the host gap. */
static void push_text(lua_State *L, const ls_stat *rows, int n) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  bool done[MAX_ROWS] = {false}, any = false, unknown = false;
  const ls_device *unmeasured = NULL;
  const ls_stat *too_low = NULL;
  const int width = names_width(rows, n);
  for (int i = 0; i < n; i++) {
    if (done[i] || !rows[i].device) continue;
    if (any) luaL_addchar(&b, '\n');
    any = true;
    ls_limits l;
    const bool measured = ls_limits_known(rows[i].device, &l);
    add_head(&b, rows[i].device->name, width);
    for (int k = i; k < n; k++)
      if (rows[k].device == rows[i].device) {
        add_row(&b, &rows[k], width);
        done[k] = true;
        unknown = unknown || (measured && rows[k].limit < 0 && !rows[k].too_low && !rows[k].first);
        if (!too_low && rows[k].too_low) too_low = &rows[k];
      }
    if (!measured) unmeasured = rows[i].device;
  }
  if (n && !rows[n - 1].device) {
    if (!any) add_head(&b, "", width);
    add_row(&b, &rows[n - 1], width);
  }
  if (!n)
    luaL_addstring(&b, ls_trace_enabled() ? "nothing has run yet"
                                          : "nothing was traced: trace.on() starts tracing");
  if (unmeasured) {
    char line[120];
    snprintf(line, sizeof line, "\nlimit of %s: unknown until device.limits(\"%s\") has measured it",
             unmeasured->name, unmeasured->name);
    luaL_addstring(&b, line);
  }
  if (unknown)
    luaL_addstring(
        &b, "\nlimit: <5% means at most 5 %; - means unknown, as only a bound of what it touches is known;\n"
            "no model: what it touches is not counted");
  if (too_low) add_too_low(&b, too_low);
  if (by_limit() && n && is_far(&rows[0])) add_most_gain(&b, &rows[0]);
  add_small(&b, rows, n);
  char tally[120];
  ls_compare_tally(tally, sizeof tally);
  if (*tally) {
    luaL_addstring(&b, "\ncompare: launches: ");
    luaL_addstring(&b, tally);
  }
  if (ls_trace_lost()) {
    char line[80];
    snprintf(line, sizeof line, "\nmemory ran out; calls missing from these statistics: %llu",
             (unsigned long long)ls_trace_lost());
    luaL_addstring(&b, line);
  }
  for (int i = 0; i < ls_load_balance_lines(); i++) {
    char line[160];
    ls_load_balance_line(i, line, sizeof line);
    luaL_addchar(&b, '\n');
    luaL_addstring(&b, line);
  }
  luaL_pushresult(&b);
}

/* --- CSV and JSON lines ------------------------------------------------------------------------------ */

static void push_csv(lua_State *L, const ls_stat *rows, int n) {
  char number[40];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "kernel,device");
  for (int c = 0; c < COLUMNS; c++) {
    luaL_addchar(&b, ',');
    luaL_addstring(&b, columns[c].name);
  }
  luaL_addstring(&b, ",bound\n");
  for (int i = 0; i < n; i++) {
    luaL_addstring(&b, rows[i].name);
    luaL_addchar(&b, ',');
    if (rows[i].device) luaL_addstring(&b, rows[i].device->name);
    for (int c = 0; c < COLUMNS; c++) {
      luaL_addchar(&b, ',');
      f64 x = columns[c].value(&rows[i]);
      if (!isnan(x)) luaL_addstring(&b, ls_exact(x, number));
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
  char number[40];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < n; i++) { /* names of rows and devices contain nothing to escape */
    luaL_addstring(&b, "{\"kernel\":\"");
    luaL_addstring(&b, rows[i].name);
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
      luaL_addstring(&b, ls_exact(x, number));
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

/* The text was made together with the rows and is in their metatable. */
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

static const column *column_named(const char *name) {
  for (int c = 0; c < COLUMNS; c++)
    if (strcmp(columns[c].name, name) == 0) return &columns[c];
  return NULL;
}

/* Is `by` "line"? *order: the column that it names, or NULL. */
static bool check_options(lua_State *L, const column **order) {
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strcmp(key, "csv") != 0 && strcmp(key, "json") != 0 && strcmp(key, "by") != 0)
      luaL_error(L, "stats: unknown option '%s': by = \"line\", csv = true or json = true expected",
                 luaL_tolstring(L, -2, NULL));
  }
  lua_getfield(L, 1, "by");
  const char *by = lua_isnil(L, -1) ? "kernel" : luaL_tolstring(L, -1, NULL);
  const bool lines = strcmp(by, "line") == 0;
  *order = column_named(by);
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
  const column *order = NULL;
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
  ls_stat *rows = lua_newuserdatauv(L, MAX_ROWS * sizeof *rows, 0);
  int n = ls_trace_stats(rows, MAX_ROWS);
  if (n > MAX_ROWS) n = MAX_ROWS;
  sorted_by = order;
  if (order) qsort(rows, (size_t)n, sizeof *rows, compare);
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
