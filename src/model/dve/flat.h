/* A program as one array of u32, which the rows of kernels/dve read: a head with the offset of each table,
 * then the tables of dve_program. */
#ifndef LS_MODEL_DVE_FLAT_H
#define LS_MODEL_DVE_FLAT_H

#include "model/dve/code.h"

enum {
  DVE_HEAD_WORDS, /* u32s per state */
  DVE_HEAD_PROCESSES,
  DVE_HEAD_PROPERTY, /* a process, or DVE_NONE */
  DVE_HEAD_SYNCHRONOUS,
  DVE_HEAD_CODE, /* this and all below: the offset of a table */
  DVE_HEAD_FIELD,
  DVE_HEAD_FIRST_STATE,
  DVE_HEAD_FLAGS,
  DVE_HEAD_FIRST_STEP,
  DVE_HEAD_STEPS, /* structs dve_step, whose members are u32 */
  DVE_HEAD_MASKS,
  DVE_HEAD_FIRST_LISTENER,
  DVE_HEAD_LISTENERS,
  DVE_HEAD_COUNT,
  DVE_HEAD_CAPACITY,
  DVE_HEAD_SIZE = 16,
  DVE_STEP_WORDS = sizeof(dve_step) / sizeof(u32)
};

#define DVE_TABLE(program, NAME) ((program) + (program)[DVE_HEAD_##NAME])

#endif
