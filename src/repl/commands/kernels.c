/* Commands for the user's own kernels, algorithms and models: new, bounds, races; and the part of `edit` and
 * `restore` that handles kernels. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/output.h"
#include "core/text.h"
#include "ranks/ranks.h"
#include "repl/commands/command.h"
#include "repl/commands/pattern.h"
#include "repl/repl.h"
#include "run/launch/row.h"

/* Runs the Lua call FUNCTION("a") or, if b is not NULL, FUNCTION("a", "b"); prints its results unless
 * quiet. */
static ls_status call(const char *function, const char *a, const char *b, bool quiet) {
  ls_text chunk = {0};
  int n = 0;
  ls_text_call(&chunk, function, a, b);
  if (chunk.failed) return LS_EMEM;
  const ls_ran ran = ls_session_eval(chunk.s, "=kernel", &n);
  ls_text_free(&chunk);
  if (ran == LS_DONE && quiet) {
    lua_pop(ls_session_lua(), n);
    return LS_OK;
  }
  return ls_show(ran, n);
}

/* Tells the user which built-in loops still run the shipped kernel instead of the one in the file `path`. */
static void note_loops(const char *path) {
  const char *file = ls_base_name(path);
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
  const ls_prim *own = ls_prim_find(name);
  ls_text loops = {0};
  for (int i = 0; own && i < ls_prims(); i++) {
    const ls_prim *p = ls_prim_at(i);
    for (int k = 0; p->loop && k < p->loop->nsteps; k++) {
      const ls_prim *step = p->loop->step[k].prim;
      if (step == own || strcmp(step->name, name) != 0) continue;
      ls_text_printf(&loops, "%s%s", loops.len ? ", " : "", p->name);
      break;
    }
  }
  if (loops.len)
    ls_note("(these loops still run the shipped %s: %s. A direct call of %s(...) runs yours)\n", name,
            loops.s, name);
  ls_text_free(&loops);
}

void ls_note_alone(const char *path) {
  const bool kernel = ls_ends_in(path, ".h");
  if (ls_ranks() == 1) return;
  ls_note("(loaded only on rank 0: `%s%s%s` loads it in all ranks)\n", kernel ? "kernel.load(\"" : "run ",
          path, kernel ? "\")" : "");
}

ls_status ls_load_kernel(const char *path) {
  ls_status st = call("kernel.load", path, NULL, true);
  if (!st) ls_note("(%s is loaded)\n", path);
  if (!st) note_loops(path);
  return st;
}

ls_status ls_restore_kernel(const char *name) {
  ls_status st = call("kernel.restore", name, NULL, true);
  if (!st) ls_note("(%s is the shipped kernel)\n", name);
  return st;
}

ls_status ls_edit_kernel(const char *name) {
  ls_text chunk = {0};
  int n = 0;
  ls_text_call(&chunk, "kernel.path", name, NULL);
  if (chunk.failed) return LS_EMEM;
  const ls_ran ran = ls_session_eval(chunk.s, "=edit", &n);
  ls_text_free(&chunk);
  lua_State *L = ls_session_lua();
  ls_text path = {0}, own = {0};
  ls_text_printf(&own, "%s.h", name);
  /* kernel.path refuses a shipped kernel if NAME.h exists here with another text: probably a kernel that
   * `new` wrote but that could not be loaded. Then NAME.h is edited. */
  const bool failed = ran == LS_ERROR && !own.failed && access(own.s, F_OK) == 0;
  if (failed) {
    lua_pop(L, 1);
    ls_text_puts(&path, own.s);
    ls_fail(LS_OK, "%s", "");
  }
  ls_text_free(&own);
  if (!failed && (ran != LS_DONE || n < 1)) return ls_show(ran, n);
  if (!failed) {
    ls_text_puts(&path, lua_tostring(L, -n));
    lua_pop(L, n);
  }
  ls_status st = path.failed ? LS_EMEM : ls_open_editor(path.s);
  if (!st) st = ls_load_kernel(path.s);
  if (!st) ls_note_alone(path.s);
  ls_text_free(&path);
  return st;
}

/* Reads and checks the name of the new kernel, algorithm or model. */
static ls_status name_of(const char *what, const char *rest, ls_text *name) {
  if (!ls_word(&rest, name)) return ls_fail(LS_EARG, "new %s needs a name: new %s NAME", what, what);
  if (name->s[strspn(name->s, "abcdefghijklmnopqrstuvwxyz0123456789_")] || name->len > 48 ||
      strchr("0123456789", name->s[0]))
    return ls_fail(LS_EARG, "new %s %s: expected small letters, digits and _, and a letter first", what,
                   name->s);
  return LS_OK;
}

/* Is there already a value of that name in Lua? */
static bool is_taken(const char *name) {
  const bool taken = ls_lookup(ls_session_lua(), name, strlen(name));
  if (taken) lua_pop(ls_session_lua(), 1);
  return taken;
}

