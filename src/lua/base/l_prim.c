/* Primitives in Lua: one global function per row.
 *
 * A call's values fill the row's arguments, first by name: a graph supplies off, to, w, t and the transpose's
 * roff, rto, rw, rt; a state supplies its fields and the arrays of its graph; a table supplies its keys (a
 * bundle also the arrays of its graph). Then buffers and numbers fill the remaining arguments from left to
 * right. A row returns its COUNTs; a loop returns its COUNTs, the number of its iterations, and whether it
 * ended without an interrupt. */
#include "lua/bind.h"

#include <stdio.h>
#include <string.h>

#include "core/async_job.h"
#include "core/mem.h"
#include "core/wait.h"
#include "lua/base/l_buffer.h"
#include "lua/base/l_prim_options.h"
#include "lua/base/l_state.h"
#include "session/session.h"
#include "run/launch/dispatch.h"
#include "run/record/journal.h"
#include "run/launch/loop.h"

/* Whether an argument is filled. */
typedef enum how { MISSING, GIVEN, WHOLE /* an integer for a VALUE of type W */ } how;

static bool is_given(const ls_arg *arg) { return arg->role != LS_COUNT; }

static void signature(const ls_prim *p, char *out, size_t bytes) {
  size_t used = 0;
  used += (size_t)snprintf(out, bytes, "%s(", p->name);
  const char *comma = "";
  for (int i = 0; i < p->nargs && used < bytes; i++) {
    if (!is_given(&p->args[i])) continue;
    used += (size_t)snprintf(out + used, bytes - used, "%s%s", comma, p->args[i].name);
    comma = ", ";
  }
  if (used < bytes) snprintf(out + used, bytes - used, ")");
}

static int wrong(lua_State *L, const ls_prim *p, const char *what) {
  char text[256];
  signature(p, text, sizeof text);
  return luaL_error(L, "%s: %s\n  %s", p->name, what, text);
}

/* The arrays that a graph supplies. */
enum { OFF, TO, WEIGHTS, TIMES, ROFF, RTO, RWEIGHTS, RTIMES, GRAPH_ARRAYS };
static const struct {
  const char *name;
  size_t at; /* in ls_graph */
} graph_arrays[GRAPH_ARRAYS] = {
    [OFF] = {"off", offsetof(ls_graph, off)},    [TO] = {"to", offsetof(ls_graph, to)},
    [WEIGHTS] = {"w", offsetof(ls_graph, w)},    [TIMES] = {"t", offsetof(ls_graph, t)},
    [ROFF] = {"roff", offsetof(ls_graph, roff)}, [RTO] = {"rto", offsetof(ls_graph, rto)},
    [RWEIGHTS] = {"rw", offsetof(ls_graph, rw)}, [RTIMES] = {"rt", offsetof(ls_graph, rt)},
};

/* Which of them has that name? GRAPH_ARRAYS: none. */
static int graph_array(const char *name) {
  int k = 0;
  while (k < GRAPH_ARRAYS && (*graph_arrays[k].name != *name || strcmp(graph_arrays[k].name, name) != 0)) k++;
  return k;
}
static const char NO_GRAPH[] = "; a graph among the arguments brings it";

static void fill_from_graph(lua_State *L, ls_call *c, how *given, ls_graph *g) {
  const ls_prim *p = c->prim;
  int array[LS_MAX_ARGS];
  u32 wanted = 0, lacking = 0; /* bit k: the row has an argument for array k; and it is not filled yet */
  for (int i = 0; i < p->nargs; i++) {
    array[i] = p->args[i].role < LS_VALUE ? graph_array(p->args[i].name) : GRAPH_ARRAYS; /* a buffer? */
    wanted |= 1u << array[i];
    if (!given[i]) lacking |= 1u << array[i];
  }
  if (lacking & (1u << ROFF | 1u << RTO)) {
    ls_status st = ls_transpose_here(g, wanted & (1u << RWEIGHTS | 1u << RTIMES));
    if (st) ls_raise(L, st);
  }
  for (int i = 0; i < p->nargs; i++) {
    if (given[i] || array[i] == GRAPH_ARRAYS) continue;
    c->buffers[i] = *(ls_buffer *const *)((const char *)g + graph_arrays[array[i]].at);
    if (c->buffers[i])
      given[i] = GIVEN;
    else if (array[i] == WEIGHTS || array[i] == TIMES)
      luaL_error(L, "%s: the graph %s has no %s", p->name, g->name,
                 array[i] == WEIGHTS ? "weights" : "times");
  }
}

