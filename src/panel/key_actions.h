/* What keys do. */
#ifndef LS_PANEL_KEY_ACTIONS_H
#define LS_PANEL_KEY_ACTIONS_H

#include <stdbool.h>

bool key_is_own(int key);         /* is it one of the panel's own? */
bool key_serves_running(int key); /* and one that is served while something runs? */
void key_act(int key, bool running);
/* Takes a key for the view that has the focus, or for the question behind `/`; false: not taken. */
bool key_act_in_view(int key);
/* PgUp and PgDn turn the help that F1 has opened, whoever has the focus; false: there is none. */
bool key_turn_help(int key);
void key_note_until(const char *expr); /* what `until` without an expression means */

#endif
