/* Models of differential equations in Lua: the type and loading. The rest is written in Lua:
 * lua/ensemble/simulate.lua. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/nearest.h"
#include "core/escape.h"
#include "core/text.h"
#include "lua/base/l_model.h"
#include "lua/ode/l_model_ode.h"
#include "model/ode/read.h"
#include "ode/print_equation.h"
#include "ode/simulate.h"

#define TYPE "lockstep.model"
#define TEXT "lockstep.text"

enum { QUICK_VALUES = 1 << 16, NAMES_TOLD = 6 };

ls_ode *ls_check_model(lua_State *L, int i) {
  ls_ode **box = luaL_testudata(L, i, TYPE);
  if (!box) luaL_typeerror(L, i, "model");
  if (!*box) luaL_argerror(L, i, "the model is closed");
  return *box;
}

static int collect(lua_State *L) {
  ls_ode **box = luaL_checkudata(L, 1, TYPE);
  ls_ode_release(*box);
  *box = NULL;
  return 0;
}

/* --- loading ---------------------------------------------------------------------------------------------
 */

typedef struct loading {
  const char *path, *text; /* text: NULL if it is in the file */
  size_t bytes;
  bool loops;
  ls_ode *out;
} loading;

static ls_status do_load(void *arg) {
  loading *l = arg;
  return l->text ? ls_ode_read_text(l->path, l->text, l->bytes, l->loops, &l->out)
                 : ls_ode_read(l->path, l->loops, &l->out);
}

static int push_loaded(lua_State *L, loading *l) {
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, 2)) {
      lua_pop(L, 1);
      if (lua_type(L, -1) != LUA_TSTRING || strcmp(lua_tostring(L, -1), "loops") != 0)
        return luaL_error(L, "model.load: the only option is loops = true");
    }
    lua_getfield(L, 2, "loops");
    l->loops = lua_toboolean(L, -1);
  }
  ls_ode **box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = NULL;
  luaL_setmetatable(L, TYPE);
  ls_do(L, do_load, l, l->text && l->bytes < QUICK_VALUES);
  *box = l->out;
  ls_tell_collector(L, (u64)l->out->count * 512);
  return 1;
}

int ls_ode_load(lua_State *L) {
  loading l = {.path = luaL_checkstring(L, 1)};
  return push_loaded(L, &l);
}

static int from_text(lua_State *L) {
  loading l = {.path = "text"};
  l.text = luaL_checklstring(L, 1, &l.bytes);
  if (strlen(l.text) != l.bytes) return luaL_error(L, "model.from_text: the text has a zero byte");
  return push_loaded(L, &l);
}

/* --- variables -------------------------------------------------------------------------------------------
 */

/* Pushes a text that comes from a file, made safe to print. */
static void push_shown(lua_State *L, const char *text) {
  luaL_Buffer b;
  const size_t room = strlen(text) * LS_ESCAPED_CHAR + 4;
  char *p = luaL_buffinitsize(L, &b, room);
  ls_escaped(text, LS_ESCAPE_LINES, p, room);
  luaL_pushresultsize(&b, strlen(p));
}

/* Is `name` the end of the variable name `all`, after a dot or a colon? */
static bool is_end_of(const char *all, const char *name) {
  const size_t n = strlen(all), k = strlen(name);
  return n > k && (all[n - k - 1] == '.' || all[n - k - 1] == ':') && strcmp(all + n - k, name) == 0;
}

static int unknown(lua_State *L, const ls_ode *m, const char *name) {
  const char **names = lua_newuserdatauv(L, (2 * (size_t)m->count + 1) * sizeof *names, 0);
  size_t count = 0;
  for (u32 i = 0; i < m->count && i < 20000; i++) {
    const char *whole = m->variables[i].name, *dot = strrchr(whole, '.');
    names[count++] = whole;
    if (dot) names[count++] = dot + 1;
  }
  const char *near = ls_nearest(name, names, count);
  if (near) return luaL_error(L, "%s has no variable '%s' (did you mean %s?)", m->path, name, near);
  return luaL_error(L, "%s has no variable '%s'; m:show() lists what there is", m->path, name);
}

