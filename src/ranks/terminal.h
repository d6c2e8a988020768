/* A prompt under mpirun, which gives its processes no terminal. */
#ifndef LS_RANKS_TERMINAL_H
#define LS_RANKS_TERMINAL_H

#include <stdbool.h>

/* For rank 0 under mpirun, if its standard input is /dev/null (mpirun --stdin none, or < /dev/null): uses the
 * terminal from which mpirun was started, if that is on this host, for standard input, output and error.
 * Otherwise nothing changes: lines come from standard input. */
void ls_ranks_take_terminal(void);
/* Returns the terminal to its previous process group. */
void ls_ranks_leave_terminal(void);
/* Has this process taken over the terminal? Then Ctrl-Z must not stop it: the shell does not know this
 * process, and would not take the terminal back. */
bool ls_ranks_has_terminal(void);
/* Is there a controlling terminal that this process could take over if its standard input were /dev/null? */
bool ls_ranks_sees_terminal(void);

#endif
