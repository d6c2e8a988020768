/* A program in one array of u32, as the rows of kernels/dve read it: a head, which says where each table
 * begins, then the tables of dve_program. */
#ifndef LS_MODEL_DVE_FLAT_H
#define LS_MODEL_DVE_FLAT_H

#include "model/dve/code.h"

enum {
  DVE_HEAD_WORDS, /* of a state */
  DVE_HEAD_PROCESSES,
  DVE_HEAD_PROPERTY, /* a process, or DVE_NONE */
  DVE_HEAD_SYNCHRONOUS,
  DVE_HEAD_CODE, /* from here on: where a table begins */
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
