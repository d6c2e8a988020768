/* Output of help in the width of the terminal. */
#ifndef LS_REPL_HELP_LINES_H
#define LS_REPL_HELP_LINES_H

#include "repl/help/docs.h"

void help_bold(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a name and the first sentence of its doc, wrapped at the width of the terminal. */
void help_line(const char *name, size_t len, const char *doc, size_t doc_len);
/* Prints text that was written for a wide page, in the width of the terminal: paragraphs are refilled, other
 * long lines are broken between words. Unchanged if the width is unknown or below 20 columns. */
void help_flow(const char *text);
/* Prints the rest of a line of which `used` columns are already printed; further lines are indented by 2. */
void help_rest(const char *text, int used);
/* Prints one line, of help or of anything else, broken between words; adds the newline. */
void help_fold(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
bool help_same_name(const ls_doc *a, const ls_doc *b);
/* Prints one line of a list. *last is the doc printed before: docs with the same name are printed once. */
void help_doc_line(const ls_doc *d, ls_doc *last);

#endif
