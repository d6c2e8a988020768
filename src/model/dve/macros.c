#include "model/dve/macros.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/child.h"
#include "core/mem.h"
#include "core/nearest.h"
#include "core/string_builder.h"
#include "core/wait.h"
#include "core/words.h"
#include "model/dve/source.h"

/* Limits of m4's output, memory and processor time: a macro may expand to itself forever. */
enum { MOST_BYTES = 64 << 20, MOST_MEMORY = 1 << 30, MOST_SECONDS = 20, MOST_SAID = 512 };

/* Builtins of m4 that are undefined, so that loading a model runs no commands and writes no files. The macros
 * `builtin` and `indir` could call the others by name. */
static const char *const forbidden[] = {"syscmd",  "esyscmd", "maketemp", "mkstemp", "debugfile",
                                        "builtin", "indir",   "m4exit",   "m4wrap"};
enum { FORBIDDEN = sizeof forbidden / sizeof *forbidden };

static char *joined(dve_arena *arena, const char *option, const char *name, const char *sign,
                    const char *value) {
  const size_t bytes = strlen(option) + strlen(name) + strlen(sign) + strlen(value) + 1;
  char *s = dve_arena_get(arena, bytes);
  if (s) snprintf(s, bytes, "%s%s%s%s", option, name, sign, value);
  return s;
}

/* m4 -s -U... -Dname=value... -- path, ended by NULL. */
static char **arguments(dve_arena *arena, char *path, const ls_dve_define *defines, u32 count) {
  static char m4[] = "m4", lines[] = "-s", end[] = "--";
  char **list = dve_arena_get(arena, (FORBIDDEN + count + 5ull) * sizeof *list), **at = list;
  if (!list) return NULL;
  *at++ = m4, *at++ = lines;
  for (u32 i = 0; i < FORBIDDEN; i++)
    if (!(*at++ = joined(arena, "-U", forbidden[i], "", ""))) return NULL;
  for (u32 i = 0; i < count; i++)
    if (!(*at++ = joined(arena, "-D", defines[i].name, "=", defines[i].value))) return NULL;
  *at++ = end, *at = path;
  return list;
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

/* Reads both outputs until both are closed. Error output beyond MOST_SAID is dropped. */
static ls_status collect(const char *path, int out, int err, ls_text *text, ls_text *said) {
  bool open[2] = {true, true};
  ls_text *to[2] = {text, said};
  ls_text_add(text, "", 0);
  while (open[0] || open[1]) {
    struct pollfd p[2] = {{open[0] ? out : -1, POLLIN, 0}, {open[1] ? err : -1, POLLIN, 0}};
    if (poll(p, 2, 50) < 0 && errno != EINTR) return ls_fail(LS_EINPUT, "%s: m4: %s", path, strerror(errno));
    if (ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "%s: interrupted", path);
    for (int i = 0; i < 2; i++) {
      char some[1 << 15];
      const ssize_t n = p[i].revents ? read(p[i].fd, some, sizeof some) : -1;
      if (n > 0 && (i == 0 || said->len < MOST_SAID)) ls_text_add(to[i], some, (size_t)n);
      if (p[i].revents && (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))) open[i] = false;
    }
    if (text->failed || said->failed) return LS_EMEM;
    if (text->len > MOST_BYTES)
      return ls_fail(LS_EINPUT, "%s: m4 expands it to more than %d MiB", path, MOST_BYTES >> 20);
  }
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
  ls_text expanded = {0}, said = {0};
  dve_arena arena = {0};
  pid_t pid = -1;
  int status = 0;
  char **args = arguments(&arena, (char *)(uintptr_t)path, defines, count);
  ls_status st = args ? LS_OK : LS_EMEM;
  if (!st && (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)))
    st = ls_fail(LS_EINPUT, "%s: no pipe: %s", path, strerror(errno));
  if (!st) st = start(path, args, out[1], err[1], &pid);
  if (out[1] >= 0) close(out[1]);
  if (err[1] >= 0) close(err[1]);
  if (!st) st = collect(path, out[0], err[0], &expanded, &said);
  if (pid > 0) {
    if (st)
      ls_child_kill(pid, &status);
    else
      ls_child_wait(pid, &status);
  }
  if (!st && WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    st = ls_fail(LS_EINPUT, "%s: m4 was stopped after %d s: does a macro expand to itself?", path,
                 MOST_SECONDS);
  if (!st && (status != 0 || said.len))
    st = ls_fail(LS_EINPUT, "%s: m4: %.*s", path, said.len ? (int)strcspn(said.s, "\n") : INT_MAX,
                 said.len ? said.s : "it failed");
  if (out[0] >= 0) close(out[0]);
  if (err[0] >= 0) close(err[0]);
  dve_arena_free(&arena);
  ls_text_free(&said);
  if (st) ls_text_free(&expanded);
  *text = expanded.s;
  *bytes = expanded.len;
  return st;
}
