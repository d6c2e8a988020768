/* Files that the loaders read and the savers write; test_load_faults.c has files that the loaders reject. */
#include "load_util.h"

#include <locale.h>
#include <omp.h>

#include "load/number.h"

/* --- contents of files ------------------------------------------------------------------------------------
 */

typedef struct reading {
  const char *file, *text;
  u32 n;
  ls_dtype weights;
  i64 base;
  const char *edges;
  ls_load_options options;
} reading;

#define DEFAULTS                                                                                             \
  { .weights = LS_NONE }

static const reading readings[] = {
    {"a.gr", "c a comment\np sp 3 2\na 1 2 5\na 3 1 -7\n", 3, LS_I32, 1, "0>1:5 2>0:-7", DEFAULTS},
    {"a.gr", "p sp 3 2\r\na 1 2 5\r\nc x\r\n\r\na 3 1 7", 3, LS_I32, 1, "0>1:5 2>0:7", DEFAULTS},
    {"a.gr", "  c x\n  p  sp\t3 2 \n  a 1  2\t5 \n a 3 1 7 \n", 3, LS_I32, 1, "0>1:5 2>0:7", DEFAULTS},
    {"a.gr", "p sp 2 2\na 1 2 5\na 1 2 4\n", 2, LS_I32, 1, "0>1:5 0>1:4", DEFAULTS},
    {"a.gr", "p sp 0 0\n", 0, LS_I32, 1, "", DEFAULTS},
    {"a.gr", "p sp 2 1\na 1 1 2147483648\n", 2, LS_I64, 1, "0>0:2147483648", DEFAULTS},
    {"a.gr", "p sp 2 1\na 1 1 -9223372036854775808\n", 2, LS_I64, 1, "0>0:-9223372036854775808", DEFAULTS},
    {"a.gr", "p sp 2 2\na 1 1 1.5\na 1 2 3\n", 2, LS_F64, 1, "0>0:1.5 0>1:3", DEFAULTS},
    {"a.gr", "p sp 2 2\na 1 1 3\na 1 2 1e3\n", 2, LS_F64, 1, "0>0:3 0>1:1000", DEFAULTS},
    {"a.gr",
     "p sp 2 2\na 1 1 12.5\na 1 2 3\n",
     2,
     LS_I32,
     1,
     "0>0:1250 0>1:300",
     {.weights = LS_NONE, .scale = 100}},
    {"a.gr", "p sp 2 1\na 1 1 3.0\n", 2, LS_I32, 1, "0>0:3", {.weights = LS_I32}},
    {"a.gr", "p sp 2 1\na 1 1 3\n", 2, LS_I64, 1, "0>0:3", {.weights = LS_I64}},
    {"a.gr", "p sp 2 1\na 1 1 3\n", 2, LS_F32, 1, "0>0:3", {.weights = LS_F32}},
    {"a.gr", "p sp 2 1\na 1 1 3.5\n", 2, LS_NONE, 1, "0>0", {.weights = LS_NONE, .drop_weights = true}},
    {"x", "p sp 2 1\na 1 1 3\n", 2, LS_I32, 1, "0>0:3", DEFAULTS},
    {"x", "p sp 2 1\na 1 1 3\n", 2, LS_I32, 1, "0>0:3", {.weights = LS_NONE, .format = "gr"}},

    {"a.mtx", "%%MatrixMarket matrix coordinate integer general\n% c\n\n3 3 2\n1 2 5\n3 1 -7\n", 3, LS_I32, 1,
     "0>1:5 2>0:-7", DEFAULTS},
    {"a.mtx", "%%matrixmarket MATRIX Coordinate REAL General\n3 3 2\n1 2 5e-1\n3 1 7\n", 3, LS_F64, 1,
     "0>1:0.5 2>0:7", DEFAULTS},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", 2, LS_NONE, 1, "0>1",
     DEFAULTS},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n", 3, LS_NONE, 1,
     "0>1 1>0 2>2", DEFAULTS},
    {"a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1.5\n3 3 2\n", 3, LS_F64, 1,
     "0>1:1.5 1>0:1.5 2>2:2", DEFAULTS},
    {"a.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n3 1 4\n", 3, LS_I32, 1,
     "0>2:-4 2>0:4", DEFAULTS},
    {"a.mtx",
     "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 0.04\n",
     3,
     LS_I32,
     1,
     "0>2:-4 2>0:4",
     {.weights = LS_NONE, .scale = 100}},
    {"a.mtx", "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n0\n4\n", 2, LS_I32, 1,
     "0>0:1 1>0:2 1>1:4", DEFAULTS},
    {"a.mtx", "%%MatrixMarket matrix array real symmetric\n3 3\n1.5\n2\n3\n4\n5\n6\n", 3, LS_F64, 1,
     "0>0:1.5 0>1:2 0>2:3 1>0:2 1>1:4 1>2:5 2>0:3 2>1:5 2>2:6", DEFAULTS},
    {"a.mtx", "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n% x\n2\n\n3\n", 3, LS_I32, 1,
     "0>1:-1 0>2:-2 1>0:1 1>2:-3 2>0:2 2>1:3", DEFAULTS},
    {"x", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", 2, LS_NONE, 1, "0>1", DEFAULTS},

    {"a.tsv", "# Nodes: 5 Edges: 2\n0\t1\n2\t0\n", 5, LS_NONE, 0, "0>1 2>0", DEFAULTS},
    {"a.txt", "0 1\n7 0\n", 8, LS_NONE, 0, "0>1 7>0", DEFAULTS},
    {"a.el", "% x\n0 1 2.25\n1 0 1\n", 2, LS_F64, 0, "0>1:2.25 1>0:1", DEFAULTS},
    {"a.csv", "source,target,weight\n0,1,5\n1 , 0 , 6\n", 2, LS_I32, 0, "0>1:5 1>0:6", DEFAULTS},
    {"a.csv", "target,source\n1,0\n2,1\n", 3, LS_NONE, 0, "0>1 1>2", DEFAULTS},
    {"a.csv", "id,source,target\n7,0,1\n8,1,2\n", 3, LS_NONE, 0, "0>1 1>2", DEFAULTS},
    {"a.csv", "weight,source,target\n5,0,1\n6,1,2\n", 3, LS_I32, 0, "0>1:5 1>2:6", DEFAULTS},
    {"a.csv", "\"To\", W ,\"FROM\"\r\n1,2.5,0\r\n", 2, LS_F64, 0, "0>1:2.5", DEFAULTS},
    {"a.csv", ",src,dst,w\n0,0,1,3\n1,1,2,4\n", 3, LS_I32, 0, "0>1:3 1>2:4", DEFAULTS}, /* pandas */
    {"a.csv", "v,label,u,time\n1,\"a, \"\"b\"\" c\",0,\n2,some words,1,9\n", 3, LS_NONE, 0, "0>1 1>2",
     DEFAULTS},
    {"a.csv", "\xef\xbb\xbftarget,source\n1,0\n", 2, LS_NONE, 0, "0>1", DEFAULTS},
    {"a.csv",
     "\xef\xbb\xbf"
     "0,1\n",
     2, LS_NONE, 0, "0>1", DEFAULTS},
    {"a.tsv", "to\tfrom\n1\t0\n", 2, LS_NONE, 0, "0>1", DEFAULTS},
    {"a.txt", "# ToNodeId FromNodeId Sign\n1 0 -1\n", 2, LS_I32, 0, "0>1:-1", DEFAULTS},
    {"a.txt", "# from here to there\n1 0\n", 2, LS_NONE, 0, "1>0", DEFAULTS}, /* not a header */
    {"a.txt", "0 1 5 1082040961\n1 0 6 1082040962\n", 2, LS_I32, 0, "0>1:5 1>0:6", DEFAULTS},
    {"a.tsv", "1 2\n3 1\n", 3, LS_NONE, 1, "0>1 2>0", {.weights = LS_NONE, .based = true, .base = 1}},
    {"a.tsv",
     "# Nodes: 4 Edges: 1\n1 2\n",
     4,
     LS_NONE,
     1,
     "0>1",
     {.weights = LS_NONE, .based = true, .base = 1}},
    {"a.tsv", "% asym unweighted\n% 3 3 3\n1 2\n2 3\n3 1\n", 3, LS_NONE, 1, "0>1 1>2 2>0", DEFAULTS},
    {"a.tsv", "% asym weighted\n% 1 4 4\n1 2 5\n", 4, LS_I32, 1, "0>1:5", DEFAULTS},
    {"a.tsv", "% asym weighted\n1 2 5\n", 2, LS_I32, 1, "0>1:5", DEFAULTS},
    {"a.tsv", "% asym unweighted\n0 1\n", 2, LS_NONE, 0, "0>1", {.weights = LS_NONE, .based = true}},
    {"a.tsv", "% sym posweighted\n% 3 3 3\n1 2 5\n2 3 6\n3 3 7\n", 3, LS_I32, 1,
     "0>1:5 1>0:5 1>2:6 2>1:6 2>2:7", DEFAULTS},
    {"a.tsv", "% bip unweighted\n% 3 2 3\n1 1\n2 2\n2 3\n", 5, LS_NONE, 1, "0>2 1>3 1>4 2>0 3>1 4>1",
     DEFAULTS},
    {"a.tsv", "% bip unweighted\n% 1 2 2\n1 1 1 1082040961\n", 4, LS_NONE, 1, "0>2 2>0", DEFAULTS},
    {"a.wel", "0 1 5\n", 2, LS_I32, 0, "0>1:5", DEFAULTS},
    {"a.tsv", "# Nodes: 0 Edges: 0\n", 0, LS_NONE, 0, "", DEFAULTS},
    {"x", "# c\n0 1\n1 2\n", 3, LS_NONE, 0, "0>1 1>2", DEFAULTS},

    {"a.graph", "3 2\n2\n1 3\n2\n", 3, LS_NONE, 1, "0>1 1>0 1>2 2>1", DEFAULTS},
    {"a.graph", "% c\n3 1 001\n\n3 4\n2 4\n", 3, LS_I32, 1, "1>2:4 2>1:4", DEFAULTS},
    {"a.graph", "2 1 111 2\n9 8 8 2 5\n% c\n9 8 8 1 5\n", 2, LS_I32, 1, "0>1:5 1>0:5", DEFAULTS},
    {"a.graph", "2 1 11\n8 2 5\n8 1 5\n\n", 2, LS_I32, 1, "0>1:5 1>0:5", DEFAULTS},
};

