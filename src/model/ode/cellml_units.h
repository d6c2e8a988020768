/* Units of CellML, as multiples of products of base units. */
#ifndef LS_MODEL_CELLML_UNITS_H
#define LS_MODEL_CELLML_UNITS_H

#include "model/ode/xml.h"

enum { CELLML_BASES = 24 }; /* the seven of SI, and those that a model defines */

/* x of this unit is x * factor + offset of the product of the base units to these powers. */
typedef struct cellml_unit {
  f64 factor, offset;
  f64 power[CELLML_BASES];
} cellml_unit;

typedef struct cellml_units {
  ls_ode *m;
  const xmlNode *model;
  const char *base[CELLML_BASES];
  u32 bases;
} cellml_units;

void cellml_units_begin(cellml_units *u, ls_ode *m, const xmlNode *model);
/* The unit of that name, as the component (may be NULL) or the model defines it, or CellML does. LS_EINPUT
 * with the line where nobody does. */
ls_status cellml_unit_find(cellml_units *u, const xmlNode *component, const char *name, u32 line,
                           cellml_unit *out);
bool cellml_unit_alike(const cellml_unit *a, const cellml_unit *b); /* can they be converted? */
bool cellml_unit_same(const cellml_unit *a, const cellml_unit *b);  /* need they not be? */

#endif