/* Fills arguments from a state's fields, sizes and graph. A VALUE that has the name of a size gets that
 * size. */
static void fill_from_state(lua_State *L, ls_call *c, how *given, ls_state *s) {
  for (int i = 0; i < c->prim->nargs; i++) {
    const ls_arg *arg = &c->prim->args[i];
    if (given[i] || !is_given(arg)) continue;
    const bool size = arg->role == LS_VALUE && (arg->type == LS_U32 || arg->type == LS_U64);
    if (size && ls_state_size(s, arg->name, &c->values[i].U)) {
      if (arg->type == LS_U32 && c->values[i].U > UINT32_MAX)
        luaL_error(L, "%s: the state's size %s is %I, expected one below 2^32", c->prim->name, arg->name,
                   (LUAI_UACINT)c->values[i].U);
      given[i] = GIVEN;
    } else if (arg->role != LS_VALUE && (c->buffers[i] = ls_state_field(s, arg->name))) {
      given[i] = GIVEN;
    }
  }
  if (s->graph) fill_from_graph(L, c, given, s->graph);
}

/* Converts x to `type` and stores it as VALUE i, in the widest type of its kind (64 bits). */
static void put_value(lua_State *L, ls_call *c, int i, ls_dtype type, ls_number x) {
  u64 element;
  if (ls_number_put(type, &element, 0, x)) {
    char which[LS_ARG_CHARS];
    lua_pushfstring(L, "%s: %s", ls_call_arg(c, i, which), ls_error());
    wrong(L, c->prim, lua_tostring(L, -1));
  }
  x = ls_number_at(type, &element, 0);
  if (x.real)
    c->values[i].f = x.r;
  else
    c->values[i].U = (u64)x.i;
}

/* Fills argument i with the Lua value at index `at`. */
static how fill_one(lua_State *L, ls_call *c, int i, int at, int place) {
  const ls_arg *arg = &c->prim->args[i];
  char which[LS_ARG_CHARS];
  c->place[i] = (u8)(place < 255 ? place : 0);
  if (arg->role != LS_VALUE) {
    c->buffers[i] = ls_test_buffer(L, at);
    if (!c->buffers[i]) {
      /* luaL_tolstring, because the text of a closed buffer says that it is closed */
      const char *got = lua_isuserdata(L, at) ? luaL_tolstring(L, at, NULL) : luaL_typename(L, at);
      lua_pushfstring(L, "%s: expected a buffer %s[%s], got %s%s", ls_call_arg(c, i, which),
                      arg->type == LS_W ? "weights" : ls_dtype_name(arg->type), arg->extent, got,
                      place && graph_array(arg->name) < GRAPH_ARRAYS ? NO_GRAPH : "");
      wrong(L, c->prim, lua_tostring(L, -1));
    }
    return GIVEN;
  }
  if (lua_type(L, at) != LUA_TNUMBER) {
    lua_pushfstring(L, "%s: expected a number, got %s", ls_call_arg(c, i, which), luaL_typename(L, at));
    wrong(L, c->prim, lua_tostring(L, -1));
  }
  if (arg->type == LS_W) { /* W is known only after all buffers have been read */
    const bool whole = lua_isinteger(L, at);
    if (whole)
      c->values[i].i = lua_tointeger(L, at);
    else
      c->values[i].f = lua_tonumber(L, at);
    return whole ? WHOLE : GIVEN;
  }
  put_value(L, c, i, arg->type, ls_check_number(L, at));
  return GIVEN;
}

/* Sets W: the type of the first buffer whose argument has type W. Then converts the VALUEs of type W. */
static void settle_type(lua_State *L, ls_call *c, const how *given) {
  const ls_prim *p = c->prim;
  c->type = LS_NONE;
  for (int i = 0; i < p->nargs && c->type == LS_NONE; i++)
    if (p->args[i].type == LS_W && c->buffers[i]) c->type = c->buffers[i]->type;
  for (int i = 0; i < p->nargs; i++)
    if (p->args[i].role == LS_VALUE && p->args[i].type == LS_W) {
      const ls_number whole = {.i = c->values[i].i}, real = {.real = true, .r = c->values[i].f};
      put_value(L, c, i, c->type, given[i] == WHOLE ? whole : real);
    }
}

