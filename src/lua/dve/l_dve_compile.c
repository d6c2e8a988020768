/* Compiles DVE models: makes their text in C, and a model's own function for the search. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "compile/host.h"
#include "compile/parse.h"
#include "core/mem.h"
#include "core/wait.h"
#include "lua/dve/l_dve.h"

#define MAKER "lockstep.dve.maker"

typedef struct maker {
  ls_dve *m;
  ls_dve_maker *make;
} maker;

/* dve.generate(m) -> the source text of the kernels NAME_degrees and NAME_expand, and the name NAME. */
static int generate(lua_State *L) {
  char name[LS_DVE_ROW];
  ls_text text;
  const ls_status st = ls_dve_generate(ls_check_dve(L, 1), name, &text);
  if (st) return ls_raise(L, st);
  ls_push_text(L, &text);
  lua_pushstring(L, name);
  return 2;
}

static ls_status compile(const ls_dve *m, ls_dve_maker **make) {
  char name[LS_DVE_ROW];
  ls_text text;
  void *library = NULL;
  ls_kernel_text *t;
  ls_status st = ls_dve_generate(m, name, &text);
  if (st) return st;
  st = ls_kernel_text_read(name, NULL, 1, ls_text_str(&text), &t);
  ls_text_free(&text);
  if (st) return st;
  char what[200];
  const char *path = ls_dve_path(m), *slash = strrchr(path, '/');
  snprintf(what, sizeof what, "compiling the search of %.150s for a CPU ...", slash ? slash + 1 : path);
  ls_waits_for(what);
  st = ls_host_load(t, LS_NONE, LS_PLAIN, &library); /* never unloaded, like the libraries of kernels */
  ls_waits_for(NULL);
  ls_kernel_text_free(t);
  if (st) return st;
  *(void **)make = dlsym(library, LS_DVE_MAKER);
  return *make ? LS_OK : ls_fail(LS_EARG, "%s: the compiled library has no function %s", name, LS_DVE_MAKER);
}

/* dve.compile(m): the model's own function, for the last argument of dve.explore. */
static int compile_model(lua_State *L) {
  maker *x = lua_newuserdatauv(L, sizeof *x, 0);
  *x = (maker){0};
  luaL_setmetatable(L, MAKER);
  ls_dve *m = ls_check_dve(L, 1);
  x->m = ls_dve_retain(m);
  const ls_status st = compile(m, &x->make);
  return st ? ls_raise(L, st) : 1;
}

ls_dve_maker *ls_check_dve_maker(lua_State *L, int i, const ls_dve *m) {
  if (lua_isnoneornil(L, i)) return NULL;
  const maker *x = luaL_checkudata(L, i, MAKER);
  luaL_argcheck(L, x->make && x->m == m, i, "this was compiled from another model");
  return x->make;
}

static int free_maker(lua_State *L) {
  maker *x = luaL_checkudata(L, 1, MAKER);
  ls_dve_release(x->m);
  *x = (maker){0};
  return 0;
}

static const luaL_Reg functions[] = {{"generate", generate}, {"compile", compile_model}, {NULL, NULL}};

void ls_open_dve_compile(lua_State *L) {
  lua_getglobal(L, "dve");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
  luaL_newmetatable(L, MAKER);
  lua_pushcfunction(L, free_maker);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}
