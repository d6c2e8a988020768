#include "compile/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/child.h"
#include "core/mem.h"
#include "core/wait.h"

extern char **environ;

/* Limits for a compiler: address space, and processor time per process. */
#define MOST_BYTES (64ull << 30)
enum { MOST_SECONDS = 3600 };

/* Splits a command such as "ccache gcc -m64" into words, which are stored in `text`. */
static bool split(const char *command, char *text, size_t bytes, char **words, int most) {
  char program[4096];
  int n = 0;
  const size_t first = strcspn(command, " ");
  char name[256];
  if (first >= sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)first, command);
  if (!ls_program_find(name, program, sizeof program)) return false;
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

ls_status ls_tools_wait(const pid_t *tools, int count, int *status) {
  ls_status st = LS_OK;
  int next = 0; /* all tools before this index have ended */
  for (int waited = 0; !st && next < count; waited++) {
    const int ended = ls_child_ended(tools[next], &status[next]);
    if (ended < 0) {
      st = ls_fail(LS_EIO, "waiting for a compiler failed: %s", strerror(errno));
      next++;
    } else if (ended > 0) {
      next++;
      continue;
    }
    if (waited % 20 == 19) ls_idle();
    if (ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted");
    if (!st) usleep(2000);
  }
  ls_tools_kill(tools + next, count - next);
  return st;
}

void ls_tools_kill(const pid_t *tools, int count) {
  for (int i = 0, status; i < count; i++) ls_child_kill(tools[i], &status);
}

/* Returns our environment with two changes: messages are in English, because they are searched for words, and
 * temporary files go to our folder, which is removed even if the compiler is killed. temporary:
 * "TMPDIR=..." */
static char **environment_of_tool(char *temporary) {
  size_t n = 0;
  while (environ && environ[n]) n++;
  char **out = ls_malloc((n + 3) * sizeof *out);
  if (!out) return NULL;
  n = 0;
  for (char **e = environ; e && *e; e++)
    if (strncmp(*e, "LC_", 3) != 0 && strncmp(*e, "LANG", 4) != 0 && strncmp(*e, "TMPDIR=", 7) != 0)
      out[n++] = *e;
  out[n++] = "LC_ALL=C";
  out[n++] = temporary;
  out[n] = NULL;
  return out;
}

ls_status ls_tool_start(char *const *words, const char *log, pid_t *tool) {
  char temporary[4096];
  const char *slash = strrchr(log, '/');
  snprintf(temporary, sizeof temporary, "TMPDIR=%.*s", slash ? (int)(slash - log) : 1, slash ? log : ".");
  const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (out < 0) return ls_fail(LS_EIO, "%s: %s", log, strerror(errno));
  char **environment = environment_of_tool(temporary);
  ls_status st = environment ? LS_OK : LS_EMEM;
  if (!st) {
    const ls_child c = {.words = words,
                        .environment = environment,
                        .in = -1,
                        .out = out,
                        .err = out,
                        .guarded = true,
                        .memory = MOST_BYTES,
                        .seconds = MOST_SECONDS};
    const int why = ls_child_start(&c, tool);
    if (why) st = ls_fail(LS_EIO, "%s cannot be started: %s", words[0], strerror(why));
  }
  ls_free(environment);
  close(out);
  return st;
}

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
