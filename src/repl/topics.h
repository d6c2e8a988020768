/* `help` alone, and its topics: lists of what there is, and how the prompt and --json work. */
#ifndef LS_REPL_TOPICS_H
#define LS_REPL_TOPICS_H

#include <stdbool.h>

void help_overview(void);
bool help_topic(const char *name); /* false: it is none */

#endif
