#include "compile/host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "compile/cache.h"
#include "compile/tool.h"
#include "core/embedded.h"
#include "core/mem.h"
#include "core/string_builder.h"
#include "core/temporary.h"

enum { MOST_WORDS = 64, COMMAND = 4096, PATH = 4096 };

static const char *const c_names[] = {"cc", "gcc", "clang", NULL};
static const char *const cxx_names[] = {"c++", "g++", "clang++", NULL};

typedef struct compiler {
  char text[COMMAND];
  char *words[MOST_WORDS];
  int nwords;
} compiler;

/* Does CC or CXX set an optimization level? */
static bool names_level(const compiler *c) {
  for (int i = 1; i < c->nwords; i++)
    if (strncmp(c->words[i], "-O", 2) == 0) return true;
  return false;
}

static ls_status find_compiler(ls_row_form form, compiler *c) {
  const bool cxx = form != LS_PLAIN;
  const char *variable = cxx ? "CXX" : "CC";
  const char *const *names = cxx ? cxx_names : c_names;
  const char *given = getenv(variable);
  if (!ls_tool_find(variable, names, c->text, sizeof c->text, c->words, MOST_WORDS / 2)) {
    if (given && *given)
      return ls_fail(LS_EARG, "%s is '%s' in the environment, and there is no such compiler", variable,
                     given);
    return ls_fail(
        LS_EARG,
        "no %s compiler is on the PATH (%s, %s, %s): kernels of your own %s need one; install one, or name "
        "it in the environment variable %s",
        cxx ? "C++" : "C", names[0], names[1], names[2], cxx ? "in the checked form" : "on a CPU", variable);
  }
  for (c->nwords = 0; c->words[c->nwords]; c->nwords++) {}
  return LS_OK;
}

ls_status ls_host_compiler(ls_row_form form) {
  compiler c;
  return find_compiler(form, &c);
}

/* -ffp-contract=off and -fno-math-errno are those of the build (CMakeLists.txt): results are bit-identical.
 * The others do not change results. In addition, some warnings of C are errors. An optimization level in CC
 * or CXX ("cc -O1") replaces ours. */
static const char level[] = "-O2";
static const char *const options[] = {"-fPIC",
                                      "-shared",
                                      "-fopenmp",
                                      "-ffp-contract=off",
                                      "-fno-math-errno",
                                      "-fno-trapping-math", /* computes both sides of ? : without a branch */
                                      "-fno-thread-jumps",  /* adds no branch: such loops vectorize */
                                      "-Wl,-Bsymbolic",
                                      "-fdiagnostics-color=never",
                                      NULL};
static const char *const c_options[] = {"-x",
                                        "c",
                                        "-std=gnu11",
                                        "-Werror=implicit-function-declaration",
                                        "-Werror=int-conversion",
                                        "-Werror=incompatible-pointer-types",
                                        "-Werror=return-type",
                                        "-Werror=implicit-int",
                                        NULL};
static const char *const cxx_options[] = {
    "-x", "c++", "-std=gnu++17", "-Werror=return-type", "-fno-exceptions", NULL};

/* The i-th compiler option for what this processor supports beyond the baseline instruction set (vectors of
 * four f64, fused multiply-add, vectors of eight f64), or NULL. Vectors of eight are used only where a text
 * asks for them (ensemble/lanes.h). */
static const char *own_option(int i) {
  const char *has[6] = {NULL};
#if defined __x86_64__ && defined __GNUC__
  int n = 0;
  if (__builtin_cpu_supports("avx2")) has[n++] = "-mavx2";
  if (__builtin_cpu_supports("fma")) has[n++] = "-mfma";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    has[n++] = "-mavx512f";
    has[n++] = "-mavx512dq";
    has[n++] = "-mprefer-vector-width=256";
  }
#endif
  return has[i];
}