/* Is it a bundle (prelude.lua)? A bundle is made for several rows; each takes the keys that it knows. */
static bool is_bundle(lua_State *L, int at) {
  if (luaL_getmetafield(L, at, "__name") == LUA_TNIL) return false;
  const char *name = lua_tostring(L, -1);
  const bool bundle = name && strcmp(name, "bundle") == 0;
  lua_pop(L, 1);
  return bundle;
}

static void fill_from_table(lua_State *L, ls_call *c, how *given, int at) {
  const bool bundle = is_bundle(L, at);
  ls_graph *g = NULL;
  lua_pushnil(L);
  while (lua_next(L, at)) {
    if (lua_type(L, -2) != LUA_TSTRING) wrong(L, c->prim, "a table of arguments has names as keys");
    const char *name = lua_tostring(L, -2);
    const int i = ls_arg_find(c->prim, name);
    if (i >= 0 && is_given(&c->prim->args[i])) {
      given[i] = fill_one(L, c, i, lua_gettop(L), 0);
    } else if (ls_take_option(L, c, name)) {
      /* an option and not an argument of the row */
    } else if (bundle && strcmp(name, "graph") == 0 && ls_test_graph(L, -1)) {
      g = ls_test_graph(L, -1); /* the bundle keeps it alive */
    } else if (!bundle) {
      lua_pushfstring(L, "it has no argument '%s'", name);
      wrong(L, c->prim, lua_tostring(L, -1));
    }
    lua_pop(L, 1);
  }
  if (g) fill_from_graph(L, c, given, g);
}

/* Reads a call's arguments from the values at indices first .. last. */
static void read_arguments(lua_State *L, ls_call *c, int first, int last) {
  const ls_prim *p = c->prim;
  how given[LS_MAX_ARGS] = {MISSING};
  /* tables first, so that the other values fill the remaining arguments */
  for (int at = first; at <= last; at++)
    if (lua_istable(L, at)) fill_from_table(L, c, given, at);
  int next = 0;
  for (int at = first; at <= last; at++) {
    ls_graph *g = ls_test_graph(L, at);
    ls_state *s = ls_test_state(L, at);
    if (lua_istable(L, at)) continue;
    if (g) {
      fill_from_graph(L, c, given, g);
    } else if (s) {
      fill_from_state(L, c, given, s);
    } else {
      while (next < p->nargs && (given[next] || !is_given(&p->args[next]))) next++;
      if (next == p->nargs) wrong(L, p, "too many arguments");
      given[next] = fill_one(L, c, next, at, at - first + 1);
    }
  }
  for (int i = 0; i < p->nargs; i++) {
    if (given[i] || !is_given(&p->args[i])) continue;
    lua_pushfstring(L, "argument %d (%s: %s[%s]) is missing%s", last - first + 2, p->args[i].name,
                    p->args[i].type == LS_W ? "weights" : ls_dtype_name(p->args[i].type), p->args[i].extent,
                    graph_array(p->args[i].name) < GRAPH_ARRAYS ? NO_GRAPH : "");
    wrong(L, p, lua_tostring(L, -1));
  }
  settle_type(L, c, given);
}

/* The primitive that the running function calls: the newest row of its name, because rows can be replaced. A
 * step of a loop, however, keeps calling the row that the loop was compiled with. */
static ls_prim *called(lua_State *L) {
  ls_prim *p = lua_touserdata(L, lua_upvalueindex(1));
  const bool step = lua_toboolean(L, lua_upvalueindex(2));
  while (!step && p->newer) p = p->newer;
  return p;
}

