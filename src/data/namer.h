/* Who names the vertices and edges of a model's graph ("client 2: upload"). */
#ifndef LS_DATA_NAMER_H
#define LS_DATA_NAMER_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_namer {
  int refs;
  /* Labels are ls_graph_label's; any number may come, from a damaged file too. Both write at most `bytes`
   * with the closing 0. edge: the which-th (from 0) of the model's moves between two states; false where
   * there is none. */
  void (*vertex)(const struct ls_namer *, i64 label, char *out, size_t bytes);
  bool (*edge)(const struct ls_namer *, i64 from, i64 to, u32 which, char *out, size_t bytes);
  void (*destroy)(struct ls_namer *);
  const struct ls_namer_kind *kind; /* how it is kept in a file; NULL: it is not */
  u64 unexpanded; /* states of the model whose successors are unknown, because its exploration was not
                     finished */
} ls_namer;

typedef struct ls_namer_kind {
  char name[8];                                                /* in files; ends with a 0 */
  ls_status (*save)(const ls_namer *, void **out, u64 *bytes); /* *out from ls_malloc */
  ls_status (*restore)(const void *from, u64 bytes,
                       ls_namer **out); /* LS_EINPUT: what is wrong, without a place */
} ls_namer_kind;

void ls_namer_kind_register(const ls_namer_kind *kind);      /* eight kinds at most; again is fine */
const ls_namer_kind *ls_namer_kind_find(const char name[8]); /* NULL: no such kind */

#endif
