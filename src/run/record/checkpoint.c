#include "run/record/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/checksum.h"
#include "core/mem.h"
#include "core/sink.h"
#include "core/source.h"
#include "core/string_builder.h"
#include "ranks/ranks.h"

enum { VERSION = 1, BLOCK = 1 << 20, TEXT = 1 << 16 };

typedef struct header {
  u8 magic[8];
  u32 version, text_bytes;
  u64 file_bytes, n, m, graph; /* graph: from graph_sum(); n, m and graph are 0 without a graph */
  u64 checksum;                /* of all fields before it, and the text */
} header;

/* Contains line ends and a byte above 127, which a transfer as text would alter, so that it is noticed. */
static const u8 magic[8] = {0x89, 'L', 'S', 'C', '\r', '\n', 0x1a, '\n'};

static u64 header_sum(const header *h, const char *text) {
  return ls_checksum(h, offsetof(header, checksum)) ^ ls_checksum(text, h->text_bytes);
}

/* Checksum of the graph's arrays that results depend on; 0: they cannot be read. */
static u64 graph_sum(ls_graph *g) {
  if (g->checksum) return g->checksum;
  ls_buffer *const arrays[] = {g->off, g->to, g->w, g->t};
  static const u8 code[] = {[LS_I32] = 3, [LS_I64] = 4, [LS_F32] = 5, [LS_F64] = 6, [LS_NONE] = 7};
  u64 sum = (u64)code[g->wtype] * 8 + code[g->ttype] + 1;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    if (!arrays[i]) continue;
    const void *p = ls_buffer_read(arrays[i]);
    if (!p) return 0;
    sum = sum * 0x9e3779b97f4a7c15ull ^ ls_checksum(p, ls_buffer_bytes(arrays[i]));
  }
  return g->checksum = sum ? sum : 1;
}

/* Elements per block; each block is followed by its checksum. */
static u64 block_elements(const ls_buffer *b) { return BLOCK / ls_dtype_size(b->type); }

static u64 stored_bytes(const ls_buffer *b) {
  u64 each = block_elements(b), blocks = (b->count + each - 1) / each;
  return ls_buffer_bytes(b) + 8 * blocks;
}

static bool is_blank(const ls_buffer *b) { return !b->host_valid && !b->dev_valid; }

static void field_text(char *out, size_t bytes, const ls_state *s, int i) {
  const ls_buffer *b = s->buffers[i];
  snprintf(out, bytes, "%s %s[%" PRIu64 "]", s->schema->fields[i].name, ls_dtype_name(b->type), b->count);
}

/* --- saving ----------------------------------------------------------------------------------------------
 */

static void put_carried(ls_text *t, const ls_carried *v) {
  switch (v->kind) {
  case LS_INTEGER: ls_text_printf(t, "carried %s integer %" PRId64 "\n", v->name, v->i); break;
  case LS_REAL: ls_text_printf(t, "carried %s real %a\n", v->name, v->r); break;
  case LS_BOOLEAN: ls_text_printf(t, "carried %s boolean %s\n", v->name, v->i ? "true" : "false"); break;
  case LS_STRING: ls_text_printf(t, "carried %s string %s\n", v->name, v->text); break;
  }
}

static void put_contents(ls_text *t, const ls_buffer *b) {
  const int byte = ls_pattern_byte(b->pattern, ls_dtype_size(b->type));
  if (!is_blank(b))
    ls_text_printf(t, "stored\n");
  else if (b->pattern.identity)
    ls_text_printf(t, "identity\n");
  else if (byte >= 0)
    ls_text_printf(t, "blank %d\n", byte);
  else
    ls_text_printf(t, "bits %" PRIx64 "\n", b->pattern.bits);
}

