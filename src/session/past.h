/* Going back through what was recorded of the paused algorithm (run/journal.h), and forward again.
 *
 * After ls_session_back the stop, the buffers' contents and the locals are of an earlier moment. In the past
 * step, next, iter and until go forward too, at most to the present; continue and finish go on from the
 * present. Nothing can be launched or written there. A local that is a table or a userdata, a buffer apart,
 * is known by what it holds now. */
#ifndef LS_SESSION_PAST_H
#define LS_SESSION_PAST_H

#include "session/run.h"

ls_ran ls_session_back(u64 n);    /* n moments */
ls_ran ls_session_forward(u64 n); /* 0: to the present */
u64 ls_session_touched(
    void); /* how often buffers were, or may have been, written from the prompt at a stop */
/* The value on top of L, a local's, is to be remembered. is_fleeting may replace it by a copy that stays as
 * it is; true: the past must not keep it alive. */
void ls_session_on_keep(bool (*is_fleeting)(lua_State *L));

/* --- for the layers above ---------------------------------------------------------------------------- */

void past_open(void);
bool past_stands(void); /* is there a stop to go back from? An ended run stands at its end then */
void past_typed(void);  /* what was changed by hand at this stop becomes a moment */
/* Goes so many moments, at most as far as there are any; the stop is that moment's then. LS_EMEM: it got no
 * further. */
ls_status past_go(i64 by);
bool past_by_hand(void);                   /* is the moment where we stand one of what was changed by hand? */
ls_status past_leave(run_mode mode);       /* the algorithm is to go on: to the present */
ls_ran past_forward(run_mode mode, u64 n); /* step, next, iter and until in the past */

#endif
