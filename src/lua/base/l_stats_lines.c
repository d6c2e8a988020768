#include "lua/base/l_stats_lines.h"

#include <stdio.h>
#include <string.h>

#include "core/output.h"
#include "core/escape.h"
#include "core/text.h"
#include "run/record/trace.h"

enum { ROWS = LS_TRACE_LINES + 1 };

static const char *const names[] = {"line", "kernel", "calls", "total", "average", "share"};
enum { NAMES = sizeof names / sizeof *names };

/* The primitive that has taken most of the line's time. */
static const char *kernel_of(const ls_line_stat *s) {
  const ls_work_part *most = ls_time_cell_most(&s->cost);
  return most ? ((const ls_prim *)most->what)->name : "";
}

static f64 share_of(const ls_line_stat *s) {
  const f64 total = ls_trace_lines_total();
  return total > 0 ? s->cost.busy / total : 0;
}

static f64 average_of(const ls_line_stat *s) { return s->cost.count ? s->cost.busy / (f64)s->cost.count : 0; }

static void push_rows(lua_State *L, const ls_line_stat *const *rows, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    const f64 numbers[] = {rows[i]->cost.busy, average_of(rows[i]), share_of(rows[i])};
    lua_createtable(L, 0, NAMES);
    ls_set_string(L, names[0], rows[i]->where);
    ls_set_string(L, names[1], kernel_of(rows[i]));
    ls_set_integer(L, names[2], rows[i]->cost.count);
    for (int k = 0; k < 3; k++) { ls_set_number(L, names[3 + k], numbers[k]); }
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_text(lua_State *L, const ls_line_stat *const *rows, int n) {
  luaL_Buffer b;
  char line[200], where[64], kernel[32];
  luaL_buffinit(L, &b);
  if (n == 0) {
    luaL_addstring(&b, ls_trace_enabled() ? "no line of a script has called a primitive yet"
                                          : "nothing was traced: trace.on() starts tracing");
  } else {
    snprintf(line, sizeof line, "%-24s %6s %8s %10s %9s  %s", "line", "share", "calls", "tot ms", "avg us",
             "most of it in");
    luaL_addstring(&b, line);
  }
  for (int i = 0; i < n; i++) {
    snprintf(line, sizeof line, "\n%-24s %5.1f%% %8llu %10.3f %9.2f  %s",
             ls_escaped(rows[i]->where, 0, where, 25), 100 * share_of(rows[i]),
             (unsigned long long)rows[i]->cost.count, 1e3 * rows[i]->cost.busy, 1e6 * average_of(rows[i]),
             ls_escaped(kernel_of(rows[i]), 0, kernel, 18));
    luaL_addstring(&b, line);
  }
  luaL_pushresult(&b);
}

/* A file's name in quotes, as CSV (a quote is doubled) or as JSON. */
static void add_quoted(luaL_Buffer *b, const char *s, bool json) {
  luaL_addchar(b, '"');
  for (; *s; s++) {
    char text[8];
    if (json && ((u8)*s < 0x20 || *s == '"' || *s == '\\'))
      snprintf(text, sizeof text, "\\u%04x", (unsigned)(u8)*s);
    else
      snprintf(text, sizeof text, *s == '"' ? "\"\"" : "%c", *s);
    luaL_addstring(b, text);
  }
  luaL_addchar(b, '"');
}

static void push_lines(lua_State *L, const ls_line_stat *const *rows, int n, bool json) {
  char number[40];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int k = 0; !json && k < NAMES; k++) {
    luaL_addstring(&b, names[k]);
    luaL_addchar(&b, k + 1 < NAMES ? ',' : '\n');
  }
  for (int i = 0; i < n; i++) {
    const f64 numbers[] = {(f64)rows[i]->cost.count, rows[i]->cost.busy, average_of(rows[i]),
                           share_of(rows[i])};
    if (json) luaL_addchar(&b, '{');
    for (int k = 0; k < NAMES; k++) {
      if (k) luaL_addchar(&b, ',');
      if (json) {
        add_quoted(&b, names[k], true);
        luaL_addchar(&b, ':');
      }
      if (k < 2)
        add_quoted(&b, k ? kernel_of(rows[i]) : rows[i]->where, json);
      else
        luaL_addstring(&b, ls_exact(numbers[k - 2], number));
    }
    luaL_addstring(&b, json ? "}\n" : "\n");
  }
  luaL_pushresult(&b);
}

static int page_tostring(lua_State *L) {
  luaL_getmetafield(L, 1, "text");
  return 1;
}

void ls_set_page(lua_State *L, const char *const *columns, int count) {
  lua_createtable(L, 0, 3);
  lua_insert(L, -2);
  lua_setfield(L, -2, "text");
  ls_push_strings(L, columns, count);
  lua_setfield(L, -2, "__columns");
  lua_pushcfunction(L, page_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_setmetatable(L, -2);
}

void ls_push_stats_lines(lua_State *L, ls_stats_form form) {
  const ls_line_stat **rows = lua_newuserdatauv(L, ROWS * sizeof *rows, 0);
  ls_trace_last(); /* waits for times that are not known yet */
  const int n = ls_trace_lines(rows, ROWS);
  if (form != LS_STATS_ROWS) {
    push_lines(L, rows, n, form == LS_STATS_JSON);
    return;
  }
  push_rows(L, rows, n);
  if (ls_out.form == LS_CSV)
    push_lines(L, rows, n, false);
  else
    push_text(L, rows, n);
  ls_set_page(L, names, NAMES);
}