/* Lists the options of a unit; returns their number. */
static int options_of(const compiler *c, ls_row_form form, bool openmp, char **out) {
  int n = 0;
  if (!names_level(c)) out[n++] = (char *)level;
  for (const char *const *o = options; *o; o++)
    if (openmp || strcmp(*o, "-fopenmp") != 0) out[n++] = (char *)*o;
  for (int i = 0; own_option(i); i++) out[n++] = (char *)own_option(i);
  for (const char *const *o = form != LS_PLAIN ? cxx_options : c_options; *o; o++) out[n++] = (char *)*o;
  return n;
}

/* Makes the library's name in the cache. */
static ls_status name_of(const ls_kernel_text *t, const compiler *c, ls_row_form form, const char *unit,
                         char name[LS_CACHE_NAME]) {
  ls_text by = {0};
  struct stat st = {0};
  char *option[MOST_WORDS];
  const int count = options_of(c, form, true, option);
  for (int i = 0; i < c->nwords; i++) ls_text_printf(&by, "%s\n", c->words[i]);
  for (int i = 0; i < count; i++) ls_text_printf(&by, "%s\n", option[i]);
  if (stat(c->words[0], &st) == 0)
    ls_text_printf(&by, "%lld %lld", (long long)st.st_size, (long long)st.st_mtime);
  const ls_status named = by.failed ? LS_EMEM : ls_unit_name(t, unit, by.s, "so", name);
  ls_text_free(&by);
  return named;
}

static void *read_file(const char *path, size_t *bytes) {
  FILE *f = fopen(path, "rb");
  struct stat st;
  char *p = NULL;
  if (f && fstat(fileno(f), &st) == 0) p = ls_malloc((size_t)st.st_size + 1);
  if (p) {
    *bytes = fread(p, 1, (size_t)st.st_size, f);
    p[*bytes] = '\0';
  }
  if (f) fclose(f);
  return p;
}

static ls_status write_headers(const ls_kernel_text *t, const char *folder) {
  ls_status st = LS_OK;
  for (const ls_embedded *e = ls_embedded_headers; !st && e->name; e++)
    st = ls_tool_write(folder, e->name, e->text, e->bytes);
  for (int i = 0; !st && i < t->nheaders; i++) {
    char name[PATH];
    snprintf(name, sizeof name, "text/%s", t->header[i].name); /* next to the text */
    st = ls_tool_write(folder, name, t->header[i].text, strlen(t->header[i].text));
  }
  return st;
}

/* A unit that is being compiled. Its files in the folder are text/unitN, libN.so and logN. */
typedef struct build {
  int part;
  char *unit;
  char name[LS_CACHE_NAME], made[PATH], log[PATH];
} build;

/* Starts the compiler. */
static ls_status start(build *b, compiler *c, ls_row_form form, const char *folder, bool openmp,
                       pid_t *tool) {
  char source[PATH];
  snprintf(source, sizeof source, "%s/text/unit%d", folder, b->part);
  int n = c->nwords + options_of(c, form, openmp, c->words + c->nwords);
  c->words[n++] = "-isystem"; /* no warnings about the headers of kernels/ */
  c->words[n++] = (char *)folder;
  c->words[n++] = "-o";
  c->words[n++] = b->made;
  c->words[n++] = source;
  c->words[n++] = "-x";
  c->words[n++] = "none";
  c->words[n++] = "-lm";
  c->words[n] = NULL;
  const ls_status st = ls_tool_start(c->words, b->log, tool);
  c->words[c->nwords] = NULL;
  return st;
}

/* What the compiler has said about a unit that it did not compile. *without: the compiler has no OpenMP. */
static ls_status said(const ls_kernel_text *t, const build *b, bool openmp, bool *without) {
  size_t bytes;
  char *text = read_file(b->log, &bytes);
  if (!text) return ls_fail(LS_EIO, "%s: the compiler's messages cannot be read", t->name);
  *without = openmp && (strstr(text, "-fopenmp") || strstr(text, "gomp") || strstr(text, "libomp") ||
                        strstr(text, "-lomp"));
  const ls_status st = *without ? LS_EARG : ls_unit_error(t, text);
  ls_free(text);
  return st;
}

