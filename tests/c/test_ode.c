/* The expression tree, models and their order of evaluation: tests that need the C interface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "model/file_text.h"
#include "model/ode/read.h"
#include "ode/print_equation.h"
#include "ode/parts.h"

/* --- terms -----------------------------------------------------------------------------------------------
 */

static void terms_are_counted(void **state) {
  (void)state;
  ls_terms *a = ls_terms_new();
  const ls_term *x = ls_term_leaf(a, LS_VARIABLE_OP, 3), *two = ls_term_number(a, 2);
  const ls_term *t = ls_term_2(a, LS_PLUS_OP, ls_term_2(a, LS_TIMES_OP, two, x), x);
  assert_int_equal(ls_term_size(t), 5);
  assert_int_equal(t->depth, 3);
  assert_int_equal(x->index, 3);
  assert_null(ls_term_2(a, LS_PLUS_OP, t, NULL)); /* if an operand is NULL, so is the term */
  assert_null(ls_term_1(a, LS_DIVIDE_OP, t));
  assert_string_equal(ls_error(), "/ has 1 argument, expected 2");
  assert_int_equal(ls_terms_status(a), LS_EINPUT);
  ls_terms_free(a);
}

static void terms_are_bounded(void **state) {
  (void)state;
  ls_terms *a = ls_terms_new();
  const ls_term *t = ls_term_number(a, 1);
  for (int i = 1; i < LS_TERM_DEEPEST; i++) assert_non_null(t = ls_term_1(a, LS_EXP_OP, t));
  assert_null(ls_term_1(a, LS_EXP_OP, t));
  assert_non_null(strstr(ls_error(), "1000 nested"));
  t = ls_term_number(a, 1);
  int doublings = 0; /* a small graph, but a large tree */
  for (const ls_term *next = t; next; doublings++) {
    t = next;
    next = ls_term_2(a, LS_PLUS_OP, t, t);
  }
  assert_int_equal(doublings, 22);
  assert_true(ls_term_size(t) <= LS_TERM_LARGEST);
  ls_terms_free(a);
}

static const ls_term *swap_leaf(void *ctx, const ls_term *t) {
  return t->op == LS_VARIABLE_OP && t->index == 1 ? ctx : t;
}

static void replacing_shares_what_stays(void **state) {
  (void)state;
  ls_terms *a = ls_terms_new();
  const ls_term *x = ls_term_leaf(a, LS_VARIABLE_OP, 1), *y = ls_term_leaf(a, LS_VARIABLE_OP, 2);
  const ls_term *kept = ls_term_2(a, LS_TIMES_OP, y, y);
  const ls_term *t = ls_term_2(a, LS_PLUS_OP, ls_term_1(a, LS_SIN_OP, x), kept);
  const ls_term *five = ls_term_number(a, 5);
  const ls_term_change change = {a, swap_leaf, NULL, (void *)(uintptr_t)five};
  const ls_term *new = ls_term_replace(&change, t);
  assert_ptr_equal(new->arg[1], kept);
  assert_ptr_equal(new->arg[0]->arg[0], five);
  assert_ptr_equal(t->arg[0]->arg[0], x);
  assert_ptr_equal(ls_term_replace(&change, kept), kept);
  ls_terms_free(a);
}

static void allocations_that_fail_are_told(void **state) {
  (void)state;
  ls_terms *a = ls_terms_new();
  ls_mem_fail_at(1);
  assert_null(ls_term_number(a, 1));
  assert_int_equal(ls_terms_status(a), LS_EMEM);
  ls_terms_free(a);
}

/* --- names -----------------------------------------------------------------------------------------------
 */

static void names_are_found(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  static char text[COUNT][16];
  ls_names n = {0};
  assert_int_equal(ls_names_find(&n, "x"), LS_NO_NAME);
  for (u32 i = 0; i < COUNT; i++) {
    snprintf(text[i], sizeof text[i], "name%u", i);
    assert_int_equal(ls_names_put(&n, text[i], i), LS_OK);
  }
  for (u32 i = 0; i < COUNT; i++) assert_int_equal(ls_names_find(&n, text[i]), i);
  assert_int_equal(ls_names_put(&n, "name7", 99), LS_OK);
  assert_int_equal(ls_names_find(&n, "name7"), 99);
  assert_int_equal(ls_names_find(&n, "name1000"), LS_NO_NAME);
  assert_int_equal(n.count, COUNT);
  ls_names_free(&n);
}

