/* A team of threads that does many short pieces of work, one after the other. A parallel region of OpenMP
 * costs several microseconds, and waits for each of its threads even if another program has that one's core.
 * Here the threads look again and again for the next piece; a piece is finished when its items are, whichever
 * threads did them. */
#ifndef LS_CORE_TEAM_H
#define LS_CORE_TEAM_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_team ls_team;

/* Runs main(team, arg) on this thread, beside which as many wait for pieces as OpenMP would take. No region
 * of OpenMP begun by main or by an item has more than one thread meanwhile. LS_EMEM: main has not run. */
ls_status ls_team_run(void (*main)(ls_team *, void *), void *arg);

/* item(arg, i) for each i below count, in any order, each by one thread. What was written before is seen by
 * the items, and what they write is seen after it. Only main may call it. */
void ls_team_each(ls_team *t, u32 count, void (*item)(void *, u32), void *arg);

#endif
