/* Among what makes spaces and automata, and what gives them names. */
#ifndef LS_MODEL_DVE_SPACE_PARTS_H
#define LS_MODEL_DVE_SPACE_PARTS_H

#include "model/dve/space.h"

/* Adds to the message of dve_steps_from where it happened; returns st. */
ls_status dve_place_fault(const ls_dve *m, const u32 *state, ls_status st, u32 step);

/* A model that a file of names has: its name and text. LS_EINPUT. */
ls_status dve_restore_model(const char *name, size_t name_bytes, const char *text, size_t text_bytes,
                            ls_dve **m);
ls_status dve_names_damaged(void);

#endif
