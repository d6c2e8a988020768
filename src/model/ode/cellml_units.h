/* Units of CellML, as multiples of products of base units. */
#ifndef LS_MODEL_CELLML_UNITS_H
#define LS_MODEL_CELLML_UNITS_H

#include "model/ode/cellml_files.h"

enum { CELLML_BASES = 24 }; /* the seven of SI, and those that a model defines */

/* x of this unit is x * factor + offset of the product of the base units to these powers. */
typedef struct cellml_unit {
  f64 factor, offset;
  f64 power[CELLML_BASES];
} cellml_unit;

typedef struct cellml_units {
  const cellml_files *files;
  const char *base[CELLML_BASES];
  u32 bases;
  u32 looked; /* definitions that the unit that is looked for has needed so far */
} cellml_units;

void cellml_units_begin(cellml_units *u, const cellml_files *files);
/* The unit of that name, as the component (may be NULL) or its file defines or imports it, or CellML does. A
 * definition has the meaning of the file that it stands in. Base units of one name are one unit, in whatever
 * file, as in CellML 2.0. LS_EINPUT with the line where nobody defines it; then m->path is the file
 * that the message names. */
ls_status cellml_unit_find(cellml_units *u, const cellml_file *file, const xmlNode *component,
                           const char *name, u32 line, cellml_unit *out);
bool cellml_unit_alike(const cellml_unit *a, const cellml_unit *b); /* can they be converted? */
bool cellml_unit_same(const cellml_unit *a, const cellml_unit *b);  /* need they not be? */

#endif
