/* Our own binary format: a graph as it is in memory, in both directions. A large file is mapped instead of
 * read.
 *
 * A file has a header of 512 bytes with its own checksum, the name, then the arrays, each at a multiple of 64
 * bytes; little-endian. Opening always checks the header and its checksum, that the file has the stated
 * length and contains the arrays, that offsets ascend from 0 to m, that all targets of edges are below n, and
 * that weights are finite. The last three read the arrays once, at memory speed. The checksums of the
 * contents and the transpose are also checked in files below 64 MiB, in files that were decompressed or came
 * through a pipe, and with `verify`.
 *
 * A file that is opened to be read in parts (lsg_rows.c) is mapped. Its arrays and their checksums are
 * checked when they are first used as a whole. The readers of all parts together check the checksums
 * (lsg_sums.c).
 *
 * Another program may truncate or overwrite a file while it is mapped. The offsets in use are
 * copies, a truncated part reads as zeros, and the next use of the graph fails (core/mapping.h). Only
 * overwriting in place while a primitive runs is not detected. Our own saver never overwrites a file in
 * place. */
#include "load/lsg.h"

#include <pthread.h>
#include <string.h>

#include "core/mem.h"
#include "core/checksum.h"
#include "load/graph.h"
#include "core/sink.h"
#include "core/source.h"

u64 ls_lsg_map_bytes = 64 << 20;

/* Largest label of vertex 0: the sum with a vertex's number is far from overflow. */
static const i64 MOST_BASE = 1ll << 61;

/* Contains line ends and a byte above 127, so that damage by a transfer as text is detected. */
static const u8 magic[8] = {0x89, 'L', 'S', 'G', '\r', '\n', 0x1a, '\n'};
const ls_dtype ls_lsg_types[] = {LS_NONE, LS_I32, LS_I64, LS_F32, LS_F64};
static const ls_dtype *const wtypes = ls_lsg_types;
static const char *const part_names[PARTS] = {"off", "to", "w", "roff", "rto", "rw", "ids", "t", "rt"};

static u64 part_bytes(const header *h, int i) {
  size_t wsize = ls_dtype_size(wtypes[h->wtype]);
  switch (i) {
  case OFF:
  case ROFF: return 4 * (h->n + 1);
  case TO:
  case RTO: return 4 * h->m;
  case W:
  case RW: return wsize * h->m;
  case T:
  case RT: return ls_dtype_size(wtypes[h->ttype]) * h->m;
  default: return 8 * h->n;
  }
}

static u64 header_sum(const header *h, const char *name) {
  return ls_checksum(h, offsetof(header, checksum)) ^ ls_checksum(name, h->name_bytes);
}

/* --- loading ----------------------------------------------------------------------------------------- */

void ls_lsg_destroy(ls_owner *o) {
  body *b = (body *)o;
  ls_mapping_free(b->map);
  ls_free(b->rest);
  ls_free(b->off[0]);
  ls_free(b->off[1]);
  ls_free(b->path);
  ls_free(b);
}

static ls_status complete(body *b);
static ls_status check_body(ls_owner *o) {
  body *b = (body *)o;
  ls_status st = b->map ? ls_mapping_check(b->map) : LS_OK;
  if (!st && atomic_load(&b->unchecked)) st = complete(b);
  return st;
}

static ls_status bad(const ls_source *s, u64 at, const char *what) {
  return ls_fail(LS_EINPUT, "%s: byte %llu: %s", s->path, (unsigned long long)at, what);
}

/* Version 2 added times, version 3 names, in fields of the header that were unused and zero before. So an
 * older file reads like a newer one without them, and a graph is written in the oldest version that can store
 * it. */
