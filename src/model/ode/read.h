/* Reads models of ordinary differential equations. */
#ifndef LS_MODEL_ODE_READ_H
#define LS_MODEL_ODE_READ_H

#include "ode/model.h"

/* ls_model_file_text with the limit of 256 MiB. */
ls_status ls_ode_file(const char *path, char **text, size_t *bytes);

/* Reads a model. PHML, CellML and SBML are recognised by the root element; a file that is not XML is in our
 * own format (plain.c). If `loops`, algebraic loops are accepted; the model is then not arranged and cannot
 * be simulated. LS_EINPUT with file and line. */
ls_status ls_ode_read(const char *path, bool loops, ls_ode **out);
/* The same from memory; the text ends with a 0, and messages use `name` as the file name. */
ls_status ls_ode_read_text(const char *name, const char *text, size_t bytes, bool loops, ls_ode **out);

#endif
