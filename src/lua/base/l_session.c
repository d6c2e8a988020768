/* The session in Lua: the table `session`, which lua/help/session.lua describes; iterations(s) and
 * it:mark{...}; checkpoint(path); coroutine.* (session/coroutine.h).
 *
 * `for it in iterations(s) do ... it:mark{improved = k} end`: it.n counts from 1, it.state is s. `iter` and
 * `break iter N` stop at the first it:mark of an iteration; after an iteration without it:mark, they stop
 * before the next one. The stop line and conditions get all values of a mark; the trace gets only its numbers
 * (ls_trace_mark). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/output.h"
#include "core/escape.h"
#include "lua/bind.h"
#include "lua/base/l_state.h"
#include "run/record/journal.h"
#include "run/record/trace.h"
#include "session/session.h"

static const char iteration_name[] = "iteration";
static const char fixpoint_name[] = "fixpoint";
static const char keep_name[] = "keep";
static const char unsaved_name[] = "unsaved";

/* --- iterations -------------------------------------------------------------------------------------- */

typedef struct iteration {
  u32 n;
  u32 outer;     /* the mark of the enclosing loop */
  bool ran;      /* an iteration has begun in this loop (n > 0 may come from a checkpoint) */
  bool marked;   /* it:mark was called in this iteration */
  u64 before;    /* primitives called before this iteration */
  char name[64]; /* name by which the iterating function was called; "": none */
} iteration;     /* its user values: the state, the table of carried values, the iterating function */

static int advance(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  iteration *it = lua_touserdata(L, 1);
  it->n++;
  it->ran = true;
  it->marked = false;
  it->before = ls_session_primitives();
  ls_session_set_mark(it->n);
  lua_settop(L, 1);
  return 1;
}

/* Stores, in the iteration on top of the stack, the function that contains the loop. The name of the global
 * that holds this function is searched only when a checkpoint needs it. */
static void keep_asker(lua_State *L, iteration *it) {
  lua_Debug ar;
  if (!lua_getstack(L, 1, &ar)) return;
  lua_getinfo(L, "Snf", &ar);                         /* pushes the function */
  if (*ar.what == 'm') lua_pop(L, 1), lua_pushnil(L); /* the main chunk has no name */
  snprintf(it->name, sizeof it->name, "%s", ar.name && *ar.name != '?' ? ar.name : "");
  lua_setiuservalue(L, -2, 3);
}

/* The name, for a checkpoint, of the function that contains the loop of the iteration at i; "" if none. */
static void loop_name(lua_State *L, int i, char *out, size_t bytes) {
  const iteration *it = lua_touserdata(L, i);
  out[0] = '\0';
  if (lua_getiuservalue(L, i, 3) == LUA_TFUNCTION && !ls_function_name(L, out, bytes))
    snprintf(out, bytes, "%s", it->name);
  lua_pop(L, 1);
  if (strchr(out, ' ')) out[0] = '\0'; /* a checkpoint's names have no spaces */
}

static bool write_checkpoint(lua_State *L, u32 n) {
  char loop[64];
  loop_name(L, 1, loop, sizeof loop);
  lua_getiuservalue(L, 1, 1);
  lua_getiuservalue(L, 1, 2);
  bool stop = ls_session_checkpoint_write(L, ls_test_state(L, -2), lua_gettop(L), n, loop);
  lua_pop(L, 2);
  return stop;
}

/* The previous iteration has ended: here the state is exactly what an iteration begins with, so that a
 * checkpoint can be written. */
static int head(lua_State *L, int status, lua_KContext context) {
  iteration *it = lua_touserdata(L, 1);
  if (it->ran && !it->outer && ls_session_checkpoint_due(it->n) && write_checkpoint(L, it->n))
    return lua_yieldk(L, 0, 0, advance);
  return advance(L, status, context);
}

static int next_iteration(lua_State *L) {
  iteration *it = luaL_checkudata(L, 1, iteration_name);
  if (it->ran && !it->marked && ls_session_at_mark(L, it->n, "", false)) return lua_yieldk(L, 0, 0, head);
  return head(L, LUA_OK, 0);
}