static int ambiguous(lua_State *L, const ls_ode *m, const char *name) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (u32 i = 0, told = 0; i < m->count && told <= NAMES_TOLD; i++) {
    if (!is_end_of(m->variables[i].name, name) &&
        !(m->variables[i].id && is_end_of(m->variables[i].id, name)))
      continue;
    if (told) luaL_addstring(&b, ", ");
    luaL_addstring(&b, told++ == NAMES_TOLD ? "..." : m->variables[i].name);
  }
  luaL_pushresult(&b);
  return luaL_error(L, "%s has several variables '%s': %s; say which", m->path, name, lua_tostring(L, -1));
}

/* Finds a variable by its name as shown, in which some bytes may be escaped as \xff. */
static u32 find_shown(lua_State *L, const ls_ode *m, const char *name) {
  u32 found = LS_NO_VARIABLE;
  for (u32 i = 0; strchr(name, '\\') && i < m->count && found == LS_NO_VARIABLE; i++) {
    push_shown(L, m->variables[i].name);
    if (strcmp(lua_tostring(L, -1), name) == 0) found = i;
    lua_pop(L, 1);
  }
  return found;
}

/* Finds a variable by its name, by its identifier in the file, or by the end of one of these if only one
 * variable, or only one state, has that end. Raises if there is none. */
static u32 find(lua_State *L, const ls_ode *m, const char *name) {
  u32 v = ls_ode_find(m, name), found = 0, states = 0, state = 0;
  if (v != LS_NO_VARIABLE) return v;
  for (u32 i = 0; i < m->count; i++) {
    const ls_variable *a = &m->variables[i];
    if (!is_end_of(a->name, name) && !(a->id && is_end_of(a->id, name))) continue;
    v = i;
    found++;
    if (a->role == LS_STATE) state = i, states++;
  }
  if (found == 1) return v;
  if (states == 1) return state;
  if (!found && (v = find_shown(L, m, name)) != LS_NO_VARIABLE) return v;
  return (u32)(found ? ambiguous(L, m, name) : unknown(L, m, name));
}

/* m:find(name) -> the name of the variable, and its number from 1. */
static int m_find(lua_State *L) {
  const ls_ode *m = ls_check_model(L, 1);
  const u32 v = find(L, m, luaL_checkstring(L, 2));
  push_shown(L, m->variables[v].name);
  lua_pushinteger(L, (lua_Integer)v + 1);
  return 2;
}

static const char *quantity_name(ls_quantity q) {
  return q == LS_AMOUNT ? "amount" : q == LS_CONCENTRATION ? "concentration" : "value";
}

/* m:variable(v) -> a table that describes the variable with the name or number v. */
static int m_variable(lua_State *L) {
  const ls_ode *m = ls_check_model(L, 1);
  u32 v;
  if (lua_type(L, 2) == LUA_TNUMBER) {
    const lua_Integer i = luaL_checkinteger(L, 2);
    if (i < 1 || i > m->count) return luaL_error(L, "m:variable: there are variables 1 to %d", (int)m->count);
    v = (u32)i - 1;
  } else {
    v = find(L, m, luaL_checkstring(L, 2));
  }
  const ls_variable *a = &m->variables[v];
  lua_createtable(L, 0, 8);
  push_shown(L, a->name);
  lua_setfield(L, -2, "name");
  if (a->id) push_shown(L, a->id), lua_setfield(L, -2, "id");
  if (a->unit) push_shown(L, a->unit), lua_setfield(L, -2, "unit");
  lua_pushstring(L, ls_role_name(a->role));
  lua_setfield(L, -2, "role");
  lua_pushinteger(L, a->line);
  lua_setfield(L, -2, "line");
  if (a->file) push_shown(L, a->file), lua_setfield(L, -2, "file");
  lua_pushstring(L, quantity_name(a->shown));
  lua_setfield(L, -2, "quantity");
  lua_pushstring(L, quantity_name(a->quantity));
  lua_setfield(L, -2, "held");
  if (a->size != LS_NO_VARIABLE) lua_pushinteger(L, (lua_Integer)a->size + 1), lua_setfield(L, -2, "size");
  if ((a->role == LS_PARAMETER || a->role == LS_STATE) && a->initial->op == LS_NUMBER_OP) {
    lua_pushnumber(L, a->initial->number);
    lua_setfield(L, -2, a->role == LS_STATE ? "first" : "value");
  }
  return 1;
}

