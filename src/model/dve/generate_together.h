/* The part of a model's text in C that synchronous systems alone have. */
#ifndef LS_MODEL_DVE_GENERATE_TOGETHER_H
#define LS_MODEL_DVE_GENERATE_TOGETHER_H

#include "model/dve/generate_writer.h"

/* walk of a synchronous system, and what it needs beside the functions that generate_writer.h names. */
void dve_write_together(dve_writer *w);

#endif
