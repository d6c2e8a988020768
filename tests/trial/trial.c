/* The program with the trial's rows, and trial.loop{...}, which defines a loop:
 *   trial.loop("any", {{"REPEAT"}, {"STEP", "trial_stir", "round=1 "}, {"SWAP", "x", "y"}, {"UNTIL",
 * "some"}}) */
#include <stdlib.h>
#include <string.h>

#include "compile/parse.h"
#include "lua/bind.h"
#include "lua/open.h"
#include "run/launch/launch.h"
#include "run/launch/loop.h"
#include "table.h"

#ifdef LOCKSTEP_WITH_CUDA
#define ON_CUDA(f) f
#else
#define ON_CUDA(f) NULL
#endif

#define DECLARE(name, ARGS_MACRO, DOMAIN, items)                                                             \
  ls_status name##_none_cpu(ls_launch *L);                                                                   \
  ls_status name##_none_cuda(ls_launch *L);
#define DESCRIBE(name, ARGS_MACRO, DOMAIN, items)                                                            \
  {"PRIM(" #name ", " #ARGS_MACRO ", UNTYPED, " #DOMAIN ", \"" items "\", EXACT, \"\", \"\", \"" #name       \
   "(...): a row of the tests.\")\n#include \"rows.h\"\n",                                                   \
   name##_none_cpu, ON_CUDA(name##_none_cuda)},
TRIAL_ROWS(DECLARE)
TRIAL_MEMORY_ROWS(DECLARE)
TRIAL_LIBRARY_ROWS(DECLARE)
ls_status trial_loop_none_cuda(ls_launch *L);
ls_status trial_memory_loop_none_cuda(ls_launch *L);

static const struct {
  const char *text;
  ls_launch_fn cpu, cuda;
} rows[] = {TRIAL_ROWS(DESCRIBE) TRIAL_MEMORY_ROWS(DESCRIBE) TRIAL_LIBRARY_ROWS(DESCRIBE)};
enum { ROWS = sizeof rows / sizeof *rows };

/* Registers the rows as built-in ones. Their arguments are read from rows.h. */
static ls_status add_rows(void) {
  static ls_prim prims[ROWS];
  ls_status st = LS_OK;
  for (int i = 0; !st && i < ROWS; i++) {
    ls_kernel_text *t; /* never freed, like the rows */
    if ((st = ls_kernel_text_read("trial", TRIAL_FOLDER, 1, rows[i].text, &t))) break;
    prims[i] = t->row[0]->prim;
    prims[i].family = "trial";
    prims[i].source = "";
    prims[i].text = NULL;
    prims[i].run[LS_CPU][LS_NONE] = rows[i].cpu;
    prims[i].run[LS_CUDA][LS_NONE] = rows[i].cuda;
    st = ls_prim_add(&prims[i]);
  }
  return st;
}

/* The text at index i of the table on top of the stack. It is never freed, because loops are never freed. */
static const char *text_at(lua_State *L, int i, const char *missing) {
  lua_rawgeti(L, -1, i);
  const char *text = lua_tostring(L, -1);
  char *kept = text ? strdup(text) : NULL;
  lua_pop(L, 1);
  return kept ? kept : missing;
}

/* A loop and everything that it refers to; never freed, not even if the loop is rejected. */
typedef struct made {
  struct made *before;
  ls_prim prim;
  ls_loop loop;
  ls_loop_word words[];
} made;
static made *last_made;

static int make_loop(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  const size_t count = lua_rawlen(L, 2);
  made *m = calloc(1, sizeof *m + (count + 1) * sizeof *m->words);
  m->before = last_made;
  last_made = m;
  ls_loop_word *list = m->words;
  ls_launch_fn on_cuda = ON_CUDA(trial_loop_none_cuda);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    lua_rawgeti(L, -1, 1);
    for (ls_loop_word_kind k = LS_WORD_STEP; k <= LS_WORD_LEAVE_IF_NONE; k++)
      if (strcmp(lua_tostring(L, -1), ls_loop_word_name(k)) == 0) list[i].kind = k;
    lua_pop(L, 1);
    list[i].a = text_at(L, 2, NULL);
    list[i].b = text_at(L, 3, list[i].kind == LS_WORD_STEP ? "" : NULL);
    lua_pop(L, 1);
    const ls_prim *row = list[i].kind == LS_WORD_STEP ? ls_prim_find(list[i].a) : NULL;
    if (row && row->domain == LS_LIBRARY) on_cuda = ON_CUDA(ls_loop_by_host);
    if (row && strcmp(row->name, "trial_roll") == 0) on_cuda = ON_CUDA(trial_memory_loop_none_cuda);
  }
  m->loop.words = list;
  m->prim = (ls_prim){.name = strdup(name),
                      .doc = "a loop of the tests.",
                      .family = "trial",
                      .domain = LS_LOOP,
                      .agree = LS_EXACT,
                      .types = 1u << LS_NONE,
                      .loop = &m->loop,
                      .run = {[LS_CUDA][LS_NONE] = on_cuda}};
  if (ls_prim_add(&m->prim)) return luaL_error(L, "%s", ls_error());
  ls_push_prim(L, &m->prim);
  return 0;
}

/* src/main.c is compiled to call this instead of ls_session_open. */
lua_State *trial_session_open(void);
lua_State *trial_session_open(void) {
  if (add_rows()) return NULL;
  lua_State *L = ls_session_open();
  if (!L) return NULL;
  lua_newtable(L);
  lua_pushcfunction(L, make_loop);
  lua_setfield(L, -2, "loop");
  lua_setglobal(L, "trial");
  return L;
}
