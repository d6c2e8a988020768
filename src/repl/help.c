/* help, ?x and ??x: what is known of a name, from the rows, the schemas, the commands and the library's doc
 * comments. Nothing is written twice. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/output.h"
#include "load/load.h"
#include "repl/command.h"
#include "repl/docs.h"
#include "repl/repl.h"
#include "run/row.h"

static void say_bold(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void say_bold(const char *fmt, ...) {
  ls_text text = {0};
  va_list ap;
  va_start(ap, fmt);
  ls_text_vprintf(&text, fmt, ap);
  va_end(ap);
  if (ls_out.color) ls_say_raw("\033[1m");
  ls_say("%s", ls_text_str(&text));
  if (ls_out.color) ls_say_raw("\033[m");
  ls_text_free(&text);
}

/* --- lists of names
 * ---------------------------------------------------------------------------------------------- */

typedef struct row_of_names {
  const char *title;
  int column, lines;
} row_of_names;

enum { NAMES_LEFT = 13, NAMES_RIGHT = 79, NAMES_LINES = 3 };

/* Adds a word to a list that wraps beside its heading; what is beyond three lines is left to `help TOPIC`. */
static void word(row_of_names *r, const char *s, size_t len) {
  if (r->lines > NAMES_LINES) return;
  bool last = r->lines == NAMES_LINES;
  if (r->lines > 0 && r->column + 1 + (int)len <= NAMES_RIGHT - (last ? 4 : 0)) {
    ls_say(" %.*s", (int)len, s);
    r->column += 1 + (int)len;
    return;
  }
  if (last)
    ls_say(" ...");
  else if (r->lines == 0)
    say_bold("%-*s", NAMES_LEFT, r->title), ls_say("%.*s", (int)len, s);
  else
    ls_say("\n%*s%.*s", NAMES_LEFT, "", (int)len, s);
  r->lines++;
  r->column = NAMES_LEFT + (int)len;
}

/* Begins the next list, on a new line; one that stays empty leaves no trace. */
static void heading(const char *title, row_of_names *r) {
  if (r->lines > 0) ls_say("\n");
  *r = (row_of_names){.title = title};
}

static bool list_algorithm(void *ctx, const ls_doc *d) {
  if (!d->builtin && !d->table && strcmp(d->file->name, "prelude.lua") != 0) word(ctx, d->name, d->name_len);
  return true;
}

typedef struct holders {
  row_of_names *row;
  ls_doc last;
} holders;

/* Functions outside the library's algorithms: what is in a table is named by it, "gen.*". */
static bool list_builtin(void *ctx, const ls_doc *d) {
  holders *h = ctx;
  if (!d->builtin && strcmp(d->file->name, "prelude.lua") != 0) return true;
  char name[64];
  size_t n = 0;
  while (n < d->name_len && n < sizeof name - 4 && d->name[n] != '.' && d->name[n] != ':') n++;
  bool inside = n < d->name_len;
  ls_doc whole = *d;
  whole.name_len = n;
  if (h->last.name && h->last.name_len == n && memcmp(h->last.name, d->name, n) == 0) return true;
  h->last = whole;
  snprintf(name, sizeof name, "%.*s%s", (int)n, d->name, inside ? ".*" : "");
  word(h->row, name, strlen(name));
  return true;
}

static void overview(void) {
  say_bold("A line is a command or Lua.");
  ls_say("  First a graph, then an algorithm:\n\n"
         "  load FILE                a graph, as g           g = gen.rmat{scale = 16}\n"
         "  r = scc(g)               run freely              r:show()   check(r)\n"
         "  start scc(g)             to its first primitive  step   next   iter   continue\n"
         "  break trim   until EXPR  where to stop           compare cpu cpu:1\n"
         "  stats   info   device    times, memory, devices  trace save FILE\n\n");
  row_of_names r = {0};
  heading("commands", &r);
  for (int i = 0; ls_command_at(i); i++) word(&r, ls_command_at(i)->name, strlen(ls_command_at(i)->name));
  heading("algorithms", &r);
  ls_docs(list_algorithm, &r);
  heading("primitives", &r);
  for (int i = 0; i < ls_prims(); i++) word(&r, ls_prim_at(i)->name, strlen(ls_prim_at(i)->name));
  heading("functions", &r);
  ls_docs(list_builtin, &(holders){&r, {0}});
  ls_say("\n\n"
         "  help NAME or ?NAME       what it does            ??NAME   its source\n"
         "  ?commands ?algorithms ?primitives ?functions ?schemas ?formats ?prompt ?json\n");
}

