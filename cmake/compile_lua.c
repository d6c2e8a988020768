/* Run by the build: compiles all embedded lua/NAME.lua and writes them as ls_embedded_code[] to a file (an argument), because loading
 * compiled code takes a tenth of the time of compiling it. */
#include <lauxlib.h>
#include <stdio.h>

#include "core/embedded.h"

static int write_bytes(lua_State *L, const void *p, size_t n, void *out) {
  (void)L;
  for (size_t i = 0; i < n; i++) fprintf(out, "\\x%02x", ((const unsigned char *)p)[i]);
  return 0;
}

int main(int argc, char **argv) {
  FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
  lua_State *L = luaL_newstate();
  if (!out || !L) return 1;
  fprintf(out, "#include \"core/embedded.h\"\n");
  for (const ls_embedded *e = ls_embedded_lua; e->name; e++) {
    lua_pushfstring(L, "@%s", e->name);
    if (luaL_loadbuffer(L, e->text, e->bytes, lua_tostring(L, -1)) != LUA_OK) {
      fprintf(stderr, "lua/%s\n", lua_tostring(L, -1));
      return 1;
    }
    fprintf(out, "static const char code_%d[] = \"", (int)(e - ls_embedded_lua));
    lua_dump(L, write_bytes, out, 0);
    fprintf(out, "\";\n");
    lua_settop(L, 0);
  }
  fprintf(out, "const ls_embedded ls_embedded_code[] = {\n");
  for (const ls_embedded *e = ls_embedded_lua; e->name; e++) {
    const int i = (int)(e - ls_embedded_lua);
    fprintf(out, "    {\"%s\", code_%d, sizeof code_%d - 1},\n", e->name, i, i);
  }
  fprintf(out, "    {NULL, NULL, 0},\n};\n");
  lua_close(L);
  return fclose(out) != 0;
}
