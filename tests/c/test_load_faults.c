/* Files that the loaders reject, with the error messages; failing allocations and full disks. */
#include "load_util.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>

#include "core/wait.h"

typedef struct fault {
  const char *file, *text, *message;
  ls_load_options options;
} fault;

#define DEFAULTS                                                                                             \
  { .weights = LS_NONE }
#define MM "%%MatrixMarket matrix "

static const fault faults[] = {
    {"a.gr", "", "a.gr: the file is empty", DEFAULTS},
    {"a.gr", "c only this\n", "a.gr:1: the file ends before its problem line \"p sp N M\"", DEFAULTS},
    {"a.gr", "c\np sp 8 1\na 9 1 5\n", "a.gr:3: vertex 9 is greater than n = 8", DEFAULTS},
    {"a.gr", "p sp 8 1\n\na 1 0 5\n", "a.gr:3: vertex 0 is less than 1, the first id", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 -2 5\n", "a.gr:2: expected a vertex, found -2", DEFAULTS},
    {"a.gr", "p sp 8 1\na 99999999999999999999999 2 5\n",
     "a.gr:2: vertex 99999999999999999999... is greater than n = 8", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2\n", "a.gr:2: expected a weight, found the end of the line", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 x\n", "a.gr:2: expected a weight, found x", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 0x10\n", "a.gr:2: expected a weight, found 0x10", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 inf\n", "a.gr:2: expected a weight, found inf", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 3 4 5\n", "a.gr:2: expected the end of the line, found 5", DEFAULTS},
    {"a.gr", "p sp 8 2\na 1 2 3\nc\na 1 2 3 4\n",
     "a.gr:4: expected the end of the line, since the first arc has no time; found 4", DEFAULTS},
    {"a.gr", "p sp 8 2\n\na 1 2 3 4\na 1 2 3\n",
     "a.gr:4: expected a time, since the first arc has one; found the end of the line", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 3 -4\n", "a.gr:2: time -4: times are whole numbers from 0 to 2^63 - 1",
     DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 3 0.5\n", "a.gr:2: time 0.5: times are whole numbers from 0 to 2^63 - 1",
     DEFAULTS},
    {"a.gr",
     "p sp 8 1\na 1 2 0.1234567890123456789\n",
     "a.gr:2: weight 0.123456789012345678... has more than 18 decimals",
     {.weights = LS_NONE, .scaled = true}},
    {"a.gr",
     "p sp 8 2\na 1 2 9000000000000000000\na 1 2 0.5\n",
     "a.gr:3: weight 0.5 makes the common scale too large: weights do not fit in 64 bits",
     {.weights = LS_NONE, .scaled = true}},
    {"a.gr",
     "p sp 1 0\n",
     "a.gr: with weights = \"scaled\" the type and the scale follow from the file",
     {.weights = LS_NONE, .scaled = true, .scale = 10}},
    {"a.gr", "p sp 8 1\nx 1 2 3\n", "a.gr:2: expected an arc \"a U V W\", found x", DEFAULTS},
    {"a.gr", "p sp 8 1\np sp 8 1\n", "a.gr:2: a second problem line", DEFAULTS},
    {"a.gr", "p sp 8 2\na 1 2 3\n", "a.gr:2: expected 2 arcs, as announced, found 1", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 3\na 1 2 3\n", "a.gr:3: expected 1 arc, as announced, found 2", DEFAULTS},
    {"a.gr", "p sp -8 1\n", "a.gr:1: expected the number of vertices, found -8", DEFAULTS},
    {"a.gr", "p sp 8 -1\n", "a.gr:1: expected the number of arcs, found -1", DEFAULTS},
    {"a.gr", "p sp 8\n", "a.gr:1: expected the number of arcs, found the end of the line", DEFAULTS},
    {"a.gr", "p sp 4294967295 1\n", "a.gr:1: the number of vertices: 4294967295 is more than 4294967294",
     DEFAULTS},
    {"a.gr", "p sp 1 99999999999999999999\n",
     "a.gr:1: the number of arcs: 99999999999999999999 is more than 4294967295", DEFAULTS},
    {"a.gr", "p sp 1 1 1\n", "a.gr:1: expected the end of the line, found 1", DEFAULTS},
    {"a.gr", "p max 1 1\n", "a.gr:1: expected a shortest-path problem \"p sp N M\", found \"p max\"",
     DEFAULTS},
    {"a.gr", "a 1 2 3\n", "a.gr:1: expected the problem line \"p sp N M\", found a", DEFAULTS},
    {"a.gr",
     "\x7f"
     "ELF\1\2",
     "a.gr:1: expected the problem line \"p sp N M\", found \\x7fELF\\x01\\x02", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 9223372036854775808\n",
     "a.gr:2: weight 9223372036854775808 does not fit in 64 bits (weights = \"f64\" would round it)",
     DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 1e999\n", "a.gr:2: weight 1e999 is beyond f64", DEFAULTS},
    {"a.gr", "p sp 8 1\na 1 2 1e39\n", "a.gr:2: weight 1e39 is beyond f32", {.weights = LS_F32}},
    {"a.gr",
     "p sp 8 1\na 1 2 16777217\n",
     "a.gr:2: weight 16777217 is not exact in f32",
     {.weights = LS_F32}},
    {"a.gr",
     "p sp 8 1\na 1 2 9007199254740993\n",
     "a.gr:2: weight 9007199254740993 is not exact in f64",
     {.weights = LS_F64}},
    {"a.gr",
     "p sp 8 1\na 1 2 9223372036854775807\n",
     "a.gr:2: weight 9223372036854775807 is not exact in f64",
     {.weights = LS_F64}},
    {"a.gr",
     "p sp 8 1\na 1 2 2147483648\n",
     "a.gr:2: weight 2147483648 does not fit i32",
     {.weights = LS_I32}},
    {"a.gr", "p sp 8 1\na 1 2 1.5\n", "a.gr:2: weight 1.5 is not an integer", {.weights = LS_I64}},
    {"a.gr",
     "p sp 8 1\na 1 2 1.555\n",
     "a.gr:2: weight 1.555 times the scale is not an integer",
     {.weights = LS_NONE, .scale = 100}},
    {"a.gr",
     "p sp 8 1\na 1 2 92233720368547758.08\n",
     "a.gr:2: weight 92233720368547758.08 times the scale does not fit in 64 bits",
     {.weights = LS_NONE, .scale = 100}},
    {"a.gr",
     "p sp 1 0\n",
     "a.gr: scale 0.5: expected a positive whole number up to 1e18",
     {.weights = LS_NONE, .scale = 0.5}},
    {"a.gr",
     "p sp 1 0\n",
     "a.gr: weights of type f64 have no scale: a scale turns decimals into integers",
     {.weights = LS_F64, .scale = 10}},
    {"a.gr",
     "p sp 1 0\n",
     "a.gr: no format is called grr (did you mean gr?)",
     {.weights = LS_NONE, .format = "grr"}},
    {"a.gr.gz", "p sp 1 0\n", "a.gr.gz: not gzip data, though its name says so", DEFAULTS},

    {"a.mtx", "1 2 3\n", "a.mtx:1: expected the banner \"%%MatrixMarket matrix ...\", found 1", DEFAULTS},
    {"a.mtx", "%%MatrixMarket vector coordinate real general\n", "a.mtx:1: expected \"matrix\", found vector",
     DEFAULTS},
    {"a.mtx", MM "tree real general\n", "a.mtx:1: expected \"coordinate\" or \"array\", found tree",
     DEFAULTS},
    {"a.mtx", MM "coordinate complex general\n1 1 1\n1 1 2 3\n",
     "a.mtx:1: complex weights: edges have real, integer or no weights", DEFAULTS},
    {"a.mtx", MM "coordinate quaternion general\n",
     "a.mtx:1: expected \"real\", \"integer\" or \"pattern\", found quaternion", DEFAULTS},
    {"a.mtx", MM "coordinate real hermitian\n",
     "a.mtx:1: a hermitian matrix is complex: edges have real, integer or no weights", DEFAULTS},
    {"a.mtx", MM "coordinate real odd\n",
     "a.mtx:1: expected \"general\", \"symmetric\" or \"skew-symmetric\", found odd", DEFAULTS},
    {"a.mtx", MM "coordinate pattern skew-symmetric\n",
     "a.mtx:1: a pattern matrix has no skew-symmetric form", DEFAULTS},
    {"a.mtx", MM "coordinate real general\n", "a.mtx:1: the file ends before the line of sizes", DEFAULTS},
    {"a.mtx", MM "coordinate real general\n3 4 1\n1 1 1\n",
     "a.mtx:2: 3 rows, 4 columns: a graph is a square matrix", DEFAULTS},
    {"a.mtx", MM "coordinate real general\n3 3 -1\n", "a.mtx:2: expected the number of entries, found -1",
     DEFAULTS},
    {"a.mtx", MM "coordinate real general\n3 3 1\n4 1 1\n", "a.mtx:3: vertex 4 is greater than n = 3",
     DEFAULTS},
    {"a.mtx", MM "coordinate real general\n3 3 1\n1 1\n",
     "a.mtx:3: expected a number, found the end of the line", DEFAULTS},
    {"a.mtx", MM "coordinate pattern general\n3 3 1\n1 1 1\n",
     "a.mtx:3: expected the end of the line, found 1", DEFAULTS},
    {"a.mtx", MM "coordinate real general\n3 3 2\n1 1 1\n",
     "a.mtx:3: expected 2 entries, as announced, found 1", DEFAULTS},
    {"a.mtx", MM "coordinate real symmetric\n3 3 1\n1 2 1\n",
     "a.mtx:3: a symmetric matrix is given by its lower triangle, found entry (1, 2)", DEFAULTS},
    {"a.mtx", MM "coordinate real skew-symmetric\n3 3 1\n2 2 1\n",
     "a.mtx:3: a skew-symmetric matrix has no diagonal, found entry (2, 2)", DEFAULTS},
    {"a.mtx", MM "coordinate integer skew-symmetric\n3 3 1\n2 1 -9223372036854775808\n",
     "a.mtx:3: weight -9223372036854775808 has no negative in 64 bits", DEFAULTS},
    {"a.mtx", MM "array real general\n2 2\n1\n2\n3\n", "a.mtx:5: expected 4 entries, as announced, found 3",
     DEFAULTS},
    {"a.mtx", MM "array real general\n1 1\n1\n2\n", "a.mtx:4: more than the 1 entries of the matrix",
     DEFAULTS},
    {"a.mtx", MM "array real general\n1 1\n1 2\n", "a.mtx:3: expected the end of the line, found 2",
     DEFAULTS},

    {"a.tsv", "0 1\n1\n", "a.tsv:2: expected a vertex, found the end of the line", DEFAULTS},
    {"a.tsv", "0 1\n1 2 3\n", "a.tsv:2: expected the end of the line as on the first line, found 3",
     DEFAULTS},
    {"a.tsv", "0 1 3\n1 2\n", "a.tsv:2: expected a weight as on the first line, found the end of the line",
     DEFAULTS},
    {"a.tsv", "0 4294967294\n", "a.tsv:1: vertex 4294967294 is greater than 4294967293", DEFAULTS},
    {"a.tsv", "0 -1\n", "a.tsv:1: expected a vertex, found -1", DEFAULTS},
    {"a.tsv", "0\n", "a.tsv:1: expected \"U V\" or \"U V W\", found 1 column from 0 on", DEFAULTS},
    {"a.tsv", "# Nodes: 3 Edges: 2\n0 1\n", "a.tsv:2: expected 2 edges, as announced, found 1", DEFAULTS},
    {"a.tsv", "# only a comment\n", "a.tsv:1: no edges, and no \"# Nodes: N Edges: M\"", DEFAULTS},
    {"a.tsv", "0 1 2 3 4\n", "a.tsv:1: expected \"U V\" or \"U V W\", found 5 columns from 0 on", DEFAULTS},
    {"a.tsv", "0 1 2 3\n0 1 2\n",
     "a.tsv:2: expected 4 columns as on the first line, found the end of the line", DEFAULTS},
    {"a.csv", "source,target,value\n0,1,2\n",
     "a.csv:1: column 3 is called \"value\": expected source, target and weight in any order (or from, to; src, dst; u, v; "
     "w); id, label and time are skipped",
     DEFAULTS},
    {"a.csv", "foo,bar\n0,1\n",
     "a.csv:1: expected a vertex, or names of columns (source, target, weight), found foo,bar", DEFAULTS},
    {"a.txt", "alice bob\n",
     "a.txt:1: expected a vertex, or names of columns (source, target, weight), found alice", DEFAULTS},
    {"a.csv", "source,weight\n0,1\n",
     "a.csv:1: no column is called target: expected source, target and weight in any order (or from, to; src, dst; u, v; w)",
     DEFAULTS},
    {"a.csv", "source,target,from\n0,1,2\n",
     "a.csv:1: 2 columns are called sources: expected source, target and weight in any order (or from, to; src, dst; u, v; "
     "w), each once",
     DEFAULTS},
    {"a.csv", "target,source\n1,0\n1\n", "a.csv:3: expected a vertex, found the end of the line", DEFAULTS},
    {"a.csv", "weight,source,target\nx,0,1\n", "a.csv:2: expected a weight, found x,0,1", DEFAULTS},
    {"a.tsv", "% asym unweighted\n% 3 3 3\n1 4\n", "a.tsv:3: vertex 4 is greater than n = 3", DEFAULTS},
    {"a.tsv", "% asym unweighted\n0 1\n",
     "a.tsv:2: vertex 0 is less than 1, the first id; pass {base = 0} if ids count from 0", DEFAULTS},
    {"a.tsv", "% asym unweighted\n% 3 3 3\n1 2\n", "a.tsv:3: expected 3 edges, as announced, found 1",
     DEFAULTS},
    {"a.tsv", "% bip unweighted\n% 1 2 3\n3 1\n",
     "a.tsv:3: vertex 3 is greater than the number of sources, 2", DEFAULTS},
    {"a.tsv", "% bip unweighted\n% 1 2 3\n1 4\n",
     "a.tsv:3: vertex 4 is greater than the number of targets, 3", DEFAULTS},
    {"a.tsv", "% bip unweighted\n1 1\n",
     "a.tsv:2: expected a comment \"% EDGES LEFT RIGHT\" below \"% bip\": ids of both sides begin at 1, so the number of "
     "vertices on the left must be given",
     DEFAULTS},
    {"a.tsv",
     "1 2\n0 1\n",
     "a.tsv:2: vertex 0 is less than 1, the first id; pass {base = 0} if ids count from 0",
     {.weights = LS_NONE, .based = true, .base = 1}},
    {"a.gr",
     "p sp 2 1\na 1 2 3\n",
     "a.gr: base is an option of edge lists; the format gr defines the first id itself",
     {.weights = LS_NONE, .based = true, .base = 1}},
    {"a.hgr", "1 2\n1 2\n",
     "a.hgr: .hgr is a hypergraph (hMETIS), whose edges have more than two ends, which is not read; expected an edge list "
     "(.tsv), .gr, .mtx, .graph, .egr or .lsg",
     DEFAULTS},
    {"a.adjlist", "0 1\n1 0\n",
     "a.adjlist: .adjlist is an adjacency list, which is not read; expected an edge list (.tsv), .gr, .mtx, .graph, .egr or "
     ".lsg",
     DEFAULTS},
    {"a.lgl", "# 0\n1\n",
     "a.lgl: .lgl is an adjacency list (LGL), which is not read; expected an edge list (.tsv), .gr, .mtx, .graph, .egr or "
     ".lsg",
     DEFAULTS},
    {"a.tsv", "# Nodes: many Edges: 2\n0 1\n", "a.tsv:1: expected the number of vertices, found many",
     DEFAULTS},

    {"a.graph", "% c\n", "a.graph:1: the file ends before \"N M [FMT]\"", DEFAULTS},
    {"a.graph", "2 1\n2\n", "a.graph:2: expected lines for 2 vertices, as announced, found 1", DEFAULTS},
    {"a.graph", "2 1\n2\n1\n1\n", "a.graph:4: expected the end after the lines of 2 vertices, found 1",
     DEFAULTS},
    {"a.graph", "2 1\n3\n1\n", "a.graph:2: vertex 3 is greater than n = 2", DEFAULTS},
    {"a.graph", "2 2\n2\n1\n", "a.graph:3: expected 4 neighbours, as 2 edges were announced, found 2",
     DEFAULTS},
    {"a.graph", "2 1\n2 2\n\n",
     "a.graph:2: vertex 1 has the neighbour 2, but vertex 2 does not have 1 in return", DEFAULTS},
    {"a.graph", "3 2\n\n% c\n1\n% d\n1 2 2\n",
     "a.graph:4: vertex 2 has the neighbour 1, but vertex 1 does not have 2 in return", DEFAULTS},
    {"a.graph", "3 2\n2 2\n1 3\n", "a.graph:3: expected lines for 3 vertices, as announced, found 2",
     DEFAULTS},
    {"a.graph", "3 2\n2 2\n1 3\n\n",
     "a.graph:2: vertex 1 has the neighbour 2, but vertex 2 does not have 1 in return", DEFAULTS},
    {"a.graph", "2 1 1\n2 5\n1 6\n",
     "a.graph:2: the edge from 1 to 2 weighs 5, but 6 in the line of vertex 2", DEFAULTS},
    {"a.graph", "2 1 1\n2 0.5\n1 1e9\n",
     "a.graph:2: the edge from 1 to 2 weighs 0.5, but 1000000000 in the line of vertex 2", DEFAULTS},
    {"a.graph", "2 1 7\n2\n1\n", "a.graph:1: expected a format of digits 0 and 1, found 7", DEFAULTS},
    {"a.graph", "2 1 1\n2\n1\n", "a.graph:2: expected a weight, found the end of the line", DEFAULTS},
    {"a.graph", "2 1 10\nx 2\n1\n", "a.graph:2: expected a vertex's size or weight, found x", DEFAULTS},
    {"a.graph", "2 1 1 3\n2 1\n1 1\n",
     "a.graph:1: the number of vertex weights is given, but FMT has no vertex weights", DEFAULTS},
    {"a.graph", "2 1 11 0\n2 1\n1 1\n",
     "a.graph:1: expected 1 weight per vertex or more, since FMT has them, found 0", DEFAULTS},

    {"a.gr", "p sp 4000000000 1\na 1 2 3\n",
     "a.gr: 4000000000 vertices in 26 bytes: expected at most 16384 per byte if there are more than 16777216",
     DEFAULTS},
    {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 2\n",
     "a.mtx: 4000000000 vertices in 77 bytes: expected at most 16384 per byte if there are more than 16777216",
     DEFAULTS},
    {"a.tsv", "0 4000000000\n",
     "a.tsv: 4000000001 vertices in 13 bytes: expected at most 16384 per byte if there are more than 16777216",
     DEFAULTS},
    {"a.gr", "\xef\xbb\xbfp sp 8 1\n", "a.gr:1: expected the problem line \"p sp N M\", found \\u{feff}p",
     DEFAULTS},

    {"a.egr", "\1\0\0", "a.egr: byte 3: the file ends within the numbers of vertices and edges", DEFAULTS},
    {"x", "what is this?\n",
     "x: the format is not recognised; give one of lsg, mtx, gr, tsv, metis, egr, as in {format = \"gr\"}",
     DEFAULTS},
};

static void check_fault(const char *file, const ls_load_options *o, const char *message) {
  u64 before = ls_mem_in_use();
  ls_graph *g = NULL;
  ls_status st = ls_graph_load(file, o, &g);
  if (!st) fail_msg("loaded, but expected: %s", message);
  assert_string_equal(ls_error(), message);
  assert_null(g);
  assert_int_equal(ls_mem_in_use(), before);
}

static void test_faults(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    const fault *f = &faults[i];
    size_t bytes = strcmp(f->file, "a.egr") == 0 ? 3 : strlen(f->text);
    put_file(f->file, f->text, bytes);
    check_fault(f->file, &f->options, f->message);
  }
}

/* The error nearest to the beginning of the file is reported, even if a later one is found first. */
static void test_first_of_many_faults(void **unused) {
  (void)unused;
  FILE *f = fopen("many.gr", "w");
  fprintf(f, "p sp 10 200000\n");
  for (int line = 2; line <= 200001; line++)
    fprintf(f, line == 150000 ? "a 1 11 1\n" : line > 150000 && line % 1000 == 0 ? "b\n" : "a 1 2 3\n");
  fclose(f);
  for (int i = 0; i < 5; i++)
    check_fault("many.gr", NULL, "many.gr:150000: vertex 11 is greater than n = 10");
}

static void test_what_is_no_file(void **unused) {
  (void)unused;
  check_fault("absent.gr", NULL, "absent.gr: No such file or directory");
  mkdir("folder.gr", 0777);
  check_fault("folder.gr", NULL, "folder.gr: a directory, not a file");
  put_file("secret.gr", "p sp 0 0\n", 9);
  chmod("secret.gr", 0);
  if (geteuid() != 0) check_fault("secret.gr", NULL, "secret.gr: Permission denied");
  assert_int_equal(ls_graph_load("absent.gr", NULL, &(ls_graph *){0}), LS_EINPUT);
  assert_int_equal(ls_exit_code(LS_EINPUT), 3);
}

/* Every prefix of a good file is rejected; so is every file with a flipped bit, if the format has a checksum.
 */
static void test_truncated(void **unused) {
  (void)unused;
  static const char *const names[] = {"t.gr",  "t.mtx",   "t.tsv",    "t.graph", "t.egr",
                                      "t.lsg", "t.gr.gz", "t.lsg.gz", "t.egr.gz"};
  static u8 text[20000];
  ls_graph *g = random_graph(20, 60, LS_I32, true);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    assert_int_equal(ls_graph_save(g, names[i], NULL), LS_OK);
    size_t bytes = get_file(names[i], text, sizeof text);
    bool binary = strstr(names[i], "gz") || strstr(names[i], "lsg") || strstr(names[i], "egr");
    for (size_t cut = 0; cut < bytes - 1; cut++) {
      ls_graph *half = NULL;
      put_file(names[i], text, cut);
      ls_status st = ls_graph_load(names[i], NULL, &half);
      /* a text that is cut within its last number is still valid; so is an .egr cut before its weights */
      if (!st && ((!binary && cut + 12 > bytes) || (strcmp(names[i], "t.egr") == 0 && half->w == NULL))) {
        ls_graph_release(half);
        continue;
      }
      if (st != LS_EINPUT) fail_msg("%s cut to %zu of %zu bytes: status %d", names[i], cut, bytes, (int)st);
      assert_non_null(strstr(ls_error(), names[i]));
    }
  }
  ls_graph_release(g);
}

static void test_turned_bits(void **unused) {
  (void)unused;
  static u8 text[20000];
  ls_graph *g = random_graph(20, 60, LS_F64, false), *bad;
  assert_int_equal(ls_graph_save(g, "b.lsg", NULL), LS_OK);
  size_t bytes = get_file("b.lsg", text, sizeof text);
  size_t unseen = 0;
  for (size_t bit = 0; bit < 8 * bytes; bit += 9) {
    text[bit / 8] ^= (u8)(1 << bit % 8);
    put_file("b.lsg", text, bytes);
    text[bit / 8] ^= (u8)(1 << bit % 8);
    ls_status st = ls_graph_load("b.lsg", NULL, &bad);
    if (!st) {
      assert_same_graph(g, bad); /* the flipped bit is in the padding between two arrays */
      ls_graph_release(bad);
      unseen++;
    }
  }
  assert_true(unseen <= 64 * 7);
  ls_graph_release(g);
}

/* The checksum of a large .lsg is verified only on request, but every endpoint of an edge is always checked.
 */
static void test_large_lsg(void **unused) {
  (void)unused;
  ls_graph *g = random_graph(1000, 9000000, LS_NONE, false), *back;
  assert_int_equal(ls_graph_save(g, "large.lsg", NULL), LS_OK);
  ls_graph_release(g);
  struct stat info;
  assert_int_equal(stat("large.lsg", &info), 0);
  assert_true(info.st_size > 64 << 20);
  FILE *f = fopen("large.lsg", "r+b");
  const u32 small = 7, large = 1000;
  fseek(f, -4000, SEEK_END); /* among the endpoints of the transpose */
  fwrite(&small, 4, 1, f);
  fclose(f);
  assert_int_equal(ls_graph_load("large.lsg", NULL, &back), LS_OK);
  ls_graph_release(back);
  assert_int_equal(ls_graph_load("large.lsg", &(ls_load_options){.weights = LS_NONE, .verify = true}, &back),
                   LS_EINPUT);
  assert_non_null(strstr(ls_error(), "the checksum of rto is wrong: the file is damaged"));
  f = fopen("large.lsg", "r+b");
  fseek(f, 40 << 20, SEEK_SET);
  fwrite(&large, 4, 1, f);
  fclose(f);
  assert_int_equal(ls_graph_load("large.lsg", NULL, &back), LS_EINPUT);
  assert_non_null(strstr(ls_error(), "leads to vertex 1000, not below n = 1000"));
  assert_int_equal(unlink("large.lsg"), 0);
}

static void test_egr(void **unused) {
  (void)unused;
  const struct {
    i32 words[9];
    int count;
    const char *message;
  } cases[] = {
      {{-1, 2}, 2, "e.egr: byte 0: -1 vertices"},
      {{1, -2}, 2, "e.egr: byte 4: -2 edges"},
      {{2, 2, 0, 1}, 4, "e.egr: byte 8: the rows' offsets should take 12 bytes, the file has 8 more"},
      {{2, 2, 1, 1, 2, 0, 1}, 7, "e.egr: byte 8: the first offset is 1, not 0"},
      {{2, 2, 0, 3, 2, 0, 1}, 7, "e.egr: byte 16: offset 2 of vertex 2 is less than the previous offset, 3"},
      {{2, 2, 0, 1, 3, 0, 1}, 7, "e.egr: byte 16: the last offset is 3, the number of edges 2"},
      {{2, 2, 0, 1, 2, 0, 2}, 7, "e.egr: byte 24: edge 1 leads to vertex 2, not below n = 2"},
      {{2, 2, 0, 1, 2, 0, -1}, 7, "e.egr: byte 24: edge 1 leads to vertex 4294967295, not below n = 2"},
      {{2, 2, 0, 1, 2, 0, 1, 5},
       8,
       "e.egr: byte 28: the edges' weights should take 8 bytes, the file has 4 more"},
      {{2, 1, 0, 1, 1, 0, 5, 6}, 8, "e.egr: byte 28: expected the end of the file, found more"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    put_file("e.egr", cases[i].words, 4 * (size_t)cases[i].count);
    check_fault("e.egr", NULL, cases[i].message);
  }
}

static void test_more_than_the_machine_has(void **unused) {
  (void)unused;
  ls_load_most_bytes = 1 << 20;
  put_file("big.gr", "p sp 4000000 1\na 1 2 3\n", 23);
  ls_graph *g;
  assert_int_equal(ls_graph_load("big.gr", NULL, &g), LS_EMEM);
  assert_string_equal(ls_error(),
                      "big.gr: 4000000 vertices and 1 edges need 16000016 bytes, this machine has 1048576");
  ls_load_most_bytes = 0;
}

/* --- memory -----------------------------------------------------------------------------------------------
 */

static const char *const every_format[] = {"f.gr",  "f.mtx",   "f.tsv",    "f.graph", "f.egr",
                                           "f.lsg", "f.gr.gz", "f.lsg.gz", "f.egr.gz"};

/* The k-th allocation fails, for every k up to the number of allocations. */
static void test_allocation_failures(void **unused) {
  (void)unused;
  ls_graph *g = random_graph(300, 1000, LS_I32, true);
  assert_int_equal(ls_graph_transpose(g), LS_OK);
  for (size_t i = 0; i < sizeof every_format / sizeof *every_format; i++) {
    const char *file = every_format[i];
    for (int loading = 0; loading < 2; loading++) {
      u64 before = ls_mem_in_use(), k = 1;
      for (;; k++) {
        ls_graph *back = NULL;
        ls_mem_fail_at(k);
        ls_status st = loading ? ls_graph_load(file, NULL, &back) : ls_graph_save(g, file, NULL);
        ls_mem_fail_at(0);
        if (!st) {
          if (back) assert_same_graph(g, back);
          ls_graph_release(back);
        }
        assert_int_equal(ls_mem_in_use(), before);
        if (!st) break;
        assert_int_equal(st, LS_EMEM);
        assert_non_null(strstr(ls_error(), "out of memory"));
        assert_non_null(strstr(ls_error(), file));
      }
      assert_true(k > 2);
    }
  }
  ls_graph_release(g);
}

/* --- disks ------------------------------------------------------------------------------------------------
 */

static int entries_here(void) {
  FILE *f = popen("ls -A | wc -l", "r");
  int count = -1;
  assert_int_equal(fscanf(f, "%d", &count), 1);
  pclose(f);
  return count;
}

static void test_full_device(void **unused) {
  (void)unused;
  ls_graph *g = random_graph(20000, 100000, LS_I32, false);
  static const char *const formats[] = {"gr", "mtx", "tsv", "egr", "lsg"};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(ls_graph_save(g, "/dev/full", formats[i]), LS_EIO);
    assert_string_equal(ls_error(), "/dev/full: cannot write: No space left on device");
  }
  ls_graph_release(g);
}

/* The disk fills up while a file is replaced: the old file stays, and no temporary file is left. */
static void test_full_disk(void **unused) {
  (void)unused;
  ls_graph *old = random_graph(10, 20, LS_I32, false), *g = random_graph(20000, 100000, LS_I32, false), *back;
  struct rlimit before, tight;
  signal(SIGXFSZ, SIG_IGN); /* writing beyond the limit fails, as on a full disk */
  getrlimit(RLIMIT_FSIZE, &before);
  static const char *const files[] = {"full.gr", "full.mtx.gz", "full.lsg", "full.egr"};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(ls_graph_save(old, files[i], NULL), LS_OK);
    int entries = entries_here();
    tight = before;
    tight.rlim_cur = 100000;
    setrlimit(RLIMIT_FSIZE, &tight);
    ls_status st = ls_graph_save(g, files[i], NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(st, LS_EIO);
    assert_non_null(strstr(ls_error(), "cannot write: File too large"));
    assert_int_equal(entries_here(), entries);
    assert_int_equal(ls_graph_load(files[i], NULL, &back), LS_OK);
    assert_same_graph(old, back);
    ls_graph_release(back);
  }
  ls_graph_release(old);
  ls_graph_release(g);
}

static void check_save(ls_graph *g, const char *path, const char *format, ls_status st, const char *message) {
  assert_int_equal(ls_graph_save(g, path, format), st);
  assert_string_equal(ls_error(), message);
}

/* Weights that are not finite, in a file that is valid otherwise. */
static void test_odd_weights(void **unused) {
  (void)unused;
  static const f64 odd[] = {1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
  for (int k = 0; k < 12; k++) {
    const bool single = k & 1, back = k & 2;
    ls_graph *g = random_graph(10, 20, single ? LS_F32 : LS_F64, false), *other;
    assert_int_equal(ls_graph_transpose(g), LS_OK);
    ls_buffer *w = back ? g->rw : g->w;
    if (single)
      ((f32 *)w->host)[3] = (f32)odd[k / 4];
    else
      ((f64 *)w->host)[3] = odd[k / 4];
    assert_int_equal(ls_weights_not_finite(w->type, w->host, g->m), 3);
    assert_int_equal(ls_graph_save(g, "odd.lsg", NULL), LS_OK);
    assert_int_equal(ls_graph_load("odd.lsg", NULL, &other), LS_EINPUT);
    assert_non_null(strstr(ls_error(), "odd.lsg: byte "));
    assert_non_null(strstr(ls_error(), "edge 3 has weight "));
    assert_non_null(strstr(ls_error(), ": weights are finite numbers"));
    ls_graph_release(g);
  }
}

static void test_refused_saves(void **unused) {
  (void)unused;
  ls_graph *g = random_graph(10, 20, LS_F64, false), *loop = random_graph(1, 2, LS_NONE, false),
           *wide = random_graph(10, 20, LS_I64, false);
  mkdir("folder.gr", 0777);
  check_save(g, "no/such/place.gr", NULL, LS_EIO,
             "no/such/place.gr: cannot create a file there: No such file or directory");
  check_save(g, "folder.gr", NULL, LS_EIO, "folder.gr: cannot write: Is a directory");
  check_save(g, "x.xyz", NULL, LS_EARG,
             "x.xyz: the name does not show the format; give one of lsg, mtx, gr, tsv, metis, egr");
  check_save(g, "x.egr", NULL, LS_EARG, "x.egr: .egr weights are i32, not f64");
  check_save(g, "x.graph", NULL, LS_EARG, "x.graph: METIS weights are integers, not f64");
  check_save(loop, "x.graph", NULL, LS_EARG, "x.graph: METIS graphs have no loops, and vertex 0 has one");
  assert_int_equal(ls_graph_save(wide, "x.egr", NULL), LS_EARG);
  assert_int_equal(access("x.egr", F_OK), -1);
  if (geteuid() != 0) {
    put_file("mine.gr", "p sp 0 0\n", 9);
    chmod("mine.gr", 0444);
    check_save(g, "mine.gr", NULL, LS_EIO, "mine.gr: cannot write: Permission denied");
  }
  ls_graph_release(g);
  ls_graph_release(loop);
  ls_graph_release(wide);
}

static void test_old_file_keeps_its_mode_and_links(void **unused) {
  (void)unused;
  ls_graph *g = random_graph(10, 20, LS_I32, false), *back;
  put_file("real.gr", "old", 3);
  chmod("real.gr", 0640);
  assert_int_equal(symlink("real.gr", "link.gr"), 0);
  assert_int_equal(ls_graph_save(g, "link.gr", NULL), LS_OK);
  struct stat info;
  lstat("link.gr", &info);
  assert_true(S_ISLNK(info.st_mode));
  stat("real.gr", &info);
  assert_int_equal(info.st_mode & 0777, 0640);
  assert_int_equal(ls_graph_load("real.gr", NULL, &back), LS_OK);
  ls_graph_release(back);
  ls_graph_release(g);
}

/* --- interrupts -------------------------------------------------------------------------------------------
 */

static void test_interrupted(void **unused) {
  (void)unused;
  ls_graph *g = random_graph(300, 1000, LS_I32, true), *back;
  for (size_t i = 0; i < sizeof every_format / sizeof *every_format; i++)
    assert_int_equal(ls_graph_save(g, every_format[i], NULL), LS_OK);
  u64 before = ls_mem_in_use();
  ls_interrupt();
  for (size_t i = 0; i < sizeof every_format / sizeof *every_format; i++) {
    if (!strstr(every_format[i], ".lsg"))
      assert_int_equal(ls_graph_load(every_format[i], NULL, &back), LS_EINTERRUPTED);
    if (!strstr(every_format[i], ".graph"))
      assert_int_equal(ls_graph_save(g, every_format[i], NULL), LS_EINTERRUPTED);
    assert_int_equal(ls_mem_in_use(), before);
  }
  ls_interrupt_clear();
  for (size_t i = 0; i < sizeof every_format / sizeof *every_format; i++) { /* the old files are intact */
    assert_int_equal(ls_graph_load(every_format[i], NULL, &back), LS_OK);
    ls_graph_release(back);
  }
  ls_graph_release(g);
}

/* Opening a named pipe waits for its writer, and reading waits for data; an interrupt ends either wait. */
static void test_named_pipe(void **unused) {
  (void)unused;
  ls_graph *g;
  assert_int_equal(mkfifo("pipe.gr", 0600), 0);
  assert_int_equal(system("(sleep 0.2; echo 'p sp 2 1'; sleep 0.2; echo 'a 2 1 5') > pipe.gr &"), 0);
  assert_int_equal(ls_graph_load("pipe.gr", NULL, &g), LS_OK);
  assert_string_equal(show(g), "1>0:5");
  ls_graph_release(g);
  ls_interrupt();
  assert_int_equal(ls_graph_load("pipe.gr", NULL, &g), LS_EINTERRUPTED);
  assert_string_equal(ls_error(), "pipe.gr: interrupted");
  ls_interrupt_clear();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_first_of_many_faults),
      cmocka_unit_test(test_what_is_no_file),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_turned_bits),
      cmocka_unit_test(test_large_lsg),
      cmocka_unit_test(test_egr),
      cmocka_unit_test(test_more_than_the_machine_has),
      cmocka_unit_test(test_allocation_failures),
      cmocka_unit_test(test_full_device),
      cmocka_unit_test(test_full_disk),
      cmocka_unit_test(test_odd_weights),
      cmocka_unit_test(test_refused_saves),
      cmocka_unit_test(test_old_file_keeps_its_mode_and_links),
      cmocka_unit_test(test_interrupted),
      cmocka_unit_test(test_named_pipe),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
