/* Looks up values by name without running user code. Tables are read raw. In a metatable, __index is followed
 * if it is a table, and __methods if __index is a function; the __fields of a userdata list its fields
 * (lua/bind.h). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/nearest.h"
#include "core/words.h"
#include "lua/base/l_state.h"
#include "repl/commands/command.h"
#include "repl/line/foreign_commands.h"
#include "repl/line/foreign_syntax.h"
#include "repl/repl.h"

enum { INDEX_DEPTH = 8, MOST_NAMES = 4096 };

/* Replaces the table or userdata on top by the table in which Lua looks up names missing in it. If there is
 * none, returns false and leaves the value. */
static bool next_holder(lua_State *L) {
  if (!lua_getmetatable(L, -1)) return false;
  lua_pushliteral(L, "__index");
  lua_rawget(L, -2);
  if (lua_type(L, -1) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_pushliteral(L, "__methods");
    lua_rawget(L, -2);
  }
  bool found = lua_type(L, -1) == LUA_TTABLE;
  if (found) lua_replace(L, -3);
  lua_pop(L, found ? 1 : 2);
  return found;
}

/* The open state at index, else NULL. The fields of a state are defined by its schema, not by a table. */
static ls_state *state_at(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA ? ls_test_state(L, index) : NULL;
}

static bool state_field(lua_State *L) {
  ls_state *s = state_at(L, -2);
  if (!s || lua_type(L, -1) != LUA_TSTRING) return false;
  ls_buffer *b = ls_state_field(s, lua_tostring(L, -1));
  u64 size;
  if (b)
    ls_push_buffer(L, ls_buffer_retain(b));
  else if (ls_state_size(s, lua_tostring(L, -1), &size))
    lua_pushinteger(L, (lua_Integer)size);
  else if (s->graph && strcmp(lua_tostring(L, -1), "graph") == 0)
    ls_push_graph(L, ls_graph_retain(s->graph));
  else
    return false;
  lua_replace(L, -3);
  lua_pop(L, 1);
  return true;
}

/* Pops the key on top and the value below it; pushes the value's field with that key. False, with nothing
 * pushed, if there is no such field. */
static bool raw_field(lua_State *L) {
  if (state_field(L)) return true;
  for (int depth = 0; depth < INDEX_DEPTH; depth++) {
    if (lua_type(L, -2) == LUA_TTABLE) {
      lua_pushvalue(L, -1);
      if (lua_rawget(L, -3) != LUA_TNIL) {
        lua_replace(L, -3);
        lua_pop(L, 1);
        return true;
      }
      lua_pop(L, 1);
    }
    lua_insert(L, -2);
    bool more = next_holder(L);
    lua_insert(L, -2);
    if (!more) break;
  }
  lua_pop(L, 2);
  return false;
}

/* Parses one link of a chain: pushes its key and moves *s past it. */
static bool push_key(lua_State *L, const char **s, const char *end, bool first) {
  const char *p = *s;
  if (!first && *p == '[') {
    p++;
    if (p < end && (*p == '"' || *p == '\'')) {
      const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
      if (!close || close + 1 >= end || close[1] != ']') return false;
      lua_pushlstring(L, p + 1, (size_t)(close - p - 1));
      *s = close + 2;
      return true;
    }
    const char *close = memchr(p, ']', (size_t)(end - p));
    if (!close) return false;
    lua_pushlstring(L, p, (size_t)(close - p));
    if (!lua_stringtonumber(L, lua_tostring(L, -1))) { /* pushes the number on success */
      lua_pop(L, 1);
      return false;
    }
    lua_remove(L, -2);
    *s = close + 1;
    return true;
  }
  if (!first) {
    if (*p != '.' && *p != ':') return false;
    p++;
  }
  const char *from = p;
  while (p < end && ls_in_name(*p)) p++;
  if (p == from) return false;
  lua_pushlstring(L, from, (size_t)(p - from));
  *s = p;
  return true;
}

/* Pushes the value of the first name of a chain: at a stop, the value that the name has in the stopped
 * function, if any; else the value of the global. */
static bool push_first(lua_State *L, const char **s, const char *end) {
  char name[64];
  const size_t len = (size_t)(end - *s);
  size_t n = 0;
  while (n < len && n < sizeof name && ls_in_name((*s)[n])) n++;
  if (n > 0 && n < sizeof name) {
    snprintf(name, sizeof name, "%.*s", (int)n, *s);
    if (L == ls_session_lua() && ls_session_push(name)) {
      *s += n;
      return true;
    }
  }
  lua_pushglobaltable(L);
  return push_key(L, s, end, true) && raw_field(L);
}

