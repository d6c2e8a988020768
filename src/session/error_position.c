#include "session/error_position.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/embedded.h"

/* Is it a file of the library, and does the current directory have no file of that name? */
static bool is_shipped(const char *name) {
  return ls_embedded_find(ls_embedded_lua, name) && access(name, F_OK) != 0;
}

/* The length of "scc/scc.lua:69: " if the message begins with such a position in a file of the library; else
 * 0. */
static size_t shipped_place(const char *message) {
  char name[256];
  const size_t len = strcspn(message, ":\n");
  if (message[len] != ':' || len >= sizeof name) return 0;
  snprintf(name, sizeof name, "%.*s", (int)len, message);
  if (!is_shipped(name)) return 0;
  const size_t digits = strspn(message + len + 1, "0123456789"), end = len + 1 + digits;
  return digits && strncmp(message + end, ": ", 2) == 0 ? end + 2 : 0;
}

void blame_caller(lua_State *L, lua_State *co) {
  lua_Debug ar;
  const char *message = lua_tostring(L, -1);
  const size_t place = shipped_place(message);
  if (!place || strncmp(message + place, "bad argument", 12) == 0) return;
  if (!lua_getstack(co, 0, &ar) || !lua_getinfo(co, "S", &ar) || strcmp(ar.what, "C") != 0) return;
  char where[LUA_IDSIZE + 32] = "";
  for (int level = 1; !*where && lua_getstack(co, level, &ar); level++) {
    lua_getinfo(co, "Sl", &ar);
    if (ar.currentline > 0 && !is_shipped(ar.short_src))
      snprintf(where, sizeof where, "%s:%d: ", ar.short_src, ar.currentline);
  }
  lua_pushfstring(L, "%s%s", where, message + place);
  lua_remove(L, -2);
}
