/* A canvas as a file: plain text, SVG or HTML with the styles' colours. */
#ifndef LS_PANEL_SNAPSHOT_H
#define LS_PANEL_SNAPSHOT_H

#include <stdio.h>

#include "panel/canvas.h"

/* By the path's ending: .txt, .svg or .html. `light`: dark on light, for paper. LS_EARG: another ending;
 * LS_EIO, LS_EMEM: as ls_replace_file. */
ls_status ls_snapshot_save(const ls_canvas *c, const char *path, bool light);

/* The same into an open file. Rules, blocks and braille become shapes in SVG, so that no font is asked for
 * them. */
void ls_snapshot_svg(const ls_canvas *c, FILE *f, bool light);
void ls_snapshot_html(const ls_canvas *c, FILE *f, bool light);

#endif