bool ls_lookup(lua_State *L, const char *chain, size_t len) {
  int top = lua_gettop(L);
  if (!lua_checkstack(L, 8)) return false;
  const char *end = chain + len;
  bool found = len == 0 ? (lua_pushglobaltable(L), true) : push_first(L, &chain, end);
  while (found && chain < end) found = push_key(L, &chain, end, false) && raw_field(L);
  if (!found) lua_settop(L, top);
  return found;
}

void ls_members(lua_State *L, int index, void (*each)(void *, const char *, int), void *ctx) {
  int top = lua_gettop(L);
  if (!lua_checkstack(L, 8)) return;
  if (lua_type(L, index) == LUA_TUSERDATA && luaL_getmetafield(L, index, "__fields") == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pop(L, 1);
      if (lua_type(L, -1) == LUA_TSTRING) each(ctx, lua_tostring(L, -1), LUA_TNIL);
    }
  }
  lua_settop(L, top);
  const ls_state *s = state_at(L, index);
  if (s && s->graph) each(ctx, "graph", LUA_TUSERDATA);
  for (int i = 0; s && i < s->sizes.count; i++) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)s->sizes.size[i].len, s->sizes.size[i].name);
    each(ctx, name, LUA_TNUMBER);
  }
  for (int i = 0; s && i < s->schema->nfields; i++) each(ctx, s->schema->fields[i].name, LUA_TUSERDATA);
  lua_pushvalue(L, index);
  for (int depth = 0; depth < INDEX_DEPTH; depth++) {
    if (lua_type(L, -1) == LUA_TTABLE) {
      lua_pushnil(L);
      while (lua_next(L, -2)) {
        int type = lua_type(L, -1);
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING && ls_is_name(lua_tostring(L, -1)))
          each(ctx, lua_tostring(L, -1), type);
      }
    }
    if (!next_holder(L)) break;
  }
  lua_settop(L, top);
}

/* --- other names of a value -------------------------------------------------------------------------- */

bool ls_full_method_name(lua_State *L, const char *chain, ls_text *out) {
  static const char ours[] = "lockstep.";
  const char *point = NULL;
  for (const char *s = chain; *s; s++)
    if (*s == '.' || *s == ':') point = s;
  if (!point || !ls_lookup(L, chain, (size_t)(point - chain))) return false;
  const int top = lua_gettop(L);
  bool found = lua_type(L, top) == LUA_TUSERDATA || lua_type(L, top) == LUA_TTABLE;
  found = found && luaL_getmetafield(L, top, "__name") == LUA_TSTRING;
  if (found) {
    const char *type = lua_tostring(L, -1);
    if (strncmp(type, ours, sizeof ours - 1) == 0) type += sizeof ours - 1;
    ls_text_printf(out, "%s%s", type, point);
  }
  lua_settop(L, top - 1);
  return found && !out->failed;
}

static bool same_chain(const char *a, const char *b) {
  while (*a && (*a == *b || (strchr(".:", *a) && *b && strchr(".:", *b)))) a++, b++;
  return !*a && !*b;
}

/* Appends field `name` of the table on top of the stack, if it is a string. */
static void add_string(lua_State *L, const char *name, ls_text *out) {
  lua_pushstring(L, name);
  if (lua_rawget(L, -2) == LUA_TSTRING) ls_text_puts(out, lua_tostring(L, -1));
  lua_pop(L, 1);
}

bool ls_renamed(lua_State *L, const char *chain, ls_text *now, ls_text *hint) {
  ls_text full = {0};
  const bool method = ls_full_method_name(L, chain, &full);
  const int top = lua_gettop(L);
  bool found = false;
  if (lua_getfield(L, LUA_REGISTRYINDEX, "lockstep.renamed") == LUA_TTABLE)
    for (lua_pushnil(L); !found && lua_next(L, top + 1);) {
      const char *old = lua_tostring(L, -2);
      found = same_chain(old, chain) || (method && same_chain(old, full.s));
      if (found) {
        add_string(L, "new", now);
        add_string(L, "text", hint);
      }
      lua_pop(L, 1);
    }
  lua_settop(L, top);
  ls_text_free(&full);
  return found && !now->failed && !hint->failed;
}

/* --- the nearest name -------------------------------------------------------------------------------- */

typedef struct candidates {
  char **names;
  size_t count;
} candidates;

static void collect(void *ctx, const char *name, int type) {
  candidates *c = ctx;
  (void)type;
  if (c->count == MOST_NAMES || strncmp(name, "__", 2) == 0) return;
  char *copy = ls_strdup(name);
  if (copy) c->names[c->count++] = copy;
}

/* Lists the commands that begin with `name`, if there are several; without the outer quotes, which callers
 * add: "start`, `stats` or `step". */
