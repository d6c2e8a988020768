/* DVE models in Lua; l_dve_space.c has their state spaces. The functions for users (explore, methods of its
 * result, walks) are in lua/dve/explore.lua, which uses these. */
#include "lua/dve/l_dve.h"

#include <string.h>

#include "core/mem.h"
#include "core/escape.h"

#define MODEL "lockstep.dve"

void ls_push_dve_text(lua_State *L, const char *text) {
  char shown[LS_DVE_TEXT];
  lua_pushstring(L, ls_escaped(text, 0, shown, sizeof shown));
}

/* --- models --------------------------------------------------------------------------------------------- */

ls_dve **ls_push_dve(lua_State *L) {
  ls_dve **m = lua_newuserdatauv(L, sizeof *m, 0);
  *m = NULL;
  luaL_setmetatable(L, MODEL);
  return m;
}

ls_dve *ls_check_dve(lua_State *L, int i) {
  ls_dve **m = luaL_testudata(L, i, MODEL);
  if (!m) luaL_typeerror(L, i, "DVE model");
  if (!*m) luaL_argerror(L, i, "the model is closed");
  return *m;
}

static int close_model(lua_State *L) {
  ls_dve **m = luaL_checkudata(L, 1, MODEL);
  ls_dve_release(*m);
  *m = NULL;
  return 0;
}

/* Checks that argument i is a state: a string of its words, as dve.initial and dve.steps return it. */
const u32 *ls_check_dve_state(lua_State *L, int i, const ls_dve *m) {
  size_t bytes;
  const char *s = luaL_checklstring(L, i, &bytes);
  if (bytes != ls_dve_words(m) * sizeof(u32)) luaL_argerror(L, i, "this is not a state of the model");
  u32 *copy = lua_newuserdatauv(L, bytes, 0); /* aligned */
  memcpy(copy, s, bytes);
  if (!ls_dve_is_state(m, copy)) luaL_argerror(L, i, "this is not a state of the model");
  return copy;
}

void ls_push_dve_state(lua_State *L, const ls_dve *m, const u32 *state) {
  lua_pushlstring(L, (const char *)state, ls_dve_words(m) * sizeof *state);
}

/* dve.initial(m): the initial state, packed in a string. */
static int initial(lua_State *L) {
  const ls_dve *m = ls_check_dve(L, 1);
  ls_push_dve_state(L, m, ls_dve_initial(m));
  return 1;
}

typedef struct listing {
  const ls_dve *m;
  ls_dve_steps *steps;
} listing;

