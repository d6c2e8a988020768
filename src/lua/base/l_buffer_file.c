/* Buffers in files: b:save, buffer.load, and buffer.writer, which writes a file some rows at a time. */
#include <string.h>
#include <sys/stat.h>

#include "core/source.h"
#include "core/wait.h"
#include "load/array.h"
#include "lua/base/l_buffer.h"

typedef struct file_job {
  const char *path;
  const ls_buffer *b;
  const void *p;
  ls_array_options options;
  ls_number none; /* options.none, if that is given */
  ls_buffer *loaded;
  ls_array_writer *writer;
  ls_status st;
} file_job;

static bool is_short(u64 elements) { return elements <= LS_LONG / 10; }

static ls_status save(void *arg) {
  const file_job *j = arg;
  return ls_array_save(j->b, j->p, j->path, j->options.none);
}

/* If the options at stack index `at` have a field `none`, which must be a number, stores it in j. */
static void none_option(lua_State *L, int at, const char *function, file_job *j) {
  if (lua_getfield(L, at, "none") != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "%s: 'none' is %s, expected a number", function, luaL_tolstring(L, -1, NULL));
    j->none = ls_check_number(L, -1);
    j->options.none = &j->none;
  }
  lua_pop(L, 1);
}

/* Reads the optional table {none =} at stack index `at`. */
static void only_none(lua_State *L, int at, const char *function, file_job *j) {
  static const char *const names[] = {"none"};
  if (lua_isnoneornil(L, at)) return;
  luaL_checktype(L, at, LUA_TTABLE);
  ls_check_options(L, at, function, names, 1);
  none_option(L, at, function, j);
}

int ls_buffer_save(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  file_job j = {.b = b, .path = luaL_checkstring(L, 2)};
  only_none(L, 3, "buffer:save", &j);
  j.p = ls_host_read(L, b);
  ls_do(L, save, &j, is_short(b->count));
  return 0;
}

/* --- loading ------------------------------------------------------------------------------------------- */

static ls_status load(void *arg) {
  file_job *j = arg;
  return ls_array_load(j->path, &j->options, &j->loaded);
}

/* Option `name` of the table at index 2: a whole number from 1 on; 0 if it is absent. */
static u64 size_option(lua_State *L, const char *name) {
  if (lua_getfield(L, 2, name) == LUA_TNIL) return 0;
  if (!ls_is_whole(L, -1) || lua_tointeger(L, -1) < 1)
    luaL_error(L, "buffer.load: %s must be a whole number from 1 on", name);
  return (u64)lua_tointeger(L, -1);
}

/* Reads the option 'rows', {from, to}. */
static void rows_option(lua_State *L, ls_array_options *o) {
  if (lua_getfield(L, 2, "rows") == LUA_TNIL) return;
  lua_Integer at[2] = {-1, -1};
  if (lua_istable(L, -1)) {
    const int table = lua_gettop(L);
    for (int i = 0; i < 2; i++)
      if (lua_rawgeti(L, table, i + 1) == LUA_TNUMBER && ls_is_whole(L, -1)) at[i] = lua_tointeger(L, -1);
  }
  if (at[0] < 0 || at[1] <= at[0])
    luaL_error(
        L,
        "buffer.load: expected rows = {from, to}, whole numbers with 0 <= from < to (row 'to' is not read)");
  o->from = (u64)at[0];
  o->to = (u64)at[1];
}

static int buffer_load(lua_State *L) {
  enum { QUICK_BYTES = 1 << 20 };
  static const char *const names[] = {"dtype", "cols", "rows", "none"};
  file_job j = {.path = luaL_checkstring(L, 1), .options.type = LS_NONE};
  struct stat info;
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    ls_check_options(L, 2, "buffer.load", names, sizeof names / sizeof *names);
    if (lua_getfield(L, 2, "dtype") != LUA_TNIL) {
      const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
      j.options.type = ls_dtype_parse(name);
      if (j.options.type == LS_NONE)
        return luaL_error(L, "buffer.load: no dtype '%s': %s is expected", name, ls_dtype_names());
    }
    j.options.cols = size_option(L, "cols");
    if (j.options.cols && !ls_path_ends(j.path, ".bin"))
      return luaL_error(
          L, "buffer.load: 'cols' is only for .bin files: the other formats contain the number of columns");
    rows_option(L, &j.options);
    none_option(L, 2, "buffer.load", &j);
  }
  ls_do(L, load, &j, stat(j.path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size < QUICK_BYTES);
  ls_push_buffer(L, j.loaded);
  return 1;
}

