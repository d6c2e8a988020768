/* Output: data and messages. All output goes through here. Formats are those of printf, newlines included;
 * control characters are escaped by core/escape.h. On a terminal, messages (ls_note, ls_complain) are broken
 * between words. */
#ifndef LS_REPL_OUTPUT_H
#define LS_REPL_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

/* Prints to stdout; with --json or --csv to stderr, because stdout is then reserved for data. */
void ls_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a message to stderr. */
void ls_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void ls_complaint_forget(void);
const char *ls_complaint(void); /* the beginning of the last error printed by ls_complain; "" after forget */
/* Prints an error to stderr: `message` in colour, then `more`, then a newline. */
void ls_complain(const char *message, const char *more);
void ls_say_raw(const char *text); /* ls_say without escaping, for our own colour sequences */
void ls_say_into(FILE *f);         /* redirects ls_say and ls_say_raw to f; NULL ends that */
/* Prints JSON or CSV to stdout; escaped only if stdout is a terminal. */
void ls_say_data(const char *text, size_t bytes);

#endif
