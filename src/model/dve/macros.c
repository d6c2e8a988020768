#include "model/dve/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/child.h"
#include "core/mem.h"
#include "core/nearest.h"
#include "core/wait.h"
#include "core/words.h"

/* Limits of m4's output, memory and processor time: a macro may expand to itself forever. */
enum { MOST_BYTES = 64 << 20, MOST_MEMORY = 1 << 30, MOST_SECONDS = 20 };

/* Builtins of m4 that are undefined, so that loading a model runs no commands and writes no files. The macros
 * `builtin` and `indir` could call the others by name. */
static const char *const forbidden[] = {"syscmd",  "esyscmd", "maketemp", "mkstemp", "debugfile",
                                        "builtin", "indir",   "m4exit",   "m4wrap"};
enum { FORBIDDEN = sizeof forbidden / sizeof *forbidden };

/* m4 -s -U... -Dname=value... -- path; each argument from ls_malloc, ended by NULL. */
static char **arguments(const char *path, const ls_dve_define *defines, u32 count) {
  const size_t room = FORBIDDEN + count + 5;
  char **list = ls_calloc(room, sizeof *list);
  bool fine = list != NULL;
  size_t at = 0;
  if (fine) fine = (list[at++] = ls_strdup("m4")) && (list[at++] = ls_strdup("-s"));
  for (size_t i = 0; i < FORBIDDEN + count && fine; i++) {
    const ls_dve_define *d = i < FORBIDDEN ? NULL : &defines[i - FORBIDDEN];
    const size_t bytes = d ? strlen(d->name) + strlen(d->value) + 4 : strlen(forbidden[i]) + 3;
    char *s = ls_malloc(bytes);
    if (s && d) snprintf(s, bytes, "-D%s=%s", d->name, d->value);
    if (s && !d) snprintf(s, bytes, "-U%s", forbidden[i]);
    list[at++] = s;
    fine = s != NULL;
  }
  if (fine) fine = (list[at++] = ls_strdup("--")) && (list[at++] = ls_strdup(path));
  if (fine) return list;
  for (size_t i = 0; list && i < room; i++) ls_free(list[i]);
  ls_free(list);
  return NULL;
}

static ls_status start(const char *path, char **args, int out, int err, pid_t *pid) {
  const ls_child c = {
      .words = args, .in = -1, .out = out, .err = err, .memory = MOST_MEMORY, .seconds = MOST_SECONDS};
  const int why = ls_child_start(&c, pid);
  if (why == ENOENT)
    return ls_fail(LS_EINPUT,
                   "%s: a .mdve file is expanded by m4, which is not installed (Debian: apt install m4)",
                   path);
  return why ? ls_fail(LS_EINPUT, "%s: m4 can't be started: %s", path, strerror(why)) : LS_OK;
}

/* Reads both outputs until both are closed. Error output beyond said_room is dropped. */
static ls_status collect(const char *path, int out, int err, char **text, size_t *bytes, char *said,
                         size_t said_room) {
  size_t room = 0, said_bytes = 0;
  bool open[2] = {true, true};
  *bytes = 0;
  said[0] = 0;
  while (open[0] || open[1]) {
    struct pollfd p[2] = {{open[0] ? out : -1, POLLIN, 0}, {open[1] ? err : -1, POLLIN, 0}};
    if (poll(p, 2, 50) < 0 && errno != EINTR) return ls_fail(LS_EINPUT, "%s: m4: %s", path, strerror(errno));
    if (ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "%s: interrupted", path);
    if (p[0].revents) {
      if (room - *bytes < 4096) {
        char *more = room < 2 * (size_t)MOST_BYTES ? ls_realloc(*text, 2 * room + (1 << 16) + 1) : NULL;
        if (!more && room >= MOST_BYTES)
          return ls_fail(LS_EINPUT, "%s: m4 expands it to more than %d MiB", path, MOST_BYTES >> 20);
        if (!more) return LS_EMEM;
        *text = more;
        room = 2 * room + (1 << 16);
      }
      const ssize_t n = read(out, *text + *bytes, room - *bytes);
      if (n > 0) *bytes += (size_t)n;
      if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) open[0] = false;
    }
    if (p[1].revents) {
      char some[512];
      const ssize_t n = read(err, some, sizeof some);
      for (ssize_t i = 0; i < n && said_bytes + 1 < said_room; i++) said[said_bytes++] = some[i];
      said[said_bytes] = 0;
      if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) open[1] = false;
    }
  }
  if (!*text && !(*text = ls_malloc(1))) return LS_EMEM;
  (*text)[*bytes] = 0;
  return LS_OK;
}

