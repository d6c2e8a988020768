/* Every view at every size, with a session that is stopped, running or empty: nothing is drawn outside of the
 * view's rectangle, and nothing crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "lua/open.h"
#include "panel/views/view_data.h"
#include "panel/views/series.h"
#include "panel/views/view.h"

enum { ROWS = 70, COLS = 220, FRAME = 1 };

static void say_nothing(const ls_stop *stop) { (void)stop; }

static void lua(const char *text) {
  int n;
  ls_ran ran = ls_session_eval(text, "=test", &n);
  if (ran != LS_DONE) fail_msg("%s: %s", text, lua_tostring(ls_session_lua(), -1));
  lua_settop(ls_session_lua(), 0);
}

static void stand_at(const char *start, u64 steps) {
  assert_int_equal(ls_session_start(start), LS_PAUSED);
  assert_int_equal(ls_session_step(steps), LS_PAUSED);
}

/* Draws into the middle of a canvas filled with one character and checks that the surroundings are unchanged.
 */
static void draw_checked(const ls_view *v, ls_canvas *c, int rows, int cols, ls_view_state *st,
                         bool running) {
  for (int i = 0; i < c->rows * c->cols; i++) c->cells[i] = (ls_cell){'~', LS_BAD, 0};
  ls_view_draw d = {c, {FRAME, FRAME, rows, cols}, st, true, running};
  ls_view_draw_into(v, &d);
  for (int row = 0; row < rows + 2 * FRAME; row++)
    for (int col = 0; col < cols + 2 * FRAME; col++) {
      const ls_cell *cell = ls_canvas_at(c, row, col);
      const bool inside = row >= FRAME && row < rows + FRAME && col >= FRAME && col < cols + FRAME;
      if (!inside && (cell->ch != '~' || cell->style != LS_BAD))
        fail_msg("%s at %dx%d draws at %d,%d", v->name, rows, cols, row - FRAME, col - FRAME);
      if (inside && (cell->style >= LS_STYLES || (cell->ch < ' ' && !(cell->flags & LS_CELL_REST))))
        fail_msg("%s at %dx%d: a cell with style %d, character %u", v->name, rows, cols, cell->style,
                 cell->ch);
      if (inside && !c->utf8 && cell->ch > 126)
        fail_msg("%s at %dx%d: U+%04X is no ASCII", v->name, rows, cols, cell->ch);
      if (inside && cell->style == LS_BAD && cell->ch == '~')
        fail_msg("%s at %dx%d: not blank", v->name, rows, cols);
    }
}

/* Sizes up to 70 x 220 in steps of `stride`; fewer with a sanitizer, which makes drawing slow. */
static void draw_sizes(const ls_view *v, ls_symbols symbols, bool utf8, int stride, ls_view_state st,
                       bool running) {
#ifdef __SANITIZE_ADDRESS__
  stride *= 4;
#endif
  ls_canvas c = {.symbols = symbols, .utf8 = utf8};
  for (int rows = 1; rows <= ROWS; rows += rows < 12 ? 1 : stride)
    for (int cols = 1; cols <= COLS; cols += cols < 24 ? 1 : stride) {
      ls_view_state now = st;
      assert_int_equal(ls_canvas_resize(&c, rows + 2 * FRAME, cols + 2 * FRAME), LS_OK);
      draw_checked(v, &c, rows, cols, &now, running);
    }
  ls_canvas_free(&c);
}

static void each_view(int stride, bool running) {
  for (int i = 0; ls_views[i]; i++) {
    const ls_view *v = ls_views[i];
    for (int choice = 0; choice < 5; choice++) {
      ls_view_state st = {.cursor = choice == 1 ? 1000000 : choice - 1,
                          .choice = choice,
                          .log = choice & 1,
                          .sort = choice * 2,
                          .scroll = choice * 7,
                          .column = choice * 3};
      if (choice == 4) memcpy(st.search, "17", 3);
      draw_sizes(v,
                 choice % 3 == 0   ? LS_BRAILLE
                 : choice % 3 == 1 ? LS_HALF_BLOCK
                                   : LS_ASCII,
                 choice != 3, stride, st, running);
    }
  }
}

