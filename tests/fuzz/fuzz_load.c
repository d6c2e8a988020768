/* Coverage-guided fuzzing of one loader (libFuzzer). LS_FUZZ_FORMAT is a format name of the table in load.h,
 * or "gz" for compressed .gr files. With LS_FUZZ_SEEDS=folder it only writes some small graphs in the format
 * to that folder. tests/fuzz/run does both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"
#include "core/checksum.h"
#include "load/graph.h"
#include "load/load.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t bytes);

static const char *format;
static char path[64];
static int file;

static void must(bool truth, const char *what) {
  if (truth) return;
  fprintf(stderr, "fuzz_load: %s\n", what);
  abort();
}

/* --- seeds ------------------------------------------------------------------------------------------------
 */

static ls_graph *small_graph(u32 n, u64 pairs, ls_dtype type) {
  u32 src[64], dst[64];
  u64 w[64];
  ls_graph *g;
  for (u64 e = 0; e < 2 * pairs; e++) { /* both directions, as METIS requires */
    u32 u = (u32)(e / 2 % n), v = (u32)((u + 1 + e / 2 / n) % n);
    src[e] = e % 2 ? v : u;
    dst[e] = e % 2 ? u : v;
    if (type == LS_I32) ((i32 *)w)[e] = (i32)(e / 2 * 37) - 50;
    if (type == LS_I64) ((i64 *)w)[e] = (i64)(e / 2) << 33;
    if (type == LS_F64) ((f64 *)w)[e] = (f64)(e / 2) / 8 - 0.1;
  }
  must(!ls_graph_from_edges(n, 2 * pairs, src, dst, type == LS_NONE ? NULL : w, type, "seed", &g),
       ls_error());
  return g;
}

static void write_seeds(const char *folder) {
  const ls_dtype types[] = {LS_NONE, LS_I32, LS_I64, LS_F64};
  bool gz = strcmp(format, "gz") == 0;
  for (int t = 0; t < 4; t++)
    for (u32 n = 1; n <= 7; n += 3) {
      char name[256];
      ls_graph *g = small_graph(n, n == 1 ? 0 : 2 * n, types[t]);
      snprintf(name, sizeof name, "%s/%s-%s-%u%s", folder, format, ls_dtype_name(types[t]), n,
               gz ? ".gz" : "");
      ls_graph_save(g, name, gz ? "gr" : format); /* fails if the format does not support the weight type */
      ls_graph_release(g);
    }
  exit(0);
}

/* --- one input --------------------------------------------------------------------------------------------
 */

static void check_rows(const ls_graph *g, const ls_buffer *offsets, const ls_buffer *ends,
                       const ls_buffer *weights) {
  const u32 *off = offsets->host, *to = ends->host;
  must(off[0] == 0 && off[g->n] == g->m, "offsets begin or end wrongly");
  for (u32 v = 0; v < g->n; v++) must(off[v] <= off[v + 1], "offsets fall");
  for (u64 e = 0; e < g->m; e++) must(to[e] < g->n, "an end outside");
  must(!weights == (g->wtype == LS_NONE), "weights and type differ");
  must(!weights || (weights->type == g->wtype && weights->count == g->m), "weights of another type or count");
}

static void load_once(const u8 *data, size_t bytes, const ls_load_options *o) {
  must(ftruncate(file, 0) == 0 && pwrite(file, data, bytes, 0) == (ssize_t)bytes, "the file in memory");
  u64 before = ls_mem_in_use();
  ls_graph *g = NULL;
  ls_status st = ls_graph_load(path, o, &g);
  must(st == LS_OK || st == LS_EINPUT || st == LS_EMEM, "an unexpected status");
  must((st == LS_OK) == (g != NULL), "half a graph");
  if (st) must(strncmp(ls_error(), path, strlen(path)) == 0, "the message names no file");
  if (g) {
    check_rows(g, g->off, g->to, g->w);
    must(ls_graph_transpose(g) == LS_OK, "transposing");
    check_rows(g, g->roff, g->rto, g->rw);
    ls_graph_save(g, "/dev/null", o->format);
  }
  ls_graph_release(g);
  must(ls_mem_in_use() == before, "a leak");
}

/* Writes valid checksums, so that inputs are not rejected for them. Offsets as in src/load/lsg.c. */
static void mend_lsg(u8 *p, size_t bytes) {
  enum { NAME_BYTES = 64, PARTS = 72, SUM = 504, HEADER = 512 };
  u64 at, count, name;
  if (bytes < HEADER) return;
  for (int i = 0; i < 9; i++) {
    u8 *part = p + PARTS + 24 * i;
    memcpy(&at, part, 8);
    memcpy(&count, part + 8, 8);
    if (at > bytes || count > bytes - at) continue;
    u64 sum = ls_checksum(p + at, count);
    memcpy(part + 16, &sum, 8);
  }
  memcpy(&name, p + NAME_BYTES, 8);
  if (name > bytes - HEADER) return;
  u64 sum = ls_checksum(p, SUM) ^ ls_checksum(p + HEADER, name);
  memcpy(p + SUM, &sum, 8);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  format = getenv("LS_FUZZ_FORMAT");
  must(format && (ls_format_find(format) || strcmp(format, "gz") == 0), "LS_FUZZ_FORMAT names no format");
  ls_progress_enable(false);
  if (getenv("LS_FUZZ_SEEDS")) write_seeds(getenv("LS_FUZZ_SEEDS"));
  file = memfd_create("fuzz", 0);
  must(file >= 0, "memfd_create");
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  ls_load_most_bytes = 16 << 20;
  return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t bytes) {
  static const ls_dtype asked[] = {LS_NONE, LS_NONE, LS_NONE, LS_I32, LS_I64, LS_F32, LS_F64, LS_NONE};
  ls_load_options o = {.weights = LS_NONE, .format = strcmp(format, "gz") == 0 ? "gr" : format};
  load_once(data, bytes, &o);
  unsigned how = 0; /* a second time, with options derived from the contents */
  for (size_t i = 0; i < bytes; i++) how = how * 31 + data[i];
  o.weights = asked[how % 8];
  o.drop_weights = how % 8 == 1;
  o.scale = how % 8 == 2 ? 100 : 0;
  o.verify = how / 8 % 2;
  u8 *copy = malloc(bytes + 1);
  must(copy != NULL, "malloc");
  memcpy(copy, data, bytes);
  if (strcmp(format, "lsg") == 0) mend_lsg(copy, bytes);
  load_once(copy, bytes, &o);
  free(copy);
  return 0;
}