/* --- files -----------------------------------------------------------------------------------------------
 */

static void files_are_read_whole_up_to_a_limit(void **state) {
  enum { BYTES = 3 << 20 };
  (void)state;
  char path[] = "/tmp/lockstep-text-XXXXXX", *text;
  size_t bytes;
  const int fd = mkstemp(path);
  char *written = ls_malloc(BYTES);
  for (u32 i = 0; i < BYTES; i++) written[i] = (char)('a' + i % 23);
  assert_true(write(fd, written, BYTES) == BYTES);
  close(fd);
  assert_int_equal(ls_model_file_text(path, BYTES, &text, &bytes), LS_OK);
  assert_true(bytes == BYTES && text[BYTES] == 0 && memcmp(text, written, BYTES) == 0);
  ls_free(text);
  assert_int_equal(ls_model_file_text(path, BYTES - 1, &text, &bytes), LS_EINPUT);
  assert_non_null(strstr(ls_error(), ": more than 2 MiB, the limit for a file of a model"));
  unlink(path);
  ls_free(written);
}

/* --- models ----------------------------------------------------------------------------------------------
 */

static ls_ode *read_text(const char *text) {
  ls_ode *m;
  assert_int_equal(ls_ode_read_text("test", text, strlen(text), false, &m), LS_OK);
  return m;
}

/* Does every variable of the order come after those that it needs? */
static void check_order(const ls_ode *m, bool start) {
  u32 *off, *to, *place = ls_malloc(m->count * sizeof *place);
  const u32 n = start ? m->count : m->order_count, *order = start ? m->start_order : m->order;
  assert_int_equal(ls_ode_needs(m, start, true, &off, &to), LS_OK);
  memset(place, 0xff, m->count * sizeof *place);
  for (u32 i = 0; i < n; i++) place[order[i]] = i;
  for (u32 i = 0; i < n; i++)
    for (u32 k = off[order[i]]; k < off[order[i] + 1]; k++)
      if (start || m->variables[to[k]].role == LS_ALGEBRAIC) assert_true(place[to[k]] < i);
  ls_free(off);
  ls_free(to);
  ls_free(place);
}

static void orders_respect_needs(void **state) {
  (void)state;
  ls_ode *m = read_text(
      "a = b + c*x\nb = c + k\nc = x*2\nx' = a - x\nx(0) = k + 1\nk := q*3\nq = 1\nd = delay(a, 1)\n");
  assert_int_equal(m->order_count, 4);
  check_order(m, false);
  check_order(m, true);
  ls_ode_release(m);
}

static void long_chains_need_no_stack(void **state) {
  (void)state;
  enum { COUNT = 200000, ROOM = COUNT * 32 };
  char *text = ls_malloc(ROOM);
  size_t used = 0;
  for (int i = 0; i < COUNT; i++)
    used += (size_t)snprintf(text + used, ROOM - used, i + 1 < COUNT ? "v%d = v%d + 1\n" : "v%d = time\n", i,
                             i + 1);
  ls_ode *m = read_text(text);
  assert_int_equal(m->order_count, COUNT);
  assert_int_equal(m->order[0], COUNT - 1);
  ls_ode_release(m);
  ls_free(text);
}

static void rates_replace_rate_of(void **state) {
  (void)state;
  ls_ode *m = read_text("y = rateOf(x) + rateOf(k)\nx' = rateOf(z)*2\nx(0) = 1\nz' = 5\nz(0) = 0\nk = 3\n");
  char text[64];
  ls_ode_equation_text(m, ls_ode_find(m, "y"), text, sizeof text);
  assert_string_equal(text, "y = 5*2 + 0");
  ls_ode_equation_text(m, ls_ode_find(m, "y"), text, 8);
  assert_string_equal(text, "y = ...");
  ls_ode_release(m);
}