static int m_set(lua_State *L) {
  ls_ode *m = ls_check_model(L, 1);
  if (lua_type(L, 2) != LUA_TSTRING || !lua_isnumber(L, 3))
    return luaL_error(
        L,
        "m:set takes a name and a number, as m:set(\"a\", 2); several at once: m:parameters{a = 2, b = 3}");
  const u32 v = find(L, m, lua_tostring(L, 2));
  ls_status st = ls_ode_set(m, v, luaL_checknumber(L, 3));
  if (st) return ls_raise(L, st);
  lua_settop(L, 1);
  return 1;
}

/* m:reset(): restores the values that the file gives. */
static int m_reset(lua_State *L) {
  ls_ode_reset(ls_check_model(L, 1));
  lua_settop(L, 1);
  return 1;
}

/* m:equation(v [, width]) -> the text of the equation of variable v. */
static int m_equation(lua_State *L) {
  const ls_ode *m = ls_check_model(L, 1);
  const u32 v = find(L, m, luaL_checkstring(L, 2));
  const lua_Integer width = luaL_optinteger(L, 3, 80);
  luaL_argcheck(L, width >= 20 && width <= 10000, 3, "a width from 20 to 10000 expected");
  char **text = lua_newuserdatauv(L, sizeof *text, 0); /* so that an error frees it */
  *text = NULL;
  luaL_setmetatable(L, TEXT);
  ls_status st = ls_ode_pretty(m, v, (u32)width, text);
  if (st) return ls_raise(L, st);
  push_shown(L, *text);
  return 1;
}

static int free_text(lua_State *L) {
  char **text = luaL_checkudata(L, 1, TEXT);
  ls_free(*text);
  *text = NULL;
  return 0;
}

typedef struct starting {
  ls_ode *m;
  f64 start;
  ls_buffer *out;
  u32 count; /* variables whose initial value is not the model's */
  u32 *variable;
  ls_term *value;
} starting;

static ls_status do_start(void *arg) {
  starting *s = arg;
  f64 *x = ls_buffer_overwrite(s->out);
  const ls_term **own = ls_malloc(s->count * sizeof *own);
  ls_status st = x && own ? LS_OK : LS_EMEM;
  if (!st && !s->m->order) st = ls_ode_arrange(s->m); /* before the initial values are replaced */
  for (u32 i = 0; i < s->count && !st; i++) {
    ls_variable *v = &s->m->variables[s->variable[i]];
    own[i] = v->initial;
    v->initial = &s->value[i];
  }
  if (!st) {
    st = ls_ode_first_values(s->m, s->start, x);
    for (u32 i = 0; i < s->count; i++) s->m->variables[s->variable[i]].initial = own[i];
  }
  ls_free(own);
  return st;
}

/* Reads the table at i: {[number of a variable, from 1] = its initial value}. */
static void read_values(lua_State *L, int i, starting *s) {
  u32 count = 0;
  luaL_checktype(L, i, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) count++;
  s->variable = lua_newuserdatauv(L, count * sizeof *s->variable + 1, 0);
  s->value = lua_newuserdatauv(L, count * sizeof *s->value + 1, 0);
  for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) {
    const lua_Integer v = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
    if (v < 1 || v > s->m->count || lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "m:first: values must be numbers whose keys are numbers of variables, 1 to %d",
                 (int)s->m->count);
    if (s->m->variables[v - 1].role == LS_ALGEBRAIC)
      luaL_error(L, "m:first: %s is computed by an equation", s->m->variables[v - 1].name);
    s->variable[s->count] = (u32)v - 1;
    s->value[s->count++] = (ls_term){.op = LS_NUMBER_OP, .depth = 1, .number = lua_tonumber(L, -1)};
  }
}

/* m:first([start [, values]]) -> the initial values of all variables, f64[m.variables]; `values` replaces
 * those of some variables, by number. */
static int m_first(lua_State *L) {
  starting s = {.m = ls_check_model(L, 1), .start = luaL_optnumber(L, 2, 0)};
  if (!lua_isnoneornil(L, 3)) read_values(L, 3, &s);
  ls_status st = ls_buffer_new(LS_F64, s.m->count, 0, &s.out);
  if (st) return ls_raise(L, st);
  ls_push_buffer(L, s.out);
  ls_do(L, do_start, &s, s.m->count < QUICK_VALUES);
  return 1;
}

/* The last component of the path. */
static const char *file_name(const ls_ode *m) {
  const char *slash = strrchr(m->path, '/');
  return slash ? slash + 1 : m->path;
}

