/* The last line of defence: however the process crashes, the terminal is as it was. */
#ifndef LS_PANEL_GUARD_H
#define LS_PANEL_GUARD_H

/* leave, async-signal-safe, is called when the process crashes (SIGSEGV, SIGABRT and their like) or exits.
 * Once. */
void ls_guard(void (*leave)(void));

#endif
