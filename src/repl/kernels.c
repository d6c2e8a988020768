/* Commands about kernels of one's own: new, bounds, races; and what edit does with a kernel. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/replace.h"
#include "repl/command.h"
#include "repl/repl.h"
#include "run/row.h"

/* Runs FUNCTION("a", "b"), b where it is not NULL, and shows what it returns. */
static ls_status call(const char *function, const char *a, const char *b, bool quiet) {
  ls_text chunk = {0};
  int n = 0;
  ls_text_printf(&chunk, "%s(", function);
  ls_text_quote(&chunk, a);
  if (b) ls_text_puts(&chunk, ", "), ls_text_quote(&chunk, b);
  ls_text_putc(&chunk, ')');
  if (chunk.failed) return LS_EMEM;
  const ls_ran ran = ls_session_eval(chunk.s, "=kernel", &n);
  ls_text_free(&chunk);
  if (ran == LS_DONE && quiet) {
    lua_pop(ls_session_lua(), n);
    return LS_OK;
  }
  return ls_show(ran, n);
}

ls_status ls_load_kernel(const char *path) {
  ls_status st = call("kernel.load", path, NULL, true);
  if (!st) ls_note("(%s is loaded)\n", path);
  return st;
}

ls_status ls_edit_kernel(const char *name) {
  ls_text chunk = {0};
  int n = 0;
  ls_text_puts(&chunk, "kernel.path(");
  ls_text_quote(&chunk, name);
  ls_text_putc(&chunk, ')');
  if (chunk.failed) return LS_EMEM;
  const ls_ran ran = ls_session_eval(chunk.s, "=edit", &n);
  ls_text_free(&chunk);
  if (ran != LS_DONE || n < 1) return ls_show(ran, n);
  lua_State *L = ls_session_lua();
  ls_text path = {0};
  ls_text_puts(&path, lua_tostring(L, -n));
  lua_pop(L, n);
  ls_status st = path.failed ? LS_EMEM : ls_open_editor(path.s);
  if (!st) st = ls_load_kernel(path.s);
  ls_text_free(&path);
  return st;
}

static const char pattern[] =
    "/* %1$s: what it does, a vertex a thread. */\n"
    "#include \"language/kernel.h\"\n"
    "\n"
    "PRIM(%1$s, ARGUMENTS, UNTYPED, VERTEX, \"n\", EXACT, \"\", \"\",\n"
    "     \"%1$s(g, out): out[v] = how many edges leave v. Returns how many vertices have one.\")\n"
    "\n"
    "#define ARGUMENTS(A, W) \\\n"
    "  A(IN, u32, off, \"n+1\") A(OUT, u32, out, \"n\") A(COUNT, u32, found, \"1\")\n"
    "ARGS(%1$s, ARGUMENTS)\n"
    "\n"
    "VERTEX_BODY(%1$s) {\n"
    "  const u32 degree = a->off[v + 1] - a->off[v];\n"
    "  a->out[v] = degree;\n"
    "  if (degree > 0) count->found++;\n"
    "}\n";

static ls_status write_pattern(FILE *f, void *name) {
  fprintf(f, pattern, (const char *)name);
  return LS_OK;
}

static ls_status new (const char *rest) {
  ls_text what = {0}, name = {0}, path = {0};
  ls_status st = ls_fail(LS_EARG, "new wants a kernel's name: new kernel NAME");
  if (!ls_word(&rest, &what) || strcmp(what.s, "kernel") != 0 || !ls_word(&rest, &name)) goto out;
  if (name.s[strspn(name.s, "abcdefghijklmnopqrstuvwxyz0123456789_")] || name.len > 48 ||
      strchr("0123456789", name.s[0])) {
    st = ls_fail(LS_EARG, "new kernel %s: expected small letters, digits and _", name.s);
    goto out;
  }
  ls_text_printf(&path, "%s.h", name.s);
  if (path.failed) {
    st = LS_EMEM;
    goto out;
  }
  st = access(path.s, F_OK) == 0 ? ls_fail(LS_EARG, "%s is there already (edit %s)", path.s, path.s)
                                 : ls_replace_file(path.s, write_pattern, name.s);
  const bool takes_over = ls_prim_find(name.s) != NULL;
  if (!st) st = ls_open_editor(path.s);
  if (!st) st = ls_load_kernel(path.s);
  if (!st && takes_over)
    ls_note(
        "(it takes the place of the %s that was there; kernel.restore(\"%s\") brings a shipped one back)\n",
        name.s, name.s);
out:
  ls_text_free(&what);
  ls_text_free(&name);
  ls_text_free(&path);
  return st;
}

static bool is_one_of(const char *s, const char *a, const char *b, const char *c) {
  return strcmp(s, a) == 0 || strcmp(s, b) == 0 || strcmp(s, c) == 0;
}

/* `bounds` and `races`: kernel.bounds or kernel.races with the words that follow. */
static ls_status choose(const char *rest, const char *command, const char *own) {
  ls_text a = {0}, b = {0};
  char function[32];
  ls_status st;
  snprintf(function, sizeof function, "kernel.%s", command);
  const bool one = ls_word(&rest, &a), two = one && ls_word(&rest, &b);
  if (!one) {
    char call_it[40];
    int n = 0;
    snprintf(call_it, sizeof call_it, "%s()", function);
    const ls_ran ran = ls_session_eval(call_it, command, &n);
    st = ls_show(ran, n);
  } else if (!ls_prim_find(a.s) && (two || !is_one_of(a.s, "on", "off", own))) {
    st = ls_fail(LS_EARG, "%s [NAME] [on | off%s]: no kernel is called '%s'", command, *own ? " | own" : "",
                 a.s);
  } else if (two && !is_one_of(b.s, "on", "off", "off")) {
    st = ls_fail(LS_EARG, "%s %s: expected on or off, got '%s'", command, a.s, b.s);
  } else {
    st = call(function, a.s, two ? b.s : NULL, two);
  }
  ls_text_free(&a);
  ls_text_free(&b);
  return st;
}

static ls_status bounds(const char *rest) { return choose(rest, "bounds", "own"); }
static ls_status races(const char *rest) { return choose(rest, "races", ""); }

const ls_command ls_commands_kernel[] = {
    {"new", "new kernel NAME",
     "Begins a kernel: writes NAME.h, which is a whole one, opens it in the editor, and loads it.\n"
     "`help own` says what may stand in it. The editor is $VISUAL or $EDITOR.",
     new, false},
    {"bounds", "bounds [NAME] [on | off | own]",
     "Accesses outside of arrays are found: all kernels (on), none (off), those of one's own (own, the default).\n"
     "With a NAME only for that kernel. The first such access ends the launch and is told with its thread and line; what\n"
     "the kernel writes is as it was before. Without on and off: says what is so.",
     bounds, false},
    {"races", "races [NAME] [on | off]",
     "Races are found: two threads of a launch that write different values to an element, or of which one reads what the\n"
     "other changes, without an atomic; and elements of OUT arguments that are read before they are written. All threads\n"
     "count as running at once, so a race is found whether or not it shows; a tile is one thread. All kernels, or with a\n"
     "NAME only that one. The first race ends the launch and is told with both threads and lines; what the kernel writes\n"
     "is as it was before. On a CPU such a kernel runs on one thread. Without on and off: says what is so.",
     races, false},
    {NULL, NULL, NULL, NULL, false},
};
