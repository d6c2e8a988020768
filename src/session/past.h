/* Goes back and forward through the recording of the paused algorithm (run/record/journal.h). A moment of the
 * recording is a stop, or a primitive that was stepped over.
 *
 * After ls_session_back the stop, the buffers' contents and the locals are those of an earlier moment. In the
 * past, step, next, iter and until move forward through the recording, at most to the present; continue and
 * finish resume from the present. Nothing can be launched or written in the past. The contents of a table or
 * a userdata other than a buffer are not recorded: such a local has its present contents. */
#ifndef LS_SESSION_PAST_H
#define LS_SESSION_PAST_H

#include "session/run.h"

ls_ran ls_session_back(u64 n);    /* goes back n moments */
ls_ran ls_session_forward(u64 n); /* goes forward n moments; 0: to the present */
/* How often buffers were, or may have been, written from the prompt at a stop. */
u64 ls_session_touched(void);
/* Registers is_fleeting, which is called with a local's value on top of L when it is recorded. It may replace
 * the value by a copy that does not change; true: the recording must not keep the value alive. */
void ls_session_on_keep(bool (*is_fleeting)(lua_State *L));

/* --- for the layers above ---------------------------------------------------------------------------- */

void past_open(void);
bool past_stands(void); /* is there a stop to go back from? If the run has ended, moves to its end first */
void past_typed(void);  /* records what was changed by hand at this stop */
/* Moves by that many moments (negative: back), at most to the end of the recording, and updates the current
 * stop to that of the moment reached. LS_EMEM: it moved only part of the way. */
ls_status past_go(i64 by);
bool past_by_hand(void);                   /* does the current moment record a change by hand? */
ls_status past_leave(run_mode mode);       /* the algorithm is to resume: moves to the present */
ls_ran past_forward(run_mode mode, u64 n); /* step, next, iter and until in the past */

#endif