static ls_status describe(ls_text *t, const char *path, const ls_state *s, const ls_checkpoint *c) {
  char sizes[LS_SIZES_TEXT];
  ls_text_printf(t, "lockstep checkpoint\nschema %s\nweights %s\n", s->schema->name, ls_dtype_name(s->type));
  if (*ls_state_sizes_text(s, sizes)) ls_text_printf(t, "sizes %s\n", sizes);
  ls_text_printf(t, "loop %s\niteration %u\n", c->loop, c->iteration);
  for (int i = 0; i < s->schema->nfields; i++) {
    char field[128];
    field_text(field, sizeof field, s, i);
    ls_text_printf(t, "field %s ", field);
    put_contents(t, s->buffers[i]);
  }
  for (int i = 0; i < c->count; i++) put_carried(t, &c->carried[i]);
  if (s->graph)
    ls_text_printf(t, "graph %.200s\n", s->graph->name);
  else
    ls_text_printf(t, "no graph\n");
  if (t->failed) return LS_EMEM;
  return t->len < TEXT ? LS_OK : ls_fail(LS_EARG, "%s: too much text for a checkpoint", path);
}

static ls_status save_contents(ls_sink *sink, ls_buffer *b, u8 *block) {
  ls_status st = LS_OK;
  const u64 each = block_elements(b);
  for (u64 i = 0; !st && !sink->st && i < b->count; i += each) {
    u64 count = b->count - i < each ? b->count - i : each, bytes = count * ls_dtype_size(b->type);
    st = ls_buffer_peek(b, i, count, block);
    u64 sum = ls_checksum(block, bytes);
    if (st) break;
    ls_sink_bytes(sink, block, bytes);
    ls_sink_bytes(sink, &sum, sizeof sum);
  }
  return st;
}

/* The file of this process: `path`; if there are several ranks, whose states differ, PATH.0of2 and so on.
 * Allocated by ls_malloc; NULL if memory ran out. */
static char *own_path(const char *path) {
  if (ls_ranks() == 1) return ls_strdup(path);
  const size_t bytes = strlen(path) + 32;
  char *own = ls_malloc(bytes);
  if (own) snprintf(own, bytes, "%s.%dof%d", path, ls_rank(), ls_ranks());
  return own;
}

static ls_status save(const char *path, ls_state *s, const ls_checkpoint *c, u64 *bytes) {
  ls_text t = {0};
  u8 *block = ls_malloc(BLOCK);
  ls_status st = block ? describe(&t, path, s, c) : LS_EMEM;
  if (!st) {
    header h = {.version = VERSION, .text_bytes = (u32)t.len};
    memcpy(h.magic, magic, sizeof magic);
    if (s->graph) {
      h.n = s->graph->n;
      h.m = s->graph->m;
      h.graph = graph_sum(s->graph);
    }
    h.file_bytes = sizeof h + t.len;
    for (int i = 0; i < s->schema->nfields; i++)
      if (!is_blank(s->buffers[i])) h.file_bytes += stored_bytes(s->buffers[i]);
    h.checksum = header_sum(&h, t.s);
    ls_sink sink;
    st = h.graph || !s->graph ? ls_sink_open(&sink, path) : LS_EMEM;
    if (!st) {
      sink.total = 0;
      ls_sink_bytes(&sink, &h, sizeof h);
      ls_sink_bytes(&sink, t.s, t.len);
      for (int i = 0; !st && i < s->schema->nfields; i++)
        if (!is_blank(s->buffers[i])) st = save_contents(&sink, s->buffers[i], block);
      st = ls_sink_close(&sink, st);
      *bytes = h.file_bytes;
    }
  }
  ls_text_free(&t);
  ls_free(block);
  return st;
}

ls_status ls_checkpoint_save(const char *path, ls_state *s, const ls_checkpoint *c, u64 *bytes) {
  char *own = own_path(path);
  const ls_status st = own ? save(own, s, c, bytes) : LS_EMEM;
  ls_free(own);
  return st;
}

/* --- loading ----------------------------------------------------------------------------------------------
 */

static ls_status bad(const ls_source *in, const char *what) {
  return ls_fail(LS_EINPUT, "%s: byte %llu: %s", in->path, (unsigned long long)in->at, what);
}

