/* Shared by the files that build spaces and automata and that name their vertices and edges. */
#ifndef LS_MODEL_DVE_SPACE_PARTS_H
#define LS_MODEL_DVE_SPACE_PARTS_H

#include "model/dve/space.h"

/* Adds the transition's position in the text, and the state, to the message of dve_steps_from; returns st. */
ls_status dve_place_fault(const ls_dve *m, const u32 *state, ls_status st, u32 step);

/* `total` bytes from ls_malloc for a file: first the head at `begin`, then the model's name and text, then
 * zeros. */
u8 *dve_saved_model(const void *begin, u64 head_bytes, const ls_dve *m, u64 total);
/* Parses a model whose name and text were stored in a file. LS_EINPUT: its text has an error. */
ls_status dve_restore_model(const char *name, size_t name_bytes, const char *text, size_t text_bytes,
                            ls_dve **m);
ls_status dve_names_damaged(void);

#endif