/* --- writing some rows at a time ----------------------------------------------------------------------- */

#define WRITER_NAME "lockstep.writer"

typedef struct writer {
  ls_array_writer *w; /* NULL: it is closed */
  ls_dtype type;
  u64 cols;
} writer;

static writer *check_open(lua_State *L) {
  writer *o = luaL_checkudata(L, 1, WRITER_NAME);
  if (!o->w) luaL_error(L, "the file is closed");
  return o;
}

/* buffer.writer(path, dtype, rows [, cols [, {none =}]]) */
static int buffer_writer(lua_State *L) {
  const char *path = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
  const ls_dtype type = ls_dtype_parse(name);
  const lua_Integer rows = luaL_checkinteger(L, 3), cols = luaL_optinteger(L, 4, 0);
  if (type == LS_NONE) return luaL_error(L, "no dtype '%s': %s is expected", name, ls_dtype_names());
  luaL_argcheck(L, rows >= 0, 3, "a number of rows must not be negative");
  luaL_argcheck(L, cols > 0 || lua_isnoneornil(L, 4), 4, "a matrix needs at least one column");
  file_job j = {0};
  only_none(L, 5, "buffer.writer", &j);
  writer *o = lua_newuserdatauv(L, sizeof *o, 1);
  *o = (writer){NULL, type, (u64)cols};
  luaL_setmetatable(L, WRITER_NAME);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1); /* keeps the path alive: the writer points to it */
  ls_status st = ls_array_begin(path, type, (u64)rows, (u64)cols, j.options.none, &o->w);
  return st ? ls_raise(L, st) : 1;
}

static void write_rows(void *arg) {
  file_job *j = arg;
  j->st = ls_array_put(j->writer, j->p, j->b->rows);
}

static int writer_put(lua_State *L) {
  writer *o = check_open(L);
  ls_buffer *b = ls_check_buffer(L, 2);
  if (b->type != o->type || b->cols != o->cols)
    return luaL_error(L, "put: expected rows of %s[%I], got %s[%I]", ls_dtype_name(o->type),
                      (LUAI_UACINT)(o->cols ? o->cols : 1), ls_dtype_name(b->type),
                      (LUAI_UACINT)(b->cols ? b->cols : 1));
  file_job j = {.b = b, .p = ls_host_read(L, b), .writer = o->w};
  ls_work(write_rows, &j, is_short(b->count)); /* the progress line stays until the file is closed */
  if (j.st) {
    ls_progress_end();
    return ls_raise(L, j.st);
  }
  return 0;
}

static ls_status end(void *arg) { return ls_array_end(((file_job *)arg)->writer, LS_OK); }

static int writer_close(lua_State *L) {
  file_job j = {.writer = check_open(L)->w};
  ((writer *)lua_touserdata(L, 1))->w = NULL;
  ls_do(L, end, &j, true);
  return 0;
}

/* The writer ends without close(): nothing is saved. */
static int writer_gone(lua_State *L) {
  writer *o = luaL_checkudata(L, 1, WRITER_NAME);
  if (o->w) {
    ls_array_end(o->w, LS_EINTERRUPTED);
    ls_progress_end();
  }
  o->w = NULL;
  return 0;
}

const luaL_Reg ls_buffer_files[] = {{"load", buffer_load}, {"writer", buffer_writer}, {NULL, NULL}};

void ls_open_buffer_writer(lua_State *L) {
  static const luaL_Reg meta[] = {{"__gc", writer_gone}, {"__close", writer_gone}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"put", writer_put}, {"close", writer_close}, {NULL, NULL}};
  ls_new_type(L, WRITER_NAME, meta, methods, NULL);
  lua_pop(L, 1);
}