static ls_status new_kernel(const char *name, const char *path) {
  const bool takes_over = ls_prim_find(name) != NULL;
  if (!takes_over && is_taken(name))
    return ls_fail(LS_EARG, "new kernel %s: something has that name already; `??%s` shows it", name, name);
  ls_status st = ls_pattern_write("kernel.h", name, path);
  if (!st) st = ls_open_editor(path);
  if (!st) st = ls_load_kernel(path);
  if (!st) ls_note_alone(path);
  if (!st && takes_over)
    ls_note("(it replaces the kernel %s; `restore %s` brings a shipped one back)\n", name, name);
  return st;
}

/* The name must be unused in Lua. The kernel of the algorithm is called NAME_pass. */
static ls_status new_algorithm(const char *name, const char *path) {
  if (is_taken(name))
    return ls_fail(LS_EARG, "new algorithm %s: something has that name already; `??%s` shows it", name, name);
  ls_status st = ls_pattern_write("algorithm.lua", name, path);
  if (!st) st = ls_open_editor(path);
  if (st) return st;
  ls_note_dropped();
  st = ls_show(ls_session_run_file(path, 0, NULL, NULL), 0);
  if (!st)
    ls_note("(%s is loaded; try r = %s(g), check(r), start %s(g), %s.spec())\n", path, name, name, name);
  if (!st) ls_note_alone(path);
  return st;
}

ls_status ls_try_model(const char *path) {
  ls_status st = call("model.load", path, NULL, true);
  if (!st) ls_note("(no mistake found; m = model.load(\"%s\") loads it)\n", path);
  return st;
}

static ls_status new_model(const char *name, const char *path) {
  ls_status st = ls_pattern_write("model.dve", name, path);
  if (!st) st = ls_open_editor(path);
  if (!st) st = ls_try_model(path);
  if (!st) ls_note("(then try r = explore(m), r:trace(\"deadlock\"), r:check(\"assert\"); see `help dve`)\n");
  return st;
}

static ls_status new (const char *rest) {
  static const struct {
    const char *what, *end;
    ls_status (*make)(const char *name, const char *path);
  } kinds[] = {{"kernel", "h", new_kernel}, {"algorithm", "lua", new_algorithm}, {"model", "dve", new_model}};
  ls_text what = {0}, name = {0}, path = {0};
  ls_status st =
      ls_fail(LS_EARG, "new needs a kind and a name: new kernel NAME, new algorithm NAME, new model NAME");
  const bool given = ls_word(&rest, &what);
  for (size_t i = 0; given && i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(what.s, kinds[i].what) != 0) continue;
    st = name_of(what.s, rest, &name);
    if (st) break;
    ls_text_printf(&path, "%s.%s", name.s, kinds[i].end);
    st = path.failed ? LS_EMEM : kinds[i].make(name.s, path.s);
  }
  ls_text_free(&what);
  ls_text_free(&name);
  ls_text_free(&path);
  return st;
}

bool ls_new_question(const char *rest, char *question, size_t bytes) {
  ls_text what = {0}, name = {0};
  const bool replaces =
      ls_word(&rest, &what) && strcmp(what.s, "kernel") == 0 && ls_word(&rest, &name) && ls_prim_find(name.s);
  if (replaces) snprintf(question, bytes, "The new kernel will replace the kernel %.60s. Write it?", name.s);
  ls_text_free(&what);
  ls_text_free(&name);
  return replaces;
}

static bool is_one_of(const char *s, const char *a, const char *b, const char *c) {
  return strcmp(s, a) == 0 || strcmp(s, b) == 0 || strcmp(s, c) == 0;
}

/* --- bounds and races -------------------------------------------------------------------------------- */

/* A sentence on the effect and cost of each value of a setting: `on`, `off` and `of_own` if it holds for all
 * kernels, `one_on` and `one_off` if it holds for one kernel. */
typedef struct setting {
  const char *command, *own; /* a third value besides on and off; "" if there is none */
  const char *on, *off, *of_own, *one_on, *one_off;
} setting;

static const setting the_bounds = {
    "bounds",
    "own",
    "an access outside of an array ends a launch of any kernel with an error; the check takes time, PageRank on a "
    "CPU took 2.5 times as long",
    "no kernel is checked: an access outside of an array may change other data or end the program; this costs no time",
    "an access outside of an array ends a launch of a kernel of your own with an error; shipped kernels are not "
    "checked and lose no time",
    "is checked: an access outside of an array ends its launch with an error; the check takes time",
    "is not checked, and loses no time"};

static const setting the_races = {
    "races",
    "",
    "two threads that access one element, at least one of them without an atomic, end a launch of any kernel with an error; on a CPU each kernel runs on one thread, "
    "PageRank took 8 times as long, with 96 bytes for each element that may be written",
    "no kernel is checked for races, which costs nothing",
    "",
    "is checked for races: two threads that access one element, at least one without an atomic, end its launch with an error; on a CPU it runs "
    "on one thread, with 96 bytes for each element that may be written",
    "is not checked for races, and loses no time"};