static ls_status read_all(ls_source *in, void *to, u64 bytes) {
  size_t got;
  ls_status st = ls_source_read(in, to, bytes, &got);
  return st || got == bytes ? st : bad(in, "the file ends too early");
}

static ls_status read_header(ls_source *in, header *h, char *words) {
  size_t got;
  u64 left;
  ls_status st = ls_source_read(in, h, sizeof *h, &got);
  if (st) return st;
  if (got < sizeof *h || memcmp(h->magic, magic, sizeof magic) != 0)
    return ls_fail(LS_EINPUT, "%s: not a checkpoint", in->path);
  if (h->version != VERSION)
    return ls_fail(LS_EINPUT, "%s: version %u of the format, this program reads %d", in->path, h->version,
                   VERSION);
  if (h->text_bytes >= TEXT) return bad(in, "the header is damaged: its size is wrong");
  st = read_all(in, words, h->text_bytes);
  if (st) return st;
  words[h->text_bytes] = '\0';
  if (h->checksum != header_sum(h, words) || strlen(words) != h->text_bytes)
    return bad(in, "the header's checksum is wrong: the file is damaged");
  if (ls_source_left(in, &left) && left + in->at != h->file_bytes)
    return ls_fail(LS_EINPUT, "%s: the file should have %llu bytes and has %llu", in->path,
                   (unsigned long long)h->file_bytes, (unsigned long long)(left + in->at));
  return LS_OK;
}

static ls_status expected(const ls_source *in, const char *what, const char *want, const char *got) {
  return ls_fail(LS_EINPUT, "%s: expected %s %s, found %s", in->path, what, want, got);
}

/* Cuts the next line out of *words and returns what follows its first word, which must be `key`; NULL if the
 * line begins with another word. */
static char *take_line(char **words, const char *key) {
  char *line = *words, *end = strchr(line, '\n');
  size_t n = strlen(key);
  if (!end || strncmp(line, key, n) != 0 || line[n] != ' ') return NULL;
  *end = '\0';
  *words = end + 1;
  return line + n + 1;
}

static ls_status check_line(const ls_source *in, char **words, const char *key, const char *want) {
  const char *got = take_line(words, key);
  if (!got) return bad(in, "the text is malformed");
  return strcmp(got, want) == 0 ? LS_OK : expected(in, key, want, got);
}

/* Checks the sizes that the graph does not give. */
static ls_status check_sizes(const ls_source *in, char **words, const ls_state *s) {
  char sizes[LS_SIZES_TEXT];
  const char *got = take_line(words, "sizes");
  ls_state_sizes_text(s, sizes);
  if (strcmp(got ? got : "", sizes) == 0) return LS_OK;
  return expected(in, "sizes", *sizes ? sizes : "of the graph only", got ? got : "none");
}

static ls_status check_loop(const ls_source *in, char **words, const char *want) {
  const char *got = take_line(words, "loop");
  if (!got) return bad(in, "the text is malformed");
  return !*want || !*got || strcmp(got, want) == 0 ? LS_OK : expected(in, "a checkpoint of", want, got);
}

static ls_status check_graph(const ls_source *in, const header *h, ls_graph *g, const char *words) {
  const char *last = NULL;
  for (const char *at = words; (at = strstr(at, "\ngraph ")); at++) last = at;
  if (!g && !h->graph) return LS_OK;
  if (!h->graph) return expected(in, "the graph", g->name, "no graph");
  if (!last) return bad(in, "the text is malformed");
  int name = (int)strcspn(last + 7, "\n");
  if (!g) return ls_fail(LS_EINPUT, "%s: expected no graph, found the graph %.*s", in->path, name, last + 7);
  u64 sum = graph_sum(g);
  if (!sum) return LS_EMEM;
  if (h->n == g->n && h->m == g->m && h->graph == sum) return LS_OK;
  if (h->n == g->n && h->m == g->m)
    return ls_fail(LS_EINPUT, "%s: expected the graph %s (checksum %016llx), found %.*s (%016llx)", in->path,
                   g->name, (unsigned long long)sum, name, last + 7, (unsigned long long)h->graph);
  return ls_fail(
      LS_EINPUT,
      "%s: expected the graph %s (%u vertices, %llu edges), found %.*s (%llu vertices, %llu edges)", in->path,
      g->name, g->n, (unsigned long long)g->m, name, last + 7, (unsigned long long)h->n,
      (unsigned long long)h->m);
}