static int opened(void **state) {
  (void)state;
  if (!ls_session_open()) return -1;
  ls_session_on_stop(say_nothing);
  ls_session_may_pause(true);
  return 0;
}

static int closed(void **state) {
  (void)state;
  ls_session_close();
  ls_trace_reset();
  ls_view_data_look("");
  return 0;
}

static void nothing_yet(void **state) {
  (void)state;
  each_view(31, false);
}

static void paused_search(void **state) {
  (void)state;
  lua("g = gen.grid{7, 7, one_way = 0.8, seed = 2}");
  stand_at("scc.forward_backward(g)", 24);
  each_view(9, false);
  each_view(37, true);
}

static void paused_large(void **state) {
  (void)state;
  lua("g = gen.rmat{scale = 13, degree = 8, seed = 1}");
  stand_at("scc.forward_backward(g)", 9);
  ls_view_data_look("s.mark");
  each_view(23, false);
}

static void paused_tiles(void **state) {
  (void)state;
  lua("g = gen.grid{17, 17}");
  stand_at("fw(g)", 8);
  ls_view_data_look("D");
  each_view(23, false);
}

static void globals(void **state) {
  (void)state;
  lua("g = gen.uniform{n = 30, m = 44, seed = 3}; r = scc(g); d = sssp(g, 2)");
  each_view(23, false);
  lua("e = buffer.new('f64', 5); e[1] = 0/0; e[2] = 1/0; e[3] = -1/0; e[4] = 1e300; none = buffer.new('u8', 0)");
  lua("one = gen.path(1); empty = gen.ring(1)");
  ls_view_data_look("e");
  each_view(37, false);
  ls_view_data_look("none");
  each_view(37, false);
}

/* Keys in any order move within a view and do not break it. */
static void keys(void **state) {
  (void)state;
  static const int presses[] = {'s', 'r', 'm',       'c',         'v',         'l',          'a', '\n',
                                '<', '>', LS_KEY_UP, LS_KEY_DOWN, LS_KEY_LEFT, LS_KEY_RIGHT, 'S', 'x'};
  lua("g = gen.grid{5, 5, one_way = 0.7, seed = 4}");
  stand_at("scc.forward_backward(g)", 15);
  ls_canvas c = {.symbols = LS_BRAILLE, .utf8 = true};
  assert_int_equal(ls_canvas_resize(&c, 26, 82), LS_OK);
  u32 random = 12345;
  for (int i = 0; ls_views[i]; i++) {
    ls_view_state st = {.cursor = -1};
    for (int k = 0; k < 400; k++) {
      random = random * 1664525u + 1013904223u;
      if (ls_views[i]->key)
        ls_views[i]->key(&st, presses[(random >> 16) % (sizeof presses / sizeof *presses)]);
      st.cursor += (int)(random >> 28) - 7;
      draw_checked(ls_views[i], &c, 24, 80, &st, false);
      char caption[128];
      if (ls_views[i]->caption) ls_views[i]->caption(&st, caption, sizeof caption);
    }
  }
  ls_canvas_free(&c);
}

/* --- what the views show -------------------------------------------------------------------------------- */

static char *shown(const char *view, int rows, int cols, ls_view_state st) {
  ls_canvas c = {.symbols = LS_ASCII, .utf8 = false};
  assert_int_equal(ls_canvas_resize(&c, rows, cols), LS_OK);
  const ls_view_draw d = {&c, ls_canvas_all(&c), &st, true, false};
  ls_view_draw_into(ls_view_find(view), &d);
  char *text = ls_canvas_text(&c);
  ls_canvas_free(&c);
  return text;
}

#define SHOWS(text, part)                                                                                    \
  if (!strstr(text, part)) fail_msg("no `%s` in:\n%s", part, text)

static void buffers_of_a_stop(void **state) {
  (void)state;
  lua("g = gen.ring(9)");
  stand_at("scc.forward_backward(g)", 1);
  const ls_view_data *m = ls_view_data_now();
  assert_true(m->paused && m->graph && m->graph->n == 9);
  const ls_seen *mark = ls_view_data_buffer(m, "mark");
  assert_non_null(mark);
  assert_string_equal(mark->name, "s.mark");
  assert_int_equal(mark->count, 9);
  char *text = shown("buffers", 24, 120, (ls_view_state){.cursor = -1});
  SHOWS(text, "s.comp");
  SHOWS(text, "u32[9]");
  SHOWS(text, "the component's representative");
  ls_free(text);
}

