#include "core/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool ls_cache_folder(const char *inside, char *out, size_t bytes) {
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  const bool by_xdg = xdg && xdg[0] == '/';
  if (!by_xdg && !(home && home[0] == '/')) return false;
  const int n = snprintf(out, bytes, "%s%s/lockstep%s%s", by_xdg ? xdg : home, by_xdg ? "" : "/.cache",
                         inside ? "/" : "", inside ? inside : "");
  return n > 0 && (size_t)n < bytes;
}

bool ls_cache_make(const char *folder) {
  char path[4096];
  struct stat st;
  if ((size_t)snprintf(path, sizeof path, "%s", folder) >= sizeof path) return false;
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  mkdir(path, 0700);
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool is_folder(const char *above, const char *between, const char *inside, char *out, size_t bytes) {
  struct stat st;
  return (size_t)snprintf(out, bytes, "%s%s%s", above, between, inside) < bytes && stat(out, &st) == 0 &&
         S_ISDIR(st.st_mode);
}

bool ls_program_path(char *out, size_t bytes) {
  const ssize_t n = readlink("/proc/self/exe", out, bytes);
  const bool known = n > 0 && (size_t)n < bytes;
  out[known ? n : 0] = 0;
  return known;
}

bool ls_shipped_folder(const char *folder, char *out, size_t bytes) {
  char above[4096];
  ls_program_path(above, sizeof above);
  char *slash = strrchr(above, '/');
  if (slash) *slash = 0;
  if (slash && is_folder(above, "/../share/lockstep/", folder, out, bytes)) return true;
  while (slash) { /* a program in a build folder: the source tree is above that folder */
    if (is_folder(above, "/", folder, out, bytes)) return true;
    if ((slash = strrchr(above, '/'))) *slash = 0;
  }
  return is_folder("", "", folder, out, bytes);
}

bool ls_samples_folder(const char *inside, char *out, size_t bytes) {
  char folder[256];
  snprintf(folder, sizeof folder, "samples/%s", inside);
  return ls_shipped_folder(folder, out, bytes);
}

const char *ls_samples_path(const char *path, char *out, size_t bytes) {
  static const char samples[] = "samples/";
  const char *name = path + sizeof samples - 1;
  if (strncmp(path, samples, sizeof samples - 1) != 0 || strstr(path, "..") || access(path, F_OK) == 0 ||
      !ls_samples_folder("", out, bytes))
    return path;
  const size_t used = strlen(out);
  return (size_t)snprintf(out + used, bytes - used, "%s", name) < bytes - used && access(out, F_OK) == 0
             ? out
             : path;
}