static void check_reading(const reading *r) {
  ls_graph *g = NULL;
  if (ls_graph_load(r->file, &r->options, &g) != LS_OK) fail_msg("%s\n%s", ls_error(), r->text);
  assert_int_equal(g->n, r->n);
  assert_string_equal(show(g), r->edges);
  assert_int_equal(g->wtype, r->weights);
  assert_int_equal(g->label_base, r->base);
  assert_true(g->scale == (r->options.scale > 0 ? r->options.scale : 1));
  assert_string_equal(g->name, r->file);
  ls_graph_release(g);
}

static void test_readings(void **unused) {
  (void)unused;
  u64 before = ls_mem_in_use();
  for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
    put_file(readings[i].file, readings[i].text, strlen(readings[i].text));
    check_reading(&readings[i]);
  }
  assert_int_equal(ls_mem_in_use(), before);
}

/* The notes in which a loader reports its assumptions. */
static void test_notes(void **unused) {
  (void)unused;
  static const struct {
    const char *file, *text, *notes;
    ls_load_options options;
  } noted[] = {
      {"a.tsv", "0 1\n", "", DEFAULTS},
      {"a.gr", "p sp 3 1\na 2 3 5\n", "", DEFAULTS},
      {"a.tsv", "1 2\n3 1\n",
       "vertex 0 has no edge: if ids count from 1 here, load it with {base = 1}; {base = 0} says that they don't\n",
       DEFAULTS},
      {"a.tsv", "1 2\n2 0\n", "", DEFAULTS},
      {"a.tsv", "1 2\n3 1\n", "", {.weights = LS_NONE, .based = true}},
      {"a.tsv", "1 2\n3 1\n", "", {.weights = LS_NONE, .based = true, .base = 1}},
      {"a.tsv", "# Nodes: 9 Edges: 2\n1 2\n3 1\n", "", DEFAULTS},
      {"x", "0 1\n",
       "read as an edge list (source, target [, weight]), by its first lines; {format = ...} selects another format\n",
       DEFAULTS},
      {"x", "0 1\n", "", {.weights = LS_NONE, .format = "tsv"}},
      {"x.dat", "0 1 5\n",
       "read as an edge list (source, target [, weight]), by its first lines; {format = ...} selects another format\n"
       "column 3 is taken for weights; {weights = \"none\"} leaves them out\n",
       DEFAULTS},
      {"a.txt", "0 1 5\n", "column 3 is taken for weights; {weights = \"none\"} leaves them out\n", DEFAULTS},
      {"a.txt", "0 1 5\n", "", {.weights = LS_F64}},
      {"a.wel", "0 1 5\n", "", DEFAULTS},
      {"a.csv", "source,target,weight\n0,1,5\n", "", DEFAULTS},
      {"a.csv", "source,target,time\n0,1,5\n", "column 3, \"time\", is not read\n", DEFAULTS},
      {"a.txt", "# c\n0 1 5 1082040961\n",
       "column 4 (1082040961 in line 2) is not read: times of a network are not kept\n"
       "column 3 is taken for weights; {weights = \"none\"} leaves them out\n",
       DEFAULTS},
      {"a.txt", "# FromNodeId ToNodeId Sign\n0 1 5\n",
       "column 3, \"Sign\", is taken for weights; {weights = \"none\"} leaves them out\n", DEFAULTS},
      {"a.tsv", "% sym weighted\n1 2 5\n", "KONECT, undirected: edges go both ways\n", DEFAULTS},
      {"a.tsv", "% asym dynamic\n1 2 5\n",
       "column 3 is taken for weights; {weights = \"none\"} leaves them out\n", DEFAULTS},
      {"a.tsv", "% bip unweighted\n% 1 2 3\n1 1\n",
       "KONECT, two sides of 2 and 3 vertices: vertex j on the right gets number 2 + j, counted from 1; edges go both ways\n",
       DEFAULTS},
  };
  for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
    char notes[LS_LOAD_NOTES] = "";
    ls_load_options o = noted[i].options;
    ls_graph *g = NULL;
    o.notes = notes;
    put_file(noted[i].file, noted[i].text, strlen(noted[i].text));
    if (ls_graph_load(noted[i].file, &o, &g) != LS_OK) fail_msg("%s\n%s", ls_error(), noted[i].text);
    assert_string_equal(notes, noted[i].notes);
    if (i == 0) { /* a saved file names its columns */
      ls_graph_release(g);
      put_file("b.gr", "p sp 3 1\na 2 3 5\n", 17);
      assert_int_equal(ls_graph_load("b.gr", NULL, &g), LS_OK);
      assert_int_equal(ls_graph_save(g, "b.txt", NULL), LS_OK);
      ls_graph_release(g);
      assert_int_equal(ls_graph_load("b.txt", &o, &g), LS_OK);
      assert_string_equal(notes, "");
    }
    ls_graph_release(g);
  }
}