/* iterations(state [, carried [, from [, fields]]]) */
static int new_iterations(lua_State *L) {
  const char *from = luaL_optstring(L, 3, NULL);
  iteration start = {.outer = ls_session_mark()};
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 4);
  if (lua_isnil(L, 2)) {
    lua_newtable(L);
    lua_replace(L, 2);
  }
  lua_pushcfunction(L, next_iteration);
  iteration *it = lua_newuserdatauv(L, sizeof *it, 3);
  *it = start;
  luaL_setmetatable(L, iteration_name);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  lua_pushvalue(L, 2);
  lua_setiuservalue(L, -2, 2);
  keep_asker(L, it);
  if (from) {
    char loop[64];
    loop_name(L, -1, loop, sizeof loop);
    ls_state *s = ls_test_state(L, 1);
    if (!s)
      luaL_error(L, "iterations: only a state can be filled from a checkpoint, not a %s",
                 luaL_typename(L, 1));
    it->n = ls_session_checkpoint_load(L, s, from, loop);
  }
  lua_pushnil(L);
  lua_pushvalue(L, -2); /* the to-be-closed value: it restores the outer loop's mark */
  return 4;
}

/* Called by the recording: replaces an iteration by a copy that does not change; returns true for a buffer,
 * which the recording must not keep alive. */
static bool keep(lua_State *L) {
  const iteration *it = luaL_testudata(L, -1, iteration_name);
  if (!it) return ls_test_buffer(L, -1) != NULL;
  iteration *copy = lua_newuserdatauv(L, sizeof *copy, 3);
  *copy = *it;
  luaL_setmetatable(L, iteration_name);
  for (int i = 1; i <= 3; i++) {
    lua_getiuservalue(L, -2, i);
    lua_setiuservalue(L, -2, i);
  }
  lua_replace(L, -2);
  return false;
}

/* For watches: the digest of a buffer's contents. */
static bool contents(lua_State *L, int i, u64 *out) {
  ls_buffer *b = ls_test_buffer(L, i);
  return b && !b->closed && !ls_journal_lacks(b) &&
         ls_buffer_digest(b, 0, ls_dtype_size(b->type), b->count, false, out) == LS_OK;
}

static int close_iterations(lua_State *L) {
  iteration *it = luaL_checkudata(L, 1, iteration_name);
  ls_session_set_mark(it->outer);
  if (!it->outer) ls_session_at_loop_end();
  return 0;
}

enum { MARK_VALUES = 16 };

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool is_text(lua_State *L, int i) { return lua_type(L, i) == LUA_TSTRING && !lua_isnumber(L, i); }

/* The names in the table at 2 whose values are texts or, if not `texts`, numbers and booleans; sorted. */
static int mark_names(lua_State *L, bool texts, const char *names[MARK_VALUES]) {
  int count = 0;
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && count < MARK_VALUES &&
        (texts ? is_text(L, -1) : lua_isnumber(L, -1) || lua_isboolean(L, -1)))
      names[count++] = lua_tostring(L, -2);
  qsort(names, (size_t)count, sizeof *names, by_name);
  return count;
}

/* Writes the values of the table at 2 to `text`, sorted by name, strings first; and records the numbers in
 * the trace. */
static void record_mark(lua_State *L, u32 n, char *text, size_t bytes) {
  const char *names[MARK_VALUES];
  f64 values[MARK_VALUES];
  size_t used = 0;
  text[0] = '\0';
  const int texts = mark_names(L, true, names);
  for (int i = 0; i < texts && used < bytes; i++) {
    char shown[40];
    lua_getfield(L, 2, names[i]);
    used += (size_t)snprintf(text + used, bytes - used, "%s%s %s", i ? " " : "", names[i],
                             ls_escaped(lua_tostring(L, -1), 0, shown, sizeof shown));
    lua_pop(L, 1);
  }
  const int count = mark_names(L, false, names);
  for (int i = 0; i < count; i++) {
    lua_getfield(L, 2, names[i]);
    values[i] = lua_isboolean(L, -1) ? lua_toboolean(L, -1) : lua_tonumber(L, -1);
    const int digits = values[i] == rint(values[i]) ? 14 : 6; /* six digits of a real number are enough */
    if (used < bytes)
      used += (size_t)snprintf(text + used, bytes - used, "%s%s %.*g", used ? " " : "", names[i], digits,
                               values[i]);
    lua_pop(L, 1);
  }
  ls_trace_mark(n, names, values, count);
  ls_session_mark_values(L, 2);
}

