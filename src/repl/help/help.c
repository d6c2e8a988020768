/* help and ?x: everything known about a name, generated from the rows, the schemas, the commands and the doc
 * comments of the library, so that no text is maintained twice. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/output.h"
#include "load/load.h"
#include "repl/commands/command.h"
#include "repl/help/errata.h"
#include "repl/line/foreign_commands.h"
#include "repl/help/help_field.h"
#include "repl/help/help_lines.h"
#include "repl/repl.h"
#include "repl/help/topics.h"
#include "run/launch/loop.h"
#include "run/launch/state.h"

/* --- one name ---------------------------------------------------------------------------------------- */

static const char *role_name(const ls_prim *p, int i) {
  static const char *const names[] = {
      "in",      "in, row offsets", "in, first edges", "in, ends of edges",  "in and out",
      "out",     "queue of items",  "queue, filled",   "queue, appended to", "number",
      "returned"};
  const ls_role r = p->args[i].role;
  if (r == LS_QIN && ls_arg_written(p, i)) return "queue of items, filled";
  return (size_t)r < sizeof names / sizeof *names ? names[r] : "?";
}

static const char *agree_name(ls_agree a) {
  static const char *const names[] = {[LS_EXACT] = "equal, element by element",
                                      [LS_FIXPOINT] = "equal once the fixpoint is reached",
                                      [LS_TIE] = "each may give a different one of several right answers",
                                      [LS_TOLERANCE] = "equal within a tolerance"};
  return (size_t)a < sizeof names / sizeof *names && names[a] ? names[a] : "?";
}

/* How closely the results of two devices must agree: the rule of the row, then of each argument that has its
 * own. */
static void help_agreement(const ls_prim *p) {
  ls_say("  devices agree  %s\n", agree_name(p->agree));
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *a = &p->args[i];
    if (a->agree == LS_TOLERANCE)
      ls_say("                 %s: within %g of the larger%s\n", a->name, a->relative,
             a->absolute > 0 ? " and a constant" : "");
    else if (a->agree != LS_AS_ROW)
      ls_say("                 %s: %s\n", a->name, agree_name(a->agree));
  }
}

/* Prints the source text of a loop. */
static void help_words(const ls_prim *p) {
  char text[4096];
  ls_loop_text(p->loop, text, sizeof text);
  ls_say("\n");
  for (const char *line = text; *line;) {
    const int len = (int)strcspn(line, "\n");
    help_fold("  %.*s", len, line);
    line += len + (line[len] == '\n');
  }
}

static void help_prim(const ls_prim *p) {
  char doc[1024];
  size_t len = strlen(p->name);
  const bool signed_doc = strncmp(p->doc, p->name, len) == 0 && (p->doc[len] == '(' || p->doc[len] == '{');
  snprintf(doc, sizeof doc, " %s%s%s", signed_doc ? "" : p->name,
           signed_doc ? ""
           : p->loop  ? "(s [, {max_iterations = N}]): "
                      : "(s): ",
           p->doc);
  for (char *end = doc; (end = strchr(end, '\n'));) *end = ' ';
  help_bold("primitive");
  help_rest(doc, 9);
  if (p->nargs) ls_say("\n");
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *a = &p->args[i];
    char type[64];
    if (a->role == LS_VALUE || a->role == LS_COUNT)
      snprintf(type, sizeof type, "%s", ls_dtype_name(a->type));
    else
      snprintf(type, sizeof type, "%s[%s]", ls_dtype_name(a->type), a->extent);
    ls_say("  %-14s %-12s %s\n", a->name, type, role_name(p, i));
  }
  if (p->loop) help_words(p);
  ls_say("\n");
  if (!p->loop) ls_say("  a thread is    %s\n", ls_domain_thread(p->domain));
  if (p->types & ~(1u << LS_NONE)) {
    ls_say("  W is one of   ");
    for (int t = 0; t < LS_NONE; t++)
      if (p->types >> t & 1) ls_say(" %s", ls_dtype_name((ls_dtype)t));
    ls_say("\n");
  }
  if (*p->bytes) help_fold("  bytes touched  %s%s", p->bytes_at_most ? "at most " : "", p->bytes);
  if (*p->gathers)
    help_fold("  irregular      %s%s accesses", p->gathers_at_most ? "at most " : "", p->gathers);
  if (p->operations) help_fold("  operations     %s min-plus updates", p->operations);
  help_agreement(p);
}