/* Reads the contents into b; if `aside` is not NULL, only checks them, reading block by block into
 * `aside`. */
static ls_status load_contents(ls_source *in, ls_buffer *b, const char *name, u8 *aside) {
  const u64 each = block_elements(b), size = ls_dtype_size(b->type);
  u8 *all = aside ? NULL : ls_buffer_overwrite(b);
  if (!all && !aside) return LS_EMEM;
  for (u64 i = 0; i < b->count; i += each) {
    u64 bytes = (b->count - i < each ? b->count - i : each) * size, sum;
    u8 *to = aside ? aside : all + i * size;
    ls_status st = read_all(in, to, bytes);
    if (!st) st = read_all(in, &sum, sizeof sum);
    if (st) return st;
    if (sum != ls_checksum(to, bytes))
      return ls_fail(LS_EINPUT, "%s: byte %llu: the checksum of %s is wrong: the file is damaged", in->path,
                     (unsigned long long)in->at, name);
  }
  return LS_OK;
}

/* Parses " blank 255" (every byte), " bits 7fffffff" (every element) or " identity". */
static bool take_pattern(const char *words, ls_dtype type, ls_pattern *out) {
  int byte, end = 0;
  if (strcmp(words, " identity") == 0) return !ls_pattern_read("identity", type, out);
  *out = (ls_pattern){.bits = 0};
  if (sscanf(words, " bits %16" SCNx64 "%n", &out->bits, &end) == 1) return !words[end];
  if (sscanf(words, " blank %3d%n", &byte, &end) != 1 || words[end] || byte < 0 || byte > 255) return false;
  out->bits = (u64)byte * 0x0101010101010101ull;
  return true;
}

/* Checks the fields' lines against the schema as it is now. stored[i]: the contents of field i follow in the
 * file. */
static ls_status check_fields(const ls_source *in, char **words, ls_state *s, const bool *leave,
                              bool *stored) {
  for (int i = 0; i < s->schema->nfields; i++) {
    char want[128], *line = take_line(words, "field");
    field_text(want, sizeof want, s, i);
    size_t n = strlen(want);
    if (!line) return expected(in, "field", want, "the end of the schema");
    ls_pattern pattern;
    stored[i] = strncmp(line, want, n) == 0 && strcmp(line + n, " stored") == 0;
    if (stored[i]) continue;
    if (strncmp(line, want, n) != 0 || !take_pattern(line + n, s->buffers[i]->type, &pattern))
      return expected(in, "field", want, line);
    if (!leave[i]) ls_buffer_start(s->buffers[i], pattern);
  }
  const char *more = take_line(words, "field");
  return more ? expected(in, "the end of the schema,", "not another field", more) : LS_OK;
}

/* Parses "NAME KIND VALUE". */
static bool take_carried(char *line, ls_carried *v) {
  char *kind = strchr(line, ' '), *value = kind ? strchr(kind + 1, ' ') : NULL, *end = "";
  if (!value || kind - line >= LS_CARRIED_NAME || strlen(value + 1) >= LS_CARRIED_TEXT) return false;
  *kind++ = *value++ = '\0';
  memset(v, 0, sizeof *v);
  memcpy(v->name, line, strlen(line) + 1);
  if (strcmp(kind, "integer") == 0) {
    v->kind = LS_INTEGER;
    v->i = strtoll(value, &end, 10);
  } else if (strcmp(kind, "real") == 0) {
    v->kind = LS_REAL;
    v->r = strtod(value, &end);
  } else if (strcmp(kind, "boolean") == 0) {
    v->kind = LS_BOOLEAN;
    v->i = strcmp(value, "true") == 0;
    if (!v->i && strcmp(value, "false") != 0) return false;
  } else {
    v->kind = LS_STRING;
    memcpy(v->text, value, strlen(value) + 1);
    if (strcmp(kind, "string") != 0) return false;
  }
  return !*end && *v->name;
}

