/* Runs the programs that judge tests, in the table `judge`; lua/judge/judge.lua later replaces this global by
 * the function judge. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/child.h"
#include "core/mem.h"
#include "core/temporary.h"
#include "core/wait.h"
#include "lua/bind.h"

enum { MOST_WORDS = 120, TICK = 1000 /* microseconds between two looks at the program */ };

/* The field of the options, a number of 0 or more. */
static double limit(lua_State *L, const char *name) {
  lua_getfield(L, 2, name);
  const double x = luaL_optnumber(L, -1, 0);
  lua_pop(L, 1);
  return x > 0 ? x : 0;
}

static int opened(lua_State *L, const char *name, int *fd) {
  lua_getfield(L, 2, name);
  const char *path = luaL_checkstring(L, -1);
  *fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (*fd < 0) return luaL_error(L, "%s: %s", path, strerror(errno));
  lua_pop(L, 1);
  return 0;
}

/* Waits for the program; returns false if it was killed because of the time limit or Ctrl-C. */
static bool waited(pid_t pid, double until, int *status, u64 *peak, bool *interrupted) {
  for (int ticks = 0; ls_child_spent(pid, status, peak) == 0; ticks++) {
    *interrupted = ls_interrupted();
    if (*interrupted || (until > 0 && ls_now() > until)) {
      ls_child_kill(pid, status);
      return false;
    }
    if (ticks % 40 == 39) ls_idle();
    usleep(TICK);
  }
  kill(-pid, SIGKILL); /* what it has left behind */
  return true;
}

/* judge.run(words, {out =, err =, seconds =, memory =, bytes =}) -> {seconds =, memory = | below =, code = |
 * signal = | late =}. Runs a program: its outputs go to the files out and err. Limits: seconds of wall-clock
 * time; bytes of address space and of each file that it writes. In the result memory is the greatest resident
 * size in bytes; below: it was less than that. nil and a text if it cannot be started. */
static int run(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  char *words[MOST_WORDS + 1];
  const lua_Integer n = luaL_len(L, 1);
  luaL_argcheck(L, n >= 1 && n <= MOST_WORDS, 1, "expected 1 to 120 words");
  luaL_checkstack(L, (int)n + 16, NULL);
  for (lua_Integer i = 1; i <= n; i++) { /* the words stay on the stack */
    lua_geti(L, 1, i);
    words[i - 1] = (char *)(uintptr_t)luaL_checkstring(L, -1);
  }
  words[n] = NULL;
  const double seconds = limit(L, "seconds");
  int out = -1, err = -1, status = 0;
  opened(L, "out", &out);
  opened(L, "err", &err);
  const ls_child c = {.words = words,
                      .in = -1,
                      .out = out,
                      .err = err,
                      .guarded = true,
                      .memory = (u64)limit(L, "memory"),
                      .file_bytes = (u64)limit(L, "bytes")};
  pid_t pid;
  struct rusage before; /* the kernel counts our own memory as the child's, until it executes its program */
  getrusage(RUSAGE_SELF, &before);
  const u64 own = (u64)before.ru_maxrss << 10;
  const double begun = ls_now();
  const int why = ls_child_start(&c, &pid);
  close(out);
  close(err);
  if (why) {
    lua_pushnil(L);
    lua_pushfstring(L, "%s cannot be started: %s", words[0], strerror(why));
    return 2;
  }
  u64 peak = 0;
  bool interrupted = false;
  const bool ended = waited(pid, seconds > 0 ? begun + seconds : 0, &status, &peak, &interrupted);
  if (interrupted) return ls_raise(L, ls_fail(LS_EINTERRUPTED, "interrupted"));
  lua_createtable(L, 0, 4);
  lua_pushnumber(L, ls_now() - begun);
  lua_setfield(L, -2, "seconds");
  lua_pushinteger(L, (lua_Integer)(peak > own ? peak : own));
  lua_setfield(L, -2, peak > own ? "memory" : "below");
  /* The guard's exit code is 128 + the signal that ended the program. */
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (!ended) {
    lua_pushboolean(L, true);
    lua_setfield(L, -2, "late");
  } else {
    lua_pushinteger(L, code > 128 && code < 192 ? code - 128 : code);
    lua_setfield(L, -2, code > 128 && code < 192 ? "signal" : "code");
  }
  return 1;
}

/* judge.folder() -> a new temporary folder. */
static int folder(lua_State *L) {
  char path[4096];
  const ls_status st = ls_temporary_folder(path, sizeof path);
  if (st) return ls_raise(L, st);
  lua_pushstring(L, path);
  return 1;
}

/* judge.remove(folder) */
static int remove_folder(lua_State *L) {
  ls_temporary_remove(luaL_checkstring(L, 1));
  return 0;
}

static const luaL_Reg functions[] = {
    {"run", run}, {"folder", folder}, {"remove", remove_folder}, {NULL, NULL}};

int ls_open_judge(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setglobal(L, "judge");
  return 0;
}