/* A name and the first line of its doc, cut at the terminal's width. */
static void long_line(const char *name, size_t len, const char *doc, size_t doc_len) {
  enum { LEFT = 22 };
  const char *end = memchr(doc, '\n', doc_len);
  if (end) doc_len = (size_t)(end - doc);
  int columns = ls_output_columns();
  ls_say("  %-*.*s", LEFT - 2, (int)len, name);
  if (len >= LEFT - 2) ls_say("\n%*s", LEFT, "");
  size_t room = (size_t)(columns > 40 ? columns : 100) - LEFT - 2;
  const char *more = doc_len > room ? "..." : "";
  if (*more) doc_len = room - 3;
  while (*more && doc_len > 0 && ((unsigned char)doc[doc_len] & 0xc0) == 0x80) doc_len--;
  ls_say(" %.*s%s\n", (int)doc_len, doc, more);
}

static bool same_name(const ls_doc *a, const ls_doc *b) {
  return a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0;
}

/* One line of a list; a name with several signatures has one. */
static void line_of_doc(const ls_doc *d, ls_doc *last) {
  if (last->name && same_name(d, last)) return;
  *last = *d;
  ls_text text = {0};
  ls_doc_text(d, "", &text);
  const char *s = ls_text_str(&text), *colon = strstr(s, "): ");
  if (text.len > d->name_len && memcmp(s, d->name, d->name_len) == 0 && colon)
    s = colon + 3; /* "f(g): what" */
  long_line(d->name, d->name_len, s, strlen(s));
  ls_text_free(&text);
}

static bool list_algorithm_line(void *ctx, const ls_doc *d) {
  if (!d->builtin && !d->table && strcmp(d->file->name, "prelude.lua") != 0) line_of_doc(d, ctx);
  return true;
}

static bool list_builtin_line(void *ctx, const ls_doc *d) {
  if (d->builtin || strcmp(d->file->name, "prelude.lua") == 0) line_of_doc(d, ctx);
  return true;
}

static const char about_prompt[] =
    "A line whose first word is a command is that command, unless `= . ( , [ :` follows; what is left is Lua.\n"
    "An unambiguous beginning of a command will do; and b, c, d, f, h, i, n, q, s, u, w are break, continue, delete,\n"
    "finish, help, iter, next, quit, step, until, where. A global, or a local at a stop, that is called so wins\n"
    "where the line can be Lua: `s` shows the algorithm's s, `:s` and `s 2` step.\n"
    "\n"
    "  :cmd ...     a command, whatever follows          =expr        Lua, whatever it begins with\n"
    "  ?x   ??x     what x does; its source              !cmd         a command of the shell\n"
    "  expr         its value is shown, and kept: _ is the first value, _1, _2, ... are all of them\n"
    "  expr;        the value is kept but not shown\n"
    "  Enter        on an empty line: the last step, next, iter, ... again\n"
    "  Tab          completes names, fields, commands; file names inside quotes and after load\n"
    "  Ctrl-R       searches the history                 Ctrl-C       drops the line; stops what runs\n"
    "  Ctrl-X a     the panel, on and off                !!cmd        one that wants the whole terminal\n"
    "  Ctrl-D       leaves\n"
    "\n"
    "What is unfinished goes on at `>> `. A pasted block runs piece by piece, or as one chunk where a local of\n"
    "it is used further down.\n";

