#include "repl/lesson/lesson_file.h"

#include <string.h>

#include <lauxlib.h>

#include "core/nearest.h"
#include "repl/commands/pattern.h"
#include "repl/output/output.h"
#include "core/string_builder.h"

static const struct {
  const char *name, *what;
  bool list;
} fields[] = {
    {"see", "the name of a view", false},
    {"run", "a list of commands", true},
    {"hold", "a list of expressions", true},
    {"say", "a text", false},
    {"ask", "a text", false},
    {"answer", "an expression", false},
    {"hint", "a text", false},
    {"answers", "a text", false},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static void check_list(lua_State *L, int page, const char *name, const char *what) {
  const lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= n; i++) {
    if (lua_rawgeti(L, -1, i) != LUA_TSTRING)
      luaL_error(L, "page %d: '%s' must be %s, item %I is a %s", page, name, what, (LUAI_UACINT)i,
                 luaL_typename(L, -1));
    lua_pop(L, 1);
  }
}

static void unknown_field(lua_State *L, int page, const char *name) {
  const char *names[FIELDS];
  for (int i = 0; i < FIELDS; i++) names[i] = fields[i].name;
  const char *near = ls_nearest(name, names, FIELDS);
  luaL_error(
      L,
      "page %d: no field of a page is called '%s'%s%s%s; expected 'see', 'run', 'hold', 'say', 'ask' (with "
      "'answer' and 'hint') or, on the last page, 'answers'",
      page, name, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

/* Checks the page on top of the stack. */
static void check_page(lua_State *L, int page, int pages) {
  if (!lua_istable(L, -1)) luaL_error(L, "page %d must be a table, got a %s", page, luaL_typename(L, -1));
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "page %d: expected only fields with names, as in run = {...} or say = [[...]]", page);
    const char *name = lua_tostring(L, -2);
    int i = 0;
    while (i < FIELDS && strcmp(fields[i].name, name) != 0) i++;
    if (i == FIELDS) unknown_field(L, page, name);
    if (lua_type(L, -1) != (fields[i].list ? LUA_TTABLE : LUA_TSTRING))
      luaL_error(L, "page %d: '%s' must be %s, got a %s", page, name, fields[i].what, luaL_typename(L, -1));
    if (fields[i].list) check_list(L, page, name, fields[i].what);
    if (strcmp(name, "answers") == 0 && page < pages)
      luaL_error(L, "page %d: only the last page may have 'answers', and there are %d pages", page, pages);
  }
  const bool asks = lua_getfield(L, -1, "ask") != LUA_TNIL,
             answered = lua_getfield(L, -2, "answer") != LUA_TNIL;
  const bool hints = lua_getfield(L, -3, "hint") != LUA_TNIL;
  lua_pop(L, 3);
  if (hints && !asks) luaL_error(L, "page %d: a hint needs a question (ask)", page);
  if (asks != answered)
    luaL_error(L,
               asks ? "page %d: a question (ask) needs its answer, an expression"
                    : "page %d: an answer needs a question (ask)",
               page);
  if (lua_getfield(L, -1, "say") == LUA_TNIL && lua_getfield(L, -2, "run") == LUA_TNIL)
    luaL_error(L, "page %d has neither 'run' nor 'say'", page);
}

int ls_lesson_check_pages(lua_State *L) {
  if (!lua_istable(L, -1))
    luaL_error(
        L, "a lesson must return a list of pages, {{run = {...}, say = [[...]]}, ...}; this one returns a %s",
        luaL_typename(L, -1));
  const int list = lua_gettop(L), pages = (int)luaL_len(L, list);
  if (pages == 0) luaL_error(L, "a lesson needs at least one page, this one has none");
  for (int page = 1; page <= pages; page++) {
    lua_rawgeti(L, list, page);
    check_page(L, page, pages);
    lua_settop(L, list);
  }
  return pages;
}

ls_status ls_lesson_new(const char *name) {
  ls_text path = {0};
  if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] || strchr("0123456789", *name) ||
      strlen(name) > 40)
    return ls_fail(LS_EARG, "lesson new needs a name of small letters, digits and _: lesson new NAME");
  ls_text_printf(&path, "%s.lua", name);
  ls_status st = path.failed ? LS_EMEM : ls_pattern_write("lesson.lua", name, path.s);
  if (!st)
    ls_note("(%s is written: `lesson check %s` runs it, `lesson %s` begins it; help teaching)\n", path.s,
            path.s, path.s);
  ls_text_free(&path);
  return st;
}
