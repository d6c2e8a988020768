/* Reads the file of a model. */
#ifndef LS_MODEL_FILE_TEXT_H
#define LS_MODEL_FILE_TEXT_H

#include "core/error.h"
#include "core/types.h"

/* Reads a whole file as text with a final 0, from ls_malloc; "-" is standard input. LS_EINPUT if it cannot be
 * read, is empty, or has more than `most` bytes. */
ls_status ls_model_file_text(const char *path, size_t most, char **text, size_t *bytes);

#endif
