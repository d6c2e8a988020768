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
/* Closes the help that F1 or a long text has opened, or only a text; false: there is none. */
bool key_close_help(bool text_only);
/* Shows a text where F1 shows its help, if it is longer than the prompt's pane. */
bool key_show_text(const char *text);
void key_note_until(const char *expr); /* what F6 brings, typed twice */

#endif
