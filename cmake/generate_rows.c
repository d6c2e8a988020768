/* Run by CMake: reads every kernels/FAMILY/FAMILY.def by the program's own reader of rows (src/compile/parse.h) and writes
 *
 *   FAMILY_K.c, NAME.c   every row: its body once per element type, wrapped in the CPU's driver. The rows of a family are in few
 *                        files, because compilers spend most of their time on headers; each LIBRARY row is in its own file
 *   FAMILY_K.cu, NAME.cu the same for CUDA
 *   NAME_loop.cu         for every loop: its steps in one kernel
 *   sources.cmake        the names of all these files
 *   rows_table.h         the rows and loops, as run/launch/rows.c includes them
 *   families.def         all families' contracts and states; a file that includes it defines the macros that it needs
 *   families.h           the macros of contracts: includes every family's FAMILY.h
 *   family_contracts.h   LS_CONTRACT_NAME, for each contract of a family
 *
 * Usage: generate_rows FOLDER-OF-KERNELS FOLDER-FOR-THE-FILES FAMILY... */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/parse.h"
#include "compile/reader.h"
#include "core/embedded.h"

/* Empty: the reader finds all headers in the folder of kernels. */
const ls_embedded ls_embedded_headers[] = {{NULL, NULL, 0}}, ls_embedded_lua[] = {{NULL, NULL, 0}};

static const char *kernels, *folder;

static void wrong(const char *index, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4), noreturn));
static void wrong(const char *index, int line, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fprintf(stderr, "%s:%d: ", index, line);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fputc('\n', stderr);
  exit(1);
}

/* --- files -------------------------------------------------------------------------------------------------
 */

static char *read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0;
  if (!f) return NULL;
  if (getdelim(&text, &room, '\0', f) < 0) text = strdup("");
  fclose(f);
  return text;
}

/* Opens a file of the folder for writing. */
static FILE *begin(const char *name, const char *ending) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  FILE *f = fopen(path, "wb");
  if (f) return f;
  perror(path);
  exit(1);
}

static void end(FILE *f) {
  if (!ferror(f) && fclose(f) == 0) return;
  perror(folder);
  exit(1);
}

/* Like snprintf; the text is never freed. */
static char *text_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *text_of(const char *fmt, ...) {
  char *text;
  va_list ap;
  va_start(ap, fmt);
  if (vasprintf(&text, fmt, ap) < 0) exit(1);
  va_end(ap);
  return text;
}

static const char *word_of(const char *text, const ls_token *t) { return text_of("%.*s", (int)t->len, text + t->at); }

/* A string of C; "NULL" if there is none. */
static const char *quoted(const char *s) {
  char *out = s ? malloc(2 * strlen(s) + 3) : text_of("NULL"), *to = out;
  if (!s) return out;
  *to++ = '"';
  for (; *s; s++) {
    if (strchr("\n\"\\?", *s)) *to++ = '\\';
    *to++ = *s == '\n' ? 'n' : *s;
  }
  strcpy(to, "\"");
  return out;
}

/* --- reading -----------------------------------------------------------------------------------------------
 */

static struct row {
  const char *family, *tiles; /* tiles: "PIVOT" */
  ls_text_row *of;
  const char *index; /* for messages, with `line`: "kernels/paths/paths.def" */
  int line;
} rows[1024];
static int count;

static const char *contracts[LS_CONTRACT_GENERAL + 128] = {
#define CONTRACT(name, queue, right, text) [LS_CONTRACT_##name] = #name,
    CONTRACT(anything, , , ) CONTRACT(uniform, , , ) CONTRACT(sums, , , )
#include "language/contracts.def"
#undef CONTRACT
};
static int contract_count = LS_CONTRACT_GENERAL;

bool ls_contract_find(const char *name, ls_contract *out) {
  for (*out = 0; *out < contract_count; ++*out)
    if (strcmp(contracts[*out], name) == 0) return true;
  return false;
}

static struct row *find_row(const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(rows[i].of->prim.name, name) == 0) return &rows[i];
  return NULL;
}

/* Does the row have one body per processor, or only one for a CPU? */
static bool is_library(const struct row *r) { return r->of->prim.domain == LS_LIBRARY && !r->of->prim.loop; }
static bool is_only_cpu(const struct row *r) { return is_library(r) && strcmp(r->of->domain, "CPU_LIBRARY") == 0; }