static void models_are_set(void **state) {
  (void)state;
  ls_ode *m = read_text("k := 2*q\nq = 1\ny = time");
  assert_int_equal(m->variables[0].role, LS_CONSTANT);
  assert_int_equal(ls_ode_set(m, 0, 7), LS_OK);
  assert_int_equal(m->variables[0].role, LS_PARAMETER);
  assert_int_equal(ls_ode_set(m, 2, 7), LS_EARG);
  f64 value[3];
  assert_int_equal(ls_ode_first_values(m, 4, value), LS_OK);
  assert_true(value[0] == 7 && value[1] == 1 && value[2] == 4);
  ls_ode_release(m);
}

/* --- numbers ---------------------------------------------------------------------------------------------
 */

static void numbers_are_short_and_exact(void **state) {
  (void)state;
  static const struct {
    f64 x;
    const char *text;
  } cases[] = {{0.1, "0.1"},    {1e-7, "1e-07"}, {-84.4326, "-84.4326"}, {1.0 / 3, "0.3333333333333333"},
               {1e22, "1e+22"}, {0, "0"}};
  char out[32];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ls_ode_number_text(cases[i].x, out);
    assert_string_equal(out, cases[i].text);
  }
  ls_ode_number_text(NAN, out);
  assert_non_null(strstr(out, "nan"));
}