/* --- the graph of dependencies ----------------------------------------------------------------------- */

typedef struct vertex_names {
  ls_vertex_names n;
  ls_ode *m;
} vertex_names;

static void vertex_name(const ls_vertex_names *n, i64 label, char *out, size_t bytes) {
  const ls_ode *m = ((const vertex_names *)n)->m;
  ls_escaped(label >= 0 && label < m->count ? m->variables[label].name : "", 0, out, bytes);
}

static bool edge_name(const ls_vertex_names *n, i64 from, i64 to, u32 which, char *out, size_t bytes) {
  (void)which;
  (void)n, (void)from, (void)to, (void)out, (void)bytes;
  return false;
}

static void destroy_vertex_names(ls_vertex_names *n) {
  ls_ode_release(((vertex_names *)n)->m);
  ls_free(n);
}

typedef struct graphing {
  ls_ode *m;
  bool states, start; /* start: dependencies of initial values instead of those of equations */
  ls_graph *out;
} graphing;

static ls_status do_graph(void *arg) {
  graphing *g = arg;
  ls_ode *m = g->m;
  char name[256];
  ls_escaped(file_name(m), 0, name, sizeof name);
  u32 *off, *to, *src = NULL, *dst = NULL;
  u64 edges = 0;
  ls_status st = ls_ode_needs(m, g->start, true, &off, &to);
  if (st) return st;
  vertex_names *n = ls_calloc(1, sizeof *n);
  src = ls_malloc(off[m->count] * sizeof *src);
  dst = ls_malloc(off[m->count] * sizeof *dst);
  if (!n || !src || !dst) st = LS_EMEM;
  for (u32 v = 0; v < m->count && !st; v++)
    for (u32 i = off[v]; i < off[v + 1]; i++) {
      if (!g->states && !g->start && m->variables[to[i]].role == LS_STATE) continue;
      src[edges] = to[i];
      dst[edges++] = v;
    }
  if (!st) st = ls_graph_from_edges(m->count, edges, src, dst, NULL, LS_NONE, name, &g->out);
  ls_free(off);
  ls_free(to);
  ls_free(src);
  ls_free(dst);
  if (st) {
    ls_free(n);
    return st;
  }
  *n = (vertex_names){{1, vertex_name, edge_name, destroy_vertex_names, NULL, 0}, ls_ode_retain(m)};
  g->out->vertex_names = &n->n;
  return LS_OK;
}

static int m_graph(lua_State *L) {
  graphing g = {.m = ls_check_model(L, 1)};
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_getfield(L, 2, "states");
    g.states = lua_toboolean(L, -1);
    lua_getfield(L, 2, "start");
    g.start = lua_toboolean(L, -1);
  }
  ls_do(L, do_graph, &g, g.m->count < QUICK_VALUES);
  ls_push_graph(L, g.out);
  return 1;
}

/* --- the metatable ---------------------------------------------------------------------------------------
 */

static u32 count_role(const ls_ode *m, ls_role r) {
  u32 n = 0;
  for (u32 i = 0; i < m->count; i++) n += m->variables[i].role == r;
  return n;
}

static void text_or_nil(lua_State *L, const char *s) {
  if (s && *s)
    push_shown(L, s);
  else
    lua_pushnil(L);
}

static void number_or_nil(lua_State *L, f64 x) {
  if (x > 0)
    lua_pushnumber(L, x);
  else
    lua_pushnil(L);
}

static void f_path(lua_State *L, const ls_ode *m) { push_shown(L, m->path); }
static void f_format(lua_State *L, const ls_ode *m) { lua_pushstring(L, m->format); }
static void f_title(lua_State *L, const ls_ode *m) { text_or_nil(L, m->title); }
static void f_time_unit(lua_State *L, const ls_ode *m) { text_or_nil(L, m->time_unit); }
static void f_method(lua_State *L, const ls_ode *m) { text_or_nil(L, m->method); }
static void f_step(lua_State *L, const ls_ode *m) { number_or_nil(L, m->step); }
static void f_span(lua_State *L, const ls_ode *m) { number_or_nil(L, m->span); }
static void f_variables(lua_State *L, const ls_ode *m) { lua_pushinteger(L, m->count); }
static void f_states(lua_State *L, const ls_ode *m) { lua_pushinteger(L, count_role(m, LS_STATE)); }
static void f_functions(lua_State *L, const ls_ode *m) { lua_pushinteger(L, count_role(m, LS_ALGEBRAIC)); }
static void f_events(lua_State *L, const ls_ode *m) { lua_pushinteger(L, m->event_count); }
static void f_changes(lua_State *L, const ls_ode *m) { lua_pushinteger(L, (lua_Integer)m->changes); }