/* The same through a pipe, which has neither a name nor a size; METIS files cannot be recognised by their
 * contents. */
static void test_standard_input(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
    reading r = readings[i];
    const ls_format *f = ls_format_of_path(r.file);
    int ends[2], before = dup(0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], r.text, strlen(r.text)), strlen(r.text));
    close(ends[1]);
    dup2(ends[0], 0);
    close(ends[0]);
    r.file = "-";
    if (f && !strstr("mtx", f->name)) r.options.format = f->name;
    ls_graph *g;
    if (ls_graph_load("-", &r.options, &g) != LS_OK) fail_msg("%s\n%s", ls_error(), r.text);
    assert_string_equal(show(g), r.edges);
    assert_string_equal(g->name, "stdin");
    ls_graph_release(g);
    dup2(before, 0);
    close(before);
  }
}

/* --- save, then load -------------------------------------------------------------------------------------
 */

static void round_trip(ls_graph *g, const char *path, const ls_load_options *o) {
  ls_graph *back = NULL;
  if (ls_graph_save(g, path, NULL) != LS_OK) fail_msg("%s", ls_error());
  if (ls_graph_load(path, o, &back) != LS_OK) fail_msg("%s", ls_error());
  assert_same_graph(g, back);
  if (strstr(path, ".lsg")) {
    assert_same_array(g->roff, back->roff);
    assert_same_array(g->rto, back->rto);
    assert_same_array(g->rw, back->rw);
    assert_same_array(g->ids, back->ids);
    assert_int_equal(g->label_base, back->label_base);
    assert_string_equal(g->name, back->name);
  }
  ls_graph_release(back);
  assert_int_equal(unlink(path), 0);
}