static void courses_end_where_asked(void **state) {
  (void)state;
  ls_ode *m = read_text("x' = 1\nx(0) = 0\n");
  const ls_column column = {0, LS_PLAIN};
  static const struct {
    f64 stop, dt, taken;
    u64 intervals, steps;
  } cases[] = {{1, 0.1, 0.1, 10, 10}, {1, 0.3, 0.25, 1, 4}, {1, 5, 0.5, 2, 2}, {0.3, 0.1, 0.1, 1, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ls_simulation s = {.stop = cases[i].stop,
                       .intervals = cases[i].intervals,
                       .method = LS_EULER,
                       .dt = cases[i].dt,
                       .rtol = 1e-6,
                       .atol = 1e-6,
                       .columns = 1,
                       .column = &column};
    ls_course c;
    assert_int_equal(ls_ode_simulate(m, &s, &c), LS_OK);
    assert_int_equal(c.rows, cases[i].intervals + 1);
    assert_int_equal(c.steps, cases[i].steps);
    assert_true(fabs(c.dt - cases[i].taken) < 1e-12);
    assert_true(fabs(c.x[0][c.rows - 1] - cases[i].stop) < 1e-12);
    ls_course_free(&c);
  }
  ls_ode_release(m);
}

/* Functions (variables that no rate needs) are not computed between steps, but they are in each output row,
 * also if a step ends exactly at the row. */
static void rows_have_their_functions(void **state) {
  (void)state;
  ls_ode *m = read_text("x' = -x\nx(0) = 1\nd = 2 * x + time\n");
  const ls_column column[] = {{ls_ode_find(m, "x"), LS_PLAIN}, {ls_ode_find(m, "d"), LS_PLAIN}};
  for (ls_method method = LS_DOPRI5; method < LS_METHODS; method++) {
    ls_simulation s = {.stop = 10,
                       .intervals = 97,
                       .method = method,
                       .rtol = 1e-8,
                       .atol = 1e-8,
                       .columns = 2,
                       .column = column};
    ls_course c;
    if (!ls_method_built(method)) continue;
    assert_int_equal(ls_ode_simulate(m, &s, &c), LS_OK);
    assert_int_equal(c.rows, 98);
    for (u64 i = 0; i < c.rows; i++) assert_true(fabs(c.x[1][i] - (2 * c.x[0][i] + c.t[i])) < 1e-12);
    ls_course_free(&c);
  }
  ls_ode_release(m);
}

/* --- operators --------------------------------------------------------------------------------------------
 */

/* All evaluators read one table of operators, so its values are compared with those of textbooks. */
static void operators_have_their_values(void **state) {
  static const struct {
    ls_op op;
    u32 count;
    f64 x[5], value;
  } cases[] = {
      {LS_PLUS_OP, 3, {1, 2, 3.5}, 6.5},
      {LS_PLUS_OP, 0, {0}, 0},
      {LS_MINUS_OP, 2, {5, 3}, 2},
      {LS_MINUS_OP, 1, {5}, -5},
      {LS_TIMES_OP, 3, {2, 3, 4}, 24},
      {LS_TIMES_OP, 0, {0}, 1},
      {LS_DIVIDE_OP, 2, {7, 2}, 3.5},
      {LS_POWER_OP, 2, {2, 10}, 1024},
      {LS_ROOT_OP, 2, {3, -8}, -2},
      {LS_ROOT_OP, 2, {2, -8}, NAN},
      {LS_ROOT_OP, 2, {2, 9}, 3},
      {LS_SQRT_OP, 1, {2}, 1.4142135623731},
      {LS_EXP_OP, 1, {1}, 2.71828182845905},
      {LS_LN_OP, 1, {10}, 2.30258509299405},
      {LS_LOG_OP, 2, {2, 8}, 3},
      {LS_LOG10_OP, 1, {1000}, 3},
      {LS_ABS_OP, 1, {-2.5}, 2.5},
      {LS_FLOOR_OP, 1, {-2.5}, -3},
      {LS_CEILING_OP, 1, {-2.5}, -2},
      {LS_FACTORIAL_OP, 1, {5}, 120},
      {LS_FACTORIAL_OP, 1, {0.5}, 0.886226925452758},
      {LS_REM_OP, 2, {-7, 3}, -1},
      {LS_MODULO_OP, 2, {-7, 3}, 2},
      {LS_QUOTIENT_OP, 2, {-7, 3}, -2},
      {LS_MAX_OP, 3, {1, 3, 2}, 3},
      {LS_MIN_OP, 3, {2, 1, 3}, 1},
      {LS_MEAN_OP, 3, {1, 2, 6}, 3},
      {LS_EQ_OP, 3, {1, 1, 1}, 1},
      {LS_EQ_OP, 3, {1, 1, 2}, 0},
      {LS_NEAR_OP, 2, {1, 1}, 1},
      {LS_NEAR_OP, 2, {1, 1.0001}, 0},
      {LS_NEQ_OP, 2, {1, 2}, 1},
      {LS_LT_OP, 3, {1, 2, 3}, 1},
      {LS_LT_OP, 3, {1, 3, 2}, 0},
      {LS_GT_OP, 2, {3, 2}, 1},
      {LS_GT_OP, 2, {2, 2}, 0},
      {LS_LEQ_OP, 2, {2, 2}, 1},
      {LS_LEQ_OP, 2, {3, 2}, 0},
      {LS_GEQ_OP, 2, {2, 2}, 1},
      {LS_GEQ_OP, 2, {1, 2}, 0},
      {LS_AND_OP, 3, {1, 2, 0}, 0},
      {LS_AND_OP, 2, {1, 2}, 1},
      {LS_AND_OP, 0, {0}, 1},
      {LS_OR_OP, 2, {0, 0}, 0},
      {LS_OR_OP, 2, {0, 3}, 1},
      {LS_OR_OP, 0, {0}, 0},
      {LS_XOR_OP, 3, {1, 1, 1}, 1},
      {LS_XOR_OP, 2, {1, 1}, 0},
      {LS_NOT_OP, 1, {0}, 1},
      {LS_NOT_OP, 1, {2}, 0},
      {LS_IMPLIES_OP, 2, {1, 0}, 0},
      {LS_IMPLIES_OP, 2, {0, 0}, 1},
      {LS_SIN_OP, 1, {0.7}, 0.644217687237691},
      {LS_COS_OP, 1, {0.7}, 0.764842187284488},
      {LS_TAN_OP, 1, {0.7}, 0.842288380463079},
      {LS_SEC_OP, 1, {0.7}, 1.30745925973359},
      {LS_CSC_OP, 1, {0.7}, 1.5522703269571},
      {LS_COT_OP, 1, {0.7}, 1.18724183212668},
      {LS_SINH_OP, 1, {0.7}, 0.758583701839533},
      {LS_COSH_OP, 1, {0.7}, 1.25516900563094},
      {LS_TANH_OP, 1, {0.7}, 0.604367777117164},
      {LS_SECH_OP, 1, {0.7}, 0.796705459992875},
      {LS_CSCH_OP, 1, {0.7}, 1.3182460914663},
      {LS_COTH_OP, 1, {0.7}, 1.65462163580263},
      {LS_ARCSIN_OP, 1, {0.7}, 0.775397496610753},
      {LS_ARCCOS_OP, 1, {0.7}, 0.795398830184144},
      {LS_ARCTAN_OP, 1, {0.7}, 0.610725964389209},
      {LS_ARCSEC_OP, 1, {2}, 1.0471975511966},
      {LS_ARCCSC_OP, 1, {2}, 0.523598775598299},
      {LS_ARCCOT_OP, 1, {2}, 0.463647609000806},
      {LS_ARCSINH_OP, 1, {2}, 1.44363547517881},
      {LS_ARCCOSH_OP, 1, {2}, 1.31695789692482},
      {LS_ARCCOT_OP, 1, {0}, 1.5707963267949},
      {LS_ARCTANH_OP, 1, {0.5}, 0.549306144334055},
      {LS_ARCSECH_OP, 1, {0.5}, 1.31695789692482},
      {LS_ARCCSCH_OP, 1, {0.5}, 1.44363547517881},
      {LS_ARCCOTH_OP, 1, {2}, 0.549306144334055},
      {LS_PIECEWISE_OP, 5, {1, 0, 2, 1, 3}, 2},
      {LS_PIECEWISE_OP, 3, {1, 0, 3}, 3},
      {LS_PIECEWISE_OP, 2, {1, 0}, NAN},
  };
  (void)state;
  bool tried[LS_TERM_OPS_COUNT] = {false};
  ls_terms *a = ls_terms_new();
  const ode_system none = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const ls_term *arg[5];
    for (u32 k = 0; k < cases[i].count; k++) arg[k] = ls_term_number(a, cases[i].x[k]);
    const ls_term *t = ls_term_new(a, cases[i].op, cases[i].count, arg);
    const f64 got = ode_eval(&none, t), wanted = cases[i].value;
    tried[cases[i].op] = true;
    if (!(fabs(got - wanted) <= 1e-14 * fabs(wanted)) && !(isnan(got) && isnan(wanted)))
      fail_msg("case %zu, %s: %.17g, expected %.17g", i, ls_op_name(cases[i].op), got, wanted);
  }
  for (u32 op = LS_PLUS_OP; op <= LS_PIECEWISE_OP; op++)
    if (!tried[op]) fail_msg("no case of %s", ls_op_name(op));
  ls_terms_free(a);
}