static int launch(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  char where[40];
  const ls_call nothing = {
      .prim = called(L), .where = where, .stepped = lua_toboolean(L, lua_upvalueindex(2))};
  ls_call c = nothing;
  ls_status st = ls_journal_present();
  if (st) return ls_raise(L, st);
  ls_session_where(L, where, sizeof where);
  read_arguments(L, &c, 1, lua_gettop(L));
  if (ls_session_stoppable()) c.beside = false; /* a stop after the exchange shows its result */
  if (ls_prim_exchanges(c.prim) && (st = ls_async_job_finish())) return ls_raise(L, st);
  ls_session_ranges(L);
  ls_outcome out;
  st = ls_dispatch(&c, &out);
  if ((st == LS_EMEM || st == LS_EDEVICE) && !ls_device_current()->lost) {
    lua_gc(L, LUA_GCCOLLECT); /* unreachable buffers may hold the memory that is needed */
    c = nothing;              /* a finalizer may have changed the arguments */
    read_arguments(L, &c, 1, lua_gettop(L));
    c.beside &= !ls_session_stoppable();
    st = ls_dispatch(&c, &out);
  }
  if (st) {
    char text[256];
    signature(c.prim, text, sizeof text);
    if (st == LS_EARG && !ls_compare_report()[0]) ls_fail(st, "%.700s\n  %s", ls_error(), text);
    return ls_raise(L, st);
  }
  int results = 0, k = 0;
  luaL_checkstack(L, LS_MAX_SUMS + 2, NULL);
  for (int i = 0; i < c.prim->nargs; i++) {
    if (c.prim->args[i].role != LS_COUNT) continue;
    lua_pushinteger(L, (lua_Integer)out.counts[k++]);
    results++;
  }
  if (c.prim->domain == LS_LOOP) {
    lua_pushinteger(L, (lua_Integer)out.iterations);
    lua_pushboolean(L, !out.interrupted);
    results += 2;
  }
  if (c.beside) { /* the exchange's number, for ranks.beside */
    lua_pushinteger(L, (lua_Integer)out.beside);
    results++;
  }
  return results;
}

static int call_prim(lua_State *L) {
  ls_session_forget_ended();
  return ls_session_around(L, launch, called(L)->name);
}

/* prim.swap(a, b): exchanges two buffers' contents, as a loop's SWAP does. */
static int swap(lua_State *L) {
  ls_buffer *a = ls_check_buffer(L, 1), *b = ls_check_buffer(L, 2);
  ls_status st = ls_journal_present();
  if (st) return ls_raise(L, st);
  if (a->type != b->type || a->count != b->count || a->read_only || b->read_only)
    return luaL_error(L, "swap: the buffers differ in type or size, or belong to a graph");
  ls_buffer_swap(a, b);
  return 0;
}

/* Pushes a call's arguments as a table by name. */
static void push_arguments(lua_State *L, const ls_call *call) {
  const ls_call c = *call;
  lua_newtable(L);
  for (int i = 0; i < c.prim->nargs; i++) {
    const ls_arg *arg = &c.prim->args[i];
    if (!is_given(arg)) continue;
    const ls_dtype type = arg->type == LS_W ? c.type : arg->type;
    if (c.buffers[i])
      ls_push_buffer(L, ls_buffer_retain(c.buffers[i]));
    else if (ls_dtype_is_real(type))
      lua_pushnumber(L, c.values[i].f);
    else if (type == LS_U64) /* above Lua's integers it becomes a float, as it was passed */
      ls_push_number(L, (ls_number){.i = c.values[i].U});
    else
      lua_pushinteger(L, c.values[i].i);
    lua_setfield(L, -2, arg->name);
  }
  ls_put_options(L, &c);
}

/* loop.arguments(...): the arguments of a call, for stepping through a loop. */
static int arguments(lua_State *L) {
  ls_call c = {.prim = lua_touserdata(L, lua_upvalueindex(1))};
  read_arguments(L, &c, 1, lua_gettop(L));
  push_arguments(L, &c);
  return 1;
}

/* loop.copies(arguments): the arguments, with copies of the buffers that the loop writes: on these, the
 * second device of compare() will run the loop. Also returns the number of writes by hand so far, for
 * loop.compare. */
static int copies(lua_State *L) {
  ls_call c = {.prim = lua_touserdata(L, lua_upvalueindex(1))};
  read_arguments(L, &c, 1, lua_gettop(L));
  push_arguments(L, &c);
  for (int i = 0; i < c.prim->nargs; i++) {
    ls_buffer *copy;
    if (!c.buffers[i] || !ls_arg_written(c.prim, i)) continue;
    const bool beside = ls_buffer_beside(true); /* a copy needs no recording */
    ls_status st = ls_buffer_copy(c.buffers[i], ls_compare_side(), &copy);
    ls_buffer_beside(beside);
    if (st) return ls_raise(L, st);
    ls_push_buffer(L, copy);
    lua_setfield(L, -2, c.prim->args[i].name);
  }
  lua_pushinteger(L, (lua_Integer)ls_session_touched());
  return 2;
}

