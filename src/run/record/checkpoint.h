/* Checkpoints: the state at the end of an iteration, in a file from which the algorithm can continue, even in
 * a later session. The file consists of a header, lines of text that describe what follows (readable with any
 * pager), and the contents of the buffers, all under checksums. With several ranks, each rank saves its state
 * to a file of its own, and continues from it: PATH.0of2 and PATH.1of2 for two ranks. */
#ifndef LS_RUN_CHECKPOINT_H
#define LS_RUN_CHECKPOINT_H

#include "run/launch/state.h"

enum { LS_CARRIED = 32, LS_CARRIED_NAME = 48, LS_CARRIED_TEXT = 200 };

/* A number, a boolean or a string that the loop carries from one iteration to the next. */
typedef struct ls_carried {
  enum { LS_INTEGER, LS_REAL, LS_BOOLEAN, LS_STRING } kind;
  char name[LS_CARRIED_NAME]; /* an identifier */
  i64 i;                      /* also the value of a boolean */
  f64 r;
  char text[LS_CARRIED_TEXT]; /* a single line */
} ls_carried;

typedef struct ls_checkpoint {
  char loop[64]; /* the loop that was iterated: "scc.forward_backward"; "": unknown, matches any */
  u32 iteration; /* the last one that has ended */
  bool leave[LS_MAX_FIELDS]; /* fields that loading leaves as they are, whatever the file contains */
  int count;
  ls_carried carried[LS_CARRIED];
} ls_checkpoint;

/* Writes a temporary file, then renames it, so that a failure never destroys the old file. *bytes: size of
 * the file. LS_EIO, LS_EINTERRUPTED, LS_EMEM. */
ls_status ls_checkpoint_save(const char *path, ls_state *s, const ls_checkpoint *c, u64 *bytes);
/* Fills *s, whose schema, sizes and graph must be those of the file, and *c, in which the caller has set
 * `loop` and `leave`. LS_EINPUT: the message says what was expected and what was found; the state's contents
 * are then undefined. */
ls_status ls_checkpoint_load(const char *path, ls_state *s, ls_checkpoint *c);

#endif