static void tiles_of_a_sweep(void **state) {
  (void)state;
  lua("g = gen.grid{8, 16}"); /* 128 x 128 in 4 x 4 tiles */
  stand_at("fw(g)",
           9); /* steps 1 to 4: the matrix; 5 to 7: pivot 0; 8 and 9: pivot 1's tile, its row and column */
  char *text = shown("tiles", 8, 40, (ls_view_state){.cursor = -1});
  SHOWS(text, "pivot 1 of 4, 6 of 16 tiles written");
  SHOWS(text, "+++ rrr +++ +++");
  ls_free(text);
}

/* The view derives the tiles that were written from a row's arguments, not from its name; also for a
 * triangular matrix. */
static void tiles_of_other_rows(void **state) {
  (void)state;
  lua("g = gen.grid{8, 16}");
  stand_at("fw(g, {form = 'mm', tile = 32})", 7);
  char *text = shown("tiles", 8, 40, (ls_view_state){.cursor = -1});
  SHOWS(text, "pivot 0 of 4, 9 of 16 tiles written");
  SHOWS(text, "rrr ooo ooo ooo");
  ls_free(text);
  ls_session_start("local D, overflow, k, tiles = buffer.new('i32', 128, 128), buffer.new('u32', 1), 1, 4 "
                   "close_upper(D, overflow, k, tiles, 32, 1, 1) print()");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  text = shown("tiles", 8, 40, (ls_view_state){.cursor = -1});
  SHOWS(text, "pivot 1 of 4, 5 of 16 tiles written");
  SHOWS(text, "... +++ ooo ooo");
  SHOWS(text, "... rrr +++ +++");
  ls_free(text);
}

static void phases_of_bytecode(void **state) {
  (void)state;
  lua("m = model.from_text 'a = x + 1\\nb = 2*a\\nc = {x if x < 1; a*b otherwise}\\nx\\' = -c\\nx(0) = 1'");
  char *text = shown("phases", 20, 90, (ls_view_state){.cursor = -1});
  SHOWS(text, "no bytecode yet");
  ls_free(text);
  lua("p = m:phases()");
  text = shown("phases", 24, 90, (ls_view_state){.cursor = -1, .choice = 6});
  SHOWS(text, "> base           4"); /* number of phases */
  SHOWS(text, "  sum            3");
  SHOWS(text, "1   2   3   s\n            w0\n");
  SHOWS(text, "! divergent  . END  C CONSTANT");
  ls_free(text);
  lua("p = nil b = m:bytecode{base = true}");
  text = shown("phases", 24, 90, (ls_view_state){.cursor = -1});
  SHOWS(text, "> bytecode       4");
  SHOWS(text, "V|  C|  V|  VC!"); /* "!": threads of one warp execute different operators */
  ls_free(text);
  text = shown("phases", 24, 90, (ls_view_state){.cursor = -1, .log = true});
  SHOWS(text,
        "V  C  V  2\n"); /* one column per warp: the operator of its threads, or how many different ones */
  ls_free(text);
  assert_int_equal(ls_session_start("m:phases()"), LS_PAUSED); /* each optimisation is an iteration */
  text = shown("phases", 24, 90, (ls_view_state){.cursor = -1});
  SHOWS(text, "> base           4");
  assert_null(strstr(text, "reorder"));
  ls_free(text);
  assert_int_equal(ls_session_until("step == 'merge'"), LS_PAUSED);
  text = shown("phases", 24, 90, (ls_view_state){.cursor = -1});
  SHOWS(text, "  unify          4");
  SHOWS(text, "> merge          3");
  assert_null(strstr(text, "  sum "));
  ls_free(text);
  assert_int_equal(ls_session_abandon(), LS_OK);
  for (int steps = 0; steps < 2; steps++) {
    lua(steps ? "p = m:phases()"
              : "m = model.line{cells = 5, file = model.sample 'luo-rudy-1991'} b = m:bytecode()");
    each_view(23, false);
  }
  each_view(37, true);
  lua("m, b, p = nil, nil, nil collectgarbage()");
}