/* Writes the fields of the table that a state's constructor takes, "sources = ..., type = ...", if it is
 * called with a graph or with only the table. */
static void table_text(const ls_schema *s, bool graph, char *out, size_t bytes) {
  ls_size_name name[LS_SCHEMA_SIZES + 1];
  int count = ls_schema_sizes(s, name);
  size_t used = 0;
  if (!(s->types >> LS_NONE & 1)) name[count++] = (ls_size_name){"type", 4};
  out[0] = '\0';
  for (int i = 0; i < count && used < bytes; i++)
    if (!graph || !ls_graph_gives_size(name[i]))
      used += (size_t)snprintf(out + used, bytes - used, "%s%.*s = ...", used ? ", " : "", (int)name[i].len,
                               name[i].text);
}

/* state.sssp(g [, {type = ...}])
 * state.sssp{n = ..., type = ...} */
static void help_constructor(const ls_schema *s) {
  char with[256], alone[256], types[LS_TYPES_TEXT];
  table_text(s, true, with, sizeof with);
  table_text(s, false, alone, sizeof alone);
  if (strcmp(with, alone) != 0)
    ls_say("  state.%s(g%s%s%s)\n", s->name, *with ? ", {" : "", with, *with ? "}" : "");
  ls_say("  state.%s{%s}\n", s->name, alone);
  if (!(s->types >> LS_NONE & 1)) ls_say("  The type is %s.\n", ls_types_text(s->types, types));
  ls_say("\n");
}

static void help_schema(const ls_schema *s) {
  help_bold("schema");
  ls_say(" %s: %s\n\n", s->name, s->doc);
  help_constructor(s);
  for (int i = 0; i < s->nfields; i++) {
    const ls_field *f = &s->fields[i];
    char type[64];
    snprintf(type, sizeof type, "%s[%s]", ls_dtype_name(f->type), f->extent);
    help_fold("  %-12s %-10s %-9s %s", f->name, type, f->init, f->doc);
  }
}

/* Prints the block of a doc, indented. */
static void say_block(const ls_doc *d) {
  ls_text text = {0};
  ls_doc_text(d, "  ", &text);
  help_flow(ls_text_str(&text));
  ls_text_free(&text);
}

/* Prints `name` and the signature from `from` on, and the place of the definition. */
static void say_signature(const char *name, const ls_doc *d, size_t from) {
  help_bold("%s%.*s", name, (int)(d->signature_len - from), d->signature + from);
  if (!d->builtin) ls_say("   (%s:%d)", d->file->name, d->line);
  ls_say("\n");
}

/* Prints every signature of the name, and each block once, below its signatures. */
static void help_docs(const ls_doc *first) {
  ls_doc last = {0};
  for (ls_doc_walk w = {.topics = false}; ls_doc_next(&w);) {
    if (!help_same_name(&w.doc, first)) continue;
    if (last.text && last.text != w.doc.text) say_block(&last);
    last = w.doc;
    say_signature("", &last, 0);
  }
  say_block(&last);
}

static void help_command(const ls_command *c) {
  help_bold("command");
  ls_say(" %s\n", c->usage);
  say_block(&(ls_doc){.text = c->doc, .text_len = strlen(c->doc)});
  if (c->repeats) ls_say("  Enter on an empty line repeats it.\n");
}

/* Lists the functions of a library table, or the methods of a type. Returns how many. below: something else
 * was shown above. */
static int help_members(const char *table, bool below) {
  const size_t len = strlen(table);
  ls_doc last = {0};
  int count = 0;
  for (ls_doc_walk w = {.topics = false}; ls_doc_next(&w);) {
    const ls_doc *d = &w.doc;
    if (d->name_len <= len + 1 || memcmp(d->name, table, len) != 0 || !strchr(".:", d->name[len]) ||
        ls_doc_internal(d))
      continue;
    if (count++ == 0 && below) ls_say("\n");
    help_doc_line(d, &last);
  }
  return count;
}

typedef struct member {
  char name[48];
  bool function;
} member;

typedef struct members {
  member list[256];
  int count;
} members;

static void collect_member(void *ctx, const char *name, int type) {
  members *m = ctx;
  if (strncmp(name, "__", 2) == 0 || m->count == 256) return;
  snprintf(m->list[m->count].name, sizeof m->list->name, "%s", name);
  m->list[m->count++].function = type == LUA_TFUNCTION;
}

