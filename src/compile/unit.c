#include "compile/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/string_builder.h"
#include "core/words.h"

static const char *type_name(ls_dtype type) { return type == LS_NONE ? "none" : ls_dtype_name(type); }

ls_dtype ls_unit_type(const ls_kernel_text *t, ls_dtype type) {
  if (type != LS_NONE) return type;
  for (int i = 0; i < t->nrows; i++)
    for (int d = 0; d < LS_DTYPES; d++)
      if (t->row[i]->macro && t->row[i]->prim.types >> d & 1) return (ls_dtype)d;
  return LS_NONE;
}

/* Adds a name to a C string literal. */
static void put_quoted(ls_text *out, const char *s) {
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') ls_text_putc(out, '\\');
    ls_text_putc(out, *s < ' ' && *s >= 0 ? '?' : *s);
  }
}

int ls_unit_parts(const ls_kernel_text *t) { return t->parts > 1 ? t->parts : 1; }

int ls_unit_part(const ls_kernel_text *t, int row) {
  int before = 0;
  for (int i = 0; i < row; i++) before += t->row[i]->macro != NULL;
  return before % ls_unit_parts(t);
}

char *ls_unit_text(const ls_kernel_text *t, int part, ls_processor processor, ls_dtype type,
                   ls_row_form form) {
  ls_text out = {0};
  const bool linkage =
      form != LS_PLAIN && processor == LS_CPU; /* C linkage, because checked variants are C++ */
  ls_text_printf(&out, "#define LS_UNIT 1\n%s%s", form != LS_PLAIN ? "#define LS_CHECKED 1\n" : "",
                 form == LS_RACING ? "#define LS_RACES 1\n" : "");
  ls_text_printf(&out, "#include \"driver/%s\"\n#include \"language/watch.h\"\n#define W %s\n",
                 processor == LS_CUDA ? "cuda.cuh" : "library.h", type_name(type));
  ls_text_printf(&out,
                 "#define while(...) while (ls_goes_on() && (__VA_ARGS__))\n"
                 "#define for(...) for (__VA_ARGS__) if (!ls_goes_on()) break; else\n#line %d \"",
                 t->line);
  put_quoted(&out, t->name);
  ls_text_printf(&out, "\"\n%s\n#line 1 \"driver\"\n#undef while\n#undef for\n%s", t->code,
                 linkage ? "extern \"C\" {\n" : "");
  for (int i = 0; i < t->nrows; i++) {
    const ls_text_row *row = t->row[i];
    const bool untyped = row->prim.types >> LS_NONE & 1;
    if (!row->macro || ls_unit_part(t, i) != part || !(untyped || row->prim.types >> type & 1)) continue;
    if (row->prim.domain != LS_LIBRARY)
      ls_text_printf(&out, "%s(%s, %s, %s)\n", processor == LS_CUDA ? "CUDA_STEP" : "CPU_DRIVER",
                     row->prim.name, row->macro, row->domain);
    else if (processor == LS_CPU)
      ls_text_printf(&out, "CPU_LIBRARY_DRIVER(%s, %s)\n", row->prim.name, row->macro);
  }
  if (linkage) ls_text_puts(&out, "}\n");
  if (!out.failed) return out.s;
  ls_text_free(&out);
  return NULL;
}

ls_status ls_unit_name(const ls_kernel_text *t, const char *unit, const char *by, const char *extension,
                       char name[LS_CACHE_NAME]) {
  ls_text key = {0};
  ls_text_printf(&key, "2 %016llx\n%s\n", (unsigned long long)ls_headers_sum(ls_embedded_headers), by);
  for (int i = 0; i < t->nheaders; i++)
    ls_text_printf(&key, "%s\n%s\n", t->header[i].name, t->header[i].text);
  ls_text_puts(&key, unit);
  const ls_status st = key.failed ? LS_EMEM : LS_OK;
  if (!st) ls_cache_name(key.s, key.len, extension, name);
  ls_text_free(&key);
  return st;
}