static void a_value_that_changed(void **state) {
  (void)state;
  lua("g = gen.ring(6)");
  stand_at("scc.forward_backward(g)", 1);
  ls_view_data_look("s.front"); /* empty until there are regions */
  ls_free(shown("inspector", 12, 60, (ls_view_state){.cursor = 0}));
  for (bool filled = false; !filled;) {
    assert_int_equal(ls_session_step(1), LS_PAUSED);
    filled = strcmp(ls_session_stop()->record.prim->name, "new_regions") == 0;
    char *text = shown("inspector", 12, 60, (ls_view_state){.cursor = 0});
    SHOWS(text, filled ? "*2 changed since #" : " 0 changed since #");
    if (filled) SHOWS(text, " *1  *5   .   .");
    ls_free(text);
  }
}

/* In a graph with n == m, the buffer of edge targets is not shown as a value per vertex. Component numbers
 * are classes: the view counts the elements of each class instead of intervals of values. */
static void only_what_colours_mean(void **state) {
  (void)state;
  lua("g = gen.ring(6)");
  char *text = shown("graph", 24, 90, (ls_view_state){.cursor = -1});
  assert_null(strstr(text, "g.to"));
  assert_null(strstr(text, "number:value"));
  ls_free(text);
  text = shown("graph", 24, 90, (ls_view_state){.cursor = -1, .name = "g.to"});
  assert_null(strstr(text, "number:value"));
  ls_free(text);
  lua("g = gen.copies(gen.ring(10), 30)  r = components(g)  mine = r.id");
  for (int k = 0; k < 2; k++) {
    ls_view_data_look(k ? "mine" : "r.id"); /* recognised by its name, or by the primitive that wrote it */
    if (k) lua("r = nil");
    text = shown("inspector", 9, 100, (ls_view_state){.cursor = 0});
    SHOWS(text, "30 classes  none 0%");
    SHOWS(text, "     class");
    SHOWS(text, "    others");
    SHOWS(text, " 250");
    assert_null(strstr(text, "max "));
    ls_free(text);
  }
  lua("g, mine = nil, nil");
  lua("h = gen.copies(gen.ring(10), 70)  b = bundle{graph = h, comp = components(h).id}");
  text = shown("graph", 40, 60, (ls_view_state){.cursor = -1, .choice = 0});
  SHOWS(text, "comp: 70 classes");
  SHOWS(text, "others");
  ls_free(text);
  lua("h, b = nil, nil collectgarbage()");
  ls_view_data_look("");
}

/* Labels with equal counts are sorted by label; labels that are not listed are counted together. */
static void labels_are_counted(void **state) {
  (void)state;
  const u32 x[] = {7, 1 << 20, 7, LS_NO_VERTEX, 1 << 20, 3, 1 << 21, 0};
  ls_label_counts of;
  ls_seen_count_labels(x, 8, 3, &of);
  assert_true(of.classes == 5 && of.none == 1 && of.rest == 2 && of.listed == 3);
  assert_true(of.of[0].label == 7 && of.of[0].count == 2 && of.of[1].label == 1 << 20 && of.of[2].label == 0);
  ls_seen_count_labels(x, 0, 3, &of);
  assert_true(of.classes == 0 && of.listed == 0 && of.rest == 0);
  ls_seen_count_labels(x, 8, 0, &of);
  assert_true(of.classes == 5 && of.listed == 0 && of.rest == 7);
}

static lua_Integer number(const char *expr) {
  int n;
  assert_int_equal(ls_session_eval(expr, "=test", &n), LS_DONE);
  const lua_Integer value = lua_tointeger(ls_session_lua(), -1);
  lua_settop(ls_session_lua(), 0);
  return value;
}

