#include "repl/topics.h"

#include <stdio.h>
#include <string.h>

#include "core/output.h"
#include "load/load.h"
#include "repl/command.h"
#include "repl/help_lines.h"
#include "run/row.h"

/* --- lists of names ---------------------------------------------------------------------------------- */

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
    help_bold("%-*s", NAMES_LEFT, r->title), ls_say("%.*s", (int)len, s);
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

/* What algorithms share is a function, and a method of a result is told by `?r`. */
static bool shared(const ls_doc *d) {
  return strcmp(d->file->name, "prelude.lua") == 0 || strcmp(d->file->name, "algorithm.lua") == 0;
}

static bool is_algorithm(const ls_doc *d) {
  return !d->builtin && !d->table && !shared(d) && !memchr(d->name, ':', d->name_len);
}

static bool is_function(const ls_doc *d) { return d->builtin || shared(d); }

static bool list_algorithm(void *ctx, const ls_doc *d) {
  if (is_algorithm(d)) word(ctx, d->name, d->name_len);
  return true;
}

typedef struct holders {
  row_of_names *row;
  ls_doc last;
} holders;

/* Functions outside the library's algorithms: what is in a table is named by it, "gen.*". */
static bool list_builtin(void *ctx, const ls_doc *d) {
  holders *h = ctx;
  if (!is_function(d)) return true;
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

void help_overview(void) {
  help_bold("A line is a command or Lua.");
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

static bool list_algorithm_line(void *ctx, const ls_doc *d) {
  if (is_algorithm(d)) help_doc_line(d, ctx);
  return true;
}

static bool list_builtin_line(void *ctx, const ls_doc *d) {
  if (is_function(d)) help_doc_line(d, ctx);
  return true;
}

static const char about_prompt[] =
    "A line whose first word is a command is that command, unless one of `= . ( , [ :` follows. Any other line is Lua.\n"
    "The beginning of a command is enough if no other command begins so; and b, c, d, f, h, i, n, q, s, u, w mean\n"
    "break, continue, delete, finish, help, iter, next, quit, step, until, where. If a global, or a local at a stop,\n"
    "has that name and the line can be Lua, it is Lua: `s` shows the algorithm's s; `:s` and `s 2` step.\n"
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
    "Some code does not notice Ctrl-C (a finalizer, a string pattern); then the third Ctrl-C ends lockstep.\n"
    "A line that is not finished goes on at `>> `. A pasted block runs statement by statement; if a local of the\n"
    "block is used further down, it runs as one chunk.\n";

static const char about_json[] =
    "With --json, and with --csv, standard output is for programs alone. A value, or a command that has an answer,\n"
    "prints a line of JSON or a table of CSV there; other commands print nothing there. Help, stops, notes and errors\n"
    "go to standard error. What a script itself prints (print, io.write) does not change. A value that cannot be\n"
    "printed is an error: exit code 1.\n"
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
    "JSON: a list or a buffer is an array; a table is an object whose names are sorted; a graph is {graph, n, m}; a\n"
    "device is its fields; a list that prints as a table (stats) has one line for each row. Numbers have a decimal\n"
    "point, whatever os.setlocale says, and read back as they were; nan, inf and functions are null. A key that is a\n"
    "number becomes a name. It is an error if a table has the keys 1 and \"1\", a key that can be no name, a cycle, or a\n"
    "depth above 64. In strings, control characters (NUL too) and invisible characters are \\u escapes, and a byte that\n"
    "is no UTF-8 is \\ufffd.\n"
    "\n"
    "CSV: a record, or a list of records, is a line of names and one line for each record; a list of lists has one line\n"
    "for each; a buffer or another list has one line for each item; a table within a record is JSON. Fields are quoted as\n"
    "in RFC 4180.\n";

bool help_topic(const char *name) {
  ls_doc last = {0};
  if (strcmp(name, "prompt") == 0) {
    ls_say("%s", about_prompt);
  } else if (strcmp(name, "json") == 0 || strcmp(name, "csv") == 0) {
    ls_say("%s", about_json);
  } else if (strcmp(name, "commands") == 0) {
    for (int i = 0; ls_command_at(i); i++) {
      const ls_command *c = ls_command_at(i);
      help_line(c->usage, strlen(c->usage), c->doc, strlen(c->doc));
    }
  } else if (strcmp(name, "primitives") == 0) {
    for (int i = 0; i < ls_prims(); i++) {
      const ls_prim *p = ls_prim_at(i);
      const char *doc = strchr(p->doc, ':');
      doc = doc ? doc + 1 + (doc[1] == ' ') : p->doc;
      help_line(p->name, strlen(p->name), doc, strlen(doc));
    }
  } else if (strcmp(name, "algorithms") == 0) {
    ls_docs(list_algorithm_line, &last);
  } else if (strcmp(name, "functions") == 0) {
    ls_docs(list_builtin_line, &last);
  } else if (strcmp(name, "schemas") == 0 || strcmp(name, "state") == 0) {
    for (int i = 0; i < ls_schemas(); i++) {
      const ls_schema *s = ls_schema_at(i);
      help_line(s->name, strlen(s->name), s->doc, strlen(s->doc));
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
