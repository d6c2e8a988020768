/* The layout of a .lsg in the file and in memory, for lsg.c, lsg_rows.c and lsg_sums.c. */
#ifndef LS_LOAD_LSG_H
#define LS_LOAD_LSG_H

#include <stdatomic.h>

#include "core/mapping.h"
#include "load/format.h"

enum { OFF, TO, W, ROFF, RTO, RW, IDS, T, RT, PARTS, OLD_PARTS = T, ALIGN = 64, HEADER = 512, VERSION = 3 };

typedef struct part {
  u64 at, bytes, checksum; /* at = 0: the graph has none */
} part;

typedef struct header {
  u8 magic[8];
  u32 version, header_bytes;
  u64 file_bytes, n, m;
  u32 wtype, parts; /* wtype: an index into ls_lsg_types */
  i64 label_base;
  f64 scale;
  u64 name_bytes;
  part part[PARTS];
  u32 ttype, reversed; /* ttype: an index like wtype; reversed: ls_graph.reversed, which the names need */
  part names;          /* names of a model's vertices and edges, as their kind saves them; at = 0: none */
  char kind[8];
  u8 unused[HEADER - 8 * 10 - (PARTS + 1) * sizeof(part) - 8 - 8];
  u64 checksum; /* of all bytes of the header before it, and of the name */
} header;

_Static_assert(sizeof(header) == HEADER, "the header is 512 bytes");

extern const ls_dtype ls_lsg_types[];

/* The file's bytes from the header's end on, mapped or read. */
typedef struct body {
  ls_owner owner;
  ls_mapping *map; /* the whole file */
  void *rest;      /* if not mapped: what follows the header, from ls_malloc */
  void *off[2];    /* if mapped: copies of off and roff, so that changing the file changes no row's length */
  header h;
  bool in_parts;         /* it was opened to be read in parts */
  char *path;            /* if in_parts: for messages */
  atomic_bool unchecked; /* if in_parts: not yet used as a whole, and `off` is not filled */
} body;

void ls_lsg_destroy(ls_owner *o);
const void *ls_lsg_at(const body *b, u64 byte); /* where a byte of the file is in memory */
body *ls_lsg_body(const ls_graph *g);           /* NULL if g was not opened in parts */
ls_status ls_lsg_bad_sum(const char *path, const part *p, int which);

#endif
