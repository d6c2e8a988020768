/* Ends the process if it no longer responds to signals. Lua calls no hook in a finalizer, an error handler or
 * a string pattern, and a terminal may block output; then the session cannot be interrupted. So the third
 * Ctrl-C since a line began to run, SIGTERM or SIGHUP ends the process one second after its last heartbeat.
 * SIGTERM and SIGHUP end it after ten seconds even if heartbeats continue; if there are several ranks, after
 * one second, because their launcher kills them after two. In batch mode, which has no prompt to return to,
 * the third Ctrl-C ends it at once. All functions but unheard_open are async-signal-safe. */
#ifndef LS_REPL_WATCHDOG_H
#define LS_REPL_WATCHDOG_H

#include <stdbool.h>

/* To be called once, before the modes of the terminal are changed. leave: makes an active panel release the
 * terminal. */
void unheard_open(bool interactive, void (*leave)(void));
/* A line begins to run (ticks: SIGALRM every 50 ms) or has ended (no ticks). Resets the count of Ctrl-C. */
void unheard_begin(bool ticks);
void unheard_interrupt(void);         /* Ctrl-C came while something runs */
void unheard_doom(int signal_number); /* SIGTERM or SIGHUP came */
void unheard_beat(void);              /* heartbeat */
void unheard_judge(void);             /* on every SIGALRM: ends the process if it has not responded in time */
void unheard_end(int signal_number);  /* ends the process now */

#endif
