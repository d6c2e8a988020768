/* reference.simulate, reference.breaks, model.write_table and model.stream, which lua/ensemble/simulate.lua
 * uses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/npy.h"
#include "core/atomic_file.h"
#include "core/text.h"
#include "lua/ode/l_model_ode.h"
#include "ode/print_equation.h"
#include "ode/simulate.h"

#define COURSE "lockstep.course"
#define BREAKS "lockstep.breaks"
#define STREAM "lockstep.stream"

/* --- simulation ------------------------------------------------------------------------------------------
 */

typedef struct simulating {
  ls_ode *m;
  ls_simulation s;
  ls_course *out;
  bool keeps, interrupted; /* keeps: an interrupt is not an error if there are rows and the caller agrees */
} simulating;

static ls_status do_simulate(void *arg) {
  simulating *s = arg;
  ls_course_free(s->out);
  if (s->s.stream && ls_stream_rows(s->s.stream))
    return LS_EMEM; /* a second attempt, but the file has rows already */
  ls_status st = ls_ode_simulate(s->m, &s->s, s->out);
  s->interrupted = st == LS_EINTERRUPTED && s->keeps && s->out->rows;
  return s->interrupted ? LS_OK : st;
}

static int course_gc(lua_State *L) {
  ls_course_free(luaL_checkudata(L, 1, COURSE));
  return 0;
}

static f64 number_field(lua_State *L, const char *name, f64 otherwise) {
  f64 x = otherwise;
  const int type = lua_getfield(L, 2, name);
  if (type != LUA_TNIL) {
    if (type != LUA_TNUMBER)
      luaL_error(L, "simulate: %s must be a number, not a %s", name, luaL_typename(L, -1));
    x = lua_tonumber(L, -1);
    if (!isfinite(x)) luaL_error(L, "simulate: %s must be a finite number", name);
  }
  lua_pop(L, 1);
  return x;
}

static ls_method method_field(lua_State *L) {
  if (lua_getfield(L, 2, "method") != LUA_TSTRING) luaL_error(L, "simulate: method must be a string");
  const char *name = lua_tostring(L, -1);
  for (u32 i = 0; i < LS_METHODS; i++)
    if (strcmp(name, ls_method_name((ls_method)i)) == 0) {
      if (!ls_method_built((ls_method)i))
        luaL_error(
            L,
            "simulate: this build has no %s: install libsundials-dev and build again, or use method = \"dopri5\"",
            name);
      lua_pop(L, 1);
      return (ls_method)i;
    }
  luaL_error(L, "simulate: no method is called '%s': euler, rk4, dopri5 or cvode", name);
  return LS_METHODS;
}

/* columns = {{variable number, "amount" | "concentration" | "value"}, ...}, in a userdata that is pushed. */
static void columns_field(lua_State *L, const ls_ode *m, ls_simulation *s) {
  if (lua_getfield(L, 2, "columns") != LUA_TTABLE) luaL_error(L, "simulate: columns must be a table");
  const lua_Unsigned n = lua_rawlen(L, -1);
  if (n > 1u << 28) luaL_error(L, "simulate: too many columns");
  ls_column *c = lua_newuserdatauv(L, n * sizeof *c + 1, 0);
  for (lua_Unsigned i = 0; i < n; i++) {
    if (lua_rawgeti(L, -2, (lua_Integer)i + 1) != LUA_TTABLE)
      luaL_error(L, "simulate: a column must be {number, quantity}");
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    const lua_Integer v = lua_tointeger(L, -2);
    const char *q = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "value";
    if (v < 1 || v > m->count)
      luaL_error(L, "simulate: the variable of a column must be a number from 1 to %d", (int)m->count);
    c[i] = (ls_column){(u32)v - 1, strcmp(q, "amount") == 0          ? LS_AMOUNT
                                   : strcmp(q, "concentration") == 0 ? LS_CONCENTRATION
                                                                     : LS_PLAIN};
    lua_pop(L, 3);
  }
  s->columns = (u32)n;
  s->column = c;
}

/* Pushes a buffer that takes ownership of *p. */
static void push_taken(lua_State *L, u64 count, f64 **p) {
  ls_buffer *b;
  ls_status st = ls_buffer_wrap(LS_F64, count, *p, NULL, &b);
  if (st) ls_raise(L, st);
  *p = NULL;
  ls_push_buffer(L, b);
}