static void test_round_trips(void **unused) {
  (void)unused;
  const struct {
    u32 n;
    u64 m;
  } sizes[] = {{1, 0}, {3, 2}, {500, 3000}, {20000, 150000}};
  const ls_dtype types[] = {LS_NONE, LS_I32, LS_I64, LS_F32, LS_F64};
  u64 before = ls_mem_in_use();
  for (int s = 0; s < 4; s++)
    for (int t = 0; t < 5; t++) {
      ls_dtype type = types[t];
      ls_load_options o = {.weights = sizes[s].m < 10 || type == LS_F32 ? type : LS_NONE};
      ls_graph *g = random_graph(sizes[s].n, sizes[s].m, type, false);
      round_trip(g, "r.lsg", &o);
      round_trip(g, "r.lsg.gz", &o);
      ls_load_options written_as_ones = {.weights = LS_NONE, .drop_weights = true};
      round_trip(g, "r.gr", type == LS_NONE ? &written_as_ones : &o);
      round_trip(g, "r.mtx", &o);
      round_trip(g, "r.mtx.gz", &o);
      if (g->m || type == LS_NONE) round_trip(g, "r.tsv", &o);
      if (g->m || type == LS_NONE) round_trip(g, "r.csv", &o);
      if (type == LS_NONE || (type == LS_I32 && g->m)) {
        round_trip(g, "r.egr", &o);
        round_trip(g, "r.egr.gz", &o);
      }
      ls_graph_release(g);
      if (type == LS_F32 || type == LS_F64 || sizes[s].n < 500) continue;
      g = random_graph(sizes[s].n, sizes[s].m, type, true);
      ls_graph *sorted; /* METIS files keep the order of edges in a row, so rows need not be sorted */
      assert_int_equal(ls_graph_save(g, "r.graph", NULL), LS_OK);
      assert_int_equal(ls_graph_load("r.graph", NULL, &sorted), LS_OK);
      assert_same_graph(g, sorted);
      ls_graph_release(sorted);
      ls_graph_release(g);
    }
  assert_int_equal(ls_mem_in_use(), before);
}

