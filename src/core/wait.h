/* Keeps the program responsive while it works or waits: such code calls ls_idle at least every 50 ms, and the
 * hook of ls_idle serves keyboard, signals, redraw and resize (this file knows no terminal). Also interrupts,
 * worker threads and progress. */
#ifndef LS_CORE_WAIT_H
#define LS_CORE_WAIT_H

#include "core/error.h"
#include "core/types.h"

/* Set by the SIGINT handler (async-signal-safe), cleared by whoever has acted on it. */
void ls_interrupt(void);
bool ls_interrupted(void);
void ls_interrupt_clear(void);
/* A flag for code that checks very often whether to stop: true after ls_interrupt or ls_ask_to_look(true). */
const volatile bool *ls_look_flag(void);
void ls_ask_to_look(bool on);

/* ls_pausing: a pause or Ctrl-C was requested. Code that can return early and continue later then does so;
 * nothing is abandoned. ls_interrupt_clear clears both. */
void ls_pause(void);
bool ls_pausing(void);

/* The hook is called on the main thread every 50 ms or less while it waits; NULL: none. On workers ls_idle
 * does nothing. */
void ls_idle_hook(void (*hook)(void));
void ls_idle(void);

/* Runs work(arg) on the worker thread while the main thread serves ls_idle; returns when it is done. Short
 * work (quick = true), and work that the worker or the idle hook requests, runs on the calling thread. The
 * worker thread lives as long as the process, so that OpenMP keeps one thread pool. If the work failed,
 * ls_error() returns its message here too. */
void ls_work(void (*work)(void *), void *arg, bool quick);

/* The same on a second thread, in parallel with the main thread and the worker: ls_work_begin starts
 * work(arg), one job at a time, and returns false if the thread cannot be started; ls_work_end waits for it
 * as ls_work does. give_up: while ls_work_end waits, ls_interrupted() is true in the job. Used by
 * core/async_job.h. */
bool ls_work_begin(void (*work)(void *), void *arg);
void ls_work_end(bool give_up);
/* ls_on_worker: is this thread the worker or the second thread? ls_idling: is the main thread inside ls_idle?
 * Code that ls_idle calls must not wait for anything. */
bool ls_on_worker(void);
bool ls_idling(void);

/* Shows progress of work that may take over a second, on stderr: first after one second, then twice a second.
 * Thread-safe. total = 0: unknown; done = 0 too: no amount is shown. ls_progress_end ends the line. */
void ls_progress(const char *what, u64 done, u64 total);
void ls_progress_end(void);
void ls_progress_enable(bool on);
/* From now on ls_idle shows `what` as progress without an amount ("compiling x.h  2.0 s"), first after 0.3 s;
 * NULL ends that. The caller keeps `what` alive. */
void ls_waits_for(const char *what);

double ls_now(void); /* seconds, monotonic */

#endif
