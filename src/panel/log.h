/* The log: one line a stop, kept for the session. */
#ifndef LS_PANEL_LOG_H
#define LS_PANEL_LOG_H

#include "session/session.h"

void ls_log_stop(const ls_stop *stop);

#endif