/* --- code words of the tape -------------------------------------------------------------------------------
 */

static f64 drawn(u64 *seed) { /* from -4 to 4 */
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (f64)(*seed >> 11) * 0x1p-50 - 4;
}

/* A random term of all operators of models except random numbers and delays. */
static const ls_term *random_term(ls_terms *a, u64 *seed, u32 variables, int depth) {
  const u32 kind = (u32)(fabs(drawn(seed)) * 1e6) % (depth ? 12 : 3);
  const ls_term *arg[5];
  if (kind == 0) return ls_term_number(a, drawn(seed));
  if (kind == 1) return ls_term_leaf(a, LS_TIME_OP, 0);
  if (kind == 2) return ls_term_leaf(a, LS_VARIABLE_OP, (u32)(fabs(drawn(seed)) * 1e6) % variables);
  for (int i = 0; i < 5; i++) arg[i] = random_term(a, seed, variables, depth - 1);
  for (;;) {
    const ls_op op =
        (ls_op)(LS_PLUS_OP + (u32)(fabs(drawn(seed)) * 1e6) % (LS_PIECEWISE_OP - LS_PLUS_OP + 1));
    const u32 count = (u32)(fabs(drawn(seed)) * 1e6) % 6;
    const ls_term *t = ls_term_new(a, op, count, arg);
    if (t) return t;
  }
}

static bool same_bits(f64 x, f64 y) { return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)); }