static ls_stream *check_stream(lua_State *L, int i) {
  ls_stream **s = luaL_checkudata(L, i, STREAM);
  if (!*s) luaL_error(L, "the stream is closed");
  return *s;
}

int ls_model_simulate(lua_State *L) {
  simulating a = {.m = ls_check_model(L, 1)};
  ls_simulation *s = &a.s;
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  s->start = number_field(L, "start", 0);
  s->stop = number_field(L, "stop", 0);
  s->dt = number_field(L, "dt", 0.01);
  s->rtol = number_field(L, "rtol", 1e-9);
  const bool given = lua_getfield(L, 2, "atol") != LUA_TNIL; /* the default follows from the initial values */
  lua_pop(L, 1);
  s->atol = number_field(L, "atol", 0);
  const f64 intervals = number_field(L, "intervals", 1);
  if (lua_getfield(L, 2, "seed") != LUA_TNIL) {
    if (!ls_is_whole(L, -1)) return luaL_error(L, "simulate: seed must be a whole number");
    s->seed = (u64)lua_tointeger(L, -1);
  } else {
    s->seed = a.m->seed;
  }
  s->method = method_field(L);
  if (!(s->stop > s->start))
    return luaL_error(L, "simulate: stop = %f is not after start = %f", s->stop, s->start);
  if (!(intervals >= 1 && intervals <= 1e12))
    return luaL_error(L, "simulate: steps must be a whole number from 1 to 10^12, not %f", intervals);
  if (!(s->dt > 0)) return luaL_error(L, "simulate: dt = %f: a positive number expected", s->dt);
  if (!(s->rtol > 0 && (s->atol > 0 || !given)))
    return luaL_error(L, "simulate: rtol and atol must be positive");
  s->intervals = (u64)intervals;
  columns_field(L, a.m, s);
  if (lua_getfield(L, 2, "stream") != LUA_TNIL) {
    s->stream = check_stream(L, -1);
    if (ls_stream_columns(s->stream) != s->columns + 1)
      return luaL_error(L, "simulate: the stream's columns are not those of the simulation");
  }
  lua_getfield(L, 2, "keeps");
  a.keeps = lua_isfunction(L, -1);
  const int asks = lua_gettop(L);
  a.out = lua_newuserdatauv(L, sizeof *a.out, 0);
  *a.out = (ls_course){0};
  luaL_setmetatable(L, COURSE);
  ls_do(L, do_simulate, &a, false);
  if (a.interrupted) {
    lua_pushvalue(L, asks);
    lua_call(L, 0, 1);
    if (!lua_toboolean(L, -1)) /* the result is not kept: the run is stepped, or there is no prompt */
      return ls_raise(L, ls_fail(LS_EINTERRUPTED, "interrupted at time %g", a.out->reached));
    lua_pop(L, 1);
  }
  const u64 kept = a.out->rows < a.out->kept ? a.out->rows : a.out->kept;
  lua_createtable(L, 0, 6);
  push_taken(L, kept, &a.out->t);
  lua_setfield(L, -2, "t");
  lua_createtable(L, (int)a.out->columns, 0);
  for (u32 k = 0; k < a.out->columns; k++) {
    push_taken(L, kept, &a.out->x[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  lua_setfield(L, -2, "columns");
  lua_pushnumber(L, a.out->dt);
  lua_setfield(L, -2, "dt");
  lua_pushinteger(L, (lua_Integer)a.out->steps);
  lua_setfield(L, -2, "steps");
  lua_pushinteger(L, (lua_Integer)a.out->refused);
  lua_setfield(L, -2, "refused");
  lua_pushinteger(L, (lua_Integer)a.out->events);
  lua_setfield(L, -2, "events");
  if (a.interrupted) lua_pushnumber(L, a.out->reached), lua_setfield(L, -2, "interrupted");
  return 1;
}

/* --- when conditions change -------------------------------------------------------------------------------
 */

typedef struct breaking {
  ls_ode *m;
  f64 start, stop;
  ls_breaks out;
} breaking;

static ls_status do_breaks(void *arg) {
  breaking *b = arg;
  ls_breaks_free(&b->out);
  return ls_ode_breaks(b->m, b->start, b->stop, &b->out);
}

static int breaks_gc(lua_State *L) {
  ls_breaks_free(&((breaking *)luaL_checkudata(L, 1, BREAKS))->out);
  return 0;
}

static void push_times(lua_State *L, const f64 *t, u64 count, const char *name) {
  lua_createtable(L, count < 1 << 20 ? (int)count : 1 << 20, 0);
  for (u64 i = 0; i < count; i++) {
    lua_pushnumber(L, t[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, name);
}

/* reference.breaks(m, start, stop) -> {before = {...}, after = {...}, conditions = BOOLEAN}; see
 * ls_breaks. */
int ls_model_breaks(lua_State *L) {
  ls_ode *m = ls_check_model(L, 1);
  const f64 start = luaL_checknumber(L, 2), stop = luaL_checknumber(L, 3);
  if (!(isfinite(start) && isfinite(stop) && stop > start))
    return luaL_error(L, "reference.breaks: two times expected, the second after the first");
  breaking *b = lua_newuserdatauv(L, sizeof *b, 0);
  *b = (breaking){.m = m, .start = start, .stop = stop};
  luaL_setmetatable(L, BREAKS);
  ls_do(L, do_breaks, b, false);
  lua_createtable(L, 0, 3);
  push_times(L, b->out.before, b->out.count, "before");
  push_times(L, b->out.after, b->out.count, "after");
  lua_pushboolean(L, b->out.conditions);
  lua_setfield(L, -2, "conditions");
  return 1;
}

/* --- writing a table of columns --------------------------------------------------------------------------
 */

typedef struct table {
  u32 columns;
  u64 rows;
  const char *const *names;
  const f64 *const *x;
} table;

static ls_status write_csv(FILE *f, void *arg) {
  const table *t = arg;
  for (u32 k = 0; k < t->columns; k++) {
    if (k) fputc(',', f);
    ls_stream_name(f, t->names[k]);
  }
  fputc('\n', f);
  enum { PIECE = 1 << 16 }; /* numbers that the threads format in parallel before they are written */
  char(*text)[32] = ls_malloc(PIECE * sizeof *text);
  if (!text) return LS_EMEM;
  const u64 all = t->rows * t->columns;
  bool written = true;
  for (u64 from = 0; from < all && written; from += PIECE) {
    const u64 count = all - from < PIECE ? all - from : PIECE;
#pragma omp parallel for schedule(static) if (count > 1000)
    for (u64 j = 0; j < count; j++)
      ls_ode_number_text(t->x[(from + j) % t->columns][(from + j) / t->columns], text[j]);
    for (u64 j = 0; j < count && written; j++) {
      written = fputs(text[j], f) >= 0;
      fputc((from + j + 1) % t->columns ? ',' : '\n', f);
    }
  }
  ls_free(text);
  return LS_OK; /* ls_atomic_file_write_all reports write errors */
}

static ls_status write_npy(FILE *f, void *arg) {
  const table *t = arg;
  char head[LS_NPY_HEAD];
  ls_npy_head(LS_F64, 2, (u64[LS_NPY_DIMENSIONS]){t->rows, t->columns}, head);
  if (fwrite(head, sizeof head, 1, f) != 1) return LS_OK;
  for (u64 i = 0; i < t->rows; i++)
    for (u32 k = 0; k < t->columns; k++)
      if (fwrite(&t->x[k][i], sizeof **t->x, 1, f) != 1) return LS_OK;
  return LS_OK;
}

/* Makes a table from the names and buffers at stack indices 2 and 3. These and the arrays that are pushed
 * keep its contents alive. */
static table check_table(lua_State *L, const char *who) {
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  const lua_Unsigned n = lua_rawlen(L, 3);
  if (n != lua_rawlen(L, 2) || n == 0 || n > 1u << 20) luaL_error(L, "%s: expected one name per buffer", who);
  const char **names = lua_newuserdatauv(L, n * sizeof *names, 0);
  const f64 **x = lua_newuserdatauv(L, n * sizeof *x, 0);
  table t = {.columns = (u32)n, .names = names, .x = x};
  for (lua_Unsigned i = 0; i < n; i++) {
    if (lua_rawgeti(L, 2, (lua_Integer)i + 1) != LUA_TSTRING) luaL_error(L, "%s: names must be strings", who);
    names[i] = lua_tostring(L, -1); /* the Lua table keeps it alive */
    lua_rawgeti(L, 3, (lua_Integer)i + 1);
    ls_buffer *b = ls_check_buffer(L, -1);
    if (b->type != LS_F64 || (i && b->count != t.rows))
      luaL_error(L, "%s: buffers of f64 of one length expected", who);
    t.rows = b->count;
    if (!(x[i] = ls_buffer_read(b))) ls_raise(L, LS_EMEM);
    lua_pop(L, 2);
  }
  return t;
}

/* model.write_table(path, names, buffers): writes buffers of f64 of the same length as .csv (a header line,
 * then one line per row) or as .npy (a matrix). */
int ls_model_write_table(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  const bool npy = ls_ends_in(path, ".npy");
  if (!npy && !ls_ends_in(path, ".csv"))
    return ls_raise(L,
                    ls_fail(LS_EARG, "%s: a table is saved in a file whose name ends in .csv or .npy", path));
  table t = check_table(L, "model.write_table");
  ls_status st = ls_atomic_file_write_all(path, npy ? write_npy : write_csv, &t);
  return st ? ls_raise(L, st) : 0;
}

/* --- a table that grows -----------------------------------------------------------------------------------
 */

/* model.stream(path, names [, group [, bytes, rows [, of]]]): a file to which rows are appended. It is empty,
 * or has the bytes and rows that tell() has returned. of: the file to which this one will be appended as a
 * part. put(names, buffers) and put_instances{...} append rows, append(part, rows) appends those of a part,
 * close() completes the file and leave() ends it early; see ls_stream_close and ls_stream_leave. */
int ls_model_stream(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  ls_stream_form form = {.group = (u64)luaL_optinteger(L, 3, 0)};
  const bool again = !lua_isnoneornil(L, 4);
  const ls_stream_place place = {.bytes = (u64)luaL_optinteger(L, 4, 0),
                                 .rows = (u64)luaL_optinteger(L, 5, 0)};
  form.of = luaL_optstring(L, 6, NULL); /* the caller's stack keeps it alive */
  const lua_Unsigned n = lua_rawlen(L, 2);
  if (n == 0 || n > 1u << 20) return luaL_error(L, "model.stream: names expected");
  const char **names = lua_newuserdatauv(L, n * sizeof *names, 0);
  for (lua_Unsigned i = 0; i < n; i++) {
    if (lua_rawgeti(L, 2, (lua_Integer)i + 1) != LUA_TSTRING)
      return luaL_error(L, "model.stream: names must be strings");
    names[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  ls_stream **s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = NULL;
  luaL_setmetatable(L, STREAM);
  form.columns = (u32)n;
  form.names = names;
  ls_status st = ls_stream_open(path, &form, again ? &place : NULL, s);
  return st ? ls_raise(L, st) : 1;
}

static int stream_put(lua_State *L) {
  ls_stream *s = check_stream(L, 1);
  const table t = check_table(L, "stream:put");
  if (t.columns != ls_stream_columns(s))
    return luaL_error(L, "stream:put: %d columns expected, got %d", (int)ls_stream_columns(s),
                      (int)t.columns);
  f64 *line = lua_newuserdatauv(L, t.columns * sizeof *line, 0);
  for (u64 i = 0; i < t.rows; i++) {
    for (u32 k = 0; k < t.columns; k++) line[k] = t.x[k][i];
    ls_status st = ls_stream_row(s, line);
    if (st) return ls_raise(L, st);
  }
  ls_status st = ls_stream_flush(s);
  return st ? ls_raise(L, st) : 0;
}

/* Checks the buffer of f64 on top of the stack, which stays there. */
static const ls_buffer *check_values(lua_State *L, const char *name, u64 least) {
  const ls_buffer *b = ls_test_buffer(L, -1);
  if (!b || b->type != LS_F64 || b->count < least)
    luaL_error(L, "stream:put_instances: %s must be a buffer of at least %I values of f64", name,
               (lua_Integer)least);
  return b;
}

/* s:put_instances{record =, times =, from =, to =, heads =}: for each instance from `from` to `to` - 1,
 * appends one row per time. A row has the instance's value in each buffer of the list `heads`, then the time,
 * then the variables. `record` is a matrix with one row per variable and time, and one column per instance.
 */
static int stream_put_instances(lua_State *L) {
  ls_stream *s = check_stream(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  lua_getfield(L, 2, "from");
  lua_getfield(L, 2, "to");
  const u64 from = (u64)luaL_checkinteger(L, 3), to = (u64)luaL_checkinteger(L, 4);
  lua_getfield(L, 2, "times");
  const u64 rows = check_values(L, "times", 1)->count;
  const f64 *t = ls_buffer_read(ls_test_buffer(L, -1));
  lua_getfield(L, 2, "record");
  const ls_buffer *record = check_values(L, "record", 0);
  const f64 *x = ls_buffer_read(ls_test_buffer(L, -1));
  if (lua_getfield(L, 2, "heads") != LUA_TTABLE) luaL_error(L, "stream:put_instances: heads must be a list");
  const u64 heads = lua_rawlen(L, -1), columns = ls_stream_columns(s), width = record->cols;
  if (heads >= columns || from > to || to > width || record->rows != rows * (columns - 1 - heads))
    luaL_error(
        L, "stream:put_instances: the record has %I rows and %I columns: they do not fit the file's columns",
        (lua_Integer)record->rows, (lua_Integer)width);
  const f64 **head = lua_newuserdatauv(L, (heads + 1) * sizeof *head, 0);
  for (u64 k = 0; k < heads; k++) {
    lua_rawgeti(L, 7, (lua_Integer)k + 1);
    check_values(L, "each of heads", to);
    head[k] = ls_buffer_read(ls_test_buffer(L, -1)); /* the list keeps the buffer alive */
    lua_pop(L, 1);
    if (!head[k]) ls_raise(L, LS_EMEM);
  }
  if (!t || !x) ls_raise(L, LS_EMEM);
  f64 *line = lua_newuserdatauv(L, columns * sizeof *line, 0);
  ls_status st = LS_OK;
  for (u64 i = from; i < to && !st; i++) {
    for (u64 k = 0; k < heads; k++) line[k] = head[k][i];
    for (u64 row = 0; row < rows && !st; row++) {
      line[heads] = t[row];
      for (u64 k = heads + 1; k < columns; k++) line[k] = x[((k - heads - 1) * rows + row) * width + i];
      st = ls_stream_row(s, line);
    }
  }
  return st ? ls_raise(L, st) : 0;
}

/* s:tell() -> the number of bytes and rows in the file. First writes all rows that are still buffered. */
static int stream_tell(lua_State *L) {
  ls_stream_place place;
  ls_status st = ls_stream_tell(check_stream(L, 1), &place);
  if (st) return ls_raise(L, st);
  lua_pushinteger(L, (lua_Integer)place.bytes);
  lua_pushinteger(L, (lua_Integer)place.rows);
  return 2;
}

typedef struct appending {
  ls_stream *s;
  const char *part;
  u64 rows;
} appending;

static ls_status do_append(void *arg) {
  const appending *a = arg;
  return ls_stream_append(a->s, a->part, a->rows);
}

/* s:append(part, rows): appends the rows of a file that model.stream made as a part of this one. */
static int stream_append(lua_State *L) {
  appending a = {check_stream(L, 1), luaL_checkstring(L, 2), (u64)luaL_checkinteger(L, 3)};
  ls_do(L, do_append, &a, false);
  return 0;
}

static ls_status end_stream(lua_State *L, ls_status (*end)(ls_stream *)) {
  ls_stream **s = luaL_checkudata(L, 1, STREAM);
  ls_status st = end(*s);
  *s = NULL;
  return st;
}

/* s:close() -> the number of rows. The file gets its final name. */
static int stream_close(lua_State *L) {
  const u64 rows = ls_stream_rows(check_stream(L, 1));
  ls_status st = end_stream(L, ls_stream_close);
  lua_pushinteger(L, (lua_Integer)rows);
  return st ? ls_raise(L, st) : 1;
}

/* s:leave(): ends the file early, with the rows so far in FILE.part. */
static int stream_leave(lua_State *L) {
  end_stream(L, ls_stream_leave);
  return 0;
}

/* __close, also after an error: if there are rows, completes the file with them. */
static int stream_end(lua_State *L) {
  ls_stream **s = luaL_checkudata(L, 1, STREAM);
  end_stream(L, *s && ls_stream_rows(*s) == 0 ? ls_stream_leave : ls_stream_close);
  return 0;
}

static void open_type(lua_State *L, const char *type, lua_CFunction gc) {
  luaL_newmetatable(L, type);
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

void ls_open_course(lua_State *L) {
  open_type(L, COURSE, course_gc);
  open_type(L, BREAKS, breaks_gc);
  luaL_newmetatable(L, STREAM);
  static const luaL_Reg of_stream[] = {{"put", stream_put},
                                       {"put_instances", stream_put_instances},
                                       {"tell", stream_tell},
                                       {"close", stream_close},
                                       {"append", stream_append},
                                       {"leave", stream_leave},
                                       {"__gc", stream_leave},
                                       {"__close", stream_end},
                                       {NULL, NULL}};
  luaL_setfuncs(L, of_stream, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