/* Labels, scale and ids are part of a .lsg; a scale is undone in text. */
static void test_what_belongs_to_a_graph(void **unused) {
  (void)unused;
  ls_graph *g = random_graph(100, 400, LS_I32, false), *back;
  g->label_base = 1;
  g->scale = 1000;
  assert_int_equal(ls_buffer_new(LS_I64, 100, 0, &g->ids), LS_OK);
  i64 *ids = ls_buffer_overwrite(g->ids);
  for (int v = 0; v < 100; v++) ids[v] = v * v - 7;
  round_trip(g, "r.lsg", NULL);
  const ls_load_options o = {.weights = LS_NONE, .scale = 1000};
  round_trip(g, "r.mtx", &o);
  g->scale = 8; /* no power of ten: eighths are still exact decimals */
  const ls_load_options eighths = {.weights = LS_NONE, .scale = 8};
  round_trip(g, "r.gr", &eighths);
  assert_int_equal(ls_graph_save(g, "r.lsg", NULL), LS_OK);
  const ls_load_options f64s = {.weights = LS_F64};
  assert_int_equal(ls_graph_load("r.lsg", &f64s, &back), LS_OK);
  assert_int_equal(back->wtype, LS_F64);
  assert_int_equal(back->rw->type, LS_F64);
  assert_true(((f64 *)back->w->host)[7] == (f64)((i32 *)g->w->host)[7]);
  ls_graph_release(back);
  ls_graph_release(g);
}