static const struct {
  const char *name, *doc;
  void (*push)(lua_State *L, const ls_ode *m);
} fields[] = {
    {"path", "the file it was read from", f_path},
    {"format", "PHML, CellML or SBML", f_format},
    {"title", "what the file calls the model; nil where it does not", f_title},
    {"time_unit", "the unit of time; nil where the file does not say it", f_time_unit},
    {"method", "the method that the file asks for, or nil", f_method},
    {"step", "the step that the file asks for, or nil", f_step},
    {"span", "the time span that the file asks for, or nil", f_span},
    {"variables", "how many variables there are, of all roles", f_variables},
    {"states", "how many states: variables with a differential equation", f_states},
    {"functions", "how many algebraic variables: computed from others at every time", f_functions},
    {"events", "how many events", f_events},
    {"changes", "how many times m:set and m:reset have changed it", f_changes},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int model_index(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  lua_pushvalue(L, 2);
  if (lua_gettable(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  for (int i = 0; i < FIELDS; i++)
    if (strcmp(key, fields[i].name) == 0) {
      fields[i].push(L, ls_check_model(L, 1));
      return 1;
    }
  return 0;
}

static int model_tostring(lua_State *L) {
  ls_ode **box = luaL_checkudata(L, 1, TYPE);
  if (!*box) {
    lua_pushliteral(L, "model (closed)");
    return 1;
  }
  const ls_ode *m = *box;
  push_shown(L, file_name(m));
  const int states = (int)count_role(m, LS_STATE), functions = (int)count_role(m, LS_ALGEBRAIC);
  const int parameters = (int)(count_role(m, LS_PARAMETER) + count_role(m, LS_CONSTANT));
  lua_pushfstring(L, "model %s: %s, %d state%s, %d function%s, %d parameter%s", lua_tostring(L, -1),
                  m->format, states, ls_plural(states), functions, ls_plural(functions), parameters,
                  ls_plural(parameters));
  if (m->event_count) {
    lua_pushfstring(L, ", %d event%s", (int)m->event_count, ls_plural(m->event_count));
    lua_concat(L, 2);
  }
  return 1;
}

static const luaL_Reg methods[] = {
    {"find", m_find},         {"variable", m_variable}, {"set", m_set},
    {"equation", m_equation}, {"first", m_first},       {"graph", m_graph},
    {"close", collect},       {"reset", m_reset},       {NULL, NULL},
};

void ls_open_ode(lua_State *L) {
  static const luaL_Reg metamethods[] = {
      {"__tostring", model_tostring}, {"__gc", collect}, {"__close", collect}, {NULL, NULL}};
  ls_open_course(L);
  ls_open_bytecode(L);
  luaL_newmetatable(L, TEXT);
  lua_pushcfunction(L, free_text);
  lua_setfield(L, -2, "__gc");
  luaL_newmetatable(L, TYPE);
  luaL_setfuncs(L, metamethods, 0);
  luaL_newlib(L, methods);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, model_index, 1);
  lua_setfield(L, -3, "__index");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__methods");
  lua_newtable(L);
  for (int i = 0; i < FIELDS; i++) {
    lua_pushstring(L, fields[i].doc);
    lua_setfield(L, -2, fields[i].name);
  }
  lua_setfield(L, -3, "__fields");
  lua_getglobal(L, "model");
  lua_pushcfunction(L, from_text);
  lua_setfield(L, -2, "from_text");
  lua_pushcfunction(L, ls_model_write_table);
  lua_setfield(L, -2, "write_table");
  lua_pushcfunction(L, ls_model_stream);
  lua_setfield(L, -2, "stream");
  lua_getglobal(L, "reference");
  lua_pushcfunction(L, ls_model_simulate);
  lua_setfield(L, -2, "simulate");
  lua_pushcfunction(L, ls_model_breaks);
  lua_setfield(L, -2, "breaks");
  lua_pushboolean(L, ls_method_built(LS_CVODE));
  lua_setfield(L, -2, "has_cvode");
  lua_settop(L, 0);
}
