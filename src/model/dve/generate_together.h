/* The part of the code generator that is only for synchronous systems. */
#ifndef LS_MODEL_DVE_GENERATE_TOGETHER_H
#define LS_MODEL_DVE_GENERATE_TOGETHER_H

#include "model/dve/generate_writer.h"

/* Writes the function `walk` for a synchronous system, with its helpers; the other functions listed in
 * generate_writer.h must have been written. */
void dve_write_together(dve_writer *w);

#endif
