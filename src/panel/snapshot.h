/* Writes a canvas to a file: as plain text, or as SVG or HTML with the colours of the styles. */
#ifndef LS_PANEL_SNAPSHOT_H
#define LS_PANEL_SNAPSHOT_H

#include <stdio.h>

#include "panel/canvas.h"

/* The path's ending selects the format: .txt, .svg or .html. `light`: dark on light, for paper. LS_EARG for
 * another ending; LS_EIO, LS_EMEM as ls_atomic_file_write_all. */
ls_status ls_snapshot_save(const ls_canvas *c, const char *path, bool light);

/* Write to an open file. In SVG, rules, blocks and braille are drawn as shapes, so that no font needs to have
 * them. */
void ls_snapshot_svg(const ls_canvas *c, FILE *f, bool light);
void ls_snapshot_html(const ls_canvas *c, FILE *f, bool light);

#endif
