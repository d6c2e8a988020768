/* Values as CSV and JSON from a script: csv(x [, file]), json(x [, file]), and print with --csv or --json. */
#include <stdio.h>

#include "core/output.h"
#include "core/atomic_file.h"
#include "lua/bind.h"
#include "repl/output/csv.h"
#include "repl/output/json.h"
#include "repl/repl.h"
#include "repl/output/output.h"

typedef void (*writer)(lua_State *L, int index, ls_text *out);

typedef struct writing {
  writer write;
  ls_text text;
} writing;

static int write_value(lua_State *L) {
  writing *w = lua_touserdata(L, 1);
  w->write(L, 2, &w->text);
  return 0;
}

static ls_status put_file(FILE *f, void *arg) {
  const ls_text *text = arg;
  fwrite(ls_text_str(text), 1, text->len, f);
  return LS_OK;
}

/* Writes the value at stack index 1 to the file `path`, or to standard output if path is NULL. */
static int answer(lua_State *L, writer write, const char *path) {
  writing w = {.write = write};
  lua_pushcfunction(L, write_value);
  lua_pushlightuserdata(L, &w);
  lua_pushvalue(L, 1);
  const bool raised = lua_pcall(L, 2, 0, 0) != LUA_OK;
  ls_status st = LS_OK;
  if (w.text.failed)
    st = LS_EMEM;
  else if (!raised && path)
    st = ls_atomic_file_write_all(path, put_file, &w.text);
  else if (!raised)
    ls_say_data(ls_text_str(&w.text), w.text.len);
  ls_text_free(&w.text);
  if (raised) return lua_error(L);
  return st ? ls_raise(L, st) : 0;
}

static int write_as(lua_State *L, const char *name, writer write) {
  if (lua_isnoneornil(L, 1))
    return luaL_error(L, "%s: expected a value, as in %s(rows) or %s(rows, \"rows.%s\"), got nothing", name,
                      name, name, name);
  if (!lua_isnoneornil(L, 2) && lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "%s: expected the name of a file after the value, got a %s", name,
                      luaL_typename(L, 2));
  return answer(L, write, lua_tostring(L, 2));
}

static int csv(lua_State *L) { return write_as(L, "csv", ls_csv); }
static int json(lua_State *L) { return write_as(L, "json", ls_json_lines); }

/* Replaces print under --csv and --json: print(x) of a single table or userdata writes x in that form, as the
 * expression x does at the prompt. All other calls go to Lua's own print. */
static int print(lua_State *L) {
  const int type = lua_type(L, 1);
  if (lua_gettop(L) == 1 && (type == LUA_TTABLE || type == LUA_TUSERDATA))
    return answer(L, ls_out.form == LS_CSV ? ls_csv : ls_json_lines, NULL);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 0);
  return 0;
}

void ls_answers_open(lua_State *L) {
  lua_register(L, "csv", csv);
  lua_register(L, "json", json);
  if (ls_out.form == LS_TEXT) return;
  lua_getglobal(L, "print");
  lua_pushcclosure(L, print, 1);
  lua_setglobal(L, "print");
}