/* loop.compare(arguments, copies, touched): the loop has been stepped to its end, from the state of the
 * copies; compares the result with that of the second device. If buffers were written by hand meanwhile,
 * there is nothing to compare. */
static int compare_stepped(lua_State *L) {
  ls_call done = {.prim = lua_touserdata(L, lua_upvalueindex(1))}, before = done;
  if ((u64)luaL_checkinteger(L, 3) != ls_session_touched()) return 0;
  read_arguments(L, &done, 1, 1);
  read_arguments(L, &before, 2, 2);
  ls_status st = ls_compare_stepped(&done, &before);
  if (st) return ls_raise(L, st);
  ls_session_stop_asked(); /* stops at a disagreement, which was found outside of a primitive */
  return 0;
}

/* Pushes the names of a row's COUNTs, in order. */
static void describe_counts(lua_State *L, const ls_prim *p) {
  const char *names[LS_MAX_ARGS];
  int count = 0;
  for (int i = 0; i < p->nargs; i++)
    if (p->args[i].role == LS_COUNT) names[count++] = p->args[i].name;
  ls_push_strings(L, names, count);
}

/* Pushes the names of the arguments that a call passes, in order. */
static void describe_takes(lua_State *L, const ls_prim *p) {
  const char *names[LS_MAX_ARGS];
  int count = 0;
  for (int i = 0; i < p->nargs; i++)
    if (is_given(&p->args[i])) names[count++] = p->args[i].name;
  ls_push_strings(L, names, count);
}

static void push_call(lua_State *L, const ls_prim *p, bool step) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)p);
  lua_pushboolean(L, step);
  lua_pushcclosure(L, call_prim, 2);
}

/* Pushes one line of a loop: {what = "STEP", row =, with = "front=near ", call =, takes =, counts =}, {what =
 * "SWAP", a, b}, {what = "UNTIL", count =}, {what = "FOR", variable =, limit =} and so on. */
static void push_word(lua_State *L, const ls_loop_word *w, const ls_prim *step) {
  lua_newtable(L);
  ls_set_string(L, "what", ls_loop_word_name(w->kind));
  if (w->kind == LS_WORD_STEP) {
    ls_set_string(L, "row", w->a);
    ls_set_string(L, "with", w->b);
    push_call(L, step, true);
    lua_setfield(L, -2, "call");
    describe_takes(L, step);
    lua_setfield(L, -2, "takes");
    describe_counts(L, step);
    lua_setfield(L, -2, "counts");
  } else if (w->kind == LS_WORD_SWAP) {
    const char *const pair[2] = {w->a, w->b};
    for (int i = 0; i < 2; i++) {
      lua_pushstring(L, pair[i]);
      lua_rawseti(L, -2, i + 1);
    }
  } else if (w->kind == LS_WORD_FOR) {
    ls_set_string(L, "variable", w->a);
    ls_set_string(L, "limit", w->b);
  } else if (w->a) {
    ls_set_string(L, "count", w->a);
  }
}

/* loop.size(text, arguments...): the value of one of the loop's size expressions, such as the limit of a
 * FOR. */
static int loop_size(lua_State *L) {
  ls_call c = {.prim = lua_touserdata(L, lua_upvalueindex(1))};
  const char *text = luaL_checkstring(L, 1);
  read_arguments(L, &c, 2, lua_gettop(L));
  u64 value;
  ls_status st = ls_call_size(&c, text, &value);
  if (st) return ls_raise(L, st);
  lua_pushinteger(L, (lua_Integer)value);
  return 1;
}

/* Pushes prim.loops[NAME] = {call =, arguments =, copies =, compare =, size =, words = {...}, counts =
 * {...}} */
static void describe_loop(lua_State *L, ls_prim *p) {
  lua_newtable(L);
  static const luaL_Reg functions[] = {{"call", call_prim}, {"arguments", arguments},
                                       {"copies", copies},  {"compare", compare_stepped},
                                       {"size", loop_size}, {NULL, NULL}};
  lua_pushlightuserdata(L, p);
  luaL_setfuncs(L, functions, 1);
  describe_counts(L, p);
  lua_setfield(L, -2, "counts");
  lua_createtable(L, p->loop->nwords, 0);
  int step = 0;
  for (int i = 0; i < p->loop->nwords; i++) {
    const ls_loop_word *w = &p->loop->words[i];
    push_word(L, w, w->kind == LS_WORD_STEP ? p->loop->step[step++].prim : NULL);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "words");
}