static int by_kind_and_name(const void *a, const void *b) {
  const member *x = a, *y = b;
  return x->function != y->function ? x->function - y->function : strcmp(x->name, y->name);
}

/* Lists the fields of the value on top, with their docs from its type, then its functions. */
static void say_members(lua_State *L) {
  members m = {.count = 0};
  const int columns = ls_output_columns(), most = columns > 20 && columns < 80 ? columns - 2 : 78;
  int value = lua_gettop(L), column = 0;
  ls_members(L, value, collect_member, &m);
  qsort(m.list, (size_t)m.count, sizeof *m.list, by_kind_and_name);
  bool told = lua_type(L, value) == LUA_TUSERDATA && luaL_getmetafield(L, value, "__fields") == LUA_TTABLE;
  for (int i = 0; i < m.count; i++) {
    const member *it = &m.list[i];
    if (!it->function && told) {
      lua_pushstring(L, it->name);
      lua_rawget(L, value + 1);
      const char *doc = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
      help_line(it->name, strlen(it->name), doc, strlen(doc));
      lua_pop(L, 1);
      continue;
    }
    int len = (int)strlen(it->name) + 3;
    if (column + len > most) column = 0, ls_say("\n");
    ls_say("%s %s%s", column ? "" : " ", it->name, it->function ? "()" : "");
    column += len;
  }
  if (column) ls_say("\n");
  lua_settop(L, value);
}

/* Finds the doc of the function on top by the file and line of its definition. */
static bool doc_of_function(lua_State *L, ls_doc *out) {
  lua_Debug ar;
  if (lua_type(L, -1) != LUA_TFUNCTION) return false;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &ar);
  if (*ar.source != '@') return false;
  for (ls_doc_walk w = {.topics = false}; ls_doc_next(&w);)
    if (w.doc.line == ar.linedefined && strcmp(w.doc.file->name, ar.source + 1) == 0)
      return *out = w.doc, true;
  return false;
}

/* Finds the doc of a method (`g:stats`) by the type of the object. */
static bool doc_of_method(lua_State *L, const char *name, ls_doc *out) {
  ls_text full = {0};
  const bool found = ls_full_method_name(L, name, &full) && ls_doc_find(full.s, out);
  ls_text_free(&full);
  return found;
}

bool ls_help_doc(lua_State *L, const char *chain, ls_doc *out) {
  if (ls_doc_find(chain, out) || doc_of_method(L, chain, out)) return true;
  if (!ls_lookup(L, chain, strlen(chain))) return false;
  const bool found = doc_of_function(L, out);
  lua_pop(L, 1);
  return found;
}

/* Prints a doc under the requested name instead of its own. */
static void help_as(const char *name, const ls_doc *d) {
  size_t at = 0;
  while (at < d->signature_len && !strchr("({", d->signature[at])) at++;
  say_signature(name, d, at);
  say_block(d);
}

/* Prints the doc comment that a user's file has above the function on top, or above the function that makes
 * the table on top callable (__call). */
static bool help_own(lua_State *L, const char *name) {
  lua_Debug ar;
  lua_pushvalue(L, -1);
  if (lua_istable(L, -1) && luaL_getmetafield(L, -1, "__call") != LUA_TNIL) lua_remove(L, -2);
  if (!lua_isfunction(L, -1)) return lua_pop(L, 1), false;
  lua_getinfo(L, ">S", &ar);
  ls_embedded file = {.name = ar.source + 1};
  ls_doc d;
  char *text = *ar.source == '@' ? ls_file_text(file.name, &file.bytes) : NULL;
  file.text = text;
  const bool found = text && ls_doc_in(&file, name, &d);
  if (found) help_as(name, &d);
  free(text);
  return found;
}

