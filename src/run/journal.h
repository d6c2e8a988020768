/* The journal: what the buffers of a stepped run held at every stop, as differences, within a budget.
 *
 * A moment is a place to which one can go back. From ls_journal_begin on, the first write to a buffer after a
 * moment keeps what it held (ls_buffer_watch); ls_journal_keep makes a difference of it, which leads from
 * that moment to the next and back, whoever wrote: a primitive, a swap, a script, a hand at the prompt. Who
 * does not step, never begins it, and pays nothing.
 *
 * Out of room, the oldest moments go. A buffer that is too large for the budget, or what changed in it, is
 * passed over: its own past is lost (ls_journal_lacks), the others' stays. Out of memory all is forgotten but
 * the run goes on: recording begins anew with the next moment, and ls_journal_trouble() says why. All of this
 * is the main thread's, but for the keeping of old contents, which is the writer's. */
#ifndef LS_RUN_JOURNAL_H
#define LS_RUN_JOURNAL_H

#include "data/buffer.h"

enum { LS_JOURNAL_MIB = 256 }; /* the budget at first; main.c raises it with the machine's memory */

/* What a client remembers of a moment: from ls_malloc, with its size; `forget` frees it when the moment goes.
 */
void ls_journal_on_forget(void (*forget)(void *note));

/* Begins with the present as its only moment. `number`: of the last primitive then, as in "#12". Takes note
 * over, here and below, whatever comes of it. */
void ls_journal_begin(u64 number, void *note, u64 note_bytes);
void ls_journal_lose(const char *why); /* forgets all; the next moment begins anew */
void ls_journal_end(void);             /* goes to the present, then forgets everything */
bool ls_journal_on(void);

/* The present becomes a moment. unless_same: only if something has changed since the last one. */
void ls_journal_keep(u64 number, void *note, u64 note_bytes, bool unless_same);
bool ls_journal_written(void); /* was anything written since the last moment? */

/* Moves by so many moments, back (negative) or forward, at most as far as there are any: contents and
 * changed_step of the buffers are then that moment's. LS_EMEM: some moment on the way was reached instead.
 * The present may be left only when nothing was written since its moment (ls_journal_keep). */
ls_status ls_journal_go(i64 by);
void *ls_journal_note(void); /* of the moment at which we are; NULL: there is none */

typedef struct ls_position {
  bool on;               /* something is recorded */
  u64 at, first, newest; /* numbers of primitives: "PAST #at of #newest (back to #first)" */
  u64 behind, ahead;     /* moments before and after the one at which we are */
  bool in_past;          /* ahead > 0 */
  u32 lacking;           /* buffers of which ls_journal_lacks */
  u64 bytes, budget;
} ls_position;
ls_position ls_journal_position(void);
bool ls_journal_in_past(void);
/* LS_EARG "in the past (#12 of #30): `forward` first" where we are; for whoever would write or launch. */
ls_status ls_journal_present(void);

/* Bytes; 0: nothing is recorded. What no longer fits goes; in the past nothing may have to (LS_EARG). */
ls_status ls_journal_budget(u64 bytes);
/* Is it unknown what the buffer held at the moment at which we are? It holds something else then. */
bool ls_journal_lacks(const ls_buffer *b);
/* "i32[67108864] of 256 MiB": a buffer that is too large, once for each; NULL: there is no new one. */
const char *ls_journal_passed_over(void);
/* Why what was recorded is lost, once after each loss; NULL: nothing was. */
const char *ls_journal_trouble(void);

#endif
