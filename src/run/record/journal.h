/* The journal: the contents of buffers at every stop of a stepped run, stored as differences, within a
 * budget.
 *
 * A moment is a state to which one can go back. After ls_journal_begin, the first write to a buffer after a
 * moment keeps its old contents (ls_buffer_watch); ls_journal_keep turns them into a difference that leads
 * from that moment to the next and back, whatever the write was: a primitive, a swap, a script, a command at
 * the prompt. A run that is not stepped never begins a journal, and pays nothing.
 *
 * If the budget is exhausted, the oldest moments are forgotten. If a buffer, or its difference, is too large
 * for the budget, only its own past is lost (ls_journal_lacks). If memory is exhausted, everything is
 * forgotten, but the run continues: recording starts again with the next moment, and ls_journal_trouble()
 * says why. Called on the main thread only, except that the writing thread keeps the old contents. */
#ifndef LS_RUN_JOURNAL_H
#define LS_RUN_JOURNAL_H

#include "data/buffer.h"

enum { LS_JOURNAL_MIB = 256 }; /* initial budget; main.c raises it on machines with more memory */

/* A note is the client's data about a moment, with its size. `forget` frees a note when its moment is
 * forgotten. */
void ls_journal_on_forget(void (*forget)(void *note));

/* Begins a journal whose only moment is the present. `number` is that of the last primitive, 12 for "#12".
 * This function and ls_journal_keep take ownership of `note`, even if they do not record the moment. */
void ls_journal_begin(u64 number, void *note, u64 note_bytes);
void ls_journal_lose(const char *why); /* forgets everything; recording restarts with the next moment */
void ls_journal_end(void);             /* returns to the present, then forgets everything */
bool ls_journal_on(void);

/* Records the present as a moment. unless_same: only if something has changed since the last one. */
void ls_journal_keep(u64 number, void *note, u64 note_bytes, bool unless_same);
bool ls_journal_written(void); /* was anything written since the last moment? */

/* Moves by `by` moments, back (negative) or forward, at most to the last moment in that direction: the
 * buffers get the contents and the changed_step that they had at that moment. LS_EMEM: the move ended at a
 * moment in between. Must not leave the present if a buffer was written since the newest moment: call
 * ls_journal_keep first. */
ls_status ls_journal_go(i64 by);
void *ls_journal_note(void); /* of the current moment; NULL: none */

typedef struct ls_position {
  bool on;               /* there is at least one moment */
  u64 at, first, newest; /* numbers of primitives: "PAST #at of #newest (back to #first)" */
  u64 behind, ahead;     /* moments before and after the current one */
  bool in_past;          /* ahead > 0 */
  u32 lacking;           /* number of buffers for which ls_journal_lacks is true */
  u64 bytes, budget;
} ls_position;
ls_position ls_journal_position(void);
bool ls_journal_in_past(void);
/* LS_EARG "this stop is in the past (#12 of #30): type `forward` first" if the current moment is not the
 * present; called before writes and launches. */
ls_status ls_journal_present(void);

/* Sets the budget in bytes; 0: nothing is recorded. What does not fit is forgotten; in the past, this is
 * refused with LS_EARG. */
ls_status ls_journal_budget(u64 bytes);
/* Are the buffer's contents at the current moment unknown? The buffer then holds something else. */
bool ls_journal_lacks(const ls_buffer *b);
/* "i32[67108864] of 256 MiB": a buffer that is too large to be recorded, returned once for each; NULL: no new
 * one. */
const char *ls_journal_passed_over(void);
/* Why the recorded past was lost, returned once after each loss; NULL: nothing was lost. */
const char *ls_journal_trouble(void);

#endif
