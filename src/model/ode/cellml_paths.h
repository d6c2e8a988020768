/* Where the files that a CellML model imports are. */
#ifndef LS_MODEL_CELLML_PATHS_H
#define LS_MODEL_CELLML_PATHS_H

#include "model/ode/ode.h"

enum { CELLML_PATH_BYTES = 1024 };

/* The model that is loaded: imported files are in its folder, or in folders in that one. */
typedef struct cellml_top {
  ls_ode *m; /* for messages: m->path is the importing file */
  const char *path;
  const char *folder; /* its folder, without links; NULL: the model is a text, no file */
} cellml_top;

/* The path that the href of an import names, relative to the folder of the model that is loaded, and the same
 * as a real path without links, which is the caller's to free() where the function succeeds. `from`: the
 * relative path of the importing file; given: its href. LS_EINPUT with the line: that is absolute, of a
 * network, leaves that folder, or no file is there. */
ls_status cellml_path(const cellml_top *top, const char *from, u32 line, const char *given,
                      char relative[CELLML_PATH_BYTES], char **real);

/* " (there: a, b, c; did you mean b?)" for a message about a name that is none of these. */
void cellml_there(const char *wanted, const char *const *names, size_t count, char *out, size_t bytes);

#endif
