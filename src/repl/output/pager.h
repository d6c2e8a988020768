/* A pager for long output, such as that of help, in the manner of more(1). */
#ifndef LS_REPL_PAGER_H
#define LS_REPL_PAGER_H

#include "core/error.h"

/* Calls say(arg), and shows what it printed by ls_say. If that has more lines than the terminal, waits for a
 * key after each page: space, Enter and PgDn continue, q and Ctrl-C end. The panel shows it above the prompt,
 * from the first line; PgDn scrolls. The output is not paged if there is no terminal, if keys have been typed
 * already, or with LOCKSTEP_MORE=off in the environment. */
ls_status ls_pager(ls_status (*say)(const char *), const char *arg);

#endif