/* The text of one of the kernel's files. */
static const char *take_file(const struct row *r, const char *sub, const char *name, const char *ending) {
  const char *path = text_of("%s/%s%s%s", r->family, sub, name, ending), *text = read_file(text_of("%s/%s", kernels, path));
  if (!text) wrong(r->index, r->line, "%s wants kernels/%s, which does not exist", name, path);
  return text;
}

/* Reads the row or loop at [at, after) of an index. The arguments of a row are in its body's file. */
static void read_row(const char *index, const char *family, const char *text, const ls_token *at, const ls_token *after) {
  struct row *r = &rows[count];
  const char *name = word_of(text, &at[2]), *source = NULL, *body = "";
  ls_kernel_text *t;
  *r = (struct row){.family = family, .index = index, .line = at->line + 1};
  if (ls_token_is(text, at, "PRIM")) {
    source = take_file(r, "", name, ".h");
    body = text_of("\n#include \"%s/%s.h\"\n", family, name);
  }
  text = text_of("%.*s%s", (int)(after[-1].at + after[-1].len - at->at), text + at->at, body);
  if (ls_kernel_text_read(index, kernels, r->line, text, &t)) {
    fprintf(stderr, "%s\n", ls_error());
    exit(1);
  }
  const struct row *other = find_row(name);
  if (other) wrong(index, r->line, "another row is called %s: %s:%d", name, other->index, other->line);
  if (count == sizeof rows / sizeof *rows - 1) wrong(index, r->line, "more than %d rows", count);
  r->of = t->row[0];
  count++;
  if (r->of->prim.domain == LS_GRID)
    wrong(index, r->line, "%s: a GRID row is compiled while the program runs, not by the build", name);
  if (is_library(r)) source = text_of("%s%s", source, take_file(r, "cpu/", name, ".h"));
  if (is_library(r) && !is_only_cpu(r)) source = text_of("%s%s", source, take_file(r, "cuda/", name, ".cuh"));
  r->of->prim.source = source;
}

/* OPERATIONS(row, "count") or TILED(row, PART) */
static void add_to_row(const char *index, const char *text, const ls_token *at, const ls_piece *p, int pieces) {
  struct row *r = find_row(word_of(text, &at[2]));
  if (!r) wrong(index, at->line + 1, "no row above is called %s", word_of(text, &at[2]));
  if (pieces != 2 || p[1].to != p[1].from + 1)
    wrong(index, at->line + 1, "expected OPERATIONS(row, \"count\") or TILED(row, PART)");
  *(ls_token_is(text, at, "TILED") ? &r->tiles : &r->of->prim.operations) = word_of(text, p[1].from);
}

/* kernels/FAMILY/FAMILY.def */
typedef struct family_index {
  const char *family, *name, *text; /* name: for messages */
  ls_tokens tokens;
} family_index;

/* Reads the file and, because rows of all families may name its contracts, their names. */
static family_index open_index(const char *family, FILE *names) {
  family_index x = {family, text_of("kernels/%s/%s.def", family, family), NULL, {NULL, 0, 0}};
  int line;
  if (!(x.text = read_file(text_of("%s/%s/%s.def", kernels, family, family)))) wrong(x.name, 1, "this file cannot be read");
  if (ls_tokens_read(x.text, &x.tokens, &line)) wrong(x.name, line + 1, "%s", ls_error());
  for (const ls_token *at = x.tokens.token; at->kind != LS_TOKEN_END; at++) {
    if (!ls_token_is(x.text, at, "CONTRACT") || !ls_token_is(x.text, at + 1, "(")) continue;
    if (contract_count == sizeof contracts / sizeof *contracts) wrong(x.name, at->line + 1, "too many contracts");
    contracts[contract_count] = word_of(x.text, &at[2]);
    fprintf(names, "LS_CONTRACT_%s,\n", contracts[contract_count++]);
  }
  return x;
}

