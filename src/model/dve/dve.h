/* Models of communicating processes in the DVE language (DiVinE 2's dialect), whose transitions may have a
 * cost and a time: Barnat, Bauch, Brim, Ceska 2011, section 2.2. */
#ifndef LS_MODEL_DVE_DVE_H
#define LS_MODEL_DVE_DVE_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_dve ls_dve; /* a model; reference-counted, immutable */

typedef struct ls_dve_define { /* the value of a macro of a .mdve file */
  const char *name, *value;
} ls_dve_define;

/* Reads a model from a file. A .mdve file is first expanded by m4 with the given definitions; for any other
 * file count must be 0 (else LS_EARG). LS_EINPUT: an error in the file; the message has file:line:column. */
ls_status ls_dve_read(const char *path, const ls_dve_define *defines, u32 count, ls_dve **out);
/* Reads a model from memory; messages use `name` as the file name. */
ls_status ls_dve_parse(const char *name, const char *text, size_t bytes, ls_dve **out);
/* For tests: if set, the variables of models read from now on take all bits of their types. */
extern bool ls_dve_wide;
ls_dve *ls_dve_retain(ls_dve *m);
void ls_dve_release(ls_dve *m);

const char *ls_dve_name(const ls_dve *m); /* the file name without its folder */
const char *ls_dve_path(const ls_dve *m);
u32 ls_dve_words(const ls_dve *m);          /* u32s per state */
const u32 *ls_dve_initial(const ls_dve *m); /* the initial state */
/* Sets *costs and *times to whether any transition has one. */
void ls_dve_worth(const ls_dve *m, bool *costs, bool *times);
bool ls_dve_accepts(const ls_dve *m, const u32 *state); /* is the property process in an accepting state? */
/* Returns the number of assertions. *property: does the model have a property process? */
u32 ls_dve_claims(const ls_dve *m, bool *property);

#endif
