/* The actions of the panel's keys. */
#ifndef LS_PANEL_KEY_ACTIONS_H
#define LS_PANEL_KEY_ACTIONS_H

#include <stdbool.h>

bool key_is_own(int key);         /* is it one of the panel's own keys? */
bool key_serves_running(int key); /* is it one that also works while something runs? */
void key_act(int key, bool running);
/* Handles a key in the focused view, or in the search text after `/`; false: the key is for the prompt. */
bool key_act_in_view(int key);
/* Scrolls the help that F1 opened by PgUp and PgDn, wherever the focus is; false: no help is open. */
bool key_turn_help(int key);
/* Closes the help that F1 or a long text opened (text_only: only if it shows a text); false: there is
 * none. */
bool key_close_help(bool text_only);
/* Shows a text in the pane of the help if it is longer than the prompt's pane; else false. */
bool key_show_text(const char *text);
void key_note_until(const char *expr); /* remembers the last `until`, which F6 typed twice repeats */

#endif
