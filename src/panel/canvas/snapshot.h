/* Writes a canvas to a file: as plain text, or as SVG or HTML with the colours of the styles. */
#ifndef LS_PANEL_SNAPSHOT_H
#define LS_PANEL_SNAPSHOT_H

#include "panel/canvas/canvas.h"

/* The path's ending selects the format: .txt, .svg or .html. `light`: dark on light, for paper. LS_EARG for
 * another ending; LS_EIO or LS_EMEM if ls_atomic_file_write_all fails. */
ls_status ls_snapshot_save(const ls_canvas *c, const char *path, bool light);

#endif