/* Reads the rows and loops; `to` gets what the preprocessor reads. */
static void read_index(const family_index *x, FILE *to) {
  static const char *const words[] = {"CONTRACT", "SCHEMA", "FIELD", "FIELD_ALONE", "END_SCHEMA", "OPERATIONS", "TILED"};
  enum { OPERATIONS = 5, WORDS = sizeof words / sizeof *words };
  fprintf(to, "#define FAMILY \"%s\"\n", x->family);
  for (const ls_token *at = x->tokens.token, *after; at->kind != LS_TOKEN_END; at = after) {
    if ((after = ls_row_text_end(x->text, at))) {
      read_row(x->name, x->family, x->text, at, after);
      continue;
    }
    if (ls_token_is(x->text, at, "PRIM")) wrong(x->name, at->line + 1, "PRIM(...) has no end: its ) is missing");
    if (ls_token_is(x->text, at, "LOOP")) wrong(x->name, at->line + 1, "LOOP(...) has no END_LOOP(name)");
    ls_piece p[2];
    int word = 0, pieces;
    while (word < WORDS && !ls_token_is(x->text, at, words[word])) word++;
    if (word == WORDS || !ls_token_is(x->text, at + 1, "(") || (pieces = ls_read_list(x->text, at + 1, p, 2, &after)) < 1)
      wrong(x->name, at->line + 1,
            "expected PRIM(...), LOOP(...) ... END_LOOP(name), CONTRACT(...), SCHEMA(...) ... END_SCHEMA(name), OPERATIONS(...) "
            "or TILED(...), found '%s'",
            word_of(x->text, at));
    if (word >= OPERATIONS)
      add_to_row(x->name, x->text, at, p, pieces);
    else
      fprintf(to, "#line %d \"%s\"\n%.*s\n", at->line + 1, x->name, (int)(after[-1].at + after[-1].len - at->at),
              x->text + at->at);
  }
  fputs("#undef FAMILY\n", to);
}

static void read_families(int families, char **family) {
  static const char *const macros[] = {"CONTRACT", "SCHEMA", "FIELD", "FIELD_ALONE", "END_SCHEMA"};
  FILE *def = begin("families", ".def"), *names = begin("family_contracts", ".h"), *h = begin("families", ".h");
  family_index *index = calloc((size_t)families, sizeof *index);
  fputs("/* Generated: all families. A macro that is not defined here stands for nothing. */\n", def);
  fputs("/* Generated: the families' contracts. */\n", names);
  fputs("/* Generated: what the families' contracts are written in. */\n#define W i64\n", h);
  for (int i = 0; i < 5; i++) fprintf(def, "#ifndef %s\n#define %s(...)\n#endif\n", macros[i], macros[i]);
  for (int i = 0; i < families; i++) {
    index[i] = open_index(family[i], names);
    if (access(text_of("%s/%s/%s.h", kernels, family[i], family[i]), R_OK) == 0)
      fprintf(h, "#include \"%s/%s.h\"\n", family[i], family[i]);
  }
  for (int i = 0; i < families; i++) read_index(&index[i], def);
  for (int i = 0; i < 5; i++) fprintf(def, "#undef %s\n", macros[i]);
  fputs("#undef W\n", h);
  end(def);
  end(names);
  end(h);
}

/* --- what the compilers get ----------------------------------------------------------------------------------
 */

static const char *type_name(int t) { return t == LS_NONE ? "none" : ls_dtype_name((ls_dtype)t); }

static int put_bodies(FILE *f, const struct row *r, bool cuda) {
  const char *name = r->of->prim.name, *args = r->of->macro;
  int bodies = 0;
  for (int t = 0; t <= LS_NONE; t++) {
    if (!(r->of->prim.types >> t & 1)) continue;
    bodies++;
    fprintf(f, "#define W %s\n#include \"%s/%s.h\"\n", type_name(t), r->family, name);
    if (is_library(r)) {
      fprintf(f, "ARGS(%s, %s)\n", name, args);
      if (cuda) fprintf(f, "CUDA_LIBRARY_COUNTS(%s, %s)\n", name, args);
      fprintf(f, "#include \"%s/%s/%s.%s\"\n", r->family, cuda ? "cuda" : "cpu", name, cuda ? "cuh" : "h");
      fprintf(f, "%s_LIBRARY_DRIVER(%s, %s)\n#undef W\n", cuda ? "CUDA" : "CPU", name, args);
    } else {
      fprintf(f, "%s_DRIVER(%s, %s, %s)\n#undef W\n", cuda ? "CUDA" : "CPU", name, args, r->of->domain);
    }
  }
  return bodies;
}

