/* Keys: from the terminal to the panel, to the focused view, or to Readline. */
#ifndef LS_PANEL_KEY_INPUT_H
#define LS_PANEL_KEY_INPUT_H

#include <stdbool.h>

/* Reads what was typed into the queue (panel/edit.h), waiting so many milliseconds for it. */
void key_read(int patience);
bool key_unfinished(void); /* the keys that wait are the beginning of one */
void key_input(void);      /* serves one key of the queue */
void key_overhear(void);   /* while something runs: what can be served meanwhile is */

#endif
