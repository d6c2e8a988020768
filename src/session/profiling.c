#include "session/profiling.h"

#include "run/record/profiler_ranges.h"
#include "session/frames.h"

/* The functions whose ranges are open, outermost first. Lua does not report that a function has returned. We
 * see it at the next primitive: another function or none is then at that function's height. A function that
 * calls ls_session_algorithm again at the same height has been called again. */
enum { DEEPEST = 32 };
static struct {
  lua_State *L;
  int height; /* number of frames below it */
  const void *function;
} ranges[DEEPEST];
static int depth;
static bool running;

/* The function at that height; NULL: there is none. */
static const void *function_at(lua_State *L, int height) {
  lua_Debug ar;
  const int level = frames_height(L) - 1 - height;
  if (level < 0 || !lua_getstack(L, level, &ar)) return NULL;
  lua_getinfo(L, "f", &ar);
  const void *function = lua_topointer(L, -1);
  lua_pop(L, 1);
  return function;
}

static void close_to(int left) {
  for (; depth > left; depth--) ls_range_end();
}

void ls_session_ranges(lua_State *L) {
  if (!ls_ranges_wanted()) return;
  int live = 0;
  while (live < depth &&
         (ranges[live].L != L || function_at(L, ranges[live].height) == ranges[live].function))
    live++;
  close_to(live);
}

void ls_session_algorithm(lua_State *L, const char *name) {
  lua_Debug ar;
  if (!ls_ranges_wanted() || !frames_stopped(L, &ar)) return;
  ls_session_ranges(L);
  const int height = frames_height(L) - 1 - frames_level(L);
  int live = 0;
  while (live < depth && (ranges[live].L != L || ranges[live].height < height)) live++;
  close_to(live);
  if (depth == DEEPEST) return;
  ls_range_begin(name);
  ranges[depth].L = L;
  ranges[depth].height = height;
  ranges[depth++].function = function_at(L, height);
}

void ranges_run(const char *text) {
  running = ls_ranges_wanted();
  if (running) ls_range_begin(*text ? text : "script");
}

void ranges_rest(void) {
  close_to(0);
  if (running) ls_range_end();
  running = false;
}