static int after_mark(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 0;
}

static int mark(lua_State *L) {
  iteration *it = luaL_checkudata(L, 1, iteration_name);
  char text[160];
  luaL_argcheck(L, it->n > 0, 1, "the loop has not begun");
  if (lua_isnoneornil(L, 2)) {
    lua_settop(L, 1);
    lua_newtable(L);
  }
  luaL_checktype(L, 2, LUA_TTABLE);
  record_mark(L, it->n, text, sizeof text);
  bool first = !it->marked;
  it->marked = true;
  const bool alone = it->before == ls_session_primitives();
  if (first && ls_session_at_mark(L, it->n, text, alone)) return lua_yieldk(L, 0, 0, after_mark);
  return 0;
}

static int index_iteration(lua_State *L) {
  iteration *it = luaL_checkudata(L, 1, iteration_name);
  const char *field = luaL_checkstring(L, 2);
  if (strcmp(field, "n") == 0)
    lua_pushinteger(L, it->n);
  else if (strcmp(field, "state") == 0)
    lua_getiuservalue(L, 1, 1);
  else if (strcmp(field, "carried") == 0)
    lua_getiuservalue(L, 1, 2);
  else
    lua_getfield(L, lua_upvalueindex(1), field);
  return 1;
}

static int iteration_text(lua_State *L) {
  iteration *it = luaL_checkudata(L, 1, iteration_name);
  lua_pushfstring(L, "iteration %I", (LUAI_UACINT)it->n);
  return 1;
}

static void open_iterations(lua_State *L) {
  static const luaL_Reg methods[] = {{"mark", mark}, {NULL, NULL}};
  static const luaL_Reg metamethods[] = {
      {"__close", close_iterations}, {"__tostring", iteration_text}, {NULL, NULL}};
  static const char *const fields[][2] = {
      {"n", "number of the iteration, from 1"},
      {"state", "what iterations() was given"},
      {"carried", "values that the loop carries to the next iteration; a checkpoint keeps them"}};
  ls_new_type(L, iteration_name, metamethods, methods, index_iteration);
  ls_set_docs(L, fields, sizeof fields / sizeof *fields, sizeof *fields);
  lua_pop(L, 1);
  lua_register(L, "iterations", new_iterations);
}

/* --- session.* --------------------------------------------------------------------------------------- */

/* a == b in an expression (session/rewrite_equality.h): raises an error if it is false whatever the operands
 * contain. */
static int equal(lua_State *L) {
  const ls_buffer *a = ls_test_buffer(L, 1), *b = ls_test_buffer(L, 2);
  if (a && b && a->type != b->type)
    return luaL_error(L, "a buffer of %s never equals one of %s: a:diff(b) == 0 compares across types",
                      ls_dtype_name(a->type), ls_dtype_name(b->type));
  if ((a && lua_isnumber(L, 2)) || (b && lua_isnumber(L, 1)))
    return luaL_error(L, "a buffer never equals a number: compare an element, b[i] == x, or count them, "
                         "b:count(x) == #b");
  if ((ls_test_graph(L, 1) && lua_isnumber(L, 2)) || (ls_test_graph(L, 2) && lua_isnumber(L, 1)))
    return luaL_error(L, "a graph never equals a number: compare its size, g.n == x or g.m == x");
  lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPEQ));
  return 1;
}

static int stepped(lua_State *L) {
  lua_pushboolean(L, ls_session_stepped());
  return 1;
}

static int awaited(lua_State *L) {
  lua_pushboolean(L, ls_session_awaited());
  return 1;
}

static int present_mark(lua_State *L) {
  lua_pushinteger(L, ls_session_mark());
  return 1;
}

/* Returns a to-be-closed value that holds the number of fixpoints entered before this one. */
static int enter_fixpoint(lua_State *L) {
  int *before = lua_newuserdatauv(L, sizeof *before, 0);
  luaL_setmetatable(L, fixpoint_name);
  *before = ls_session_fixpoint_begin();
  return 1;
}

static int leave_fixpoint(lua_State *L) {
  const int *before = luaL_checkudata(L, 1, fixpoint_name);
  if (ls_session_fixpoint_end(L, *before, !lua_isnoneornil(L, 2))) return lua_yieldk(L, 0, 0, after_mark);
  return 0;
}

