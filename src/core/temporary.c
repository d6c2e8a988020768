/* Temporary folders, each locked (flock) until its process ends, however it ends: a folder that another
 * process can lock is abandoned and may be removed. A process that has made and locked a folder checks that
 * it still exists, because another process may have removed it before it was locked. */
#include "core/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char prefix[] = "lockstep-work-";
enum { SLOTS = 8, PATH_BYTES = 4096, RANDOM = 6 };
enum { FREE, OPENING, NOTED }; /* OPENING: for a few instructions, in which the slot's owner blocks signals */

static struct {
  atomic_int state;
  int lock;
  char path[PATH_BYTES];
} slots[SLOTS];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where) {
  (void)st, (void)type, (void)where;
  remove(path);
  return 0;
}

static void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* Removes the folders that no process has locked. */
static void sweep(const char *parent) {
  DIR *d = opendir(parent);
  if (!d) return;
  for (const struct dirent *e; (e = readdir(d));) {
    struct stat st;
    char path[PATH_BYTES];
    if (strncmp(e->d_name, prefix, sizeof prefix - 1) != 0 ||
        strlen(e->d_name) != sizeof prefix - 1 + RANDOM ||
        (size_t)snprintf(path, sizeof path, "%s/%s", parent, e->d_name) >= sizeof path)
      continue;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) continue;
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) remove_tree(path);
    close(fd);
  }
  closedir(d);
}

static int take_slot(void) {
  for (int i = 0; i < SLOTS; i++) {
    int state = FREE;
    if (atomic_compare_exchange_strong(&slots[i].state, &state, OPENING)) return i;
  }
  errno = EMFILE;
  return -1;
}

/* Creates the folder and records it in a slot; false on failure. No signal handler runs between the two: this
 * thread blocks signals, and ls_temporary_end in another thread waits. */
static bool make_noted(char *path) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int i = take_slot();
  const bool made = i >= 0 && mkdtemp(path);
  const int error = errno;
  if (i >= 0) {
    if (made) {
      strcpy(slots[i].path, path);
      slots[i].lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (slots[i].lock >= 0) flock(slots[i].lock, LOCK_EX); /* waits if another process is removing it */
    }
    atomic_store(&slots[i].state, made ? NOTED : FREE);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return made;
}

static void forget(const char *path) {
  for (int i = 0; i < SLOTS; i++) {
    if (atomic_load(&slots[i].state) != NOTED || strcmp(slots[i].path, path) != 0) continue;
    const int lock = slots[i].lock;
    atomic_store(&slots[i].state, FREE);
    if (lock >= 0) close(lock);
  }
}

ls_status ls_temporary_folder(char *out, size_t bytes) {
  static atomic_bool swept;
  const char *given = getenv("TMPDIR");
  if (!given || given[0] != '/') given = "/tmp";
  if (!atomic_exchange(&swept, true)) sweep(given);
  for (int attempt = 0; attempt < 10; attempt++) {
    const size_t n = (size_t)snprintf(out, bytes, "%s/%sXXXXXX", given, prefix);
    if (n >= bytes || n >= PATH_BYTES) errno = ENAMETOOLONG;
    if (n >= bytes || n >= PATH_BYTES || !make_noted(out)) break;
    if (access(out, F_OK) == 0) return LS_OK;
    forget(out);
  }
  return ls_fail(LS_EIO, "%s: no folder for temporary files can be made there: %s", given, strerror(errno));
}

void ls_temporary_remove(const char *folder) {
  remove_tree(folder);
  forget(folder);
}

void ls_temporary_end(void) {
  for (int i = 0; i < SLOTS; i++) {
    while (atomic_load(&slots[i].state) == OPENING) {}
    if (atomic_load(&slots[i].state) != NOTED) continue;
    const pid_t child = vfork();
    if (child == 0) {
      char *const words[] = {"rm", "-rf", "--", slots[i].path, NULL};
      execve("/bin/rm", words, NULL);
      _exit(127);
    }
    if (child > 0) waitpid(child, NULL, 0);
  }
}