static bool beginnings(const char *name, ls_text *out) {
  const ls_command *c, *begin[8];
  int count = 0;
  for (int i = 0; (c = ls_command_at(i)) && count < 8; i++)
    if (strncmp(c->name, name, strlen(name)) == 0) begin[count++] = c;
  if (count < 2) return false;
  for (int i = 0; i < count; i++)
    ls_text_printf(out, "%s%s", i == 0 ? "" : i < count - 1 ? "`, `" : "` or `", begin[i]->name);
  return !out->failed;
}

bool ls_near_name(lua_State *L, const char *table, const char *name, ls_text *out) {
  if (!*table && beginnings(name, out)) return true;
  candidates c = {ls_malloc(MOST_NAMES * sizeof(char *)), 0};
  if (!c.names) return false;
  if (!*table)
    for (int i = 0; ls_command_at(i); i++) collect(&c, ls_command_at(i)->name, LUA_TNONE);
  if (ls_lookup(L, table, strlen(table))) {
    ls_members(L, -1, collect, &c);
    lua_pop(L, 1);
  }
  const char *near = ls_nearest(name, (const char *const *)c.names, c.count);
  bool found = near && strcmp(near, name) != 0;
  if (found && *table)
    ls_text_printf(out, "%s.%s", table, near);
  else if (found)
    ls_text_puts(out, near);
  for (size_t i = 0; i < c.count; i++) ls_free(c.names[i]);
  ls_free(c.names);
  return found && !out->failed;
}

/* The name in "(global 'x')", "(field 'x')" or "(method 'x')" of an error message. */
static bool named_in(const char *message, const char *kind, char *name, size_t bytes) {
  const char *p = strstr(message, kind);
  if (!p) return false;
  p += strlen(kind);
  const char *end = strchr(p, '\'');
  if (!end || (size_t)(end - p) >= bytes) return false;
  snprintf(name, bytes, "%.*s", (int)(end - p), p);
  return true;
}

/* Copies what precedes `.name` or `:name` in the text: "gen" of "gen.rmatt{}". */
static bool holder_of(const char *text, const char *name, char *table, size_t bytes) {
  size_t len = strlen(name);
  for (const char *p = text; (p = strstr(p, name)); p += len) {
    if (p == text || ls_in_name(p[len]) || (p[-1] != '.' && p[-1] != ':')) continue;
    const char *from = p - 1;
    while (from > text && (ls_in_name(from[-1]) || from[-1] == '.')) from--;
    size_t n = (size_t)(p - 1 - from);
    if (n == 0 || n >= bytes) continue;
    snprintf(table, bytes, "%.*s", (int)n, from);
    return true;
  }
  return false;
}

/* A hint if the text calls a method with a dot, `d.path(5)`, without passing the object as first argument. */
static bool dot_call(lua_State *L, const char *text, ls_text *out) {
  for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
    const char *from = dot, *end = dot + 1;
    while (from > text && (ls_in_name(from[-1]) || from[-1] == '.')) from--;
    end += ls_name_length(end);
    const size_t holder = (size_t)(dot - from), name = (size_t)(end - dot - 1);
    const char *given = end + strspn(end, " ");
    if (holder == 0 || name == 0 || (*given != '(' && *given != '{')) continue;
    given += 1 + strspn(given + 1, " ");
    if (strncmp(given, from, holder) == 0 && !ls_in_name(given[holder])) continue;
    const int top = lua_gettop(L);
    bool method = false;
    if (ls_lookup(L, from, holder) && luaL_getmetafield(L, -1, "__methods") == LUA_TTABLE) {
      lua_pushlstring(L, dot + 1, name);
      method = lua_rawget(L, -2) == LUA_TFUNCTION;
    }
    lua_settop(L, top);
    if (!method) continue;
    ls_text_printf(out, " (write %.*s:%.*s(...), with a colon)", (int)holder, from, (int)name, dot + 1);
    return true;
  }
  return false;
}

/* A hint for a key with a dot: `m:parameters{r1.a = 5}`. */
static bool dotted_key(const char *text, ls_text *out) {
  for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
    const char *from = dot, *end = dot + 1;
    while (from > text && (ls_in_name(from[-1]) || from[-1] == '.')) from--;
    while (ls_in_name(*end) || *end == '.') end++;
    const char *sign = end + strspn(end, " "), *before = from;
    while (before > text && before[-1] == ' ') before--;
    if (from == dot || end == dot + 1 || *sign != '=' || sign[1] == '=' || before == text ||
        !strchr("{,;", before[-1]))
      continue;
    ls_text_printf(out, " (write [\"%.*s\"] = ...)", (int)(end - from), from);
    return true;
  }
  return false;
}

bool ls_lookup_callable(lua_State *L, const char *chain, size_t len) {
  if (!ls_lookup(L, chain, len)) return false;
  bool callable = lua_isfunction(L, -1);
  if (!callable && luaL_getmetafield(L, -1, "__call") != LUA_TNIL) callable = true, lua_pop(L, 1);
  lua_pop(L, 1);
  return callable;
}