/* The number of threads decides where a file is cut into pieces, but does not change the graph. */
static void test_any_number_of_threads(void **unused) {
  (void)unused;
  ls_graph *g = random_graph(3000, 100000, LS_F64, false);
  assert_int_equal(ls_graph_save(g, "t.gr", NULL), LS_OK);
  int before = omp_get_max_threads();
  for (int k = 1; k <= 7; k += 2) {
    ls_graph *back;
    omp_set_num_threads(k);
    assert_int_equal(ls_graph_load("t.gr", NULL, &back), LS_OK);
    assert_same_graph(g, back);
    ls_graph_release(back);
  }
  omp_set_num_threads(before);
  ls_graph_release(g);
}

/* Weights that widen late: the first pieces' i32 become i64, then f64. */
static void test_late_widening(void **unused) {
  (void)unused;
  for (int real = 0; real < 2; real++) {
    FILE *f = fopen("wide.tsv", "w");
    for (int e = 0; e < 40000; e++) fprintf(f, "%d %d %d\n", e % 100, e % 99, e);
    fprintf(f, "1 2 5000000000\n");
    for (int e = 0; e < 40000; e++) fprintf(f, "%d %d %d\n", e % 100, e % 99, -e);
    if (real) fprintf(f, "99 99 0.25\n");
    fclose(f);
    ls_graph *g;
    assert_int_equal(ls_graph_load("wide.tsv", NULL, &g), LS_OK);
    assert_int_equal(g->wtype, real ? LS_F64 : LS_I64);
    f64 sum = 0;
    for (u64 e = 0; e < g->m; e++) {
      f64 x;
      i64 i;
      ls_buffer_get(g->w, e, &x, &i);
      sum += x;
    }
    assert_true(sum == 5000000000 + 0.25 * real);
    ls_graph_release(g);
  }
}

static void test_long_lines(void **unused) {
  (void)unused;
  FILE *f = fopen("long.gr", "w");
  fprintf(f, "c ");
  for (int i = 0; i < 3000000; i++) fputc('x', f);
  fprintf(f, "\np sp 2 2\na 1 2 3\nc");
  for (int i = 0; i < 3000000; i++) fputc('y', f);
  fprintf(f, "\na 2 1 4\nc");
  for (int i = 0; i < 3000000; i++) fputc('z', f);
  fclose(f);
  ls_graph *g;
  assert_int_equal(ls_graph_load("long.gr", NULL, &g), LS_OK);
  assert_string_equal(show(g), "0>1:3 1>0:4");
  ls_graph_release(g);

  g = NULL; /* the line of a vertex of high degree may have any length */
  f = fopen("hub.graph", "w");
  int leaves = 300000;
  fprintf(f, "%d %d\n", leaves + 1, leaves);
  for (int v = 2; v <= leaves + 1; v++) fprintf(f, "%d ", v);
  for (int v = 0; v < leaves; v++) fprintf(f, "\n1");
  fclose(f);
  assert_int_equal(ls_graph_load("hub.graph", NULL, &g), LS_OK);
  assert_int_equal(g->m, 2 * leaves);
  assert_int_equal(((u32 *)g->off->host)[1], leaves);
  ls_graph_release(g);
}

static void test_gzip_members(void **unused) {
  (void)unused;
  assert_int_equal(
      system("printf 'p sp 2 2\\na 1 2 3\\n' | gzip > m.gr.gz; printf 'a 2 1 4\\n' | gzip >> m.gr.gz"), 0);
  ls_graph *g;
  assert_int_equal(ls_graph_load("m.gr.gz", NULL, &g), LS_OK);
  assert_string_equal(show(g), "0>1:3 1>0:4");
  ls_graph_release(g);
  assert_int_equal(rename("m.gr.gz", "m.gr"), 0); /* compression is recognised without the suffix .gz */
  assert_int_equal(ls_graph_load("m.gr", NULL, &g), LS_OK);
  assert_string_equal(show(g), "0>1:3 1>0:4");
  ls_graph_release(g);
}

