/* Fuzzes models in the DVE language: tests/fuzz/run SECONDS dve. Every input is loaded as a model; a valid
 * model is explored with a bound, printed, and walked through. Nothing may crash, leak or read out of bounds;
 * an error must name the position. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/dve/space.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t bytes);

static void must(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", what, ls_error());
  abort();
}

static void write_seed(const char *folder, int number, const char *text) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%d", folder, number);
  FILE *f = fopen(path, "w");
  must(f && fputs(text, f) >= 0 && fclose(f) == 0, path);
}

static const char *const seeds[] = {
    "byte x, a[3] = {1, 2}; int y = -1; const byte N = 2;\n"
    "process P { byte j; state p, q; init p; commit q; accept p; assert p: x < 3, q: a[j] == 0;\n"
    "trans p -> q { guard x < N and a[j] != 1; effect x = x + 1, a[j] = x * 2 % 3; cost x; time 2; }, -> p { guard not "
    "Q.r; }, q -> p {}; }\n"
    "process Q { state r, s; init r; trans r -> s {}, s -> r { effect y = ~y; }; }\nsystem async;\n",
    "channel c, d; channel {byte, int} e[2];\n"
    "process P { byte v; state p, q; init p; trans p -> q { sync c!v + 1; }, q -> p { sync e!{v, -5}; effect v = (v + 1) % "
    "3; }, q -> q { sync d?; }; }\n"
    "process Q { byte w; int z; state r, s; init r; trans r -> s { sync c?w; }, s -> r { sync e?{w, z}; }, s -> s { sync "
    "d!; }; }\nsystem async;\n",
    "byte x;\nprocess P { state p; init p; trans p -> p { guard x < 2; effect x = x + 1; cost 3; }, p -> p {}; }\n"
    "process N { state q, r; init q; accept r; trans q -> q {}, q -> r { guard P->n == 1 imply x == 1; }, r -> r {}; }\n"
    "system sync property N;\n",
};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  ls_progress_enable(false);
  const char *folder = getenv("LS_FUZZ_SEEDS");
  for (int i = 0; folder && i < (int)(sizeof seeds / sizeof *seeds); i++) write_seed(folder, i, seeds[i]);
  if (folder) exit(0);
  return 0;
}

static void look(const ls_dve *m, const u32 *state) {
  char text[300];
  ls_dve_steps *steps;
  ls_dve_move move;
  if (ls_dve_moves(m, state, &steps)) return;
  for (u64 i = 0; ls_dve_move_at(m, steps, i, &move); i++)
    ls_dve_moves_text(m, move.moves, text, sizeof text);
  ls_dve_moves_free(steps);
}

static void explore(ls_dve *m, bool edges) {
  const ls_dve_bounds bounds = {.states = 300, .bytes = 64 << 20, .edges = edges};
  ls_dve_space *s;
  ls_graph *g;
  if (ls_dve_explore(m, &bounds, &s, &g)) return;
  must(s->n >= 1 && s->n <= 300 && s->expanded <= s->n, "the bound");
  must((s->expanded == s->n) == (s->end == LS_DVE_COMPLETE), "the end");
  char text[200];
  u32 v;
  for (u64 i = 0; i < s->n; i++) {
    ls_dve_state_text(m, ls_dve_state(s, i), text, sizeof text);
    if (i) ls_dve_change_text(m, ls_dve_state(s, s->parent[i]), ls_dve_state(s, i), text, sizeof text);
    if (i < 20) look(m, ls_dve_state(s, i));
    if (i && i < 20) must(ls_dve_move_text(s, s->parent[i], i, 0, text, sizeof text), "a step to a state");
  }
  ls_dve_violation(s, &v, text, sizeof text);
  ls_dve_find(s, "x == 1 and P.p", &v);
  if (g) ls_graph_release(g);
  ls_dve_space_release(s);
}

static void look_at_process(ls_dve *m, const char *process) {
  ls_graph *g;
  char text[200];
  if (ls_dve_automaton(m, process, &g)) return;
  for (u32 v = 0; v < g->n; v++) {
    g->vertex_names->vertex(g->vertex_names, v, text, sizeof text);
    for (u32 e = ((u32 *)g->off->host)[v]; e < ((u32 *)g->off->host)[v + 1]; e++)
      must(g->vertex_names->edge(g->vertex_names, v, ((u32 *)g->to->host)[e], 0, text, sizeof text),
           "an edge's name");
  }
  ls_graph_release(g);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t bytes) {
  const u64 before = ls_mem_in_use();
  ls_dve *m;
  const ls_status st = ls_dve_parse("fuzz.dve", (const char *)data, bytes, &m);
  if (st) {
    const bool renamed = memmem(data, bytes, "#line", 5) != NULL; /* #line renames the file in errors */
    must(st == LS_EINPUT && (renamed || strncmp(ls_error(), "fuzz.dve:", 9) == 0),
         "a message without its place");
  } else {
    ls_text text;
    if (!ls_dve_model_text(m, &text)) ls_text_free(&text);
    look_at_process(m, "P");
    char name[LS_DVE_ROW];
    if (!ls_dve_generate(m, name, &text)) ls_text_free(&text);
    explore(m, true);
    explore(m, false);
    ls_dve_release(m);
  }
  /* an input is also tried as an expression about states */
  if (!ls_dve_parse("seed.dve", seeds[0], strlen(seeds[0]), &m)) {
    const ls_dve_bounds bounds = {.states = 50, .bytes = 16 << 20};
    ls_dve_space *s;
    ls_graph *g;
    char *expr = malloc(bytes + 1);
    u32 v;
    must(expr != NULL, "malloc");
    memcpy(expr, data, bytes);
    expr[bytes] = 0;
    if (!ls_dve_explore(m, &bounds, &s, &g)) {
      ls_dve_find(s, expr, &v);
      ls_dve_space_release(s);
    }
    free(expr);
    ls_dve_release(m);
  }
  must(ls_mem_in_use() == before, "a leak");
  return 0;
}
