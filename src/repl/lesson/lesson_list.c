#include "repl/lesson/lesson_list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/text.h"

enum { MOST = 64 };

static ls_lesson lessons[MOST];
static int count;

/* Takes the title from the comment on the first line. */
static void read_title(ls_lesson *l) {
  char line[256] = "";
  FILE *f = fopen(l->file, "r");
  if (!f) return;
  if (!fgets(line, sizeof line, f)) line[0] = '\0';
  fclose(f);
  const char *from = line + strspn(line, "- ");
  size_t n = strcspn(from, "\n");
  while (n && (from[n - 1] == '.' || from[n - 1] == ' ')) n--;
  snprintf(l->title, sizeof l->title, "%.*s", (int)n, from);
}

static int by_number(const void *a, const void *b) {
  return ((const ls_lesson *)a)->number - ((const ls_lesson *)b)->number;
}

ls_status ls_lessons_find(void) {
  char folder[PATH_MAX];
  if (count) return LS_OK;
  DIR *d = ls_samples_folder("lessons", folder, sizeof folder) ? opendir(folder) : NULL;
  if (!d)
    return ls_fail(LS_EINPUT, "no lessons are installed: there is no samples/lessons next to the program");
  for (struct dirent *e; (e = readdir(d)) && count < MOST;) {
    ls_lesson *l = &lessons[count];
    char *end;
    long number = strtol(e->d_name, &end, 10);
    size_t n = strlen(end);
    if (number < 1 || number > 999 || *end != '-' || n < 6 || n - 5 >= LS_LESSON_NAME ||
        strcmp(end + n - 4, ".lua") != 0)
      continue;
    if (snprintf(l->file, sizeof l->file, "%s/%s", folder, e->d_name) >= (int)sizeof l->file) continue;
    l->number = (int)number;
    snprintf(l->name, sizeof l->name, "%.*s", (int)(n - 5), end + 1);
    read_title(l);
    count++;
  }
  closedir(d);
  qsort(lessons, (size_t)count, sizeof *lessons, by_number);
  return count ? LS_OK : ls_fail(LS_EINPUT, "%s has no lessons", folder);
}

const ls_lesson *ls_lesson_at(int i) { return i < count ? &lessons[i] : NULL; }

const ls_lesson *ls_lesson_after(const ls_lesson *l) {
  return l->number ? ls_lesson_at((int)(l - lessons) + 1) : NULL;
}

bool ls_lesson_is_file(const char *name) { return ls_ends_in(name, ".lua"); }

/* A lesson in a file of the user's own; NULL if the file cannot be read. The same file gives the same pointer
 * as last time, so that `lesson NAME.lua` continues an open lesson instead of restarting it. */
static const ls_lesson *own_lesson(const char *file) {
  static ls_lesson owns[2];
  static int last;
  if (strlen(file) >= sizeof owns[0].file || access(file, R_OK) != 0) return NULL;
  if (strcmp(owns[last].file, file) == 0) return &owns[last];
  last = 1 - last; /* do not overwrite the other slot: it may be the open lesson */
  ls_lesson *l = &owns[last];
  *l = (ls_lesson){0};
  strcpy(l->file, file);
  const char *base = ls_base_name(file);
  snprintf(l->name, sizeof l->name, "%.*s", (int)(strlen(base) - 4), base);
  read_title(l);
  return l;
}

const ls_lesson *ls_lesson_named(const char *name) {
  if (ls_lesson_is_file(name)) return own_lesson(name);
  for (int i = 0; i < count; i++) {
    char number[12];
    snprintf(number, sizeof number, "%d", lessons[i].number);
    if (strcmp(name, number) == 0 || strcmp(name, lessons[i].name) == 0) return &lessons[i];
  }
  return NULL;
}