/* --- numbers ----------------------------------------------------------------------------------------------
 */

static void test_numbers(void **unused) {
  (void)unused;
  static const char *const texts[] = {
      "0.1",
      "-0.1",
      "1e23",
      "9007199254740993",
      "1.7976931348623157e308",
      "2.2250738585072011e-308",
      "4.9e-324",
      "1e-400",
      "123456789012345678901234567890",
      "0.000000000000000000000000000000001",
      "3.14159265358979323846264338327950288",
      "1e+5",
      "1E5",
      ".5",
      "5.",
      "-.5e1",
      "+7.5",
      "18446744073709551616.5",
      "0e999999999",
      "1e22",
      "1e-22",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char line[64];
    ls_number x;
    snprintf(line, sizeof line, "%s\n", texts[i]);
    const char *end = ls_number_read(line, &x);
    assert_non_null(end);
    assert_int_equal(*end, '\n');
    f64 d = x.whole && !x.wide ? (f64)x.i : x.d;
    assert_true(d == strtod(texts[i], NULL));
  }
  for (int i = 0; i < 20000; i++) { /* random doubles and short decimals */
    u64 bits = draw();
    f64 d;
    memcpy(&d, &bits, 8);
    if (i % 2) d = (f64)(i64)(bits % 2000000) / 1000 - 1000;
    if (!(d - d == 0)) continue;
    char text[40];
    ls_number x;
    int n = ls_number_write(d, text);
    text[n] = '\n';
    assert_ptr_equal(ls_number_read(text, &x), text + n);
    assert_true((x.whole && !x.wide ? (f64)x.i : x.d) == d);
  }
  static const char *const none[] = {"inf", "nan", "x", "-", "+", ".", "e5", "1e", "1e+", "-.e1", ""};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    char line[16];
    ls_number x;
    snprintf(line, sizeof line, "%s\n", none[i]);
    assert_null(ls_number_read(line, &x));
  }
}

static void test_scaled_numbers(void **unused) {
  (void)unused;
  const struct {
    const char *text;
    u64 scale;
    int how; /* 0: exact, 1: inexact, 2: too large */
    i64 value;
  } cases[] = {
      {"12.34\n", 100, 0, 1234},
      {"12.345\n", 100, 1, 0},
      {"-0.5\n", 2, 0, -1},
      {"1e3\n", 1, 0, 1000},
      {"1.50e1\n", 2, 0, 30},
      {"1e30\n", 1, 2, 0},
      {"0.0000\n", 1, 0, 0},
      {"9223372036854775807\n", 1, 0, INT64_MAX},
      {"9223372036854775807\n", 2, 2, 0},
      {"99999999999999999999\n", 1, 2, 0},
      {"1e-30\n", 10, 1, 0},
      {"0e50\n", 3, 0, 0},
      {"92233720368547758.07\n", 100, 0, INT64_MAX},
      {"1.00000000000000000000001\n", 1, 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ls_number x;
    i64 value;
    bool overflow;
    assert_non_null(ls_number_read(cases[i].text, &x));
    bool exact = ls_number_scaled(&x, cases[i].scale, &value, &overflow);
    assert_int_equal(exact, cases[i].how == 0);
    assert_int_equal(overflow, cases[i].how == 2);
    if (exact) assert_int_equal(value, cases[i].value);
  }
}

int main(void) {
  setlocale(LC_ALL, "");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_readings),
      cmocka_unit_test(test_notes),
      cmocka_unit_test(test_standard_input),
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_what_belongs_to_a_graph),
      cmocka_unit_test(test_any_number_of_threads),
      cmocka_unit_test(test_late_widening),
      cmocka_unit_test(test_long_lines),
      cmocka_unit_test(test_gzip_members),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_scaled_numbers),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
