/* Compiled variants of rows, made at run time and used instead of the built-in ones. Their compiler registers
 * here; this file does not depend on it. */
#ifndef LS_RUN_VARIANTS_H
#define LS_RUN_VARIANTS_H

#include "run/launch/launch.h"

typedef struct ls_variants {
  /* Called on the main thread before a row is launched: makes its variant ready. *guarded: the caller must
   * copy the buffers that the row writes, and restore them if the row fails. */
  ls_status (*ready)(const ls_prim *p, ls_dtype type, const ls_device *d, bool *guarded);
  /* The function that launches the row's variant; NULL: the built-in one is used. */
  ls_launch_fn (*launcher)(const ls_prim *p, ls_processor processor, ls_dtype type);
} ls_variants;

void ls_variants_by(const ls_variants *forms);

/* Makes the variants of a row, or of all steps of a loop, ready. */
ls_status ls_variants_ready(const ls_prim *p, ls_dtype type, const ls_device *d, bool *guarded);
/* The launch function of a row or loop; NULL: there is no body for that processor and type. *variant: the
 * row, or a step of the loop, uses a variant instead of the built-in form. */
ls_launch_fn ls_launcher(const ls_prim *p, ls_processor processor, ls_dtype type, bool *variant);

#endif