/* Compiles the units in the folder, all at the same time. */
static ls_status compile(const ls_kernel_text *t, build *const *builds, int count, compiler *c,
                         ls_row_form form, const char *folder, bool openmp) {
  pid_t tools[LS_TEXT_PARTS];
  int status[LS_TEXT_PARTS] = {0}, started = 0;
  ls_status st = LS_OK;
  for (; !st && started < count; started += !st)
    st = start(builds[started], c, form, folder, openmp, &tools[started]);
  if (st)
    ls_tools_kill(tools, started);
  else
    st = ls_tools_wait(tools, started, status);
  bool without = false;
  for (int i = 0; !st && i < count; i++)
    if (!WIFEXITED(status[i]) || WEXITSTATUS(status[i]) != 0) st = said(t, builds[i], openmp, &without);
  /* a compiler without OpenMP: the rows run on one thread */
  return without ? compile(t, builds, count, c, form, folder, false) : st;
}

static ls_status open_library(const ls_kernel_text *t, const char *path, void **library) {
  *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (*library) return LS_OK;
  const char *why = dlerror();
  return ls_fail(LS_EARG, "%s: the compiled code cannot be loaded: %s", t->name,
                 why ? why : "no reason is given");
}

/* Compiles the units in a temporary folder, stores the libraries in the cache if possible, and opens them. */
static ls_status make(const ls_kernel_text *t, build *const *builds, int count, compiler *c, ls_row_form form,
                      void **library) {
  char folder[PATH / 2], path[LS_CACHE_PATH], name[32];
  ls_status st = ls_temporary_folder(folder, sizeof folder);
  if (st) return st;
  st = write_headers(t, folder);
  for (int i = 0; !st && i < count; i++) {
    build *b = builds[i];
    snprintf(b->made, sizeof b->made, "%s/lib%d.so", folder, b->part);
    snprintf(b->log, sizeof b->log, "%s/log%d", folder, b->part);
    snprintf(name, sizeof name, "text/unit%d", b->part);
    st = ls_tool_write(folder, name, b->unit, strlen(b->unit));
  }
  if (!st) st = compile(t, builds, count, c, form, folder, true);
  for (int i = 0; !st && i < count; i++) {
    build *b = builds[i];
    size_t size;
    void *contents = read_file(b->made, &size);
    const bool kept = contents && ls_cache_keep(b->name, contents, size, path);
    ls_free(contents);
    st = open_library(t, kept ? path : b->made, &library[b->part]);
  }
  ls_temporary_remove(folder);
  return st;
}

ls_status ls_host_load(const ls_kernel_text *t, ls_dtype type, ls_row_form form, void **library) {
  const int parts = ls_unit_parts(t);
  compiler c;
  char path[LS_CACHE_PATH];
  ls_status st = find_compiler(form, &c);
  if (st) return st;
  build *all = ls_calloc((size_t)parts, sizeof *all), *missing[LS_TEXT_PARTS];
  if (!all) return LS_EMEM;
  int count = 0;
  for (int i = 0; i < parts; i++) library[i] = NULL;
  for (int i = 0; !st && i < parts; i++) {
    build *b = &all[i];
    b->part = i;
    b->unit = ls_unit_text(t, i, LS_CPU, type, form);
    st = b->unit ? name_of(t, &c, form, b->unit, b->name) : LS_EMEM;
    if (!st && !(ls_cache_find(b->name, path) && open_library(t, path, &library[i]) == LS_OK))
      missing[count++] = b;
  }
  if (!st && count) st = make(t, missing, count, &c, form, library);
  for (int i = 0; i < parts; i++) {
    ls_free(all[i].unit);
    if (st && library[i]) dlclose(library[i]);
  }
  ls_free(all);
  return st;
}