/* Random equations at random values: evaluating the code words and the trees gives the same bits. */
static void words_have_the_bits_of_trees(void **state) {
  enum { MODELS = 300, VARIABLES = 7, POINTS = 20 };
  (void)state;
  u64 seed = 1, numbers = 0;
  for (int k = 0; k < MODELS; k++) {
    ls_ode *m =
        read_text("a' = 1\na(0) = 1\nb' = 2\nb(0) = 1\nc' = 3\nc(0) = 1\nd = a\ne = b\nf = c\ng = 3\n");
    ode_system s;
    ode_tape tape;
    const ls_term *term[VARIABLES];
    f64 got[VARIABLES], *to[VARIABLES];
    assert_int_equal(ls_ode_arrange(m), LS_OK);
    assert_int_equal(ode_system_new(&s, m, 0, 1, 1), LS_OK);
    for (u32 i = 0; i < VARIABLES; i++) {
      term[i] = random_term(m->terms, &seed, m->count, 1 + k % 6);
      to[i] = &got[i];
    }
    assert_int_equal(ode_tape_new(&tape, &s, VARIABLES, term, to), LS_OK);
    for (int n = 0; n < POINTS; n++) {
      s.t = drawn(&seed);
      for (u32 i = 0; i < m->count; i++) s.value[i] = n % 4 ? drawn(&seed) : floor(drawn(&seed));
      ode_tape_run(&tape, &s);
      for (u32 i = 0; i < VARIABLES; i++) {
        assert_true(same_bits(got[i], ode_eval(&s, term[i])));
        numbers += !isnan(got[i]);
      }
    }
    ode_tape_free(&tape);
    ode_system_free(&s);
    ls_ode_release(m);
  }
  assert_true(numbers > MODELS * VARIABLES * POINTS / 3);
}

/* The equations of a whole model, as it is simulated. */
static void check_model(const char *path) {
  ls_ode *m;
  ode_system s;
  u64 seed = 1;
  if (ls_ode_read(path, false, &m)) fail_msg("%s", ls_error());
  if (!m->order) assert_int_equal(ls_ode_arrange(m), LS_OK);
  assert_int_equal(ode_system_new(&s, m, 0, 1, 1), LS_OK);
  f64 *y = ls_malloc((s.states + 1) * sizeof *y), *rate = ls_malloc((s.states + 1) * sizeof *rate);
  f64 *value = ls_malloc(m->count * sizeof *value);
  for (u32 i = 0; i < s.states; i++) y[i] = s.value[s.state[i]];
  for (int n = 0; n < 50; n++) {
    for (u32 i = 0; i < s.states; i++) y[i] += fabs(y[i]) * drawn(&seed) * 0.01;
    ode_move(&s, n, y);
    ode_rates(&s, rate);
    memcpy(value, s.value, m->count * sizeof *value);
    for (u32 i = 0; i < m->order_count; i++) { /* again by trees, in the order of evaluation */
      s.value[m->order[i]] = ode_eval(&s, m->variables[m->order[i]].equation);
      assert_true(same_bits(s.value[m->order[i]], value[m->order[i]]));
    }
    for (u32 i = 0; i < s.states; i++)
      assert_true(same_bits(rate[i], ode_eval(&s, m->variables[s.state[i]].equation)));
  }
  ls_free(y);
  ls_free(rate);
  ls_free(value);
  ode_system_free(&s);
  ls_ode_release(m);
}

static void words_of_sample_models(void **state) {
  (void)state;
  check_model(TEST_SOURCE "/samples/models/lotka-volterra.ode");
  check_model(TEST_SOURCE "/samples/models/luo-rudy-1991.ode");
  check_model(TEST_SOURCE "/samples/models/robertson.ode");
}

/* Larger models, if they are present next to the repository. */
static void words_of_real_models(void **state) {
  static const char *const names[] = {"BIOMD0000000009.xml", "BIOMD0000000020.xml", "luo_rudy_1991.cellml",
                                      "single-Luo_Rudy_1991_model.phml", "single-FHN_model.phml"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[1000];
    snprintf(path, sizeof path, TEST_SOURCE "/../shared/data/models/%s", names[i]);
    if (access(path, R_OK)) skip();
    check_model(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terms_are_counted),
      cmocka_unit_test(terms_are_bounded),
      cmocka_unit_test(replacing_shares_what_stays),
      cmocka_unit_test(allocations_that_fail_are_told),
      cmocka_unit_test(names_are_found),
      cmocka_unit_test(orders_respect_needs),
      cmocka_unit_test(long_chains_need_no_stack),
      cmocka_unit_test(rates_replace_rate_of),
      cmocka_unit_test(models_are_set),
      cmocka_unit_test(numbers_are_short_and_exact),
      cmocka_unit_test(courses_end_where_asked),
      cmocka_unit_test(rows_have_their_functions),
      cmocka_unit_test(files_are_read_whole_up_to_a_limit),
      cmocka_unit_test(operators_have_their_values),
      cmocka_unit_test(words_have_the_bits_of_trees),
      cmocka_unit_test(words_of_sample_models),
      cmocka_unit_test(words_of_real_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
