/* Reads keys from the terminal and passes them to the panel, to the focused view, or to Readline. */
#ifndef LS_PANEL_KEY_INPUT_H
#define LS_PANEL_KEY_INPUT_H

#include <stdbool.h>

/* Reads typed bytes into the queue (panel/keys/line_editor.h); waits at most `patience` milliseconds for
 * them. */
void key_read(int patience);
bool key_unfinished(void); /* does the queue contain only the beginning of a key? */
void key_input(void);      /* handles one key of the queue */
void key_overhear(void);   /* while something runs: handles the keys that work meanwhile */

#endif
