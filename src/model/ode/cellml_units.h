/* Units of CellML, as products of powers of base units with a factor and an offset. */
#ifndef LS_MODEL_CELLML_UNITS_H
#define LS_MODEL_CELLML_UNITS_H

#include "model/ode/cellml_files.h"

enum { CELLML_BASES = 24 }; /* the seven of SI, and those that a model defines */

/* A value x in this unit is x * factor + offset in the product of the base units to these powers. */
typedef struct cellml_unit {
  f64 factor, offset;
  f64 power[CELLML_BASES];
} cellml_unit;

typedef struct cellml_units {
  const cellml_files *files;
  const char *base[CELLML_BASES];
  u32 bases;
  u32 looked; /* number of definitions that the current call of cellml_unit_find has read */
} cellml_units;

void cellml_units_begin(cellml_units *u, const cellml_files *files);
/* Finds a unit by name: first in the component (may be NULL), then in the file, in its imports, and in the
 * standard units of CellML. Names in a definition are those of the file that contains it. Base units of the
 * same name are the same unit in all files, as in CellML 2.0. LS_EINPUT with the line if it is not defined;
 * then m->path is the file that the message names. */
ls_status cellml_unit_find(cellml_units *u, const cellml_file *file, const xmlNode *component,
                           const char *name, u32 line, cellml_unit *out);
bool cellml_unit_alike(const cellml_unit *a, const cellml_unit *b); /* can values be converted? */
bool cellml_unit_same(const cellml_unit *a, const cellml_unit *b);  /* are alike units equal? */

#endif
