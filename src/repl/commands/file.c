/* Commands about files: load, source, run, edit, restore, paper. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/embedded.h"
#include "core/folder.h"
#include "core/mem.h"
#include "core/output.h"
#include "core/atomic_file.h"
#include "core/text.h"
#include "core/words.h"
#include "load/load.h"
#include "lua/import.h"
#include "repl/commands/command.h"
#include "repl/help/docs.h"
#include "repl/repl.h"
#include "run/launch/row.h"

/* By its extension, is it a model (for model.load) rather than a graph? */
static bool names_model(const char *path) {
  static const char *const ends[] = {".dve", ".mdve", ".phml", ".isml", ".cellml", ".sbml", ".xml", ".ode"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (ls_ends_in(path, ends[i])) return true;
  return false;
}

/* The path itself; or, if it is "samples/..." and there is no such file here, the path of the sample that
 * comes with the program, with a note to the user. */
static const char *found_at(const char *path) {
  static char sample[4096];
  const char *found = ls_samples_path(path, sample, sizeof sample);
  if (found != path) ls_note("(using the %s that comes with the program)\n", path);
  return found;
}

static ls_status load(const char *rest) {
  ls_text path = {0}, word = {0}, name = {0}, chunk = {0};
  ls_status st = ls_fail(LS_EARG, "load needs a file: load FILE [as NAME]");
  if (!ls_word(&rest, &path)) goto out;
  if (ls_word(&rest, &word)) {
    if (strcmp(word.s, "as") != 0 || !ls_word(&rest, &name) || !ls_is_name(name.s)) {
      st = ls_fail(LS_EARG, "load FILE as NAME: NAME must be a Lua name");
      goto out;
    }
  } else {
    ls_text_putc(&name, 'g');
  }
  if (names_model(path.s)) {
    st = ls_fail(LS_EARG, "load reads graphs, and %s is a model: use m = model.load(\"%s\")", path.s, path.s);
    goto out;
  }
  if (ls_ends_in(path.s, ".lua")) {
    st = ls_fail(LS_EARG, "load reads graphs, and %s is a Lua script: use `run %s`", path.s, path.s);
    goto out;
  }
  ls_text_call(&chunk, "graph.load", path.failed ? "" : found_at(path.s), NULL);
  st = LS_EMEM;
  if (path.failed || name.failed || chunk.failed) goto out;
  int n = 0;
  ls_ran ran = ls_session_eval(chunk.s, "=load", &n);
  if (ran == LS_DONE && n > 0) { /* an error leaves the earlier value as it was */
    lua_State *L = ls_session_lua();
    lua_pushvalue(L, -n);
    lua_setglobal(L, name.s);
    if (ls_out.form == LS_TEXT) ls_say("%s = ", name.s);
  }
  st = ls_show(ran, n);
  if (!st && ls_session_knows(name.s))
    ls_note("(at this stop %s is a variable of the algorithm; the loaded graph is _G.%s)\n", name.s, name.s);
out:
  ls_text_free(&path);
  ls_text_free(&word);
  ls_text_free(&name);
  ls_text_free(&chunk);
  return st;
}

static ls_status source(const char *rest) {
  enum { DEEPEST = 16 };
  static int depth;
  ls_text path = {0};
  ls_status st = ls_fail(LS_EARG, "source needs a file");
  if (!ls_word(&rest, &path)) return st;
  FILE *f = NULL;
  if (path.failed)
    st = LS_EMEM;
  else if (depth >= DEEPEST)
    st = ls_fail(LS_EARG, "%s: `source` is nested more than %d files deep", path.s, DEEPEST);
  else if (!(f = fopen(found_at(path.s), "r")))
    st = ls_fail(LS_EINPUT, "%s: %s", path.s, strerror(errno));
  if (f) {
    depth++;
    st = ls_input_stream(f, ls_base_name(path.s), true);
    depth--;
    fclose(f);
    if (st) ls_fail(st, "%s", "");
  }
  ls_text_free(&path);
  return st;
}

ls_status ls_refuse_data(const char *path) {
  if (names_model(path))
    return ls_fail(
        LS_EARG,
        "%s is a model, not a script: use m = model.load(\"%s\") at the prompt, or lockstep -i -e 'm = model.load(\"%s\")'",
        path, path, path);
  const ls_format *format = ls_format_of_path(path);
  if (!format) return LS_OK;
  return ls_fail(LS_EARG,
                 "%s is a graph (%s), not a script: use `load %s` at the prompt, or lockstep -i -e 'load %s'",
                 path, format->name, path, path);
}

ls_status ls_run_script(const char *path, int argc, char **argv) {
  const bool answers = ls_out.form != LS_TEXT;
  int n = 0;
  const ls_ran ran = ls_session_run_file(found_at(path), argc, argv, answers ? &n : NULL);
  const ls_status st = ls_show(ran, n);
  const char *way = strstr(ls_session_traceback(),
                           "\nstack traceback:"); /* follows the message, which is already printed */
  if (st && way) ls_note("%s\n", way + 1);
  return st;
}

bool ls_is_tool(const char *word) {
  char name[64];
  return (size_t)snprintf(name, sizeof name, "%s/command.lua", word) < sizeof name &&
         ls_embedded_find(ls_embedded_lua, name);
}

ls_status ls_run_tool(int argc, char **argv) {
  ls_session_arguments(ls_session_lua(), argv[0], argc - 1, argv + 1);
  return ls_input_block("import(arg[0] .. '/command')(arg)", argv[0]);
}

static ls_status run(const char *rest) {
  enum { MOST = 64 };
  ls_text words[MOST] = {{0}};
  char *argv[MOST + 1] = {NULL};
  int argc = 0;
  ls_status st = ls_fail(LS_EARG, "run needs a script: run SCRIPT.lua [ARGS]");
  while (argc < MOST && ls_word(&rest, &words[argc])) {
    argv[argc] = words[argc].s;
    argc++;
  }
  if (argc > 0 && strchr(argv[0], '(') && access(argv[0], F_OK) != 0) {
    st = ls_fail(LS_EARG, "run needs a script; type a call without `run`, or step through it by `start`");
  } else if (argc > 0 && !(st = ls_refuse_data(argv[0]))) {
    ls_note_dropped();
    st = ls_run_script(argv[0], argc - 1, argv + 1);
  }
  for (int i = 0; i < MOST; i++) ls_text_free(&words[i]);
  return st;
}

/* --- edit -------------------------------------------------------------------------------------------- */

static const ls_embedded *library_file(const char *name) {
  ls_doc d;
  const ls_embedded *e = ls_library_file(name);
  if (e) return e;
  return ls_doc_find(name, &d) && !d.builtin ? d.file : NULL;
}

static ls_status write_copy(FILE *f, void *arg) {
  const ls_embedded *const *e = arg;
  fwrite((*e)->text, 1, (*e)->bytes, f);
  return LS_OK;
}

/* Sets path to the user's copy of a library file; creates the copy if it does not exist. */
static ls_status make_copy(const ls_embedded *e, ls_text *path) {
  ls_status st = ls_user_folder("XDG_DATA_HOME", ".local/share", path);
  if (st) return st;
  const char *slash = strchr(e->name, '/');
  ls_text_printf(path, "/%.*s", (int)(slash - e->name), e->name);
  if (path->failed) return LS_EMEM;
  mkdir(path->s, 0777);
  ls_text_puts(path, slash);
  if (path->failed) return LS_EMEM;
  if (access(path->s, F_OK) == 0) return LS_OK;
  return ls_atomic_file_write_all(path->s, write_copy, &e);
}

/* Is the copy identical to the library's file, and so not needed? */
static bool same_text(const ls_embedded *e, const char *path) {
  size_t bytes = 0;
  char *text = ls_file_text(path, &bytes);
  const bool same = text && bytes == e->bytes && memcmp(text, e->text, bytes) == 0;
  free(text);
  return same;
}

/* Sets path to the file NAME.lua, NAME.h, NAME.dve or NAME.mdve in the current folder, where `new` writes
 * such files; the file may have errors. LS_EARG if there is none or more than one. */
static ls_status own_file(const char *name, ls_text *path) {
  static const char *const ends[] = {".lua", ".h", ".dve", ".mdve"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    ls_text one = {0};
    ls_text_printf(&one, "%s%s", name, ends[i]);
    const bool there = !one.failed && access(one.s, F_OK) == 0, second = there && path->len;
    ls_status st = one.failed ? LS_EMEM
                   : second ? ls_fail(LS_EARG, "there are %s and %s here: edit one of them by its whole name",
                                      path->s, one.s)
                            : LS_OK;
    if (there && !st) ls_text_puts(path, one.s);
    ls_text_free(&one);
    if (st) return st;
  }
  if (path->len || path->failed) return path->failed ? LS_EMEM : LS_OK;
  return ls_fail(
      LS_EARG,
      "no algorithm or kernel is called '%s', and there is no %s.lua, %s.h or %s.dve here (to begin "
      "one: `new algorithm %s`, `new kernel %s`, or `edit %s.lua` for an empty file)",
      name, name, name, name, name, name, name);
}

static int replace_module(lua_State *L) {
  ls_import_replace(L, lua_tostring(L, 1));
  return 0;
}

/* Runs a changed copy of a library file, and puts what it returns in the place of the module. */
static ls_status run_copy(const ls_embedded *e, const char *path) {
  lua_State *L = ls_session_lua();
  int results = 0;
  const ls_ran ran = ls_session_run_file(path, 0, NULL, &results);
  if (ran != LS_DONE || results == 0) return ls_show(ran, results);
  lua_pushcfunction(L, replace_module);
  lua_pushstring(L, e->name);
  lua_pushvalue(L, -2 - results);
  const bool done = lua_pcall(L, 2, 0, 0) == LUA_OK;
  ls_status st = done ? LS_OK : ls_fail(LS_EARG, "%s", lua_tostring(L, -1));
  lua_pop(L, results + !done);
  return st;
}

static ls_status edit(const char *rest) {
  ls_text word = {0}, path = {0};
  const ls_embedded *shipped = NULL;
  ls_status st = ls_fail(LS_EARG, "edit needs an algorithm or a file");
  if (!ls_word(&rest, &word)) goto out;
  const ls_embedded *e = library_file(word.s);
  if (e && access(word.s, F_OK) != 0) {
    shipped = e;
    if ((st = make_copy(e, &path))) goto out;
  } else if (strchr(word.s, '.') || strchr(word.s, '/')) {
    ls_text_puts(&path, word.s);
  } else if (ls_prim_find(word.s)) {
    st = ls_edit_kernel(word.s);
    goto out;
  } else if ((st = own_file(word.s, &path))) {
    goto out;
  }
  st = path.failed ? LS_EMEM : ls_open_editor(path.s);
  if (st) goto out;
  if (access(path.s, F_OK) != 0) {
    ls_note("(%s was not written)\n", path.s);
    goto out;
  }
  if (shipped && same_text(shipped, path.s)) {
    remove(path.s);
    ls_note("(nothing was changed: the shipped version stays)\n");
    goto out;
  }
  if (ls_ends_in(path.s, ".h")) {
    st = ls_load_kernel(path.s);
    if (!st) ls_note_alone(path.s);
    goto out;
  }
  if (names_model(path.s)) {
    st = ls_try_model(path.s);
    goto out;
  }
  ls_note_dropped();
  st = shipped ? run_copy(shipped, path.s) : ls_show(ls_session_run_file(path.s, 0, NULL, NULL), 0);
  if (st && ls_last_status() == st)
    ls_note("(only a part of %s was loaded: what comes after the error stays as it was)\n", path.s);
  else if (!st && shipped)
    ls_note("(%s is loaded, for this session; `restore %s` brings the shipped one back)\n", path.s, word.s);
  else if (!st)
    ls_note("(%s is loaded)\n", path.s);
  if (!st) ls_note_alone(path.s);
out:
  ls_text_free(&word);
  ls_text_free(&path);
  return st;
}

/* --- restore ----------------------------------------------------------------------------------------- */

static int run_shipped(lua_State *L) {
  const ls_embedded *e = lua_touserdata(L, 1);
  lua_pushfstring(L, "@%s", e->name);
  if (luaL_loadbuffer(L, e->text, e->bytes, lua_tostring(L, -1)) != LUA_OK) return lua_error(L);
  lua_call(L, 0, 1);
  ls_import_replace(L, e->name);
  return 0;
}

static ls_status restore_file(const ls_embedded *e) {
  lua_State *L = ls_session_lua();
  ls_text path = {0};
  ls_note_dropped();
  if (ls_session_paused()) ls_session_abandon();
  lua_pushcfunction(L, run_shipped);
  lua_pushlightuserdata(L, (void *)(uintptr_t)e);
  ls_status st = LS_OK;
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    st = ls_fail(LS_EARG, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
    return st;
  }
  ls_note("(everything that %s defines is restored as shipped)\n", e->name);
  if (ls_user_folder("XDG_DATA_HOME", ".local/share", &path) == LS_OK) ls_text_printf(&path, "/%s", e->name);
  if (path.len > 0 && !path.failed && access(path.s, F_OK) == 0)
    ls_note("(your copy %s is kept: `edit` opens it again; delete it to start again from the shipped one)\n",
            path.s);
  ls_text_free(&path);
  return LS_OK;
}

static ls_status restore(const char *rest) {
  ls_text word = {0};
  ls_status st = ls_fail(LS_EARG, "restore needs the name of an algorithm or a kernel that was shipped");
  if (ls_word(&rest, &word)) {
    const ls_embedded *e = library_file(word.s);
    st = e ? restore_file(e) : ls_restore_kernel(word.s);
  }
  ls_text_free(&word);
  return st;
}

/* Can a word that does not follow a size be a folder? The name of a new folder must contain a slash, so that
 * a misspelt size is not taken for one. */
static bool names_folder(const char *word) { return strchr(word, '/') || access(word, F_OK) == 0; }

/* `paper 003 full out` runs paper("003", {size = "full", folder = "out"}). */
static ls_status paper(const char *rest) {
  static const char usage[] =
      "paper, or paper NUMBER [small | full] [FOLDER], as in: paper 003 small figures";
  ls_text number = {0}, word = {0}, chunk = {0};
  ls_status st = LS_OK;
  if (ls_word(&rest, &number)) {
    const char *key = "size";
    ls_text_puts(&chunk, "local _ = paper(");
    ls_text_quote(&chunk, number.s);
    ls_text_puts(&chunk, ", {");
    for (int i = 0; !st && ls_word(&rest, &word); i++) {
      const bool size = strcmp(word.s, "small") == 0 || strcmp(word.s, "full") == 0;
      if (i == (size ? 1 : 2) || (i == 1 && strcmp(key, "folder") == 0))
        st = ls_fail(LS_EARG, "paper: '%s' is one word too many; expected %s", word.s, usage);
      else if (i == 0 && !size && !names_folder(word.s))
        st = ls_fail(LS_EARG,
                     "paper: '%s' is neither a size nor a folder that exists; expected %s; a new "
                     "folder without a size must be written ./%s",
                     word.s, usage, word.s);
      key = size ? "size" : "folder";
      ls_text_printf(&chunk, "%s = ", key);
      ls_text_quote(&chunk, word.s);
      ls_text_puts(&chunk, ", ");
      ls_text_free(&word);
    }
    ls_text_puts(&chunk, "})");
  } else {
    ls_text_puts(&chunk, "paper()");
  }
  if (!st && (number.failed || word.failed || chunk.failed)) st = LS_EMEM;
  if (!st) {
    int n = 0;
    const ls_ran ran = ls_session_eval(chunk.s, "=prompt", &n);
    st = ls_show(ran, n);
  }
  ls_text_free(&number);
  ls_text_free(&word);
  ls_text_free(&chunk);
  return st;
}

const ls_command ls_commands_file[] = {
    {"load", "load FILE [as NAME]",
     "Reads a graph; it becomes g, or NAME.\n"
     "The format follows from the file's name or its first bytes: `help formats`. For options: graph.load(file, {...}).\n"
     "samples/city.gr and other files of samples/ that come with the program are found from any folder.",
     load, false},
    {"source", "source FILE",
     "Runs the lines of a file as if they were typed.\n"
     "They may be commands and Lua; they end at the first error. `help input` says which lines run together.",
     source, false},
    {"run", "run SCRIPT.lua [ARGS]",
     "Runs a Lua script; it may stop at breakpoints.\n"
     "Its arguments are in `arg`, as with lua itself.",
     run, false},
    {"edit", "edit NAME | FILE",
     "Edits the file of an algorithm or of a kernel and loads it again.\n"
     "For a file of the library, a copy in $XDG_DATA_HOME/lockstep is edited; for a shipped kernel, a copy\n"
     "NAME.h. Shipped loops still use the shipped kernel; `restore NAME` brings it back. A file that `new` wrote is found by\n"
     "its NAME, even if it could not be loaded; the editor opens at the line of the last error. The file of a model is\n"
     "checked after editing. The editor is $VISUAL or $EDITOR, else nano or vi.",
     edit, false},
    {"restore", "restore NAME",
     "Restores an algorithm or a kernel as it was shipped, after edit, new or kernel.load has changed it.\n"
     "Your file stays where it is.",
     restore, false},
    {"paper", "paper [NUMBER [small | full] [FOLDER]]",
     "Lists the papers whose algorithms are built in; with a NUMBER, rebuilds the tables, figures and claims of one.\n"
     "Each cell of a table is shown as theirs | ours | ratio. Figures are drawn and written as SVG to FOLDER, by default a\n"
     "new one; if no size precedes it, FOLDER must exist or contain a slash (./figures). small, the default, takes less than two minutes on two cores; full has the sizes of the paper.\n"
     "help paper 003 says which command stands for which algorithm, table or figure. In Lua: paper(3, {size = \"full\"}).",
     paper, false},
    {NULL, NULL, NULL, NULL, false},
};
