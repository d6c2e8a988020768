/* Help: the overview (`help` without a name), the lists (`help commands`), the pages of
 * lua/help/topics*.lua. */
#ifndef LS_REPL_TOPICS_H
#define LS_REPL_TOPICS_H

#include <stdbool.h>

void help_overview(void);
bool help_page(const char *name); /* false: there is no page of that name */
bool help_list(const char *name); /* false: there is no list of that name */

#endif
