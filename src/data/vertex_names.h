/* An interface that names the vertices and edges of a model's graph ("client 2: upload"). */
#ifndef LS_DATA_VERTEX_NAMES_H
#define LS_DATA_VERTEX_NAMES_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_vertex_names {
  int refs;
  /* Labels are those of ls_graph_label; callers may pass any number, e.g. from a damaged file. Both functions
   * write at most `bytes` bytes, including the terminating zero. edge: names step number `which`, from 0, of
   * the model's steps that lead from one state to the other; false: there is no such step. */
  void (*vertex)(const struct ls_vertex_names *, i64 label, char *out, size_t bytes);
  bool (*edge)(const struct ls_vertex_names *, i64 from, i64 to, u32 which, char *out, size_t bytes);
  void (*destroy)(struct ls_vertex_names *);
  const struct ls_vertex_names_kind *kind; /* how it is saved in a file; NULL: it cannot be saved */
  u64 unexpanded; /* number of states whose successors are unknown, because exploration was not finished */
} ls_vertex_names;

typedef struct ls_vertex_names_kind {
  char name[8]; /* identifies the kind in files; zero-terminated */
  ls_status (*save)(const ls_vertex_names *, void **out, u64 *bytes); /* *out from ls_malloc */
  ls_status (*restore)(const void *from, u64 bytes,
                       ls_vertex_names **out); /* LS_EINPUT: the message does not contain a file position */
} ls_vertex_names_kind;

void ls_vertex_names_kind_register(
    const ls_vertex_names_kind *kind); /* at most eight kinds; registering one twice is harmless */
const ls_vertex_names_kind *ls_vertex_names_kind_find(const char name[8]); /* NULL: no such kind */

#endif
