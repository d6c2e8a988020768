/* What scripts, libraries and child processes write while curses owns the terminal. File descriptors 1 and 2
 * lead into a pipe that a thread of its own empties, so that no writer ever waits for a panel that waits for
 * it. */
#ifndef LS_PANEL_OUTLET_H
#define LS_PANEL_OUTLET_H

#include <stddef.h>

#include "core/error.h"

/* Before anything is written, for a prompt on a terminal: from here on what this process writes by stdout and
 * stderr comes here too while the outlet is off, so that a panel that is opened later can show it. What its
 * children write then does not. */
void ls_outlet_copy(void);

/* From on to off, what is written to the terminal by 1 and 2 comes here. One of them that leads elsewhere
 * (2>log) is left alone. */
ls_status ls_outlet_on(void (*came)(void)); /* came: called from the thread when something is there */
void ls_outlet_off(void);                   /* async-signal-safe; what is in the pipe stays to be taken */
/* Takes what has come, up to so many bytes; 0: nothing. */
size_t ls_outlet_take(char *out, size_t room);
/* Flushes stdout and waits until all that was written by this process is there to be taken. */
void ls_outlet_settle(void);

/* In a crash, after ls_outlet_off: what nobody has taken goes to stderr, the message of an abort among it. As
 * safe as can be had there. */
void ls_outlet_last_words(void);

#endif
