/* Among explore.c, space_made.c and space_query.c. */
#ifndef LS_MODEL_DVE_SPACE_PARTS_H
#define LS_MODEL_DVE_SPACE_PARTS_H

#include "model/dve/space.h"

/* Adds to the message of dve_steps_from where it happened; returns st. */
ls_status dve_place_fault(const ls_dve *m, const u32 *state, ls_status st, u32 step);

#endif
