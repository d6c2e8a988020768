/* Checkpoints: a state at the end of an iteration, in a file from which the algorithm can go on, also in a
 * later session. A file of our own: a header, lines of text that say what follows (they can be read with any
 * pager), and the buffers' contents, all under checksums. Of several ranks each has a file of its own,
 * PATH.0of2 and PATH.1of2 of two: it saves its own state there, and goes on from it. */
#ifndef LS_RUN_CHECKPOINT_H
#define LS_RUN_CHECKPOINT_H

#include "run/state.h"

enum { LS_CARRIED = 32, LS_CARRIED_NAME = 48, LS_CARRIED_TEXT = 200 };

/* A number, a boolean or a string that the loop carries from one iteration to the next. */
typedef struct ls_carried {
  enum { LS_INTEGER, LS_REAL, LS_BOOLEAN, LS_STRING } kind;
  char name[LS_CARRIED_NAME]; /* an identifier */
  i64 i;                      /* of a boolean, too */
  f64 r;
  char text[LS_CARRIED_TEXT]; /* of one line */
} ls_carried;

typedef struct ls_checkpoint {
  char loop[64]; /* whose iterations they are: "scc.forward_backward"; "" unknown, which fits any */
  u32 iteration; /* that has ended */
  bool leave[LS_MAX_FIELDS]; /* fields that stay as they are, whatever the file has of them */
  int count;
  ls_carried carried[LS_CARRIED];
} ls_checkpoint;

/* Written beside and renamed: whatever goes wrong costs no old file. LS_EIO, LS_EINTERRUPTED, LS_EMEM. */
ls_status ls_checkpoint_save(const char *path, ls_state *s, const ls_checkpoint *c, u64 *bytes);
/* Fills s, a state of the same schema, sizes and graph, and the rest of c; c->loop and c->leave say what
 * is expected. LS_EINPUT with what was expected and what was found; the state's contents are undefined then.
 */
ls_status ls_checkpoint_load(const char *path, ls_state *s, ls_checkpoint *c);

#endif