/* A hint for a call without parentheses: `bfs g 0`, `r = bfs g 0`. */
static bool called_as_in_a_shell(lua_State *L, const char *text, ls_text *out) {
  const char *s = text + strspn(text, " \t"), *equals = strchr(s, '=');
  if (equals) s = equals + 1 + strspn(equals + 1, " \t");
  size_t n = 0;
  while (ls_in_name(s[n]) || s[n] == '.') n++;
  if (n == 0 || (s[n] != ' ' && s[n] != '\t') || !ls_lookup_callable(L, s, n)) return false;
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)n, s);
  if (strcmp(word, "import") == 0) return false; /* import networkx: of another language */
  const char *rest = s + n + strspn(s + n, " \t");
  for (const char *p = rest; *p; p++)
    if (!ls_in_name(*p) && !strchr(". \t", *p)) return false;
  ls_text_printf(out, " (write %.*s(", (int)n, s);
  for (const char *comma = ""; *rest; rest += strspn(rest, " \t"), comma = ", ") {
    const size_t len = strcspn(rest, " \t");
    ls_text_printf(out, "%s%.*s", comma, (int)len, rest);
    rest += len;
  }
  ls_text_puts(out, "))");
  return true;
}

void ls_suggest(lua_State *L, const char *message, const char *text, ls_text *out) {
  char name[64], table[128] = "";
  if (strstr(message, "did you mean")) return;
  if (strstr(message, "bad argument #2 to 'load'")) { /* load("x.gr", {...}) */
    ls_text_puts(out, " (here: graph.load(path, {weights = \"f64\"}) reads a graph with options)");
    return;
  }
  if (strstr(message, "bad argument #1 to 'plot' (table expected")) {
    ls_text_puts(out, " (here: plot{b}, plot{b, file = \"b.svg\"})");
    return;
  }
  if (text && strstr(message, "']' expected near ':'")) {
    ls_text_puts(out, " (here: b:slice(from, to) is a part of a buffer)");
    return;
  }
  if (text && strncmp(text + strspn(text, " \t"), "%time", 5) == 0) {
    ls_text_puts(out, " (here: `time EXPR`, `time 5 EXPR`)");
    return;
  }
  if (text && strstr(message, "'}' expected near '='") && dotted_key(text, out)) return;
  if (text && ls_foreign_syntax_hint(L, message, text, out)) return;
  if (text && dot_call(L, text, out)) return;
  ls_text near = {0};
  const bool global = named_in(message, "(global '", name, sizeof name);
  const bool there = global && ls_lookup(L, name, strlen(name)); /* then it is no misspelling */
  if (there) lua_pop(L, 1);
  const char *here = there && !strstr(message, "attempt to call") ? NULL
                     : global || named_in(message, "(method '", name, sizeof name) ||
                             named_in(message, "a graph has no field '", name, sizeof name)
                         ? ls_foreign_command(name)
                         : NULL;
  if (here) {
    ls_text_printf(out, " (here: %s)", here);
  } else if (strstr(message, "(for iterator")) {
    ls_text_puts(out, " (here: for v = 0, g.n - 1 do ... end; for to, w in g:edges(v) do ... end)");
  } else if (global) {
    if (!there && ls_near_name(L, "", name, &near)) ls_text_printf(out, " (did you mean `%s`?)", near.s);
  } else if (named_in(message, "(field '", name, sizeof name) ||
             named_in(message, "(method '", name, sizeof name)) {
    if (text && holder_of(text, name, table, sizeof table) && ls_near_name(L, table, name, &near))
      ls_text_printf(out, " (did you mean `%s`?)", near.s);
  } else if (text && strstr(message, "syntax error near") && called_as_in_a_shell(L, text, out)) {
    /* called_as_in_a_shell has added the hint */
  } else if (text && strstr(message, "syntax error near")) { /* `stpe 3`, `x/4 b`; but not `x + ` */
    const size_t n = ls_name_length(text);
    const char *next = text + n + strspn(text + n, " \t");
    const bool words = next > text + n && (isalnum((unsigned char)*next) || strchr("_\"'.~", *next));
    if (n > 0 && n < sizeof name && (words || (text[n] == '/' && isalnum((unsigned char)text[n + 1])))) {
      snprintf(name, sizeof name, "%.*s", (int)n, text);
      here = ls_foreign_command(name);
      if (here)
        ls_text_printf(out, " (here: %s)", here);
      else if (ls_lookup(L, name, n))
        lua_pop(L, 1);
      else if (ls_near_name(L, "", name, &near))
        ls_text_printf(out, " (did you mean `%s`?)", near.s);
    }
  }
  ls_text_free(&near);
}
