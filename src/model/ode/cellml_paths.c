#ifdef LOCKSTEP_WITH_XML
#include "model/ode/cellml_paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/nearest.h"
#include "core/text.h"

/* --- lists of existing names -----------------------------------------------------------------------------
 */

void cellml_there(const char *wanted, const char *const *names, size_t count, char *out, size_t bytes) {
  enum { SHOWN = 8 };
  const char *near = ls_nearest(wanted, names, count);
  size_t used = (size_t)snprintf(out, bytes, count ? " (found: " : " (none found)");
  for (size_t i = 0; i < count && i < SHOWN && used < bytes; i++)
    used += (size_t)snprintf(out + used, bytes - used, "%s%.60s", i ? ", " : "", names[i]);
  if (count > SHOWN && used < bytes)
    used += (size_t)snprintf(out + used, bytes - used, " and %zu more", count - SHOWN);
  if (near && used < bytes) used += (size_t)snprintf(out + used, bytes - used, "; did you mean %.60s?", near);
  if (count && used < bytes) snprintf(out + used, bytes - used, ")");
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Fails because the file is missing; the message lists the models in the folder where it should be. */
static ls_status missing(const cellml_top *top, u32 line, const char *path) {
  enum { MOST = 1000 };
  ls_ode *m = top->m;
  const char *slash = strrchr(path, '/');
  const char *folder = slash ? ls_terms_text(m->terms, path, (size_t)(slash - path) + 1) : "./";
  const char **names = ls_terms_memory(m->terms, MOST * sizeof *names);
  size_t count = 0;
  char there[800];
  if (!folder || !names) return LS_EMEM;
  DIR *dir = opendir(folder);
  if (!dir) return ls_ode_fail(m, line, "the import refers to %s, but there is no folder %s", path, folder);
  for (const struct dirent *e; count < MOST && (e = readdir(dir));)
    if (ls_ends_in(e->d_name, ".cellml") || ls_ends_in(e->d_name, ".xml"))
      if ((names[count] = ls_terms_text(m->terms, e->d_name, strlen(e->d_name)))) count++;
  closedir(dir);
  qsort(names, count, sizeof *names, by_name);
  cellml_there(slash ? slash + 1 : path, names, count, there, sizeof there);
  return ls_ode_fail(m, line, "the import refers to %s, which does not exist%s", path, there);
}

/* --- paths -----------------------------------------------------------------------------------------------
 */

/* href is a URI: %20 is a space. */
static void decode(char *s) {
  char *to = s;
  for (; *s; s++) {
    unsigned x;
    if (s[0] == '%' && s[1] && s[2] && strspn(s + 1, "0123456789abcdefABCDEF") >= 2 &&
        sscanf(s + 1, "%2x", &x) == 1 && x) {
      *to++ = (char)x;
      s += 2;
    } else {
      *to++ = *s;
    }
  }
  *to = 0;
}

/* Does href have a scheme, as in http://host/x or file:x? */
static bool has_scheme(const char *href) {
  const size_t n = strspn(href, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
  return n && href[n] == ':';
}

static ls_status leaves(const cellml_top *top, u32 line, const char *href) {
  return ls_ode_fail(
      top->m, line,
      "the import refers to %s, which is outside the folder of %s: files are read from that folder "
      "and from folders in it: copy the file there",
      href, top->path);
}

static ls_status relative_path(const cellml_top *top, const char *from, u32 line, const char *href,
                               char out[CELLML_PATH_BYTES]) {
  const char *slash = strrchr(from, '/');
  size_t used = slash ? (size_t)(slash - from) : 0;
  memcpy(out, from, used);
  for (const char *s = href; *s; s += *s == '/') {
    const size_t n = strcspn(s, "/");
    if (n == 2 && memcmp(s, "..", 2) == 0) {
      if (!used) return leaves(top, line, href);
      while (used && out[used - 1] != '/') used--;
      if (used) used--;
    } else if (n && !(n == 1 && *s == '.')) {
      if (used + n + 2 > CELLML_PATH_BYTES)
        return ls_ode_fail(top->m, line, "the path of an imported file has more than %d bytes",
                           CELLML_PATH_BYTES - 1);
      if (used) out[used++] = '/';
      memcpy(out + used, s, n);
      used += n;
    }
    s += n;
  }
  out[used] = 0;
  return LS_OK;
}

/* Is the real path in the folder of the loaded model? Symbolic links may lead elsewhere. */
static bool is_inside(const cellml_top *top, const char *real) {
  const size_t n = strlen(top->folder), slash = top->folder[n - 1] == '/'; /* only "/" ends in a slash */
  return strncmp(real, top->folder, n) == 0 && (slash || real[n] == '/');
}

static ls_status real_path(const cellml_top *top, u32 line, const char *href, const char *relative,
                           char **real) {
  const char *slash = strrchr(top->path, '/');
  const size_t folder = slash ? (size_t)(slash - top->path) + 1 : 0, bytes = folder + strlen(relative) + 1;
  struct stat about;
  char *path = ls_terms_memory(top->m->terms, bytes);
  if (!path) return LS_EMEM;
  snprintf(path, bytes, "%.*s%s", (int)folder, top->path, relative);
  if (!(*real = realpath(*path ? path : ".", NULL))) {
    if (errno == ENOENT) return missing(top, line, path);
    return ls_ode_fail(top->m, line, "the import refers to %s: %s", path, strerror(errno));
  }
  ls_status st = LS_OK;
  if (stat(*real, &about) || !S_ISREG(about.st_mode))
    st = ls_ode_fail(top->m, line, "the import refers to %s, which is not a file", *path ? path : ".");
  else if (!is_inside(top, *real))
    st = leaves(top, line, href);
  if (st) free(*real);
  return st;
}

ls_status cellml_path(const cellml_top *top, const char *from, u32 line, const char *given,
                      char relative[CELLML_PATH_BYTES], char **real) {
  if (!top->folder)
    return ls_ode_fail(
        top->m, line,
        "the model imports %s, but is not in a file itself: save it first, because imports are "
        "relative to its folder",
        given);
  char *href = ls_terms_text(top->m->terms, given, strlen(given));
  if (!href) return LS_EMEM;
  if (has_scheme(href) || *href == '/')
    return ls_ode_fail(
        top->m, line,
        "the import refers to %s: nothing is read from a network or by an absolute path: copy the "
        "file into the folder of the model, and name it by a relative path",
        href);
  decode(href);
  if (*href == '/') return leaves(top, line, href);
  ls_status st = relative_path(top, from, line, href, relative);
  return st ? st : real_path(top, line, href, relative, real);
}
#endif
