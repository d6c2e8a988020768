/* Paths of the files that a CellML model imports. */
#ifndef LS_MODEL_CELLML_PATHS_H
#define LS_MODEL_CELLML_PATHS_H

#include "ode/model.h"

enum { CELLML_PATH_BYTES = 1024 };

/* The loaded model: imported files must be in its folder, or in folders inside it. */
typedef struct cellml_top {
  ls_ode *m; /* for messages: m->path is the importing file */
  const char *path;
  const char *folder; /* its folder, without symbolic links; NULL: the model is not in a file */
} cellml_top;

/* Finds the file that an import names. `from` is the relative path of the importing file, `given` the href of
 * the import. `relative` becomes the file's path relative to the folder of the loaded model, *real its path
 * from realpath, which the caller must free() after success. LS_EINPUT, with the line, if the href is
 * absolute or a URL, leads out of that folder, or names no file. */
ls_status cellml_path(const cellml_top *top, const char *from, u32 line, const char *given,
                      char relative[CELLML_PATH_BYTES], char **real);

/* " (found: a, b, c; did you mean b?)" for a message about an unknown name: the names that exist, and the
 * nearest. */
void cellml_there(const char *wanted, const char *const *names, size_t count, char *out, size_t bytes);

#endif