static const char about_json[] =
    "With --json, and with --csv, standard output is for programs alone: a value, or a command that answers, prints a\n"
    "line of JSON or a table of CSV there, or nothing. Help, stops, notes and errors go to standard error. What a\n"
    "script prints by itself (print, io.write) stays as it is. A value that cannot be printed is an error: exit code 1.\n"
    "\n"
    "  $ lockstep --json -e 'load road.gr'          {\"graph\":\"road.gr\",\"n\":9,\"m\":20}\n"
    "  $ lockstep --csv -e 'load road.gr'           graph,m,n and below it road.gr,20,9\n"
    "  --json ... -e 'time scc(g).count'            3, and then {\"seconds\":0.0125}\n"
    "  --json ... -e stats                          a line a primitive: {\"kernel\":\"trim\",\"calls\":4, ...}\n"
    "  --json ... -e device                         a line a device; device NAME, and info: one line\n"
    "  --json ... -e 'trace 5'                      a line a record; trace alone: {\"first\":1,\"last\":20,\"on\":true}\n"
    "  --json ... -e 'compare cpu cpu:1'            the two devices; compare off: false\n"
    "  --json ... -e 'check(r)'                     true, or an error\n"
    "  --json ... -e 'help trim'                    nothing; lesson, step, break, where, locals, journal neither\n"
    "\n"
    "JSON: a list or a buffer is an array, a table an object with its names sorted, a graph {graph, n, m}, a device its\n"
    "fields; a list that prints as a table (stats) is a line a row. Numbers have a point whatever os.setlocale says, and\n"
    "read back as they were; nan, inf and functions are null. A key that is a number is a name as it is written: where a\n"
    "table has the keys 1 and \"1\", that is an error, and so is a key without a name, a cycle, a depth above 64. In\n"
    "strings control characters (NUL too) and what nobody sees are \\u escapes, and a byte that is no UTF-8 is \\ufffd.\n"
    "\n"
    "CSV: a record, or a list of them, is a line of names and a line each; a list of lists a line each; a buffer or\n"
    "another list a line an item; a table within a record is JSON. Fields are quoted after RFC 4180.\n";

static bool topic(const char *name) {
  ls_doc last = {0};
  if (strcmp(name, "prompt") == 0) {
    ls_say("%s", about_prompt);
  } else if (strcmp(name, "json") == 0 || strcmp(name, "csv") == 0) {
    ls_say("%s", about_json);
  } else if (strcmp(name, "commands") == 0) {
    for (int i = 0; ls_command_at(i); i++) {
      const ls_command *c = ls_command_at(i);
      long_line(c->usage, strlen(c->usage), c->doc, strlen(c->doc));
    }
  } else if (strcmp(name, "primitives") == 0) {
    for (int i = 0; i < ls_prims(); i++) {
      const ls_prim *p = ls_prim_at(i);
      const char *doc = strchr(p->doc, ':');
      doc = doc ? doc + 1 + (doc[1] == ' ') : p->doc;
      long_line(p->name, strlen(p->name), doc, strlen(doc));
    }
  } else if (strcmp(name, "algorithms") == 0) {
    ls_docs(list_algorithm_line, &last);
  } else if (strcmp(name, "functions") == 0) {
    ls_docs(list_builtin_line, &last);
  } else if (strcmp(name, "schemas") == 0) {
    for (int i = 0; i < ls_schemas(); i++) {
      const ls_schema *s = ls_schema_at(i);
      long_line(s->name, strlen(s->name), s->doc, strlen(s->doc));
    }
  } else if (strcmp(name, "formats") == 0) {
    const ls_format *f;
    for (size_t i = 0; (f = ls_format_at(i)); i++)
      ls_say("  %-6s %-14s %s%s\n", f->name, f->extensions, f->doc, f->save ? "" : " (no saver)");
    ls_say("Any of them may be compressed (.gz).\n");
  } else {
    return false;
  }
  return true;
}

/* --- one name
 * -------------------------------------------------------------------------------------------------------- */

