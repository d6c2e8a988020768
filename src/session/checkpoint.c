#include "session/checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/escape.h"
#include "core/wait.h"
#include "run/record/checkpoint.h"
#include "session/stops.h"
#include "session/values.h"

static char *due; /* the path of the requested checkpoint; NULL: none */
static u64 every; /* at iterations that are multiples of this; 0: once, at the end of the next iteration */
static bool at_prompt; /* requested by the command `checkpoint`, which waits for it */

void ls_session_checkpoint_forget(void) {
  ls_free(due);
  due = NULL;
  every = 0;
  at_prompt = false;
}

const char *ls_session_checkpoint_asked(u64 *n) {
  *n = every;
  return due;
}

bool ls_session_awaited(void) { return ls_session_stoppable() || due; }

static char never[LS_NEVER]; /* why no run could resume from a checkpoint of the present run; "": one could */

void ls_session_checkpoint_never(const char *why, char before[LS_NEVER]) {
  if (before) memcpy(before, never, sizeof never);
  snprintf(never, sizeof never, "%s", why);
}

static ls_status ask(const char *path, u64 n, bool prompt) {
  if (*never) return ls_fail(LS_EARG, "no checkpoint: %s", never);
  char *copy = ls_strdup(path);
  if (!copy) return LS_EMEM;
  ls_session_checkpoint_forget();
  due = copy;
  every = n;
  at_prompt = prompt;
  return LS_OK;
}

ls_status ls_session_checkpoint_ask(const char *path, u64 n) { return ask(path, n, false); }
ls_status checkpoint_ask(const char *path) { return ask(path, 0, true); }

void checkpoint_unask(void) {
  if (at_prompt) ls_session_checkpoint_forget();
}

/* --- saving ------------------------------------------------------------------------------------------ */

static ls_status unfit(const ls_carried *v, const char *what) {
  return ls_fail(LS_EARG, "the carried value %s is %s", v->name, what);
}

/* Converts the key and the value on top of L to *v. */
static ls_status take_one(lua_State *L, ls_carried *v) {
  memset(v, 0, sizeof *v);
  if (lua_type(L, -2) != LUA_TSTRING) return ls_fail(LS_EARG, "the values that a loop carries need names");
  const char *name = lua_tostring(L, -2);
  if (strlen(name) >= sizeof v->name || !*name || strpbrk(name, " \n"))
    return ls_fail(LS_EARG, "the values that a loop carries need short names without spaces, not '%.60s'",
                   name);
  memcpy(v->name, name, strlen(name) + 1);
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    v->kind = lua_isinteger(L, -1) ? LS_INTEGER : LS_REAL;
    v->i = lua_tointeger(L, -1);
    v->r = lua_tonumber(L, -1);
    return LS_OK;
  case LUA_TBOOLEAN:
    v->kind = LS_BOOLEAN;
    v->i = lua_toboolean(L, -1);
    return LS_OK;
  case LUA_TSTRING: {
    size_t bytes;
    const char *text = lua_tolstring(L, -1, &bytes);
    v->kind = LS_STRING;
    if (bytes >= sizeof v->text || memchr(text, '\n', bytes) || memchr(text, '\0', bytes))
      return unfit(v, "not a short string of one line");
    memcpy(v->text, text, bytes + 1);
    return LS_OK;
  }
  default: return unfit(v, "not a number, boolean or string");
  }
}

static ls_status take_carried(lua_State *L, int carried, ls_checkpoint *c) {
  ls_status st = LS_OK;
  lua_pushvalue(L, carried);
  for (lua_pushnil(L); !st && lua_next(L, -2); lua_pop(L, 1)) {
    if (c->count == LS_CARRIED)
      st = ls_fail(LS_EARG, "a loop can carry at most %d values into a checkpoint", LS_CARRIED);
    else
      st = take_one(L, &c->carried[c->count++]);
  }
  return st;
}

typedef struct saving {
  ls_state *s;
  ls_checkpoint c;
  u64 bytes;
  ls_status st;
} saving;

static void save(void *arg) {
  saving *j = arg;
  j->st = ls_checkpoint_save(due, j->s, &j->c, &j->bytes);
}

/* Saving can take a while; the keyboard is served meanwhile. */
static ls_status save_now(saving *j) {
  u64 bytes = 0;
  for (int i = 0; i < j->s->schema->nfields; i++) bytes += ls_buffer_bytes(j->s->buffers[i]);
  ls_work(save, j, bytes < (8u << 20));
  ls_progress_end();
  return j->st;
}

bool ls_session_checkpoint_due(u32 n) { return due && !(every && n % every != 0) && !the_values.evaluating; }

bool ls_session_checkpoint_write(lua_State *L, ls_state *s, int carried, u32 n, const char *loop) {
  int top = lua_gettop(L);
  bool prompt = at_prompt;
  saving j = {.s = s, .c.iteration = n};
  char text[240], path[200];
  snprintf(j.c.loop, sizeof j.c.loop, "%s", loop);
  ls_status st = s ? take_carried(L, carried, &j.c) : ls_fail(LS_EARG, "this loop iterates over no state");
  if (!st) st = save_now(&j);
  lua_settop(L, top);
  if (st)
    snprintf(text, sizeof text, "no checkpoint: %s", ls_error());
  else
    snprintf(text, sizeof text, "checkpoint %s: %.2f MiB", ls_escaped(due, 0, path, sizeof path),
             (f64)j.bytes / (1 << 20));
  if (st && !prompt) fprintf(stderr, "%s\n", text); /* a failed checkpoint does not end the run */
  if (!every) ls_session_checkpoint_forget();
  return prompt && stops_at_head(L, n, text);
}

/* --- loading ----------------------------------------------------------------------------------------- */

static void push_carried(lua_State *L, const ls_carried *v) {
  switch (v->kind) {
  case LS_INTEGER: lua_pushinteger(L, v->i); break;
  case LS_REAL: lua_pushnumber(L, v->r); break;
  case LS_BOOLEAN: lua_pushboolean(L, v->i != 0); break;
  case LS_STRING: lua_pushstring(L, v->text); break;
  }
}

/* Sets leave[i] for each field that is not listed at index `list`; without a list, for none. */
static void take_fields(lua_State *L, int list, const ls_schema *schema, bool *leave) {
  if (lua_isnoneornil(L, list)) return;
  luaL_checktype(L, list, LUA_TTABLE);
  for (int i = 0; i < schema->nfields; i++) leave[i] = true;
  for (lua_Integer k = 1, n = (lua_Integer)lua_rawlen(L, list); k <= n; k++) {
    int i = 0;
    const char *name = lua_rawgeti(L, list, k) == LUA_TSTRING ? lua_tostring(L, -1) : "?";
    while (i < schema->nfields && strcmp(schema->fields[i].name, name) != 0) i++;
    if (i == schema->nfields) luaL_error(L, "iterations: a state %s has no field '%s'", schema->name, name);
    leave[i] = false;
    lua_pop(L, 1);
  }
}

u32 ls_session_checkpoint_load(lua_State *L, ls_state *s, const char *path, const char *loop) {
  ls_checkpoint c = {.iteration = 0};
  snprintf(c.loop, sizeof c.loop, "%s", loop);
  take_fields(L, 4, s->schema, c.leave);
  ls_status st = ls_checkpoint_load(path, s, &c);
  if (st) ls_raise(L, st);
  for (int i = 0; i < c.count; i++) {
    push_carried(L, &c.carried[i]);
    lua_setfield(L, 2, c.carried[i].name);
  }
  return c.iteration;
}
