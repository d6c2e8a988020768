/* The log: one line per stop, kept until the end of the session. */
#ifndef LS_PANEL_LOG_H
#define LS_PANEL_LOG_H

#include "session/session.h"

void ls_log_stop(const ls_stop *stop);

#endif
