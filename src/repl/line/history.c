/* The history of typed lines: $XDG_STATE_HOME/lockstep/history. Each entry is appended to the file at once,
 * so that neither a closed terminal nor a second session loses any. Duplicates and the oldest entries are
 * dropped when the file is read. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>

#include "repl/repl.h"

enum { MOST_ENTRIES = 5000, MOST_BYTES = 1 << 16 };

static ls_text file; /* path; empty if the history is not saved */

static void forget(int i) {
  HIST_ENTRY *e = remove_history(i);
  if (e) free(free_history_entry(e));
}

/* The index of the last entry equal to text; -1 if none. */
static int find(const char *text) {
  HIST_ENTRY **list = history_list();
  for (int i = history_length - 1; list && i >= 0; i--)
    if (strcmp(list[i]->line, text) == 0) return i;
  return -1;
}

static int by_text(const void *a, const void *b) {
  const HIST_ENTRY *const *x = a, *const *y = b;
  int c = strcmp((*x)->line, (*y)->line);
  return c ? c : (int)((intptr_t)(*x)->data - (intptr_t)(*y)->data);
}

/* Keeps only the last of equal entries. Sorts them first, to be fast for a long file. */
static void drop_doubles(void) {
  HIST_ENTRY **list = history_list();
  int n = history_length;
  HIST_ENTRY **sorted = list ? malloc((size_t)n * sizeof *sorted) : NULL;
  if (!sorted) return;
  for (int i = 0; i < n; i++) {
    list[i]->data = (histdata_t)(intptr_t)i;
    sorted[i] = list[i];
  }
  qsort(sorted, (size_t)n, sizeof *sorted, by_text);
  for (int i = 0; i + 1 < n; i++)
    if (strcmp(sorted[i]->line, sorted[i + 1]->line) == 0) sorted[i]->data = (histdata_t)(intptr_t)-1;
  free(sorted);
  for (int i = n - 1; i >= 0; i--) {
    bool twice = history_list()[i]->data == (histdata_t)(intptr_t)-1;
    history_list()[i]->data = NULL;
    if (twice) forget(i);
  }
}

void ls_history_open(void) {
  using_history();
  history_comment_char = '#'; /* with time stamps, entries of several lines stay whole in the file */
  history_write_timestamps = 1;
  if (ls_user_folder("XDG_STATE_HOME", ".local/state", &file)) {
    ls_text_free(&file);
    return;
  }
  ls_text_puts(&file, "/history");
  int fd = file.failed ? -1 : open(file.s, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) {
    ls_text_free(&file);
    return;
  }
  close(fd);
  read_history(file.s);
  int read = history_length;
  drop_doubles();
  stifle_history(MOST_ENTRIES);
  if (read > 2 * MOST_ENTRIES || read > 2 * history_length) write_history(file.s);
}

void ls_history_add(const char *text) {
  if (!*text || strlen(text) > MOST_BYTES) return;
  int before = find(text);
  bool last = before >= 0 && before == history_length - 1;
  if (before >= 0) forget(before);
  add_history(text);
  if (file.len && !last && append_history(1, file.s) != 0) ls_text_free(&file);
}
