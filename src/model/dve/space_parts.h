/* Between explore.c and space.c. */
#ifndef LS_MODEL_DVE_SPACE_PARTS_H
#define LS_MODEL_DVE_SPACE_PARTS_H

#include "model/dve/space.h"

/* An empty space. */
ls_status dve_space_new(ls_dve *m, ls_dve_space **out);

#endif