/* Summaries of up to a million elements are exact; summaries of larger buffers say that they are not. */
static void summaries_are_exact(void **state) {
  (void)state;
  char part[64];
  lua("g = gen.grid{300, 200, one_way = 0.69, seed = 2}");
  stand_at("scc.forward_backward(g)", 1);
  ls_view_data_look("s.comp");
  ls_free(shown("inspector", 16, 100, (ls_view_state){.cursor = 0}));
  lua("before = s.comp:count(0xffffffff)");
  assert_int_equal(ls_session_step(2), LS_PAUSED);
  char *text = shown("graph", 24, 90, (ls_view_state){.cursor = -1});
  const lua_Integer live = number("s.comp:count(0xffffffff)");
  snprintf(part, sizeof part, "s.comp: %lld live", live);
  SHOWS(text, part);
  snprintf(part, sizeof part, " %lld", 60000 - live);
  SHOWS(text, part);
  if (strchr(text, '~')) fail_msg("an estimate in:\n%s", text);
  ls_free(text);
  text = shown("inspector", 16, 100, (ls_view_state){.cursor = 0});
  snprintf(part, sizeof part, "none %.3g%%", 100 * (f64)live / 60000);
  SHOWS(text, part);
  snprintf(part, sizeof part, "*%lld changed since #", number("before") - live);
  SHOWS(text, part);
  ls_free(text);

  assert_int_equal(ls_session_abandon(),
                   LS_OK); /* otherwise `g` would be the local variable of the stopped run */
  lua("g = gen.copies(gen.ring(10), 110000)");
  stand_at("scc.forward_backward(g)", 1);
  text = shown("graph", 24, 90, (ls_view_state){.cursor = -1});
  SHOWS(text, "s.comp: ~1.10M live");
  SHOWS(text, "~out-degree");
  ls_free(text);
  text = shown("inspector", 16, 100, (ls_view_state){.cursor = 0});
  SHOWS(text, "none ~100%");
  ls_free(text);
}

/* At a stop in the past, the series end there, and no buffer shows a later step as its last change. */
static void the_past(void **state) {
  (void)state;
  lua("g = gen.grid{6, 6, one_way = 0.8, seed = 2}");
  stand_at("scc.forward_backward(g)", 20);
  assert_int_equal(ls_series_now()->steps, 20);
  const ls_series *last = &ls_series_now()->series[0];
  assert_int_equal(last->points[last->count - 1].x <= 20, 1);
  assert_int_equal(ls_session_back(12), LS_PAUSED);
  const ls_series_set *set = ls_series_now();
  assert_int_equal(set->steps, 8);
  for (int i = 0; i < set->count; i++)
    for (int k = 0; k < set->series[i].count; k++) assert_true(set->series[i].points[k].x <= 8);
  const u64 now = ls_session_stop()->record.seq;
  const ls_view_data *m = ls_view_data_now();
  for (int i = 0; i < m->nbuffers; i++) assert_true(m->buffers[i].changed <= now);
  assert_int_equal(ls_session_forward(12), LS_PAUSED);
  assert_int_equal(ls_series_now()->steps, 20);
}

/* How many of the n labels (`first` followed by 0 to n - 1) the text does not show in full. */
static int labels_that_touch(const char *text, int n, const char *first) {
  int bad = 0;
  for (int v = 0; v < n; v++) {
    char label[32];
    snprintf(label, sizeof label, "%s%d", first, v);
    const char *at = strstr(text, label);
    while (at && strchr("0123456789", at[strlen(label)]) && at[strlen(label)]) at = strstr(at + 1, label);
    bad += !at;
  }
  return bad;
}

/* Labels of a circle do not overlap: they are shortened where they have no room. */
static void labels_of_a_circle(void **state) {
  (void)state;
  lua("g = gen.grid{8, 8}");
  const ls_view_state circle = {.cursor = -1, .choice = 1};
  char *text = shown("graph", 40, 140, circle);
  assert_int_equal(labels_that_touch(text, 64, "o"), 0);
  ls_free(text);
  text = shown("graph", 18, 78, circle); /* no room for numbers */
  if (strpbrk(text, "0123456789")) fail_msg("numbers in:\n%s", text);
  SHOWS(text, "o");
  ls_free(text);
}

/* The picture of an automaton shows its states' names if they fit; that of a state space, whose states are
 * long texts, shows numbers. */
