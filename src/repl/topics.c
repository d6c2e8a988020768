/* `help` alone, and its topics: lists of what there is, and how the prompt and --json work. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/output.h"
#include "load/load.h"
#include "repl/command.h"
#include "repl/help_parts.h"
#include "run/row.h"

void help_bold(const char *fmt, ...) {
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

/* A name and the first line of its doc, cut at the terminal's width. */
void help_line(const char *name, size_t len, const char *doc, size_t doc_len) {
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

bool help_same_name(const ls_doc *a, const ls_doc *b) {
  return a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0;
}

/* One line of a list; a name with several signatures has one. */
void help_doc_line(const ls_doc *d, ls_doc *last) {
  if (last->name && help_same_name(d, last)) return;
  *last = *d;
  ls_text text = {0};
  ls_doc_text(d, "", &text);
  const char *s = ls_text_str(&text), *colon = strstr(s, "): ");
  if (text.len > d->name_len && memcmp(s, d->name, d->name_len) == 0 && colon)
    s = colon + 3; /* "f(g): what" */
  help_line(d->name, d->name_len, s, strlen(s));
  ls_text_free(&text);
}

static bool list_algorithm_line(void *ctx, const ls_doc *d) {
  if (!d->builtin && !d->table && strcmp(d->file->name, "prelude.lua") != 0) help_doc_line(d, ctx);
  return true;
}

static bool list_builtin_line(void *ctx, const ls_doc *d) {
  if (d->builtin || strcmp(d->file->name, "prelude.lua") == 0) help_doc_line(d, ctx);
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
    "Where what runs does not listen to Ctrl-C (a finalizer, a string pattern), the third one ends lockstep.\n"
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
    ls_say(
        "Models of differential equations, by model.load: PHML and ISML, CellML 1.0 and 1.1, SBML level 2 and 3, and\n"
        "equations as a person writes them (?model.from_text).\n");
  } else {
    return false;
  }
  return true;
}