/* LS_EARG if a macro is defined that does not occur in the text; the message lists those that the text tests
 * by ifdef. Does not check a text with include, because the macro may occur in an included file. */
static ls_status known(const char *path, const char *text, const ls_dve_define *defines, u32 count) {
  enum { MOST = 64, BYTES = 64 };
  char name[MOST][BYTES];
  const char *names[MOST];
  size_t found = 0;
  if (ls_find_word(text, "include") || ls_find_word(text, "sinclude")) return LS_OK;
  for (u32 i = 0; i < count; i++) {
    if (ls_find_word(text, defines[i].name)) continue;
    for (const char *s = text; found < MOST && (s = strstr(s, "ifdef(`")); s += 7) {
      const size_t n = strcspn(s + 7, "'");
      if (n == 0 || n >= BYTES) continue;
      snprintf(name[found], BYTES, "%.*s", (int)n, s + 7);
      names[found] = name[found];
      if (ls_is_name(name[found])) found++;
    }
    char list[512] = "";
    for (size_t k = 0; k < found; k++) {
      const size_t at = strlen(list);
      snprintf(list + at, sizeof list - at, "%s%s", k ? ", " : "; there are ", names[k]);
    }
    const char *near = ls_nearest(defines[i].name, names, found);
    return ls_fail(LS_EARG, "%s has no macro %s%s%s%s%s", path, defines[i].name,
                   near ? " (did you mean " : "", near ? near : "", near ? "?)" : "", list);
  }
  return LS_OK;
}

/* LS_OK if the file can't be read: m4 will report that. */
static ls_status check_defines(const char *path, const ls_dve_define *defines, u32 count) {
  FILE *f = count ? fopen(path, "re") : NULL;
  if (!f) return LS_OK;
  char *text = ls_malloc((size_t)MOST_BYTES + 1);
  ls_status st = LS_EMEM;
  if (text) {
    const size_t n = fread(text, 1, MOST_BYTES, f);
    text[n] = 0;
    st = known(path, text, defines, count);
  }
  ls_free(text);
  fclose(f);
  return st;
}

ls_status dve_expand(const char *path, const ls_dve_define *defines, u32 count, char **text, size_t *bytes) {
  for (u32 i = 0; i < count; i++)
    if (!ls_is_name(defines[i].name))
      return ls_fail(LS_EARG, "%s: the parameter '%s' is not a macro's name: expected letters, digits and _",
                     path, defines[i].name);
  if (access(path, R_OK) != 0) return ls_fail(LS_EINPUT, "%s: %s", path, strerror(errno));
  const ls_status sure = check_defines(path, defines, count);
  if (sure) return sure;
  int out[2] = {-1, -1}, err[2] = {-1, -1};
  char said[512];
  pid_t pid = -1;
  int status = 0;
  *text = NULL;
  char **args = arguments(path, defines, count);
  ls_status st = args ? LS_OK : LS_EMEM;
  if (!st && (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)))
    st = ls_fail(LS_EINPUT, "%s: no pipe: %s", path, strerror(errno));
  if (!st) st = start(path, args, out[1], err[1], &pid);
  if (out[1] >= 0) close(out[1]);
  if (err[1] >= 0) close(err[1]);
  if (!st) st = collect(path, out[0], err[0], text, bytes, said, sizeof said);
  if (pid > 0) {
    if (st)
      ls_child_kill(pid, &status);
    else
      ls_child_wait(pid, &status);
  }
  if (!st && WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    st = ls_fail(LS_EINPUT, "%s: m4 was stopped after %d s: does a macro expand to itself?", path,
                 MOST_SECONDS);
  if (!st && (status != 0 || said[0])) {
    said[strcspn(said, "\n")] = 0;
    st = ls_fail(LS_EINPUT, "%s: m4: %s", path, said[0] ? said : "it failed");
  }
  if (out[0] >= 0) close(out[0]);
  if (err[0] >= 0) close(err[0]);
  for (char **a = args; a && *a; a++) ls_free(*a);
  ls_free(args);
  if (st) {
    ls_free(*text);
    *text = NULL;
  }
  return st;
}