static void names_of_an_automaton(void **state) {
  (void)state;
  lua("g = model.load(model.sample 'queue').automaton(model.load(model.sample 'queue'), 'writer')");
  for (int layout = 0; layout < 3; layout++) {
    char *text = shown("graph", 24, 140, (ls_view_state){.cursor = -1, .choice = layout});
    SHOWS(text, "o0 begin");
    SHOWS(text, "o1 waits");
    SHOWS(text, "o2 typing");
    SHOWS(text, "o5 waits_for_save");
    ls_free(text);
  }
  char *text = shown("graph", 9, 24, (ls_view_state){.cursor = -1, .choice = 1});
  if (strstr(text, "typing")) fail_msg("names in:\n%s", text);
  ls_free(text);
  lua("g = explore(model.load(model.sample 'queue'), {bound = 9}).graph");
  text = shown("graph", 24, 90, (ls_view_state){.cursor = -1});
  SHOWS(text, "o0");
  if (strstr(text, "server")) fail_msg("states in:\n%s", text);
  ls_free(text);
}

/* A pane of half a terminal of 120 columns also shows the share of the device's limit (%lim). */
static void share_of_the_limit(void **state) {
  (void)state;
  lua("g = gen.grid{6, 6}");
  stand_at("scc.forward_backward(g)", 4);
  char *text = shown("timing", 10, 58, (ls_view_state){.cursor = -1});
  SHOWS(text, "total ms");
  SHOWS(text, "%lim");
  ls_free(text);
}

/* A value is shown in full, or with its exponent and as many digits as fit. */
static void values_are_whole(void **state) {
  (void)state;
  lua("g = gen.ring{4}  s = bundle{graph = g, dist = buffer.new('i32', {1073741823, 5, -1073741824, 7})}");
  char *text = shown("graph", 24, 90, (ls_view_state){.cursor = -1});
  SHOWS(text, "0:1073741823");
  SHOWS(text, "2:-1073741824");
  ls_free(text);
  lua("s = bundle{graph = g, dist = buffer.new('i64', {1234567890123456, 5, 6, 7})}");
  text = shown("graph", 24, 90, (ls_view_state){.cursor = -1});
  SHOWS(text, "0:1.235e+15");
  ls_free(text);
}

/* The remembered sort order comes from a file, which may contain anything. */
static void any_sort(void **state) {
  (void)state;
  const int sorts[] = {-1, INT32_MIN, INT32_MAX, 9, 1000};
  for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
    for (int k = 0; ls_views[k]; k++) {
      const ls_view *v = ls_views[k];
      ls_view_state st = {.sort = sorts[i]};
      char text[128] = "";
      if (v->caption) v->caption(&st, text, sizeof text);
      if (strcmp(v->name, "timing") == 0) assert_string_equal(text, "timing: by total time");
      draw_sizes(v, LS_ASCII, false, 60, st, false);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(nothing_yet, opened, closed),
      cmocka_unit_test_setup_teardown(paused_search, opened, closed),
      cmocka_unit_test_setup_teardown(paused_large, opened, closed),
      cmocka_unit_test_setup_teardown(paused_tiles, opened, closed),
      cmocka_unit_test_setup_teardown(globals, opened, closed),
      cmocka_unit_test_setup_teardown(keys, opened, closed),
      cmocka_unit_test_setup_teardown(buffers_of_a_stop, opened, closed),
      cmocka_unit_test_setup_teardown(tiles_of_a_sweep, opened, closed),
      cmocka_unit_test_setup_teardown(tiles_of_other_rows, opened, closed),
      cmocka_unit_test_setup_teardown(phases_of_bytecode, opened, closed),
      cmocka_unit_test_setup_teardown(a_value_that_changed, opened, closed),
      cmocka_unit_test_setup_teardown(only_what_colours_mean, opened, closed),
      cmocka_unit_test(labels_are_counted),
      cmocka_unit_test_setup_teardown(summaries_are_exact, opened, closed),
      cmocka_unit_test_setup_teardown(the_past, opened, closed),
      cmocka_unit_test_setup_teardown(names_of_an_automaton, opened, closed),
      cmocka_unit_test_setup_teardown(labels_of_a_circle, opened, closed),
      cmocka_unit_test_setup_teardown(share_of_the_limit, opened, closed),
      cmocka_unit_test_setup_teardown(values_are_whole, opened, closed),
      cmocka_unit_test_setup_teardown(any_sort, opened, closed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
