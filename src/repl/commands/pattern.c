#include "repl/commands/pattern.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/embedded.h"
#include "core/atomic_file.h"

typedef struct job {
  const char *pattern, *name;
} job;

static ls_status write_it(FILE *f, void *arg) {
  const job *j = arg;
  const ls_embedded *e = ls_embedded_patterns;
  while (e->name && strcmp(e->name, j->pattern) != 0) e++;
  if (!e->name) return ls_fail(LS_EARG, "the pattern %s is missing", j->pattern);
  const char *s = e->text;
  for (const char *at; (at = strstr(s, "NAME")); s = at + 4) {
    fwrite(s, 1, (size_t)(at - s), f);
    fputs(j->name, f);
  }
  fputs(s, f);
  return LS_OK;
}

ls_status ls_pattern_write(const char *pattern, const char *name, const char *path) {
  job j = {pattern, name};
  if (access(path, F_OK) == 0) return ls_fail(LS_EARG, "%s already exists; `edit %s` opens it", path, path);
  return ls_atomic_file_write_all(path, write_it, &j);
}
