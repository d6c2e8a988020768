/* Captures the output of scripts, libraries and child processes while curses owns the terminal. File
 * descriptors 1 and 2 are redirected to a pipe, which a separate thread drains, so that a writer and the
 * panel never wait for each other. */
#ifndef LS_PANEL_OUTPUT_CAPTURE_H
#define LS_PANEL_OUTPUT_CAPTURE_H

#include <stddef.h>

#include "core/error.h"

/* For a prompt on a terminal; to be called before anything is written. From then on, what this process writes
 * to stdout and stderr while the capture is off is also stored here, so that a panel opened later can show
 * it. The output of child processes is not stored. */
void ls_output_capture_copy(void);

/* While on, captures what is written to descriptors 1 and 2 if they are terminals (not with 2>log). */
ls_status ls_output_capture_on(void (*came)(void)); /* came: called by the thread when new output arrives */
void ls_output_capture_off(void); /* async-signal-safe; output in the pipe can still be taken */
/* Moves up to `room` captured bytes to out; returns how many. */
size_t ls_output_capture_take(char *out, size_t room);
/* Flushes stdout and waits until all output of this process can be taken. */
void ls_output_capture_settle(void);

/* In a crash, after ls_output_capture_off: writes captured output that was not taken, such as the message of
 * an abort, to stderr. As async-signal-safe as possible. */
void ls_output_capture_last_words(void);

#endif
