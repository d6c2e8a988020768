/* The table of views. */
#include <string.h>

#include "panel/views/view.h"

/* clang-format off */
const ls_view *const ls_views[] = {
    &ls_view_script,
    &ls_view_timing,
    &ls_view_timeline,
    &ls_view_convergence,
    &ls_view_roofline,
    &ls_view_buffers,
    &ls_view_inspector,
    &ls_view_graph,
    &ls_view_tiles,
    &ls_view_phases,
    &ls_view_devices,
    &ls_view_log,
    &ls_view_lesson,
    &ls_view_help,
    NULL,
};
/* clang-format on */

const ls_view *ls_view_find(const char *name) {
  const ls_view *found = NULL;
  size_t len = strlen(name);
  int matches = 0;
  for (int i = 0; ls_views[i]; i++) {
    if (strncmp(ls_views[i]->name, name, len) != 0) continue;
    if (ls_views[i]->name[len] == '\0') return ls_views[i];
    found = ls_views[i];
    matches++;
  }
  return len > 0 && matches == 1 ? found : NULL;
}
