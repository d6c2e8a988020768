#include "repl/help/topics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/output.h"
#include "load/load.h"
#include "repl/commands/command.h"
#include "repl/help/help_lines.h"
#include "run/launch/row.h"

/* --- lists of names ---------------------------------------------------------------------------------- */

typedef struct row_of_names {
  const char *title;
  int most; /* lines; `help TITLE` lists the rest */
  int column, lines;
} row_of_names;

enum { NAMES_LEFT = 13, NAMES_RIGHT = 79 };

/* Adds a word to a list that is wrapped to the right of its heading. */
static void word(row_of_names *r, const char *s, size_t len) {
  if (r->lines > r->most) return;
  bool last = r->lines == r->most;
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

/* Begins the next list, on a new line; an empty list prints nothing. */
static void heading(const char *title, int most, row_of_names *r) {
  if (r->lines > 0) ls_say("\n");
  *r = (row_of_names){.title = title, .most = most};
}

/* Is it a function that algorithms share? Then it is in `help functions`, not in `help algorithms`. */
static bool shared(const ls_doc *d) {
  return strcmp(d->file->name, "base/loops.lua") == 0 || strcmp(d->file->name, "base/algorithm.lua") == 0;
}

static bool is_algorithm(const ls_doc *d) {
  return !d->builtin && !d->table && !shared(d) && !memchr(d->name, ':', d->name_len) && !ls_doc_internal(d);
}

static bool is_kernel_word(const ls_doc *d) { return strcmp(d->file->name, "help/words.lua") == 0; }

static bool is_builtin(const ls_doc *d) {
  return d->builtin && !shared(d) && !is_kernel_word(d) && !ls_doc_internal(d);
}

/* Must fit 80 x 24. The algorithms are grouped by purpose; tests/tui/test_help.sh compares them with
 * `?algorithms`. */
void help_overview(void) {
  ls_say("New here? `lesson 1` begins a guided course. `help tasks`: what you want to do.\n\n");
  help_bold("A line is a command or Lua.");
  ls_say("  First a graph, then an algorithm:\n"
         "  load FILE                reads a graph, as g; or g = gen.grid{64, 64}\n"
         "  r = scc(g)               runs it; r shows the result, check(r) proves it\n"
         "  start scc.forward_backward(g)   step by step: step  next  iter  until EXPR\n"
         "  break trim    back       where to stop; goes back to an earlier stop\n"
         "  panel    stats           views around the prompt; what each kernel cost\n\n");
  help_bold("algorithms   ");
  ls_say("scc components triangles pagerank      what belongs together\n"
         "             bfs sssp apsp johnson fw  ocm ocr      paths, means of cycles\n"
         "             kleene closure product power sum       matrices\n"
         "             explore simulate steady sensitivities  models\n"
         "             sobol morris fit   judge prove         many runs; other programs\n");
  row_of_names r = {0};
  heading("topics", 5, &r);
  for (ls_doc_walk w = {.topics = true}; ls_doc_next(&w);) word(&r, w.doc.name, w.doc.name_len);
  heading("commands", 1, &r);
  for (int i = 0; ls_command_at(i); i++) word(&r, ls_command_at(i)->name, strlen(ls_command_at(i)->name));
  ls_say("\n\n"
         "help NAME or ?NAME says what it does, ??NAME shows its source. All names:\n"
         "?topics  ?commands  ?algorithms  ?primitives  ?functions  ?schemas  ?formats\n");
}

bool help_page(const char *name) {
  ls_doc d;
  if (!ls_topic_find(name, &d)) return false;
  ls_text text = {0};
  ls_doc_text(&d, "", &text);
  const char *s = ls_text_str(&text);
  const int title = (int)strcspn(s, "\n");
  help_bold("%.*s", title, s);
  ls_say("\n");
  if (s[title]) help_flow(s + title + 1);
  ls_text_free(&text);
  return true;
}

/* Lists the docs of which `is` is true; all if it is NULL. */
static void list_docs(bool topics, bool (*is)(const ls_doc *)) {
  ls_doc last = {0};
  for (ls_doc_walk w = {.topics = topics}; ls_doc_next(&w);)
    if (!is || is(&w.doc)) help_doc_line(&w.doc, &last);
}

bool help_list(const char *name) {
  if (strcmp(name, "topics") == 0) {
    list_docs(true, NULL);
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
    list_docs(false, is_algorithm);
  } else if (strcmp(name, "functions") == 0) {
    list_docs(false, is_builtin);
    list_docs(false, shared);
  } else if (strcmp(name, "schemas") == 0 || strcmp(name, "state") == 0) {
    for (int i = 0; i < ls_schemas(); i++) {
      const ls_schema *s = ls_schema_at(i);
      help_line(s->name, strlen(s->name), s->doc, strlen(s->doc));
    }
  } else if (strcmp(name, "words") == 0) {
    ls_say("The words of a kernel's text (help own):\n");
    list_docs(false, is_kernel_word);
  } else if (strcmp(name, "formats") == 0) {
    const ls_format *f;
    for (size_t i = 0; (f = ls_format_at(i)); i++)
      help_fold("  %-6s %-30s  %s%s", f->name, f->extensions, f->doc, f->save ? "" : " (can only be read)");
    ls_say("Any of them may be compressed (.gz).\n");
    help_flow(
        "Models of differential equations, by model.load: PHML and ISML, CellML 1.0 and 1.1, SBML level 2 and 3,\n"
        "and equations in plain text (?model.from_text). Models of processes, by model.load: DVE\n"
        "(help dve).\n");
  } else {
    return false;
  }
  return true;
}
