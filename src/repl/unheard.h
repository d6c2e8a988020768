/* Ends a process that no longer reacts. A finalizer, a handler of errors and a string pattern run where Lua
 * calls no hook, and a terminal may take no output. Then the third Ctrl-C since a line began to run, SIGTERM
 * or SIGHUP ends the process, one second after its last sign of life; SIGTERM and SIGHUP end it after ten
 * seconds also where it still gives such signs (a rank after one: its launcher kills it after two). In batch
 * mode, where there is no prompt to come back to, the third Ctrl-C ends it at once. All but unheard_open is
 * async-signal-safe. */
#ifndef LS_REPL_UNHEARD_H
#define LS_REPL_UNHEARD_H

#include <stdbool.h>

/* Once, while the terminal is as others expect it. leave: gives it back, where a panel has it. */
void unheard_open(bool interactive, void (*leave)(void));
void unheard_begin(
    bool ticks); /* a line begins to run, or has ended: Ctrl-C counts anew; SIGALRM comes, or not */
void unheard_interrupt(void);         /* Ctrl-C while something runs */
void unheard_doom(int signal_number); /* SIGTERM or SIGHUP has come */
void unheard_beat(void);              /* a sign of life */
void unheard_judge(void);             /* on every SIGALRM: ends the process where it is time */
void unheard_end(int signal_number);  /* ends it now */

#endif