/* Opens a file for a compiler, and adds its name to the list. */
static FILE *begin_source(FILE *list, const char *name, const char *ending, const char *driver) {
  FILE *f = begin(name, ending);
  fprintf(list, "\n  %s%s", name, ending);
  fprintf(f, "#include \"driver/%s\"\n", driver);
  return f;
}

/* Writes the rows of all families for a processor: several in one file, up to `most` bodies, or a LIBRARY row. */
static void write_rows(bool cuda, FILE *list) {
  const char *ending = cuda ? ".cu" : ".c";
  const int most = cuda ? 8 : 24;
  int number = 0, bodies = 0;
  FILE *group = NULL;
  for (int i = 0; i < count; i++) {
    const struct row *r = &rows[i];
    if (is_library(r) && !(cuda && is_only_cpu(r))) {
      FILE *own = begin_source(list, r->of->prim.name, ending, cuda ? "library.cuh" : "library.h");
      put_bodies(own, r, cuda);
      end(own);
    } else if (!is_library(r) && !r->of->prim.loop) {
      if (!group)
        group = begin_source(list, text_of("%s_%d", r->family, ++number), ending, cuda ? "cuda.cuh" : "cpu.h");
      bodies += put_bodies(group, r, cuda);
    }
    const bool last = i + 1 == count || strcmp(rows[i + 1].family, r->family) != 0;
    if (group && (bodies >= most || last)) {
      end(group);
      group = NULL;
      bodies = 0;
    }
    if (last) number = 0;
  }
}

/* A loop's distinct steps, in order. */
typedef struct steps {
  const struct row *row[LS_MAX_OPS];
  int count, written;
  bool by_host; /* has a step without a body for the driver, so that the host launches the steps */
  bool has_for, beside;
} steps;

static steps steps_of(const struct row *r) {
  steps s = {.count = 0};
  for (const ls_loop_word *w = r->of->loop.words; w->kind != LS_WORD_END; w++) {
    s.has_for |= w->kind == LS_WORD_FOR;
    s.beside |= w->kind == LS_WORD_TOGETHER;
    if (w->kind != LS_WORD_STEP) continue;
    const struct row *step = find_row(w->a);
    int k = 0;
    if (!step || step->of->prim.loop)
      wrong(r->index, r->line, "the loop %s has a step %s, and no row of one kernel has that name", r->of->prim.name, w->a);
    if (++s.written > LS_MAX_OPS) wrong(r->index, r->line, "the loop %s has too many steps", r->of->prim.name);
    while (k < s.count && s.row[k] != step) k++;
    if (k == s.count) s.row[s.count++] = step;
    s.by_host |= is_library(step);
  }
  return s;
}

/* Writes the kernel of a loop, which interprets the loop's words. */
static void write_loop(const struct row *r, FILE *list) {
  const steps s = steps_of(r);
  if (s.by_host) return;
  FILE *f = begin_source(list, text_of("%s_loop", r->of->prim.name), ".cu", "loop.cuh");
  for (int t = 0; t <= LS_NONE; t++) {
    if (!(r->of->prim.types >> t & 1)) continue;
    fprintf(f, "#define W %s\n", type_name(t));
    for (int k = 0; k < s.count; k++) {
      const ls_text_row *step = s.row[k]->of;
      const char *name = step->prim.name;
      fprintf(f, "#include \"%s/%s.h\"\nCUDA_STEP(%s, %s, %s)\n", s.row[k]->family, name, name, step->macro, step->domain);
    }
    fprintf(f, "CUDA_LOOP(%s, %s, %s, %s", r->of->prim.name, s.written <= 2 ? "small" : "large",
            s.has_for ? "true" : "false", s.beside ? "true" : "false");
    for (int k = 0; k < s.count; k++) fprintf(f, ", ROW(%s)", s.row[k]->of->prim.name);
    fputs(")\n#undef W\n", f);
  }
  end(f);
}

/* --- what the program gets -----------------------------------------------------------------------------------
 */

