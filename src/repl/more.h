/* Long answers of help at a plain prompt: a page at a time, as more(1) shows a file. */
#ifndef LS_REPL_MORE_H
#define LS_REPL_MORE_H

#include "core/error.h"

/* Calls say(arg), and shows what it said by ls_say. What is longer than the terminal is high waits after each
 * page for a key: space, Enter and PgDn go on, q and Ctrl-C end. The panel shows it above the prompt, from
 * its beginning; PgDn turns it. It does not wait where no terminal shows it, where more was typed already,
 * and with LOCKSTEP_MORE=off in the environment. */
ls_status ls_more(ls_status (*say)(const char *), const char *arg);

#endif
