/* checkpoint(): writing the state of a loop over iterations() to a file, where one of them ends, and going on
 * from it. Only there is a state what the next iteration begins with. */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/show.h"
#include "core/wait.h"
#include "lua/l_state.h"
#include "session/parts.h"
#include "run/checkpoint.h"
#include "run/journal.h"

static char *due;      /* where to; NULL: nowhere */
static u64 every;      /* at the iterations that this divides; 0: at the next end, once */
static bool at_prompt; /* asked for by the command, which waits for it */

void checkpoint_forget(void) {
  ls_free(due);
  due = NULL;
  every = 0;
  at_prompt = false;
}

bool checkpoint_wanted(void) { return due != NULL; }

static ls_status ask(const char *path, u64 n, bool prompt) {
  char *copy = ls_strdup(path);
  if (!copy) return LS_EMEM;
  checkpoint_forget();
  due = copy;
  every = n;
  at_prompt = prompt;
  return LS_OK;
}

/* --- saving ----------------------------------------------------------------------------------------------
 */

static ls_status unfit(const ls_carried *v, const char *what) {
  return ls_fail(LS_EARG, "what the loop carries as %s is %s", v->name, what);
}

/* The key and the value on top of L. */
static ls_status take_one(lua_State *L, ls_carried *v) {
  memset(v, 0, sizeof *v);
  if (lua_type(L, -2) != LUA_TSTRING) return ls_fail(LS_EARG, "what a loop carries has names");
  const char *name = lua_tostring(L, -2);
  if (strlen(name) >= sizeof v->name || !*name || strpbrk(name, " \n"))
    return ls_fail(LS_EARG, "what a loop carries has short names without spaces, not '%.60s'", name);
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
  default: return unfit(v, "no number, boolean or string");
  }
}

static ls_status take_carried(lua_State *L, ls_checkpoint *c) {
  ls_status st = LS_OK;
  lua_getiuservalue(L, 1, 2);
  for (lua_pushnil(L); !st && lua_next(L, -2); lua_pop(L, 1)) {
    if (c->count == LS_CARRIED)
      st = ls_fail(LS_EARG, "a loop that is to be saved carries at most %d values", LS_CARRIED);
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

/* May take a while, in which the keyboard is served. */
static ls_status save_now(saving *j) {
  u64 bytes = 0;
  for (int i = 0; i < j->s->schema->nfields; i++) bytes += ls_buffer_bytes(j->s->buffers[i]);
  ls_work(save, j, bytes < (8u << 20));
  ls_progress_end();
  return j->st;
}

bool checkpoint_due(u32 n) { return due && !(every && n % every != 0) && !session.evaluating; }

bool checkpoint_write(lua_State *L, u32 n, const char *loop) {
  int top = lua_gettop(L);
  bool prompt = at_prompt;
  saving j = {.c.iteration = n};
  char text[240], path[200];
  snprintf(j.c.loop, sizeof j.c.loop, "%s", loop);
  lua_getiuservalue(L, 1, 1);
  j.s = ls_test_state(L, -1);
  ls_status st = j.s ? take_carried(L, &j.c) : ls_fail(LS_EARG, "this loop iterates over no state");
  if (!st) st = save_now(&j);
  lua_settop(L, top);
  if (st)
    snprintf(text, sizeof text, "no checkpoint: %s", ls_error());
  else
    snprintf(text, sizeof text, "checkpoint %s: %.2f MiB", ls_shown(due, 0, path, sizeof path),
             (f64)j.bytes / (1 << 20));
  if (st && !prompt) fprintf(stderr, "%s\n", text); /* a run is worth more than its checkpoint */
  if (!every) checkpoint_forget();
  return prompt && stops_at_head(L, n, text);
}

/* --- loading ---------------------------------------------------------------------------------------------
 */

static void push_carried(lua_State *L, const ls_carried *v) {
  switch (v->kind) {
  case LS_INTEGER: lua_pushinteger(L, v->i); break;
  case LS_REAL: lua_pushnumber(L, v->r); break;
  case LS_BOOLEAN: lua_pushboolean(L, v->i != 0); break;
  case LS_STRING: lua_pushstring(L, v->text); break;
  }
}

/* The names listed at index `list` (nothing: all) are the fields to fill. */
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

u32 checkpoint_load(lua_State *L, const char *path, const char *loop) {
  ls_state *s = ls_test_state(L, 1);
  if (!s)
    luaL_error(L, "iterations: only a state can be filled from a checkpoint, not a %s", luaL_typename(L, 1));
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

/* --- asking ------------------------------------------------------------------------------------------------
 */

/* checkpoint(path [, every]), checkpoint(false) */
static int checkpoint(lua_State *L) {
  if (lua_type(L, 1) == LUA_TBOOLEAN && !lua_toboolean(L, 1)) {
    checkpoint_forget();
    return 0;
  }
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_optinteger(L, 2, 0);
  luaL_argcheck(L, lua_isnoneornil(L, 2) || n > 0, 2, "expected a number from 1");
  ls_status st = ask(path, (u64)n, false);
  return st ? ls_raise(L, st) : 0;
}

ls_ran ls_session_checkpoint(const char *path) {
  if (session.current || !session.paused) return session_resume(RUN_HEAD, 1); /* says so */
  if (ls_journal_present() || ask(path, 0, true)) return session_refused(ls_error());
  ls_ran ran = session_resume(RUN_HEAD, 1);
  if (at_prompt) checkpoint_forget(); /* it stopped, or ended, before */
  return ran;
}

void checkpoint_open(lua_State *L) {
  checkpoint_forget();
  lua_register(L, "checkpoint", checkpoint);
}