static void put_args(FILE *f, const struct row *r) {
  fprintf(f, "static const ls_arg args_of_%s[] = {\n", r->of->prim.name);
  for (const ls_arg *a = r->of->args; a->name; a++)
    fprintf(f, "    {%d, %d, \"%s\", \"%s\", %d, %s, %d, %d, %d, %d, %.17g, %.17g},\n", a->role, a->type, a->name, a->extent,
            a->contract, quoted(a->bound), a->ahead, a->lost, a->wide, a->agree, a->relative, a->absolute);
  fputs("    {.role = LS_COUNT, .type = LS_NONE}};\n", f);
}

static void put_words(FILE *f, const struct row *r) {
  const char *name = r->of->prim.name;
  const ls_loop_word *w = r->of->loop.words;
  fprintf(f, "static const ls_loop_word words_of_%s[] = {\n", name);
  for (; w->kind != LS_WORD_END; w++) fprintf(f, "    {%d, %s, %s},\n", w->kind, quoted(w->a), quoted(w->b));
  fprintf(f, "    {LS_WORD_END, NULL, NULL}};\nstatic ls_loop loop_of_%s = {.words = words_of_%s};\n", name, name);
}

/* Writes the functions of a row for a processor to `table`, and their declarations to f. */
static void put_functions(FILE *f, FILE *table, const struct row *r, bool cuda) {
  const char *name = r->of->prim.name;
  const bool by_host = r->of->prim.loop && steps_of(r).by_host;
  if (cuda ? is_only_cpu(r) : r->of->prim.loop != NULL) return;
  fprintf(table, "[%s] = {", cuda ? "LS_CUDA" : "LS_CPU");
  for (int t = 0; t <= LS_NONE; t++) {
    if (!(r->of->prim.types >> t & 1)) continue;
    const char *function = text_of("%s_%s_%s", name, type_name(t), cuda ? "cuda" : "cpu");
    if (!by_host) fprintf(f, "ls_status %s(struct ls_launch *);\n", function);
    fprintf(table, cuda ? "[%d] = LS_CUDA_ONLY(%s), " : "[%d] = %s, ", t, by_host ? "ls_loop_by_host" : function);
  }
  fputs("}, ", table);
}

static void write_table(void) {
  char *entries = NULL;
  size_t bytes;
  FILE *f = begin("rows_table", ".h"), *table = open_memstream(&entries, &bytes);
  fputs("/* Generated from kernels/FAMILY/FAMILY.def. */\n", f);
  for (int i = 0; i < count; i++) {
    const struct row *r = &rows[i];
    const ls_prim *p = &r->of->prim;
    (p->loop ? put_words : put_args)(f, r);
    fprintf(table, "    {.name = \"%s\", .family = \"%s\", .domain = %d, .agree = %d, .types = %u, .items = %s,\n", p->name,
            r->family, p->domain, p->agree, p->types, quoted(p->items));
    fprintf(table, "     .bytes = %s, .gathers = %s, .operations = %s,\n", quoted(p->bytes), quoted(p->gathers),
            p->operations ? p->operations : "NULL");
    fprintf(table, "     .doc = %s,\n     .source = %s,\n", quoted(p->doc), quoted(p->source));
    fprintf(table, p->loop ? "     .loop = &loop_of_%s,\n" : "     .args = args_of_%s,\n", p->name);
    fprintf(table, "     .tiles = LS_TILES_%s,\n     .run = {", r->tiles ? r->tiles : "NONE");
    put_functions(f, table, r, false);
    put_functions(f, table, r, true);
    fputs("}},\n", table);
  }
  fclose(table);
  fprintf(f, "static ls_prim prims[] = {\n%s};\n", entries);
  free(entries);
  end(f);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  kernels = argv[1], folder = argv[2];
  read_families(argc - 3, argv + 3);
  FILE *list = begin("sources", ".cmake");
  fputs("set(kernel_c_sources", list);
  write_rows(false, list);
  fputs(")\nset(kernel_cu_sources", list);
  write_rows(true, list);
  for (int i = 0; i < count; i++)
    if (rows[i].of->prim.loop) write_loop(&rows[i], list);
  fputs(")\n", list);
  end(list);
  write_table();
  return 0;
}
