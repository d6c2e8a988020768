/* Models of communicating processes in the DVE language (DiVinE 2's dialect), whose transitions may have a
 * cost and a time: Barnat, Bauch, Brim, Ceska 2011, section 2.2. */
#ifndef LS_MODEL_DVE_DVE_H
#define LS_MODEL_DVE_DVE_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_dve ls_dve; /* a model; counted; never changes */

typedef struct ls_dve_define { /* of a .mdve file's macros */
  const char *name, *value;
} ls_dve_define;

/* Reads a file. One that ends in .mdve is expanded by m4, with the definitions; others take none (LS_EARG).
 * What is wrong in it is LS_EINPUT, and the message says file:line:column. */
ls_status ls_dve_read(const char *path, const ls_dve_define *defines, u32 count, ls_dve **out);
/* The same of a text; name stands for the file's. */
ls_status ls_dve_parse(const char *name, const char *text, size_t bytes, ls_dve **out);
/* For tests: variables of models that are read from now on take as many bits as their types have. */
extern bool ls_dve_wide;
ls_dve *ls_dve_retain(ls_dve *m);
void ls_dve_release(ls_dve *m);

const char *ls_dve_name(const ls_dve *m); /* the file's, without its folder */
const char *ls_dve_path(const ls_dve *m);
u32 ls_dve_words(const ls_dve *m);                            /* of a state */
const u32 *ls_dve_initial(const ls_dve *m);                   /* the state that all begins in */
void ls_dve_worth(const ls_dve *m, bool *costs, bool *times); /* has some transition a cost, a time? */
bool ls_dve_accepts(const ls_dve *m, const u32 *state); /* is the property process in an accepting state? */
/* How many assertions it has; has it a property process? */
u32 ls_dve_claims(const ls_dve *m, bool *property);

#endif