/* --- what a compiler says ----------------------------------------------------------------------------------
 */

/* Is `line` an error in the text, "heaviest.h:14:9: error: ..." (host) or "heaviest.h(14): error: ..."
 * (NVRTC)? If so, sets the line number and where the message begins. */
static bool reads_as(const char *line, const char *name, long *number, const char **message) {
  const size_t len = strlen(name);
  if (strncmp(line, name, len) != 0 || (line[len] != ':' && line[len] != '(')) return false;
  char *end;
  *number = strtol(line + len + 1, &end, 10);
  if (end == line + len + 1) return false;
  const char *error = strstr(end, "error: ");
  const char *stop = strchr(line, '\n');
  if (!error || (stop && error > stop)) error = strstr(end, "error #");
  if (!error || (stop && error > stop)) return false;
  const char *colon = strstr(error, ": ");
  *message = colon ? colon + 2 : error;
  return true;
}

static void copy_line(char *out, size_t bytes, const char *line) {
  snprintf(out, bytes, "%.*s", (int)strcspn(line, "\r\n"), line);
}

/* Does the text contain "WORD(name", with any blanks around the parenthesis? */
static bool has_part(const char *text, const char *word, const char *name) {
  for (const char *at = text; (at = strstr(at, word)); at++) {
    const char *p = at + strlen(word);
    if (at > text && ls_in_name(at[-1])) continue;
    p += strspn(p, " \t");
    if (*p != '(') continue;
    p += 1 + strspn(p + 1, " \t");
    if (strncmp(p, name, strlen(name)) != 0) continue;
    p += strlen(name);
    if (!ls_in_name(*p)) return true;
  }
  return false;
}

/* The parts that a row needs besides PRIM: the macro, the suffix of the name that it defines (ROW_body), its
 * text for messages, and the domains that need it. */