static int push_steps(lua_State *L) {
  const listing *l = lua_touserdata(L, 1);
  char text[LS_DVE_TEXT];
  ls_dve_move move;
  lua_newtable(L);
  for (u64 i = 0; ls_dve_move_at(l->m, l->steps, i, &move); i++) {
    lua_createtable(L, 0, 4);
    ls_push_dve_state(L, l->m, move.state);
    lua_setfield(L, -2, "state");
    ls_dve_moves_text(l->m, move.moves, text, sizeof text);
    ls_push_dve_text(L, text);
    lua_setfield(L, -2, "action");
    lua_pushinteger(L, move.cost);
    lua_setfield(L, -2, "cost");
    lua_pushinteger(L, move.time);
    lua_setfield(L, -2, "time");
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* dve.steps(m, state): the steps from the state, a list of {state =, action =, cost =, time =}. */
static int list_steps(lua_State *L) {
  listing l = {.m = ls_check_dve(L, 1)};
  const ls_status st = ls_dve_moves(l.m, ls_check_dve_state(L, 2, l.m), &l.steps);
  if (st) return ls_raise(L, st);
  lua_pushcfunction(L, push_steps);
  lua_pushlightuserdata(L, &l);
  const int outcome = lua_pcall(L, 1, 1, 0);
  ls_dve_moves_free(l.steps);
  return outcome == LUA_OK ? 1 : lua_error(L);
}

/* dve.text(m, state) and dve.change(m, before, after): a state or a change as text. */
static int state_text(lua_State *L) {
  const ls_dve *m = ls_check_dve(L, 1);
  char text[LS_DVE_TEXT];
  ls_dve_state_text(m, ls_check_dve_state(L, 2, m), text, sizeof text);
  ls_push_dve_text(L, text);
  return 1;
}

static int change_text(lua_State *L) {
  const ls_dve *m = ls_check_dve(L, 1);
  char text[LS_DVE_TEXT];
  const u32 *before = ls_check_dve_state(L, 2, m), *after = ls_check_dve_state(L, 3, m);
  ls_dve_change_text(m, before, after, text, sizeof text);
  ls_push_dve_text(L, text);
  return 1;
}

/* dve.why(m, state [, which]): among the state's steps to the error state, explains why number `which`
 * (default 1) fails; nil if there is no such step */
static int why_error(lua_State *L) {
  const ls_dve *m = ls_check_dve(L, 1);
  char text[LS_DVE_TEXT];
  const u32 *state = ls_check_dve_state(L, 2, m);
  const lua_Integer which = luaL_optinteger(L, 3, 1);
  if (which >= 1 && which <= UINT32_MAX && ls_dve_why(m, state, (u32)(which - 1), text, sizeof text))
    ls_push_dve_text(L, text);
  else
    lua_pushnil(L);
  return 1;
}

static void push_values(lua_State *L, const ls_dve_part *part, u32 item) {
  if (part->fields == 1) {
    lua_pushinteger(L, ls_dve_part_value(part, item, 0));
    return;
  }
  lua_createtable(L, (int)part->fields, 0);
  for (u32 k = 0; k < part->fields; k++) {
    lua_pushinteger(L, ls_dve_part_value(part, item, k));
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
}

/* dve.decode(m, state): the state as a table, {x = 1, a = {0, 2}, P = {state = "wait", j = 0}}; for the error
 * state {error = true} */
static int decode(lua_State *L) {
  const ls_dve *m = ls_check_dve(L, 1);
  const u32 *state = ls_check_dve_state(L, 2, m);
  lua_newtable(L);
  const int top = lua_gettop(L);
  if (ls_dve_is_error(m, state)) {
    lua_pushboolean(L, true);
    lua_setfield(L, top, "error");
    return 1;
  }
  ls_dve_part part;
  for (u32 i = 0, n = 1; i < n; i++) {
    n = ls_dve_part_at(m, state, i, &part);
    if (i >= n) break;
    if (!part.process)
      lua_pushvalue(L, top);
    else if (lua_getfield(L, top, part.process) != LUA_TTABLE) {
      lua_newtable(L);
      lua_pushvalue(L, -1);
      lua_setfield(L, top, part.process);
    }
    if (!part.name) {
      lua_pushstring(L, part.state);
      lua_setfield(L, -2, "state");
    } else if (!part.list) {
      push_values(L, &part, 0);
      lua_setfield(L, -2, part.name);
    } else {
      lua_createtable(L, (int)part.count, 0);
      for (u32 k = 0; k < part.count; k++) {
        push_values(L, &part, k);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
      }
      lua_setfield(L, -2, part.name);
    }
    lua_settop(L, top);
  }
  return 1;
}

/* dve.is(x): is it a model? */
static int is_model(lua_State *L) {
  lua_pushboolean(L, luaL_testudata(L, 1, MODEL) != NULL);
  return 1;
}

/* dve.describe(m): the model as text. */
static int describe(lua_State *L) {
  ls_text text;
  const ls_status st = ls_dve_model_text(ls_check_dve(L, 1), &text);
  if (st) return ls_raise(L, st);
  ls_push_text(L, &text);
  return 1;
}

/* dve.automaton(m, process): the process as a graph. */
static int automaton(lua_State *L) {
  ls_graph *g;
  const ls_status st = ls_dve_automaton(ls_check_dve(L, 1), luaL_checkstring(L, 2), &g);
  if (st) return ls_raise(L, st);
  ls_push_graph(L, g);
  return 1;
}

/* dve.claims(m): the number of the model's assertions, and whether it has a property process. */
static int claims(lua_State *L) {
  bool property;
  lua_pushinteger(L, ls_dve_claims(ls_check_dve(L, 1), &property));
  lua_pushboolean(L, property);
  return 2;
}

/* dve.name(m): the path of the model's file. */
static int model_name(lua_State *L) {
  char name[512];
  lua_pushstring(L, ls_escaped(ls_dve_path(ls_check_dve(L, 1)), 0, name, sizeof name));
  return 1;
}

/* The first line of what m:show() prints. */
static int model_tostring(lua_State *L) {
  ls_dve **m = luaL_checkudata(L, 1, MODEL);
  char head[600] = "(closed)", shown[1200];
  if (*m) ls_dve_head(*m, head, sizeof head);
  lua_pushfstring(L, "model %s", ls_escaped(head, 0, shown, sizeof shown));
  return 1;
}

static const luaL_Reg functions[] = {
    {"decode", decode},      {"initial", initial},   {"steps", list_steps}, {"text", state_text},
    {"change", change_text}, {"describe", describe}, {"is", is_model},      {"automaton", automaton},
    {"name", model_name},    {"why", why_error},     {"claims", claims},    {NULL, NULL},
};

void ls_open_dve(lua_State *L) {
  static const luaL_Reg metamethods[] = {
      {"__gc", close_model}, {"__close", close_model}, {"__tostring", model_tostring}, {NULL, NULL}};
  luaL_newmetatable(L, MODEL);
  luaL_setfuncs(L, metamethods, 0);
  lua_newtable(L); /* lua/dve/explore.lua adds the methods */
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__index");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__methods");
  luaL_newlib(L, functions);
  lua_insert(L, -2);
  lua_setfield(L, -2, "methods");
  lua_setglobal(L, "dve");
  lua_pop(L, 1);
}