static ls_status check_header(const ls_source *s, const header *h) {
  u64 left;
  if (memcmp(h->magic, magic, sizeof magic) != 0) return bad(s, 0, "not a .lsg file");
  if (h->version < 1 || h->version > VERSION)
    return ls_fail(LS_EINPUT, "%s: byte 8: version %u of the format, this program reads up to %d", s->path,
                   h->version, VERSION);
  if (h->header_bytes != HEADER || h->parts != (h->version == 1 ? OLD_PARTS : PARTS))
    return bad(s, 12, "the header is damaged: its sizes are wrong");
  if (ls_source_left(s, &left) && left + s->at != h->file_bytes)
    return ls_fail(LS_EINPUT, "%s: byte 16: the file should have %llu bytes and has %llu", s->path,
                   (unsigned long long)h->file_bytes, (unsigned long long)(left + s->at));
  if (h->name_bytes > 4096 || h->n > LS_MAX_VERTICES || h->m > LS_MAX_EDGES ||
      h->wtype >= sizeof ls_lsg_types / sizeof *ls_lsg_types || h->ttype > 2 ||
      (h->version == 1 && h->ttype) || h->file_bytes < HEADER + h->name_bytes)
    return bad(s, 24, "the header is damaged: a size is out of range");
  if (h->label_base < -MOST_BASE || h->label_base > MOST_BASE)
    return ls_fail(LS_EINPUT, "%s: byte %zu: vertex 0 should be labelled from -2^61 to 2^61, not %lld",
                   s->path, offsetof(header, label_base), (long long)h->label_base);
  if (!ls_load_is_scale(h->scale))
    return ls_fail(LS_EINPUT,
                   "%s: byte %zu: the scale should be a positive whole number up to 1e18, not %.17g", s->path,
                   offsetof(header, scale), h->scale);
  bool zeros = h->names.at ? h->version == 3 && h->reversed <= 1
                           : !h->reversed && !h->names.bytes && !h->names.checksum && !h->kind[0];
  for (size_t i = 0; i < sizeof h->unused; i++) zeros = zeros && !h->unused[i];
  if (!zeros) return bad(s, offsetof(header, reversed), "the header is damaged: zeros expected");
  return LS_OK;
}

static ls_status check_parts(const ls_source *s, const header *h) {
  u64 before = HEADER + h->name_bytes;
  for (int i = 0; i < PARTS; i++) {
    const part *p = &h->part[i];
    bool needed = i == OFF || i == TO || (i == W && wtypes[h->wtype] != LS_NONE) || (i == T && h->ttype) ||
                  (i == RT && h->ttype && h->part[ROFF].at) ||
                  (h->part[ROFF].at && (i == RTO || (i == RW && wtypes[h->wtype] != LS_NONE)));
    bool wrong = p->at == 0 ? needed || p->bytes || p->checksum
                            : p->bytes != part_bytes(h, i) || p->at % ALIGN || p->at < before ||
                                  p->at > h->file_bytes || p->bytes > h->file_bytes - p->at;
    if ((i == W || i == RW) && p->at && wtypes[h->wtype] == LS_NONE) wrong = true;
    if ((i == RTO || i == RW || i == RT) && p->at && !h->part[ROFF].at) wrong = true;
    if (i >= T && p->at && !h->ttype) wrong = true;
    if (wrong)
      return ls_fail(LS_EINPUT, "%s: byte %zu: the header is damaged: the position of %s is wrong", s->path,
                     offsetof(header, part) + (size_t)i * sizeof(part), part_names[i]);
    if (p->at) before = p->at + p->bytes;
  }
  if (h->names.at) {
    if (h->names.at % ALIGN || h->names.at < before || h->names.at > h->file_bytes ||
        h->names.bytes > h->file_bytes - h->names.at)
      return ls_fail(LS_EINPUT, "%s: byte %zu: the header is damaged: the position of the names is wrong",
                     s->path, offsetof(header, names));
    before = h->names.at + h->names.bytes;
  }
  if (before == h->file_bytes) return LS_OK;
  return ls_fail(LS_EINPUT,
                 "%s: byte 16: the size of the file is given as %llu, but the arrays end at byte %llu",
                 s->path, (unsigned long long)h->file_bytes, (unsigned long long)before);
}

