/* `help` alone, lists of what there is, and the pages of lua/help_topics*.lua. */
#ifndef LS_REPL_TOPICS_H
#define LS_REPL_TOPICS_H

#include <stdbool.h>

void help_overview(void);
bool help_page(const char *name); /* of lua/help_topics*.lua; false: there is none */
bool help_list(const char *name); /* `help commands`; false: there is none */

#endif