/* Writes the result of kernel.bounds() or kernel.bounds(name), or of kernel.races: "on", "off" or "own". */
static void ask(const setting *s, const char *name, char out[8]) {
  lua_State *L = ls_session_lua();
  out[0] = '\0';
  const int top = lua_gettop(L);
  lua_getglobal(L, "kernel");
  lua_getfield(L, -1, s->command);
  if (name) lua_pushstring(L, name);
  if (lua_pcall(L, name ? 1 : 0, 1, 0) == LUA_OK) snprintf(out, 8, "%s", lua_tostring(L, -1));
  lua_settop(L, top);
}

static void say_setting(const setting *s) {
  char now[8], one[8];
  ask(s, NULL, now);
  const bool own = strcmp(now, "own") == 0;
  ls_note("%s %s: %s\n", s->command, now, own ? s->of_own : strcmp(now, "on") == 0 ? s->on : s->off);
  for (int i = 0; i < ls_prims(); i++) {
    const ls_prim *p = ls_prim_at(i);
    if (p->loop || p->domain == LS_LIBRARY || p->domain == LS_GRID) continue;
    ask(s, p->name, one);
    if (strcmp(one, own ? (p->text ? "on" : "off") : now) != 0)
      ls_note("  but %s %s: %s\n", s->command, p->name, one);
  }
}

static void say_one(const setting *s, const char *name) {
  char now[8];
  ask(s, name, now);
  ls_note("%s %s: it %s\n", s->command, name, strcmp(now, "on") == 0 ? s->one_on : s->one_off);
}

/* Calls kernel.bounds or kernel.races with the words of the command. Without --json and --csv, prints the
 * resulting setting. */
static ls_status choose(const char *rest, const setting *s) {
  ls_text a = {0}, b = {0};
  char function[32];
  ls_status st = LS_OK;
  snprintf(function, sizeof function, "kernel.%s", s->command);
  const bool people = ls_out.form == LS_TEXT, one = ls_word(&rest, &a), two = one && ls_word(&rest, &b);
  const bool kernel = one && ls_prim_find(a.s);
  if (!one) {
    char call_it[40];
    int n = 0;
    snprintf(call_it, sizeof call_it, "%s()", function);
    if (!people) {
      const ls_ran ran = ls_session_eval(call_it, s->command, &n);
      st = ls_show(ran, n);
    }
  } else if (!kernel && (two || !is_one_of(a.s, "on", "off", s->own))) {
    st = ls_fail(LS_EARG, "%s [NAME] [on | off%s]: no kernel is called '%s'", s->command,
                 *s->own ? " | own" : "", a.s);
  } else if (two && !is_one_of(b.s, "on", "off", "off")) {
    st = ls_fail(LS_EARG, "%s %s: expected on or off, got '%s'", s->command, a.s, b.s);
  } else if (two || !kernel || !people) {
    st = call(function, a.s, two ? b.s : NULL, two);
  }
  if (!st && people && kernel) say_one(s, a.s);
  if (!st && people && !kernel) say_setting(s);
  ls_text_free(&a);
  ls_text_free(&b);
  return st;
}

static ls_status bounds(const char *rest) { return choose(rest, &the_bounds); }
static ls_status races(const char *rest) { return choose(rest, &the_races); }

const ls_command ls_commands_kernel[] = {
    {"new", "new kernel | algorithm | model NAME",
     "Begins a kernel, an algorithm or a model: writes a complete one, opens it in the editor, and loads it.\n"
     "A kernel is NAME.h: help own. An algorithm is NAME.lua, with a kernel, a state, iterations, a result, its proof and\n"
     "its spec: help write. A model of processes is NAME.dve: help dve. The editor is $VISUAL or $EDITOR, else nano or vi.",
     new, false},
    {"bounds", "bounds [NAME] [on | off | own]",
     "Makes accesses outside of arrays errors: in all kernels (on), in none (off), in your own kernels (own, the default).\n"
     "With a NAME only in that kernel. The first such access ends the launch; the message has its thread and line; the\n"
     "outputs are restored. Prints the setting, the kernels for which it holds, and its cost.",
     bounds, false},
    {"races", "races [NAME] [on | off]",
     "Makes data races errors: two threads of a launch write different values to an element, or one reads what the\n"
     "other changes, without an atomic; or an element of an OUT argument is read before it is written. All threads\n"
     "count as concurrent, so a race is found even if it did no harm; the threads of a tile count as one. For all kernels,\n"
     "or with a NAME only for that one. The first race ends the launch; the message has both threads and lines; the\n"
     "outputs are restored. Prints the setting, the kernels for which it holds, and its cost.",
     races, false},
    {NULL, NULL, NULL, NULL, false},
};