/* prim.describe(NAME or I): the row called NAME, or the I-th row, as {name =, doc =, domain =, types = {...},
 * args = {{role =, name =, type =, extent =}...}}; nil if there is none. */
static int describe(lua_State *L) {
  static const char *const roles[] = {
      "in",    "in",   "in", "in", "in and out", "out", "queue in", "queue out", "queue in and out",
      "value", "count"};
  const ls_prim *p = NULL;
  if (lua_type(L, 1) == LUA_TNUMBER) {
    const lua_Integer i = luaL_checkinteger(L, 1);
    if (i >= 1 && i <= ls_prims()) p = ls_prim_at((int)i - 1);
  } else {
    p = ls_prim_find(luaL_checkstring(L, 1));
  }
  if (!p) return 0;
  lua_newtable(L);
  ls_set_string(L, "name", p->name);
  ls_set_string(L, "doc", p->doc);
  ls_set_string(L, "domain", ls_domain_name(p->domain));
  lua_newtable(L);
  for (int t = 0; t < LS_DTYPES; t++) {
    if (!(p->types & 1u << t)) continue;
    lua_pushstring(L, ls_dtype_name((ls_dtype)t));
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  }
  lua_setfield(L, -2, "types");
  lua_newtable(L);
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *arg = &p->args[i];
    lua_newtable(L);
    const bool queue = ls_arg_is_queue(arg);
    const bool updated = ls_arg_written(p, i) && ls_arg_read(p, i, false);
    ls_set_string(L, "role", queue && updated ? "queue in and out" : roles[arg->role]);
    ls_set_string(L, "name", arg->name);
    ls_set_string(L, "type", arg->type == LS_W ? "W" : ls_dtype_name(arg->type));
    ls_set_string(L, "extent", arg->extent);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "args");
  return 1;
}

static const char prim_key; /* registry key of the table prim, even if the global is replaced */

/* Defines p->name in Lua: the global and prim.NAME; prim.takes[NAME] = {names of its arguments, in order};
 * prim.counts[NAME] = {names of its COUNTs}; prim.loops[NAME], if it is a loop. */
void ls_push_prim(lua_State *L, ls_prim *p) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &prim_key);
  lua_getfield(L, -1, "counts");
  describe_counts(L, p);
  lua_setfield(L, -2, p->name);
  lua_pop(L, 1);
  lua_getfield(L, -1, "takes");
  describe_takes(L, p);
  lua_setfield(L, -2, p->name);
  lua_pop(L, 1);
  lua_getfield(L, -1, "loops");
  if (p->loop)
    describe_loop(L, p);
  else
    lua_pushnil(L);
  lua_setfield(L, -2, p->name);
  lua_pop(L, 1);
  if (!p->loop) { /* prelude.lua makes a loop's function */
    push_call(L, p, false);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, p->name);
    lua_setglobal(L, p->name);
  }
  lua_pop(L, 1);
}

void ls_publish_prim(lua_State *L, ls_prim *p) {
  ls_push_prim(L, p);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &prim_key);
  lua_getfield(L, -1, "adopt");
  lua_pushstring(L, p->name);
  lua_pushboolean(L, ls_prim_shipped(p));
  lua_call(L, 2, 0);
  lua_pop(L, 1);
}

int ls_open_prim(lua_State *L) {
  ls_open_state(L);
  lua_newtable(L);
  static const char *const tables[] = {"loops", "takes", "counts"};
  for (int i = 0; i < 3; i++) {
    lua_newtable(L);
    lua_setfield(L, -2, tables[i]);
  }
  lua_pushcfunction(L, swap);
  lua_setfield(L, -2, "swap");
  lua_pushcfunction(L, describe);
  lua_setfield(L, -2, "describe");
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &prim_key);
  lua_setglobal(L, "prim");
  for (int i = 0; i < ls_prims(); i++) ls_push_prim(L, ls_prim_at(i));
  return 0;
}
