/* ??x and list: show the source of a primitive, of a function, of a file of the library, or around the
 * stop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/embedded.h"
#include "core/words.h"
#include "repl/commands/command.h"
#include "repl/help/help_lines.h"
#include "repl/repl.h"
#include "run/launch/row.h"

/* Prints lines first to last with their numbers. marked: the line that gets a > in front; 0: none. */
static void say_marked(const char *s, size_t bytes, int first, int last, int marked) {
  const char *end = s + bytes;
  for (int line = 1; s < end && line <= last; line++) {
    const char *next = memchr(s, '\n', (size_t)(end - s));
    if (!next) next = end;
    if (line >= first)
      help_fold("%s%4d  %.*s", line == marked ? ">" : marked ? " " : "", line, (int)(next - s), s);
    s = next + 1;
  }
}

static void say_lines(const char *s, size_t bytes, int first, int last) {
  say_marked(s, bytes, first, last, 0);
}

char *ls_file_text(const char *path, size_t *bytes) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  char *text = NULL;
  *bytes = 0;
  if (getdelim(&text, bytes, '\0', f) < 0)
    *bytes = 0;
  else
    *bytes = strlen(text);
  fclose(f);
  return text;
}

/* Prints the source of the Lua function on top, from the library or from its file. */
static ls_status function_source(lua_State *L, const char *name) {
  lua_Debug ar;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &ar);
  if (strcmp(ar.what, "C") == 0) return ls_fail(LS_EARG, "%s is written in C and has no Lua source", name);
  if (ar.source[0] != '@')
    return ls_fail(LS_EARG, "%s was defined at the prompt; its text is not kept", name);
  const ls_embedded *e = ls_embedded_find(ls_embedded_lua, ar.source + 1);
  if (e) {
    ls_say("-- %s\n", e->name);
    say_lines(e->text, e->bytes, ar.linedefined, ar.lastlinedefined);
    return LS_OK;
  }
  FILE *f = fopen(ar.source + 1, "r");
  if (!f) return ls_fail(LS_EINPUT, "%s cannot be read any more", ar.source + 1);
  char *line = NULL;
  size_t room = 0;
  ls_say("-- %s\n", ar.source + 1);
  for (int i = 1; i <= ar.lastlinedefined && getline(&line, &room, f) >= 0; i++)
    if (i >= ar.linedefined) ls_say("%4d  %s", i, line);
  free(line);
  fclose(f);
  return LS_OK;
}

ls_status ls_help_source(const char *name) {
  if (!*name) return ls_fail(LS_EARG, "?? needs the name of a primitive or a function");
  const ls_prim *p = ls_prim_find(name);
  if (p && p->source) {
    ls_say("%s%s", p->source, *p->source && p->source[strlen(p->source) - 1] == '\n' ? "" : "\n");
    return LS_OK;
  }
  if (p) return ls_help(name); /* a loop has no source; its help lists its steps */
  lua_State *L = ls_session_lua();
  const ls_embedded *e = ls_library_file(name);
  if (e) {
    say_lines(e->text, e->bytes, 1, 1 << 30);
    return LS_OK;
  }
  if (ls_lookup(L, name, strlen(name))) {
    if (lua_istable(L, -1) && luaL_getmetafield(L, -1, "__call") != LUA_TNIL) lua_remove(L, -2);
    ls_status st = lua_isfunction(L, -1) ? function_source(L, name)
                                         : ls_fail(LS_EARG, "%s is a %s: only functions have a source", name,
                                                   luaL_typename(L, -1));
    lua_pop(L, 1);
    return st;
  }
  ls_text now = {0}, hint = {0};
  ls_status st = ls_fail(LS_EARG, "no primitive, function or library file is called '%s'", name);
  if (ls_renamed(L, name, &now, &hint)) {
    ls_say("%s\n\n", hint.s);
    st = ls_help_source(now.s);
  }
  ls_text_free(&now);
  ls_text_free(&hint);
  return st;
}

bool ls_source_has(const char *word) {
  char source[512];
  size_t bytes = 0;
  ls_session_source(source, sizeof source);
  const ls_embedded *e = *source == '@' ? ls_embedded_find(ls_embedded_lua, source + 1) : NULL;
  char *text = e || *source != '@' ? NULL : ls_file_text(source + 1, &bytes);
  const char *s = e ? e->text : text;
  const bool has = !s || ls_find_word(s, word);
  free(text);
  return has;
}

ls_status ls_list(const char *rest) {
  enum { AROUND = 5 };
  u64 around = 0;
  const bool number = *rest >= '0' && *rest <= '9';
  if (*rest && !number) return ls_help_source(rest);
  if (number) {
    ls_status st = ls_count_of(rest, 1, &around);
    if (st) return st;
  }
  const ls_stop *stop = ls_session_stop();
  if (!stop)
    return ls_fail(
        LS_EARG,
        "list shows the source at a stop, and nothing is started: start f(args); list NAME shows the "
        "source of NAME");
  if (ls_session_ended()) return ls_fail(LS_EARG, "the run has ended: `back` goes to its stops");
  char source[512];
  ls_session_source(source, sizeof source);
  const char *colon = strrchr(stop->where, ':');
  const int here = colon ? atoi(colon + 1) : 0;
  if (strcmp(source, LS_NO_SOURCE) == 0)
    return ls_fail(LS_EARG,
                   "the run is stopped in a loop of primitives, not in Lua: `??NAME` shows its steps");
  if (*source != '@')
    return ls_fail(LS_EARG, "the running code was typed at the prompt; its text is not kept");
  const int middle = number && around < 1000000000 ? (int)around : here;
  const ls_embedded *e = ls_embedded_find(ls_embedded_lua, source + 1);
  size_t bytes = 0;
  char *text = e ? NULL : ls_file_text(source + 1, &bytes);
  if (!e && !text) return ls_fail(LS_EINPUT, "%s cannot be read any more", source + 1);
  say_marked(e ? e->text : text, e ? e->bytes : bytes, middle > AROUND ? middle - AROUND : 1, middle + AROUND,
             here);
  free(text);
  return LS_OK;
}