/* Appends the doc of the field in `r.count`, if r is the result of an algorithm. */
static bool field_of_result(lua_State *L, const char *name, ls_text *out) {
  const char *point = strrchr(name, '.');
  if (!point || !ls_lookup(L, name, (size_t)(point - name))) return false;
  bool found = false;
  if (lua_istable(L, -1) && luaL_getmetafield(L, -1, "__name") == LUA_TSTRING) {
    found = help_field(lua_tostring(L, -1), point + 1, out);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return found;
}

/* Prints help on a variable or field: its value, fields and functions, or the doc if it is a function. */
static bool help_value(const char *name) {
  lua_State *L = ls_session_lua();
  ls_text text = {0};
  if (!ls_lookup(L, name, strlen(name))) { /* some fields of results are computed on first access */
    const bool field = field_of_result(L, name, &text);
    if (field) help_flow(ls_text_str(&text));
    ls_text_free(&text);
    return field;
  }
  ls_doc d;
  const bool method = !doc_of_function(L, &d) && doc_of_method(L, name, &d);
  if (method || doc_of_function(L, &d)) {
    ls_text called = {0}; /* a method is shown with a colon, o:slack(), even for `?o.slack` */
    ls_text_puts(&called, name);
    char *dot = method || memchr(d.name, ':', d.name_len) ? strrchr(called.s ? called.s : "", '.') : NULL;
    if (dot) *dot = ':';
    help_as(ls_text_str(&called), &d);
    ls_text_free(&called);
    lua_pop(L, 1);
    return true;
  }
  if (help_own(L, name)) {
    lua_pop(L, 1);
    return true;
  }
  const int columns = ls_output_columns(), room = columns - (int)strlen(name) - 4;
  ls_print_brief(L, -1, columns > 20 && room >= 10 && room < 70 ? (size_t)room : 70, &text);
  ls_say("%s = %s\n", name, ls_text_str(&text));
  ls_text_cut(&text, 0);
  if (field_of_result(L, name, &text)) help_flow(ls_text_str(&text));
  ls_text_free(&text);
  int type = lua_type(L, -1);
  if (type == LUA_TUSERDATA || type == LUA_TTABLE) say_members(L);
  lua_pop(L, 1);
  return true;
}

/* The name without quotes, as in `help "trim"`. */
static const char *plain_name(const char *name, char *out, size_t bytes) {
  size_t n = strlen(name);
  if (n >= 2 && n < bytes && (*name == '"' || *name == '\'') && name[n - 1] == *name) {
    snprintf(out, bytes, "%.*s", (int)(n - 2), name + 1);
    name = out;
  }
  return name;
}

/* Lists the help pages that contain a word of at least three characters: "help past, help times". */
static void pages_with(const char *word, ls_text *out) {
  enum { MOST_PAGES = 6 };
  int count = 0;
  for (ls_doc_walk w = {.topics = true}; strlen(word) >= 3 && count < MOST_PAGES && ls_doc_next(&w);) {
    ls_text text = {0};
    ls_doc_text(&w.doc, "", &text);
    if (strcasestr(ls_text_str(&text), word))
      ls_text_printf(out, "%shelp %.*s", count++ ? ", " : "", (int)w.doc.name_len, w.doc.name);
    ls_text_free(&text);
  }
}

/* Prints the hint of an old name, and help on the new one. False if the name is not an old name. */
static bool help_renamed(const char *name, ls_status *st) {
  ls_text now = {0}, hint = {0};
  const bool renamed = ls_renamed(ls_session_lua(), name, &now, &hint);
  if (renamed) {
    ls_say("%s\n\n", hint.s);
    *st = ls_help(now.s);
  }
  ls_text_free(&now);
  ls_text_free(&hint);
  return renamed;
}

/* The name of a paper's page: paper.003 for `paper 003` and `paper 3`. Any other name is returned unchanged.
 */
static const char *paper_page(const char *name, char *out, size_t bytes) {
  unsigned number;
  char end;
  if (sscanf(name, "paper %3u%c", &number, &end) != 1) return name;
  snprintf(out, bytes, "paper.%03u", number);
  return out;
}

ls_status ls_help(const char *name) {
  char plain[256], page_name[16];
  name = paper_page(plain_name(name, plain, sizeof plain), page_name, sizeof page_name);
  if (!*name) {
    help_overview();
    return LS_OK;
  }
  if (strncmp(name, "errata ", 7) == 0) return help_errata(name + 7 + strspn(name + 7, " "));
  const bool page = help_page(name);
  if (strcmp(name, "errata") == 0) return help_errata("");
  int found = page || help_list(name);
  const ls_prim *p = ls_prim_find(name);
  if (p) found = 1, help_prim(p);
  ls_doc d;
  if (ls_doc_find(name, &d)) {
    if (found++) ls_say("\n");
    help_docs(&d);
  }
  found += help_members(name, found > 0);
  const ls_command *c = ls_command_find(name, strlen(name));
  const bool begins = c && strncmp(c->name, name, strlen(name)) == 0; /* else `name` is an alias: exit */
  if (c && (!begins || strcmp(c->name, name) == 0)) {
    if (found++) ls_say("\n");
    help_command(c);
  }
  const char *schema = strncmp(name, "state.", 6) == 0 ? name + 6 : name;
  for (int i = 0; i < ls_schemas(); i++)
    if (strcmp(ls_schema_at(i)->name, schema) == 0) {
      if (found++) ls_say("\n");
      help_schema(ls_schema_at(i));
    }
  if (found == page && !page && ls_doc_helpers(name)) {
    ls_say("%s has helpers of the library, for which a user has no need: ??%s shows their source.\n", name,
           name);
    return LS_OK;
  }
  if (found > page || help_value(name) || page) return LS_OK; /* a variable may have a page's name */
  if (c) return help_command(c), LS_OK;                       /* `name` is a prefix of the command's name */
  ls_status st;
  if (help_renamed(name, &st)) return st;
  ls_text pages = {0}, near = {0};
  pages_with(name, &pages);
  const char *here = ls_foreign_command(name);
  bool any = !here && !pages.len && ls_near_name(ls_session_lua(), "", name, &near);
  st = here ? ls_fail(LS_EARG, "'%s', here: %s", name, here)
       : pages.len
           ? ls_fail(LS_EARG, "nothing is called '%s'; these pages of help have the word: %s", name, pages.s)
       : any ? ls_fail(LS_EARG, "nothing is known of '%s' (did you mean `%s`?)", name, near.s)
             : ls_fail(LS_EARG, "nothing is known of '%s'", name);
  ls_text_free(&pages);
  ls_text_free(&near);
  return st;
}

/* --- names for completion ---------------------------------------------------------------------------- */

void ls_help_names(void (*each)(void *, const char *), void *ctx) {
  static const char *const lists[] = {"topics",    "commands", "algorithms", "primitives",
                                      "functions", "schemas",  "formats",    "words"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) each(ctx, lists[i]);
  for (int i = 0; i < ls_prims(); i++) each(ctx, ls_prim_at(i)->name);
  for (int i = 0; i < ls_schemas(); i++) each(ctx, ls_schema_at(i)->name);
  for (int topics = 0; topics < 2; topics++)
    for (ls_doc_walk w = {.topics = topics}; ls_doc_next(&w);) {
      char name[128];
      snprintf(name, sizeof name, "%.*s", (int)w.doc.name_len, w.doc.name);
      if (!ls_doc_internal(&w.doc)) each(ctx, name);
    }
}

/* Pushes the name of the global, or of the field of a global table ("paths.dijkstra"), whose value is the one
 * at index 1; false if there is none. */
static bool push_name_of(lua_State *L) {
  lua_pushglobaltable(L);
  for (lua_pushnil(L); lua_next(L, 2); lua_settop(L, 3)) {
    if (lua_type(L, 3) != LUA_TSTRING || strcmp(lua_tostring(L, 3), "_G") == 0) continue;
    if (lua_rawequal(L, 1, 4)) {
      lua_settop(L, 3);
      return true;
    }
    if (!lua_istable(L, 4)) continue;
    for (lua_pushnil(L); lua_next(L, 4); lua_settop(L, 5)) {
      if (lua_type(L, 5) != LUA_TSTRING || !lua_rawequal(L, 1, 6)) continue;
      lua_pushfstring(L, "%s.%s", lua_tostring(L, 3), lua_tostring(L, 5));
      return true;
    }
  }
  return false;
}

/* The Lua function: help("trim"), or help(trim) if trim is a global or a field of a global table. */
static int lua_help(lua_State *L) {
  lua_settop(L, 1);
  if (!lua_isnoneornil(L, 1) && lua_type(L, 1) != LUA_TSTRING && !push_name_of(L))
    return luaL_error(L, "help needs a name: help(\"trim\")");
  ls_status st = ls_help(luaL_optstring(L, -1, ""));
  return st ? ls_raise(L, st) : 0;
}

void ls_help_open(lua_State *L) { lua_register(L, "help", lua_help); }