static ls_status get_body(ls_source *s, const header *h, bool in_parts, body **out) {
  u64 left;
  body *b = ls_calloc(1, sizeof *b);
  if (!b) return LS_EMEM;
  b->owner = (ls_owner){.refs = 1, .destroy = ls_lsg_destroy, .check = check_body};
  *out = b;
  b->h = *h;
  const bool map = ls_source_left(s, &left) && (in_parts || h->file_bytes >= ls_lsg_map_bytes);
  if (map && ls_mapping_new(s->fd, s->path, h->file_bytes, &b->map) == LS_OK) return LS_OK;
  /* a file that cannot be mapped (by its file system, or because of too many mappings) is read */
  return ls_load_array(s, h->file_bytes - HEADER, 1, "the arrays", &b->rest);
}

const void *ls_lsg_at(const body *b, u64 byte) {
  return b->map ? (const u8 *)ls_mapping_bytes(b->map) + byte : (const u8 *)b->rest + (byte - HEADER);
}
static const void *array(const header *h, const body *b, int i) {
  if (b->map && (i == OFF || i == ROFF)) return b->off[i == ROFF];
  return ls_lsg_at(b, h->part[i].at);
}

static void copy_offsets(body *b) {
  for (int i = OFF; i <= ROFF; i += ROFF - OFF)
    if (b->off[i == ROFF]) memcpy(b->off[i == ROFF], ls_lsg_at(b, b->h.part[i].at), b->h.part[i].bytes);
}

/* Allocates the copies of the offsets, which take no memory before they are written. */
static ls_status place_offsets(body *b) {
  for (int i = OFF; i <= ROFF && b->map; i += ROFF - OFF)
    if (b->h.part[i].at && !(b->off[i == ROFF] = ls_malloc(b->h.part[i].bytes))) return LS_EMEM;
  return LS_OK;
}

ls_status ls_lsg_bad_sum(const char *path, const part *p, int which) {
  return ls_fail(LS_EINPUT, "%s: byte %llu: the checksum of %s is wrong: the file is damaged", path,
                 (unsigned long long)p->at, part_names[which]);
}

static ls_status check_contents(const char *path, const header *h, const body *b, bool sums) {
  for (int i = 0; i < PARTS && sums; i++) {
    const part *p = &h->part[i];
    if (p->at && ls_checksum(array(h, b, i), p->bytes) != p->checksum) return ls_lsg_bad_sum(path, p, i);
  }
  ls_status st = LS_OK;
  for (int i = OFF; i <= ROFF && !st; i += ROFF - OFF)
    if (h->part[i].at)
      st = ls_load_check_rows(path, (u32)h->n, h->m, array(h, b, i), h->part[i].at, array(h, b, i + 1),
                              h->part[i + 1].at);
  for (int i = W; i <= RW && !st; i += RW - W)
    if (h->part[i].at)
      st = ls_load_check_weights(path, h->part[i].at, 0, h->m, wtypes[h->wtype], array(h, b, i));
  return st;
}

/* Creates buffers over the file's arrays; weights of another type than the file's are copied. */
static ls_status wrap(const ls_source *s, const header *h, body *b, const ls_load_options *o, ls_dtype *type,
                      ls_buffer *arrays[PARTS]) {
  ls_status st = LS_OK;
  *type = o->drop_weights || wtypes[h->wtype] == LS_NONE ? LS_NONE
          : o->weights != LS_NONE                        ? o->weights
                                                         : wtypes[h->wtype];
  for (int i = 0; i < PARTS && !st; i++) {
    const part *p = &h->part[i];
    bool weight = i == W || i == RW;
    if (!p->at || (weight && *type == LS_NONE)) continue;
    void *host = (void *)(uintptr_t)array(h, b, i), *mine = host;
    ls_dtype t = weight ? *type : i == IDS ? LS_I64 : i >= T ? wtypes[h->ttype] : LS_U32;
    ls_load_options as_stored = {.weights = o->weights};
    if (weight) st = ls_load_convert(s->path, p->at, h->m, wtypes[h->wtype], host, &as_stored, &t, &mine);
    if (st) break;
    st = ls_buffer_wrap(t, p->bytes / ls_dtype_size(weight ? wtypes[h->wtype] : t), mine,
                        mine == host ? &b->owner : NULL, &arrays[i]);
    if (st && mine != host) ls_free(mine);
  }
  for (int i = IDS; i < PARTS; i++)
    if (arrays[i]) arrays[i]->read_only = true;
  return st;
}