static const char *role_name(const ls_prim *p, int i) {
  static const char *const names[] = {
      "in", "in, row offsets", "in and out", "out", "queue of items", "queue, filled", "number", "returned"};
  const ls_role r = p->args[i].role;
  if (r == LS_QIN && ls_arg_written(p, i)) return "queue of items, filled";
  return (size_t)r < sizeof names / sizeof *names ? names[r] : "?";
}

static const char *domain_name(ls_domain d) {
  static const char *const names[] = {[LS_VERTEX] = "a vertex",
                                      [LS_VERTEX_WALK] = "a vertex, which walks edges",
                                      [LS_EDGE] = "an edge",
                                      [LS_QUEUE] = "an item of the queue",
                                      [LS_VERTEX_EDGES] = "an edge of a vertex that the row selects",
                                      [LS_QUEUE_EDGES] = "an edge of a vertex in the queue",
                                      [LS_VERTEX_BEST] = "a vertex, with the best of its edges",
                                      [LS_TILE] = "an element of a tile, shared by a block",
                                      [LS_LIBRARY] = "(a library's whole operation)",
                                      [LS_LOOP] = "(a loop over other primitives)"};
  return (size_t)d < sizeof names / sizeof *names ? names[d] : "?";
}

static const char *agree_name(ls_agree a) {
  static const char *const names[] = {"equal, element by element", "equal once the fixpoint is reached",
                                      "equal up to a renaming of labels",
                                      "which of several right answers is free", "equal within a tolerance"};
  return (size_t)a < sizeof names / sizeof *names ? names[a] : "?";
}

/* Prose whose first line has `used` columns taken, broken between words at the terminal's width. */
static void say_flowing(const char *text, int used) {
  const int columns = ls_output_columns() > 40 ? ls_output_columns() : 100;
  for (const char *word = text; *word;) {
    int len = (int)strcspn(word, " \n"), wide = 0;
    for (int i = 0; i < len; i++) wide += ((unsigned char)word[i] & 0xc0) != 0x80;
    if (used + 1 + wide >= columns) {
      ls_say("\n  %.*s", len, word);
      used = 2 + wide;
    } else {
      ls_say(" %.*s", len, word);
      used += 1 + wide;
    }
    word += len;
    word += strspn(word, " \n");
  }
  ls_say("\n");
}

/* What a loop runs, and how that is to be read. */
static void help_steps(const ls_prim *p) {
  char text[1024];
  if (strcmp(p->until, "once") == 0)
    snprintf(text, sizeof text, "runs %s", p->steps_text);
  else
    snprintf(text, sizeof text, "repeats %s until %s is 0", p->steps_text, p->until);
  ls_say("\n ");
  say_flowing(text, 1);
  if (!p->program) return;
  ls_say(" ");
  say_flowing(
      "(a*: again and again until it counts nothing; a, (b, c): b and c where a has counted anything; "
      "a | b: a once, before the first time; a': with the pairs of buffers swapped)",
      1);
}

static void help_prim(const ls_prim *p) {
  say_bold("primitive");
  say_flowing(p->doc, 9);
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
  if (p->nsteps) help_steps(p);
  ls_say("\n");
  if (!p->nsteps) ls_say("  a thread is    %s\n", domain_name(p->domain));
  if (p->types & ~(1u << LS_NONE)) {
    ls_say("  W is one of   ");
    for (int t = 0; t < LS_NONE; t++)
      if (p->types >> t & 1) ls_say(" %s", ls_dtype_name((ls_dtype)t));
    ls_say("\n");
  }
  if (*p->bytes) ls_say("  bytes touched  %s%s\n", p->bytes_at_most ? "at most " : "", p->bytes);
  if (*p->gathers)
    ls_say("  irregular      %s%s accesses\n", p->gathers_at_most ? "at most " : "", p->gathers);
  ls_say("  devices agree  %s\n", agree_name(p->agree));
}