enum {
  OF_VERTEX = 1 << LS_VERTEX | 1 << LS_VERTEX_WALK,
  OF_EDGES = 1 << LS_VERTEX_EDGES | 1 << LS_QUEUE_EDGES,
  OF_BEST = 1 << LS_VERTEX_BEST,
  OF_ALL = ~0
};
static const struct part {
  const char *word, *named, *shown;
  int domains;
} parts[] = {
    {"ARGS", "args", "ARGS(%s, the macro of its arguments)", OF_ALL},
    {"SELECT", "select", "SELECT(%s) { return true; }, or which vertices v it takes", OF_EDGES | OF_BEST},
    {"SCORE", "score", "SCORE(%s, type) { return the score of edge e; }", OF_BEST},
    {"VERTEX_BODY", "body", "VERTEX_BODY(%s) { ... }, one thread for each vertex v", OF_VERTEX},
    {"EDGE_BODY", "body", "EDGE_BODY(%s) { ... }, one thread for each edge e", 1 << LS_EDGE},
    {"ELEMENT_BODY", "body", "ELEMENT_BODY(%s) { ... }, one thread for each element i", 1 << LS_ELEMENT},
    {"QUEUE_BODY", "body", "QUEUE_BODY(%s) { ... }, one thread for each item", 1 << LS_QUEUE},
    {"EDGES_BODY", "body", "EDGES_BODY(%s) { ... }, one thread for each edge e of a vertex v", OF_EDGES},
    {"BEST_BODY", "body", "BEST_BODY(%s, type) { ... }, one thread for each vertex v, with its best edge e",
     OF_BEST},
    {"CPU_LIBRARY", "none_library", "CPU_LIBRARY(%s) { ... return LS_OK; }", 1 << LS_LIBRARY},
    {"TILE_BODY", "body", "TILE_BODY(%s) { ... }, one block for each tile", 1 << LS_TILE},
    {"GRID_BODY", "body", "GRID_BODY(%s) { ... }, for each thread of a grid that runs at once", 1 << LS_GRID},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* Finds a part of the row that the text lacks, if the compiler complains about it or the text has another
 * kind of body (*other) in its place. */
static bool lacks_part(const ls_kernel_text *t, const ls_text_row *row, const char *log, const char **other,
                       const struct part **out) {
  char named[128];
  for (int i = 0; i < PARTS; i++) {
    const struct part *p = &parts[i];
    if (!(p->domains >> row->prim.domain & 1) || has_part(t->text, p->word, row->prim.name)) continue;
    *other = NULL;
    for (int k = 0; k < PARTS && strcmp(p->named, "body") == 0; k++)
      if (strcmp(parts[k].named, "body") == 0 && has_part(t->text, parts[k].word, row->prim.name))
        *other = parts[k].word;
    snprintf(named, sizeof named, "%s_%s", row->prim.name, p->named);
    if (*other || strstr(log, named)) return *out = p, true;
  }
  return false;
}

static ls_status missing_part(const ls_kernel_text *t, const char *log) {
  for (int i = 0; i < t->nrows; i++) {
    const ls_prim *prim = &t->row[i]->prim;
    const struct part *p;
    const char *other;
    if (!t->row[i]->macro || !lacks_part(t, t->row[i], log, &other, &p)) continue;
    char shown[256];
    snprintf(shown, sizeof shown, p->shown, prim->name);
    return ls_fail(LS_EARG, "%s: %s is a %s row: it needs %s%s%s", t->name, prim->name, t->row[i]->domain,
                   shown, other ? ", not " : "", other ? other : "");
  }
  return LS_OK;
}

/* A hint for a message that does not say what to do; "": none. */
static const char *hint_for(const char *said) {
  static const char *const unknown[] = {"implicit declaration of function", "undeclared function",
                                        " is undefined", "was not declared in this scope"};
  static const char *const of_c[] = {"sqrt", "fabs", "fmin",  "fmax", "pow",   "exp",   "log",   "sin",
                                     "cos",  "tan",  "floor", "ceil", "round", "hypot", "printf"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    for (size_t k = 0; strstr(said, unknown[i]) && k < sizeof of_c / sizeof *of_c; k++)
      if (strstr(said, of_c[k]))
        return "\n  (functions of C need their header: #include <math.h>, and #include <stdio.h> for printf)";
  return "";
}

ls_status ls_unit_error(const ls_kernel_text *t, const char *log) {
  const ls_status missing = missing_part(t, log);
  if (missing) return missing;
  const char *message = NULL, *any = NULL;
  char said[400], shown[200] = "";
  long number = 0;
  for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    if (reads_as(line, t->name, &number, &message)) break;
    message = NULL;
    const char *error = strstr(line, "error");
    if (!any && error && error < line + strcspn(line, "\n")) any = line;
  }
  if (!message && strstr(log, "too much shared data"))
    return ls_fail(
        LS_EARG,
        "%s: the arrays of a block (TILE_ARRAY) take more shared memory than 48 KiB; use a smaller type or "
        "fewer arrays, or TILE_MEMORY with a SHAPE that requests the bytes (help own, kernels/README.md)",
        t->name);
  if (!message) {
    copy_line(said, sizeof said, any ? any : *log ? log : "the compiler failed without a message");
    return ls_fail(LS_EARG, "%s: %s", t->name, said);
  }
  copy_line(said, sizeof said, message);
  const char *of_text = t->text;
  for (long i = t->line; i < number && *of_text; i++) {
    of_text += strcspn(of_text, "\n");
    of_text += *of_text == '\n';
  }
  copy_line(shown, sizeof shown, of_text + strspn(of_text, " \t"));
  return ls_fail(LS_EARG, "%s:%ld: %s%s%s%s", t->name, number, said, *shown ? "\n  " : "", shown,
                 hint_for(said));
}
