#include "panel/canvas/saved_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic_file.h"
#include "repl/repl.h"

static bool path_of(ls_text *path) {
  if (ls_user_folder("XDG_STATE_HOME", ".local/state", path)) return false;
  ls_text_puts(path, "/panel");
  return !path->failed;
}

void ls_saved_layout_read(ls_frame *f) {
  ls_text path = {0};
  FILE *file = path_of(&path) ? fopen(path.s, "r") : NULL;
  char line[256], name[32];
  while (file && fgets(line, sizeof line, file)) {
    int number, sort, reverse, log;
    if (sscanf(line, "pane %d %31s", &number, name) == 2) {
      const ls_view *v = ls_view_find(name);
      if (v && number >= 0 && number < LS_PANES) ls_frame_put(f, number, ls_view_number(v));
    } else if (sscanf(line, "view %31s sort %d reverse %d log %d", name, &sort, &reverse, &log) == 4) {
      const ls_view *v = ls_view_find(name);
      if (!v) continue;
      ls_view_state *st = &f->state[ls_view_number(v)];
      st->sort = sort;
      st->reverse = reverse;
      st->log = log;
    }
  }
  if (file) fclose(file);
  f->wanted = -1; /* ls_frame_put has set it, but no view was requested */
  ls_text_free(&path);
}

static ls_status write_panes(FILE *file, void *arg) {
  const ls_frame *f = arg;
  for (int i = 0; i < LS_PANES; i++)
    if (ls_views[f->view[i]] != &ls_view_lesson) /* which replaces another view only temporarily */
      fprintf(file, "pane %d %s\n", i, ls_views[f->view[i]]->name);
  for (int i = 0; ls_views[i]; i++) {
    const ls_view_state *st = &f->state[i];
    if (st->sort || st->reverse || st->log)
      fprintf(file, "view %s sort %d reverse %d log %d\n", ls_views[i]->name, st->sort, st->reverse, st->log);
  }
  return LS_OK;
}

void ls_saved_layout_write(const ls_frame *f) {
  ls_text path = {0};
  if (path_of(&path)) ls_atomic_file_write_all(path.s, write_panes, (void *)(uintptr_t)f);
  ls_text_free(&path);
}
