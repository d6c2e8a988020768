/* The two ways out: data and messages. Everything that is shown goes through here, so that a panel can take
 * it over. As printf: newlines are given. What came from outside is shown as core/show.h has it. A terminal
 * shows messages (ls_note, ls_complain) broken between words. */
#ifndef LS_REPL_SAY_H
#define LS_REPL_SAY_H

#include <stddef.h>
#include <stdio.h>

/* stdout; but with --json or --csv it is no data, and goes to stderr */
void ls_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void ls_note(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* stderr: messages */
void ls_complaint_forget(void);
const char *ls_complaint(void); /* the last error that was told: how its message begins */
void ls_complain(const char *message,
                 const char *more);               /* ls_note of an error, in its colour, and a line's end */
void ls_say_raw(const char *text);                /* as ls_say, but as it is: colours of ours */
void ls_say_into(FILE *f);                        /* ls_say and ls_say_raw write there; NULL: no longer */
void ls_say_data(const char *text, size_t bytes); /* JSON, CSV: stdout; as it is, but on a terminal */

#endif
