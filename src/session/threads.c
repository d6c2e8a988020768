#include "session/threads.h"

#include "core/wait.h"

struct threads the_threads;

static int (*wanted_events)(void);
static lua_Hook event_hook;

void threads_open(lua_State *L) { the_threads = (struct threads){.L = L}; }

void threads_watch_by(int (*mask)(void), lua_Hook hook) {
  wanted_events = mask;
  event_hook = hook;
}

lua_State *ls_session_lua(void) { return the_threads.L; }
bool ls_session_running(void) { return the_threads.busy; }

/* Raises "interrupted" repeatedly, so that a loop around pcall cannot swallow it. After the first error,
 * cleanup code may run 1000 instructions; from the second on, the next error comes after one instruction,
 * because every level of the stack must be left. */
static void interrupt_hook(lua_State *L, lua_Debug *ar) {
  (void)ar;
  if (!the_threads.raise) {
    threads_sync_hook(L);
    return;
  }
  const int instructions = the_threads.raise == 1 ? 1000 : 1;
  the_threads.raise = 2;
  lua_sethook(L, interrupt_hook, LUA_MASKCOUNT, instructions);
  ls_raise(L, ls_fail(LS_EINTERRUPTED, "interrupted"));
}

/* Serves the keyboard and the screen once (ls_idle) in the middle of Lua code, then passes the event on if
 * the run needs it. */
static void tick_hook(lua_State *L, lua_Debug *ar) {
  threads_sync_hook(L);
  ls_idle();
  if (lua_gethook(L) == event_hook) event_hook(L, ar);
}

bool ls_session_try(lua_State *L, lua_CFunction f, const void *arg) {
  lua_pushcfunction(L, f);
  lua_pushlightuserdata(L, (void *)(uintptr_t)arg);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return true;
  lua_pop(L, 1);
  return false;
}

void ls_session_tick(void) {
  lua_State *L = the_threads.running;
  if (!L || the_threads.raise) return;
  lua_Hook present = lua_gethook(L);
  if (present && present != event_hook) return; /* a hook of the script's own, or a tick is pending already */
  lua_sethook(L, tick_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

/* Removes only our own hooks. A hook of the script's own is replaced only if the run needs events or an
 * interrupt. */
void threads_sync_hook(lua_State *L) {
  if (the_threads.raise) {
    lua_sethook(L, interrupt_hook, LUA_MASKCOUNT, 1);
    return;
  }
  lua_Hook present = lua_gethook(L);
  int mask = wanted_events();
  if (mask)
    lua_sethook(L, event_hook, mask, 0);
  else if (present == event_hook || present == interrupt_hook || present == tick_hook)
    lua_sethook(L, NULL, 0, 0);
}

void threads_raise_interrupt(void) {
  if (!the_threads.raise) the_threads.raise = 1;
  lua_sethook(the_threads.running, interrupt_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT,
              1);
}

void threads_clear_interrupt(void) {
  the_threads.asked = the_threads.raise = 0;
  ls_interrupt_clear();
}

int ls_session_call(lua_State *L, int nargs, int nresults) {
  lua_State *was = the_threads.running;
  the_threads.running = L;
  int status = lua_pcall(L, nargs, nresults, 0);
  the_threads.running = was;
  if (!was) the_threads.asked = the_threads.raise = 0; /* the interrupted call has ended */
  return status;
}

int threads_close(lua_State *co) {
  the_threads.running = co;
  int status = lua_resetthread(co);
  the_threads.running = NULL;
  the_threads.asked = the_threads.raise = 0;
  return status;
}
