#include "compile/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"

extern char **environ;

static bool on_path(const char *name, char *out, size_t bytes) {
  if (strchr(name, '/')) return (size_t)snprintf(out, bytes, "%s", name) < bytes && access(out, X_OK) == 0;
  const char *path = getenv("PATH");
  for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; *at;) {
    const int len = (int)strcspn(at, ":");
    struct stat st;
    if (len && (size_t)snprintf(out, bytes, "%.*s/%s", len, at, name) < bytes && access(out, X_OK) == 0 &&
        stat(out, &st) == 0 && S_ISREG(st.st_mode))
      return true;
    at += len + (at[len] == ':');
  }
  return false;
}

/* "ccache gcc -m64" as words, in `text`. */
static bool split(const char *command, char *text, size_t bytes, char **words, int most) {
  char program[4096];
  int n = 0;
  const size_t first = strcspn(command, " ");
  char name[256];
  if (first >= sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)first, command);
  if (!on_path(name, program, sizeof program)) return false;
  const int used = snprintf(text, bytes, "%s%s", program, command + first);
  if (used < 0 || (size_t)used >= bytes) return false;
  words[n++] = text;
  for (char *s = text + strlen(program); *s;) {
    while (*s == ' ') *s++ = '\0';
    if (*s && n < most - 1) words[n++] = s;
    while (*s && *s != ' ') s++;
  }
  words[n] = NULL;
  return true;
}

bool ls_tool_find(const char *variable, const char *const *names, char *text, size_t bytes, char **words,
                  int most) {
  const char *given = getenv(variable);
  if (given && *given) return split(given + strspn(given, " "), text, bytes, words, most);
  for (; *names; names++)
    if (split(*names, text, bytes, words, most)) return true;
  return false;
}

static ls_status wait_for(pid_t child, int *status) {
  for (int waited = 0;; waited++) {
    const pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child) return LS_OK;
    if (ended < 0 && errno != EINTR) return ls_fail(LS_EIO, "a compiler was lost: %s", strerror(errno));
    if (waited % 20 == 19) ls_idle();
    if (ls_interrupted()) {
      kill(-child, SIGKILL);
      while (waitpid(child, status, 0) < 0 && errno == EINTR) {}
      return ls_fail(LS_EINTERRUPTED, "interrupted");
    }
    usleep(2000);
  }
}

/* Our environment, but that messages are to be in English, whose words are looked for. */
static char **in_english(void) {
  size_t n = 0;
  while (environ && environ[n]) n++;
  char **out = ls_malloc((n + 2) * sizeof *out);
  if (!out) return NULL;
  n = 0;
  for (char **e = environ; e && *e; e++)
    if (strncmp(*e, "LC_", 3) != 0 && strncmp(*e, "LANG", 4) != 0) out[n++] = *e;
  out[n++] = "LC_ALL=C";
  out[n] = NULL;
  return out;
}

ls_status ls_tool_run(char *const *words, const char *log, int *status) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t usual, none;
  pid_t child;
  ls_status st = ls_fail(LS_EIO, "%s cannot be started", words[0]);
  if (posix_spawn_file_actions_init(&files) != 0) return st;
  if (posix_spawnattr_init(&how) != 0) goto no_attributes;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE); /* we ignore it */
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&how, &usual);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setpgroup(&how, 0); /* a Ctrl-C at the terminal is ours */
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  char **environment = in_english();
  if (!environment)
    st = LS_EMEM;
  else if (posix_spawn(&child, words[0], &files, &how, words, environment) == 0)
    st = wait_for(child, status);
  ls_free(environment);
  posix_spawnattr_destroy(&how);
no_attributes:
  posix_spawn_file_actions_destroy(&files);
  return st;
}

ls_status ls_tool_folder(char *out, size_t bytes) {
  const char *given = getenv("TMPDIR");
  if (!given || given[0] != '/') given = "/tmp";
  if ((size_t)snprintf(out, bytes, "%s/lockstep-XXXXXX", given) >= bytes || !mkdtemp(out))
    return ls_fail(LS_EIO, "%s: no folder for temporary files can be made there: %s", given, strerror(errno));
  return LS_OK;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where) {
  (void)st, (void)type, (void)where;
  remove(path);
  return 0;
}

void ls_tool_folder_remove(const char *folder) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

ls_status ls_tool_write(const char *folder, const char *name, const char *text, size_t bytes) {
  char path[4096];
  if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
    return ls_fail(LS_EIO, "%s: the path is too long", folder);
  for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *f = fopen(path, "wb");
  const bool whole = f && fwrite(text, 1, bytes, f) == bytes;
  if (f ? fclose(f) != 0 || !whole : true) return ls_fail(LS_EIO, "%s: %s", path, strerror(errno));
  return LS_OK;
}