static void help_schema(const ls_schema *s) {
  say_bold("schema");
  ls_say(" %s: %s\n\n", s->name, s->doc);
  for (int i = 0; i < s->nfields; i++) {
    const ls_field *f = &s->fields[i];
    char type[64];
    snprintf(type, sizeof type, "%s[%s]", ls_dtype_name(f->type), f->extent);
    ls_say("  %-12s %-10s %-9s %s\n", f->name, type, f->init, f->doc);
  }
}

typedef struct doc_page {
  ls_doc first;
  const char *block; /* shown last */
} doc_page;

/* Every signature of the name, and each block once, below its signatures. */
static bool help_doc(void *ctx, const ls_doc *d) {
  doc_page *page = ctx;
  if (!same_name(d, &page->first)) return true;
  if (page->block && page->block != d->text) {
    ls_text text = {0};
    ls_doc_text(&page->first, "  ", &text);
    ls_say("%s", ls_text_str(&text));
    ls_text_free(&text);
  }
  page->first = *d;
  page->block = d->text;
  say_bold("%.*s", (int)d->signature_len, d->signature);
  if (!d->builtin) ls_say("   (%s:%d)", d->file->name, d->line);
  ls_say("\n");
  return true;
}

static void help_docs(const ls_doc *d) {
  doc_page page = {*d, NULL};
  ls_docs(help_doc, &page);
  ls_text text = {0};
  ls_doc_text(&page.first, "  ", &text);
  ls_say("%s", ls_text_str(&text));
  ls_text_free(&text);
}

static void help_command(const ls_command *c) {
  const char *more = strchr(c->doc, '\n');
  int first = more ? (int)(more - c->doc) : (int)strlen(c->doc);
  say_bold("command");
  ls_say(" %s\n  %.*s\n", c->usage, first, c->doc);
  while (more && more[1]) {
    const char *line = more + 1;
    more = strchr(line, '\n');
    ls_say("  %.*s\n", more ? (int)(more - line) : (int)strlen(line), line);
  }
  if (c->repeats) ls_say("  Enter on an empty line repeats it.\n");
}

typedef struct listing {
  const char *prefix;
  size_t len;
  int count;
  ls_doc last;
} listing;

/* The functions of a library table, or a type's methods. */
static bool list_member(void *ctx, const ls_doc *d) {
  listing *l = ctx;
  if (d->name_len <= l->len + 1 || memcmp(d->name, l->prefix, l->len) != 0 || !strchr(".:", d->name[l->len]))
    return true;
  if (l->count++ == 0) ls_say("\n");
  line_of_doc(d, &l->last);
  return true;
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

/* The fields of the value on top with what their type says of them, then its functions. */
static void say_members(lua_State *L) {
  members m = {.count = 0};
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
      long_line(it->name, strlen(it->name), doc, strlen(doc));
      lua_pop(L, 1);
      continue;
    }
    int len = (int)strlen(it->name) + 3;
    if (column + len > 78) column = 0, ls_say("\n");
    ls_say("%s %s%s", column ? "" : " ", it->name, it->function ? "()" : "");
    column += len;
  }
  if (column) ls_say("\n");
  lua_settop(L, value);
}

/* A value of the user's: what it is, and what can be asked of it. */
static bool help_value(const char *name) {
  lua_State *L = ls_session_lua();
  if (!ls_lookup(L, name, strlen(name))) return false;
  ls_text text = {0};
  ls_print_brief(L, -1, 70, &text);
  ls_say("%s = %s\n", name, ls_text_str(&text));
  ls_text_free(&text);
  int type = lua_type(L, -1);
  if (type == LUA_TUSERDATA || type == LUA_TTABLE) say_members(L);
  lua_pop(L, 1);
  return true;
}