static ls_status check_times(const char *path, const header *h, const void *t) {
  return ls_load_check_times(path, h->part[T].at, 0, h->m, wtypes[h->ttype], t);
}

/* Checks a file that was opened to be read in parts, when its arrays are first used as a whole. */
static ls_status complete(body *b) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  ls_status st = LS_OK;
  if (atomic_load(&b->unchecked)) {
    copy_offsets(b);
    st = check_contents(b->path, &b->h, b, true);
    if (!st && b->h.part[T].at) st = check_times(b->path, &b->h, array(&b->h, b, T));
    if (!st) atomic_store(&b->unchecked, false);
  }
  pthread_mutex_unlock(&lock);
  return st;
}

/* Restores the names of a model's graph. Their checksum is always checked, because they contain a program. */
static ls_status name_graph(const ls_source *s, const header *h, const body *b, ls_graph *g) {
  const ls_vertex_names_kind *kind = ls_vertex_names_kind_find(h->kind);
  if (!h->names.at) return LS_OK;
  if (!kind) return bad(s, offsetof(header, kind), "the names are of a kind that this program does not know");
  if (ls_checksum(ls_lsg_at(b, h->names.at), h->names.bytes) != h->names.checksum)
    return bad(s, h->names.at, "the checksum of the names is wrong: the file is damaged");
  const ls_status st = kind->restore(ls_lsg_at(b, h->names.at), h->names.bytes, &g->vertex_names);
  if (st) return ls_fail_prefix(st, "%s: byte %llu: ", s->path, (unsigned long long)h->names.at);
  g->reversed = h->reversed;
  return LS_OK;
}

static ls_status load(ls_source *s, const ls_load_options *o, ls_graph **out) {
  header h;
  size_t got;
  body *b = NULL;
  ls_dtype type;
  ls_buffer *arrays[PARTS] = {0};
  char name[4096 + 1];
  ls_status st = ls_source_read(s, &h, sizeof h, &got);
  if (st) return st;
  if (got < sizeof h) return bad(s, got, "the file ends within the header");
  st = check_header(s, &h);
  if (!st) st = get_body(s, &h, o->in_parts, &b);
  if (!st) {
    memcpy(name, ls_lsg_at(b, HEADER), h.name_bytes);
    name[h.name_bytes] = 0;
    if (header_sum(&h, name) != h.checksum)
      st = bad(s, offsetof(header, checksum), "the header's checksum is wrong: the file is damaged");
    else if (strlen(name) != h.name_bytes)
      st = bad(s, HEADER + strlen(name), "the name of the graph holds a zero byte");
  }
  if (!st) st = check_parts(s, &h);
  if (!st && o->scale > 0 && o->scale != h.scale)
    st = ls_fail(LS_EINPUT, "%s: its weights are stored with scale %.17g, not %.17g", s->path, h.scale,
                 o->scale);
  if (!st) st = place_offsets(b);
  const bool in_parts = b && b->map && o->in_parts, whole = b && (!b->map || o->verify);
  if (!st && !in_parts) {
    copy_offsets(b);
    st = check_contents(s->path, &h, b, whole);
  }
  if (!st) st = wrap(s, &h, b, o, &type, arrays);
  if (!st) {
    ls_buffer *six[6];
    memcpy(six, arrays, sizeof six);
    st = ls_graph_from_buffers((u32)h.n, h.m, type, six, name, out);
    memset(arrays, 0, sizeof six);
  }
  if (!st) {
    (*out)->label_base = h.label_base;
    (*out)->scale = h.scale;
    (*out)->ids = arrays[IDS];
    (*out)->ttype = wtypes[h.ttype];
    (*out)->t = arrays[T];
    (*out)->rt = arrays[RT];
    arrays[IDS] = arrays[T] = arrays[RT] = NULL;
    if ((*out)->t && !in_parts) st = check_times(s->path, &h, (*out)->t->host);
    if (!st) st = name_graph(s, &h, b, *out);
    if (!st && whole) st = ls_load_check_transpose(s->path, *out);
    if (st) {
      ls_graph_release(*out);
      *out = NULL;
    }
  }
  for (int i = 0; i < PARTS; i++) ls_buffer_release(arrays[i]);
  if (!st && (st = check_body(&b->owner))) {
    ls_graph_release(*out);
    *out = NULL;
  }
  if (!st && in_parts) {
    b->in_parts = true;
    b->path = ls_strdup(s->path);
    atomic_store(&b->unchecked, true);
    if (!b->path) {
      st = LS_EMEM;
      ls_graph_release(*out);
      *out = NULL;
    }
  }
  if (b && --b->owner.refs == 0) ls_lsg_destroy(&b->owner);
  return st;
}

