/* Waiting politely: whoever works or waits for long asks here, at least every 50 ms, and by this keyboard,
 * signals, redraw and resize are served. The one that serves them registers a hook; this file knows no
 * terminal. */
#ifndef LS_CORE_WAIT_H
#define LS_CORE_WAIT_H

#include "core/error.h"
#include "core/types.h"

/* Set by the SIGINT handler (async-signal-safe), cleared by whoever has acted on it. */
void ls_interrupt(void);
bool ls_interrupted(void);
void ls_interrupt_clear(void);
/* For code that asks very often whether it is to end: true from ls_interrupt or ls_ask_to_look(true) on. */
const volatile bool *ls_look_flag(void);
void ls_ask_to_look(bool on);

/* A pause is wanted, or Ctrl-C came: what can return early and go on later does so; nothing is given up.
 * ls_interrupt_clear clears both. */
void ls_pause(void);
bool ls_pausing(void);

/* Called on the main thread every 50 ms or less while it waits. NULL: none. On other threads ls_idle does
 * nothing. */
void ls_idle_hook(void (*hook)(void));
void ls_idle(void);

/* Runs work(arg) on the worker thread while the main thread serves ls_idle; returns when it is done. Short
 * work (quick = true) runs here and now, and so does work asked for by the worker or by the idle hook. The
 * worker is one thread for the process's life, so that OpenMP keeps one team. If the work failed, its message
 * is ls_error() here too. */
void ls_work(void (*work)(void *), void *arg, bool quick);

/* The same by a second thread, beside what this one and the worker do: begins work(arg), one piece at a time;
 * and waits until it is done, as ls_work does. false: no such thread can be had. give_up: there and as long
 * as this waits, ls_interrupted is true. core/beside.h says who uses it. */
bool ls_work_begin(void (*work)(void *), void *arg);
void ls_work_end(bool give_up);
/* Is this thread one of these two? And: does the main thread serve ls_idle now? A function that is called
 * there must not wait for anything. */
bool ls_on_worker(void);
bool ls_idling(void);

/* Progress of something that may take over a second: the first line comes after one second, then twice a
 * second, on stderr. Thread-safe; total = 0 where it is unknown, done = 0 as well where no amount is.
 * ls_progress_end ends the line. */
void ls_progress(const char *what, u64 done, u64 total);
void ls_progress_end(void);
void ls_progress_enable(bool on);
/* From here on ls_idle shows `what` as progress without an amount ("compiling x.h  2.0 s"); NULL ends that.
 * what stays the caller's. */
void ls_waits_for(const char *what);

double ls_now(void); /* seconds, monotonic */

#endif
