/* Lines of help. */
#ifndef LS_REPL_HELP_LINES_H
#define LS_REPL_HELP_LINES_H

#include "repl/docs.h"

void help_bold(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A name and the first line of its doc, cut at the terminal's width. */
void help_line(const char *name, size_t len, const char *doc, size_t doc_len);
/* Text that was written for a wide page, in the terminal's width: prose is filled, other lines are broken
 * between words. As it is where there is no terminal. */
void help_flow(const char *text);
/* The same for one line, also one that is no help; its end is not given. */
void help_fold(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
bool help_same_name(const ls_doc *a, const ls_doc *b);
/* One line of a list; a name with several signatures, which `last` remembers, has one. */
void help_doc_line(const ls_doc *d, ls_doc *last);

#endif