ls_status ls_help(const char *name) {
  if (!*name) {
    overview();
    return LS_OK;
  }
  int found = topic(name);
  const ls_prim *p = ls_prim_find(name);
  if (p) found = 1, help_prim(p);
  ls_doc d;
  if (ls_doc_find(name, &d)) {
    if (found++) ls_say("\n");
    help_docs(&d);
  }
  listing l = {name, strlen(name), 0, {0}};
  ls_docs(list_member, &l);
  found += l.count;
  const ls_command *c = ls_command_find(name, strlen(name));
  if (c && strcmp(c->name, name) == 0) {
    if (found++) ls_say("\n");
    help_command(c);
  }
  for (int i = 0; i < ls_schemas(); i++)
    if (strcmp(ls_schema_at(i)->name, name) == 0) {
      if (found++) ls_say("\n");
      help_schema(ls_schema_at(i));
    }
  if (found || help_value(name)) return LS_OK;
  ls_text near = {0};
  bool any = ls_near_name(ls_session_lua(), "", name, &near);
  ls_status st = any ? ls_fail(LS_EARG, "nothing is known of '%s' (did you mean `%s`?)", name, near.s)
                     : ls_fail(LS_EARG, "nothing is known of '%s'", name);
  ls_text_free(&near);
  return st;
}

/* --- source
 * ------------------------------------------------------------------------------------------------------------
 */

static void say_lines(const char *s, size_t bytes, int first, int last) {
  const char *end = s + bytes;
  for (int line = 1; s < end && line <= last; line++) {
    const char *next = memchr(s, '\n', (size_t)(end - s));
    if (!next) next = end;
    if (line >= first) ls_say("%4d  %.*s\n", line, (int)(next - s), s);
    s = next + 1;
  }
}

static const ls_embedded *embedded(const char *name) {
  for (const ls_embedded *e = ls_embedded_lua; e->name; e++)
    if (strcmp(e->name, name) == 0) return e;
  return NULL;
}

/* The text of a Lua function that stands in the library or in a file that is still there. */
static ls_status function_source(lua_State *L, const char *name) {
  lua_Debug ar;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &ar);
  if (strcmp(ar.what, "C") == 0) return ls_fail(LS_EARG, "%s is written in C", name);
  if (ar.source[0] != '@')
    return ls_fail(LS_EARG, "%s was defined at the prompt; its text is not kept", name);
  const ls_embedded *e = embedded(ar.source + 1);
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
  if (!*name) return ls_fail(LS_EARG, "?? wants the name of a primitive or a function");
  const ls_prim *p = ls_prim_find(name);
  if (p && p->source) {
    ls_say("%s%s", p->source, *p->source && p->source[strlen(p->source) - 1] == '\n' ? "" : "\n");
    return LS_OK;
  }
  if (p) return ls_help(name); /* a loop: its steps are its source */
  lua_State *L = ls_session_lua();
  char file[128];
  snprintf(file, sizeof file, "%s.lua", name);
  const ls_embedded *e = embedded(file);
  if (!e) e = embedded(name);
  if (e) {
    say_lines(e->text, e->bytes, 1, 1 << 30);
    return LS_OK;
  }
  if (ls_lookup(L, name, strlen(name))) {
    ls_status st = lua_isfunction(L, -1) ? function_source(L, name)
                                         : ls_fail(LS_EARG, "%s is a %s: only functions have a source", name,
                                                   luaL_typename(L, -1));
    lua_pop(L, 1);
    return st;
  }
  return ls_fail(LS_EARG, "no primitive, function or library file is called '%s'", name);
}

typedef struct naming {
  void (*each)(void *, const char *);
  void *ctx;
} naming;

static bool name_doc(void *ctx, const ls_doc *d) {
  naming *n = ctx;
  char name[128];
  snprintf(name, sizeof name, "%.*s", (int)d->name_len, d->name);
  n->each(n->ctx, name);
  return true;
}

void ls_help_names(void (*each)(void *, const char *), void *ctx) {
  static const char *const topics[] = {"commands", "algorithms", "primitives", "functions", "schemas",
                                       "formats",  "prompt",     "json",       "csv"};
  naming n = {each, ctx};
  for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) each(ctx, topics[i]);
  for (int i = 0; i < ls_prims(); i++) each(ctx, ls_prim_at(i)->name);
  for (int i = 0; i < ls_schemas(); i++) each(ctx, ls_schema_at(i)->name);
  ls_docs(name_doc, &n);
}
