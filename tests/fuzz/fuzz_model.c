/* Coverage-guided fuzzing (libFuzzer) of the readers of models, which recognise the format by the contents.
 * If an input is a valid model, the program also prints its equations and simulates a few steps.
 * tests/fuzz/run-models runs this program.
 *
 * Lines <!--file--> divide an input into the files fuzz.cellml, small.cellml and other.cellml of one folder;
 * the program reads fuzz.cellml, which may import the other two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/ode/read.h"
#include "ode/print_equation.h"
#include "ode/simulate.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t bytes);

enum { MOST_VARIABLES = 300, COLUMNS = 4 };

static void must(bool truth, const char *what) {
  if (truth) return;
  fprintf(stderr, "fuzz_model: %s: %s\n", what, ls_error());
  abort();
}

static void print(const ls_ode *m) {
  for (u32 v = 0; v < m->count; v++) {
    char *text, small[64];
    must(ls_ode_pretty(m, v, 60, &text) == LS_OK && text, "an equation cannot be printed");
    ls_free(text);
    ls_ode_equation_text(m, v, small, sizeof small);
    must(strlen(small) < sizeof small, "too long a text");
  }
}

static void simulate(ls_ode *m) {
  ls_column columns[COLUMNS];
  ls_simulation s = {
      .start = 0, .stop = 0.3, .intervals = 3, .method = LS_RK4, .dt = 0.1, .rtol = 1e-3, .atol = 1e-3};
  ls_course c;
  for (; s.columns < COLUMNS && s.columns < m->count; s.columns++)
    columns[s.columns] = (ls_column){s.columns, (ls_quantity)(s.columns % 3)};
  s.column = columns;
  ls_status st = ls_ode_simulate(m, &s, &c);
  must(st == LS_OK || st == LS_EINPUT || st == LS_EOVERFLOW, "an unexpected status");
  must(st || c.rows == 4, "rows are missing");
  ls_course_free(&c);
}

/* --- several files ---------------------------------------------------------------------------------------
 */

#define BETWEEN "<!--file-->\n"

static const char *const names[] = {"fuzz.cellml", "small.cellml", "other.cellml"};
enum { FILES = sizeof names / sizeof *names };
static char folder[] = "/tmp/fuzz-model-XXXXXX";

static const char *path_of(int i) {
  static char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, names[i]);
  return path;
}

static void remove_files(void) {
  for (int i = 0; i < FILES; i++) unlink(path_of(i));
  rmdir(folder);
}

static void write_files(const char *text) {
  for (int i = 0; i < FILES; i++) {
    const char *end = text ? strstr(text, BETWEEN) : NULL;
    unlink(path_of(i));
    if (!text) continue;
    FILE *f = fopen(path_of(i), "wb");
    must(f != NULL, "no file can be written");
    fwrite(text, 1, end ? (size_t)(end - text) : strlen(text), f);
    fclose(f);
    text = end ? end + strlen(BETWEEN) : NULL;
  }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  ls_progress_enable(false);
  must(mkdtemp(folder) != NULL, "no folder can be made");
  atexit(remove_files);
  return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t bytes) {
  const u64 before = ls_mem_in_use();
  char *text = malloc(bytes + 1);
  must(text != NULL, "out of memory");
  memcpy(text, data, bytes);
  text[bytes] = 0;
  const bool several = strstr(text, BETWEEN) != NULL;
  if (several) write_files(text);
  for (int loops = 0; loops < 2; loops++) {
    ls_ode *m;
    ls_status st =
        several ? ls_ode_read(path_of(0), loops, &m) : ls_ode_read_text("fuzz", text, bytes, loops, &m);
    must(st == LS_OK || st == LS_EINPUT, "an unexpected status");
    must((st == LS_OK) == (m != NULL), "half a model");
    const char *start = several ? folder : "fuzz";
    if (st) must(strncmp(ls_error(), start, strlen(start)) == 0, "the message names no file");
    if (m && m->count <= MOST_VARIABLES) {
      print(m);
      simulate(m);
    }
    ls_ode_release(m);
  }
  free(text);
  must(ls_mem_in_use() == before, "a leak");
  return 0;
}
