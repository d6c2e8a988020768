/* Coverage-guided fuzzing of the readers of models (libFuzzer): LS_FUZZ_FORMAT is phml, cellml, sbml or ode,
 * for messages alone, since the contents decide. What is read is printed, ordered and simulated for a few
 * steps. tests/fuzz/run-models does all of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/ode/text.h"
#include "reference/ode.h"

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

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  ls_progress_enable(false);
  return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t bytes) {
  const u64 before = ls_mem_in_use();
  char *text = malloc(bytes + 1);
  must(text != NULL, "out of memory");
  memcpy(text, data, bytes);
  text[bytes] = 0;
  for (int loops = 0; loops < 2; loops++) {
    ls_ode *m;
    ls_status st = ls_ode_read_text("fuzz", text, bytes, loops, &m);
    must(st == LS_OK || st == LS_EINPUT, "an unexpected status");
    must((st == LS_OK) == (m != NULL), "half a model");
    if (st) must(strncmp(ls_error(), "fuzz", 4) == 0, "the message names no file");
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