/* session.turn(): an iteration of a loop of primitives has ended */
static int turn(lua_State *L) { return ls_session_at_turn(L) ? lua_yieldk(L, 0, 0, after_mark) : 0; }

/* session.keep(): this thread handles the first Ctrl-C itself (ls_session_keep). Returns a to-be-closed value
 * that ends this. */
static int keep_rows(lua_State *L) {
  lua_State **before = lua_newuserdatauv(L, sizeof(lua_State *), 0);
  luaL_setmetatable(L, keep_name);
  *before =
      ls_session_keep(ls_session_has_prompt() ? L : NULL); /* NULL: without a prompt Ctrl-C ends the script */
  return 1;
}

static int leave_keep(lua_State *L) {
  ls_session_keep_end(L, *(lua_State **)luaL_checkudata(L, 1, keep_name));
  return 0;
}

static int interrupted(lua_State *L) {
  lua_pushboolean(L, ls_session_interrupted(L));
  return 1;
}

static int say(lua_State *L) {
  const char *text = luaL_checkstring(L, 1);
  if (ls_out.form != LS_TEXT) {
    fprintf(stderr, "%s\n", text);
    return 0;
  }
  lua_getglobal(L, "print");
  lua_pushvalue(L, 1);
  lua_call(L, 1, 0);
  return 0;
}

/* session.saves() -> path, every: what checkpoint(path, every) has requested; nothing if there is no
 * request. */
static int saves(lua_State *L) {
  u64 every;
  const char *path = ls_session_checkpoint_asked(&every);
  if (!path) return 0;
  lua_pushstring(L, path);
  if (every)
    lua_pushinteger(L, (lua_Integer)every);
  else
    lua_pushnil(L);
  return 2;
}

/* session.saves_nothing(why): until the returned value is closed or collected, checkpoint() fails with that
 * reason. */
typedef struct unsaved {
  bool left;
  char before[LS_NEVER];
} unsaved;

static int saves_nothing(lua_State *L) {
  const char *why = luaL_checkstring(L, 1);
  unsaved *u = lua_newuserdatauv(L, sizeof *u, 0);
  u->left = false;
  luaL_setmetatable(L, unsaved_name);
  ls_session_checkpoint_never(why, u->before);
  return 1;
}

static int leave_unsaved(lua_State *L) {
  unsaved *u = luaL_checkudata(L, 1, unsaved_name);
  if (!u->left) ls_session_checkpoint_never(u->before, NULL);
  u->left = true;
  return 0;
}

/* checkpoint(path [, every]), checkpoint(false) */
static int checkpoint(lua_State *L) {
  if (lua_type(L, 1) == LUA_TBOOLEAN && !lua_toboolean(L, 1)) {
    ls_session_checkpoint_forget();
    return 0;
  }
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_optinteger(L, 2, 0);
  luaL_argcheck(L, lua_isnoneornil(L, 2) || n > 0, 2, "expected a number from 1");
  ls_status st = ls_session_checkpoint_ask(path, (u64)n);
  return st ? ls_raise(L, st) : 0;
}

int ls_open_session(lua_State *L) {
  static const luaL_Reg functions[] = {{"equal", equal},
                                       {"stepped", stepped},
                                       {"awaited", awaited},
                                       {"fixpoint", enter_fixpoint},
                                       {"mark", present_mark},
                                       {"turn", turn},
                                       {"say", say},
                                       {"keep", keep_rows},
                                       {"interrupted", interrupted},
                                       {"saves", saves},
                                       {"saves_nothing", saves_nothing},
                                       {NULL, NULL}};
  open_iterations(L);
  ls_new_metatable(L, fixpoint_name, (const luaL_Reg[]){{"__close", leave_fixpoint}, {NULL, NULL}});
  ls_new_metatable(L, keep_name, (const luaL_Reg[]){{"__close", leave_keep}, {NULL, NULL}});
  ls_new_metatable(L, unsaved_name,
                   (const luaL_Reg[]){{"__close", leave_unsaved}, {"__gc", leave_unsaved}, {NULL, NULL}});
  luaL_newlib(L, functions);
  lua_setglobal(L, "session");
  lua_register(L, "checkpoint", checkpoint);
  ls_session_open_coroutines(L);
  ls_session_on_keep(keep);
  ls_session_on_contents(contents);
  return 0;
}
