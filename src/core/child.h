/* The only way to start another program: it is killed when this process ends, and its resources can be
 * limited. */
#ifndef LS_CORE_CHILD_H
#define LS_CORE_CHILD_H

#include <sys/types.h>

#include "core/types.h"

typedef struct ls_child {
  char *const *words; /* the program (on PATH, unless it has a slash) and its arguments; NULL ends them */
  char *const *environment; /* NULL: this process's */
  int in, out, err;         /* open files; -1: /dev/null for in, our own for out and err */
  bool foreground;     /* stays in our process group, so that it may read the terminal and gets its Ctrl-C */
  bool guarded;        /* it starts processes of its own, which have to end with us; not if foreground */
  u64 memory, seconds; /* bytes of address space, seconds of processor time; 0: no limit */
  u64 file_bytes;      /* of each file that it writes; 0: no limit */
} ls_child;

/* Finds a program as a shell does: `out` gets its path; false: there is none that may be executed. */
bool ls_program_find(const char *name, char *out, size_t bytes);
/* Returns 0, or an errno (ENOENT: there is no such program). The child is killed when the thread that calls
 * this ends, so call it from the main thread or the worker (core/wait.h), which live as long as the process.
 * Unless it is foreground it leads a process group of its own. */
int ls_child_start(const ls_child *c, pid_t *pid);
/* Waits until the child has ended; *status is set as by waitpid. Returns 0, or an errno. */
int ls_child_wait(pid_t pid, int *status);
/* Returns 1 if the child has ended (*status is set as by waitpid); 0 if not; -1 if waitpid failed. */
int ls_child_ended(pid_t pid, int *status);
/* The same; if the child has ended, *peak is the greatest resident size, in bytes, of it and of the children
 * that it has waited for. */
int ls_child_spent(pid_t pid, int *status, u64 *peak);
/* Kills the child, its process group and all processes that it has started, and waits for the child. */
void ls_child_kill(pid_t pid, int *status);
/* Sends SIGHUP to the child and all its descendants, as a closed terminal does: an editor then saves. */
void ls_child_ask(pid_t pid);
/* Has the child been stopped, as by Ctrl-Z, since the last call? */
bool ls_child_stopped(pid_t pid);

/* Called before the process ends by a signal; async-signal-safe. Kills all descendants of this process,
 * including those of Lua's io.popen and os.execute, and removes the temporary folders. What a shell has left
 * in the background (`&`) is no longer our descendant. If this process is killed by SIGKILL, the kernel kills
 * its children, but the children's own children only if the child is `guarded`. */
void ls_children_end(void);

#endif