static bool twice(const ls_checkpoint *c) {
  for (int i = 0; i < c->count; i++)
    if (strcmp(c->carried[i].name, c->carried[c->count].name) == 0) return true;
  return false;
}

static ls_status take_carrieds(const ls_source *in, char **words, ls_checkpoint *c) {
  char *line;
  for (c->count = 0; (line = take_line(words, "carried")); c->count++)
    if (c->count == LS_CARRIED || !take_carried(line, &c->carried[c->count]) || twice(c))
      return bad(in, "the text is malformed");
  return LS_OK;
}

static ls_status take_iteration(const ls_source *in, const char *word, ls_checkpoint *c) {
  char *end;
  const unsigned long long n = strtoull(word, &end, 10);
  c->iteration = (u32)n;
  return *word >= '0' && *word <= '9' && !*end && n <= INT32_MAX ? LS_OK
                                                                 : bad(in, "no iteration has such a number");
}

static ls_status load(const char *path, ls_state *s, ls_checkpoint *c) {
  ls_source in;
  header h;
  bool stored[LS_MAX_FIELDS];
  char *whole = ls_malloc(TEXT);
  u8 *aside = ls_malloc(BLOCK);
  ls_status st = whole && aside ? ls_source_open(&in, path) : LS_EMEM;
  if (st) {
    ls_free(whole);
    ls_free(aside);
    return st;
  }
  char *words = whole, *iteration = NULL;
  st = read_header(&in, &h, whole);
  if (!st && !(words = strchr(words, '\n'))) st = bad(&in, "the text is malformed");
  if (!st) words++;
  if (!st) st = check_line(&in, &words, "schema", s->schema->name);
  if (!st) st = check_graph(&in, &h, s->graph, words);
  if (!st) st = check_line(&in, &words, "weights", ls_dtype_name(s->type));
  if (!st) st = check_sizes(&in, &words, s);
  if (!st) st = check_loop(&in, &words, c->loop);
  if (!st && !(iteration = take_line(&words, "iteration"))) st = bad(&in, "the text is malformed");
  if (!st) st = take_iteration(&in, iteration, c);
  if (!st) st = check_fields(&in, &words, s, c->leave, stored);
  if (!st) st = take_carrieds(&in, &words, c);
  if (!st && (!(s->graph ? take_line(&words, "graph") : take_line(&words, "no")) || *words))
    st = bad(&in, "the text is malformed");
  for (int i = 0; !st && i < s->schema->nfields; i++)
    if (stored[i])
      st = load_contents(&in, s->buffers[i], s->schema->fields[i].name, c->leave[i] ? aside : NULL);
  if (!st && in.at != h.file_bytes)
    st = ls_fail(LS_EINPUT, "%s: the contents end at byte %llu, the file at byte %llu", path,
                 (unsigned long long)in.at, (unsigned long long)h.file_bytes);
  ls_source_close(&in);
  ls_free(whole);
  ls_free(aside);
  return st;
}

ls_status ls_checkpoint_load(const char *path, ls_state *s, ls_checkpoint *c) {
  char *own = own_path(path);
  ls_status st = own ? LS_OK : LS_EMEM;
  if (!st && ls_ranks() > 1 && access(own, F_OK) != 0)
    st = ls_fail(
        LS_EINPUT,
        "%s: %s; with %d ranks, each resumes from its own file, which a run with the same number of ranks must have saved",
        own, strerror(errno), ls_ranks());
  if (!st) st = load(own, s, c);
  ls_free(own);
  return st;
}
