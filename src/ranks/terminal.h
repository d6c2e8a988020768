/* A prompt under mpirun, which gives its processes no terminal. */
#ifndef LS_RANKS_TERMINAL_H
#define LS_RANKS_TERMINAL_H

#include <stdbool.h>

/* Rank 0 of mpirun, whose standard input is /dev/null (mpirun --stdin none, or < /dev/null): takes the
 * terminal that mpirun was started on, if that is on this host, for all three. Else nothing changes: lines
 * come from standard input. */
void ls_ranks_take_terminal(void);
/* Gives it back. */
void ls_ranks_leave_terminal(void);
/* Has it been taken? Then the shell does not know of this process, and Ctrl-Z would leave nobody there. */
bool ls_ranks_has_terminal(void);
/* Is there one that could be taken, if standard input were /dev/null? */
bool ls_ranks_sees_terminal(void);

#endif
