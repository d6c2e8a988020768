#include "session/session.h"

static int open_values(lua_State *L) {
  values_open(L);
  return 0;
}

ls_status ls_session_attach(lua_State *L) {
  threads_open(L);
  the_stop = (struct stop_state){0};
  the_frames = (struct frames){0};
  run_open();
  past_open();
  ls_session_checkpoint_forget();
  lua_pushcfunction(L, open_values);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) return LS_OK;
  const char *message = lua_tostring(L, -1);
  ls_fail(LS_EMEM, "cannot open the session: %s", message ? message : "?");
  lua_pop(L, 1);
  the_threads.L = NULL;
  return LS_EMEM;
}

void ls_session_close(void) {
  lua_State *L = the_threads.L;
  if (!L) return;
  run_close();
  points_close();
  ls_session_checkpoint_forget();
  the_threads.L = NULL;
  lua_close(L);
}