/* --- saving ------------------------------------------------------------------------------------------ */

/* Places an array of `bytes` bytes at or after *next; *next becomes the array's end. */
static part place(const void *from, u64 bytes, u64 *next) {
  const part p = {(*next + ALIGN - 1) / ALIGN * ALIGN, bytes, ls_checksum(from, bytes)};
  *next = p.at + bytes;
  return p;
}

static void write_part(ls_sink *s, const part *p, const void *from, u64 *next) {
  static const u8 zeros[ALIGN];
  ls_sink_bytes(s, zeros, p->at - *next);
  ls_sink_bytes(s, from, p->bytes);
  *next = p->at + p->bytes;
}

static ls_status save(const ls_graph *g, ls_sink *s) {
  const ls_buffer *const arrays[PARTS] = {g->off, g->to, g->w, g->roff, g->rto, g->rw, g->ids, g->t, g->rt};
  const ls_vertex_names_kind *kind = g->vertex_names ? g->vertex_names->kind : NULL;
  void *names = NULL;
  u64 names_bytes = 0;
  header h = {.version = kind   ? VERSION
                         : g->t ? 2
                                : 1,
              .header_bytes = HEADER,
              .n = g->n,
              .m = g->m,
              .parts = kind || g->t ? PARTS : OLD_PARTS,
              .label_base = g->label_base,
              .scale = g->scale,
              .name_bytes = strnlen(g->name, 4096)};
  memcpy(h.magic, magic, sizeof magic);
  while (wtypes[h.wtype] != g->wtype) h.wtype++;
  while (wtypes[h.ttype] != g->ttype) h.ttype++;
  u64 next = HEADER + h.name_bytes;
  for (int i = 0; i < PARTS; i++)
    if (arrays[i]) h.part[i] = place(arrays[i]->host, part_bytes(&h, i), &next);
  if (kind) {
    const ls_status st = kind->save(g->vertex_names, &names, &names_bytes);
    if (st) return st;
    h.names = place(names, names_bytes, &next);
    memcpy(h.kind, kind->name, sizeof h.kind);
    h.reversed = g->reversed;
  }
  h.file_bytes = next;
  h.checksum = header_sum(&h, g->name);
  s->total = 0;
  ls_sink_bytes(s, &h, sizeof h);
  ls_sink_bytes(s, g->name, h.name_bytes);
  next = HEADER + h.name_bytes;
  for (int i = 0; i < PARTS; i++)
    if (arrays[i]) write_part(s, &h.part[i], arrays[i]->host, &next);
  if (kind) write_part(s, &h.names, names, &next);
  ls_free(names);
  return s->st;
}

static bool looks_like(const char *head, size_t bytes) {
  return bytes >= sizeof magic && memcmp(head, magic, sizeof magic) == 0;
}

const ls_format ls_format_lsg = {
    "lsg",      ".lsg", "lockstep's own: mapped, checksummed, both directions; opens at once",
    looks_like, load,   save,
    true,       false,
};
