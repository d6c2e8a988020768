/* Rows in another form than the one that was built in: compiled while the program runs. Who compiles them
 * registers how they are had; this file knows no compiler. */
#ifndef LS_RUN_FORMS_H
#define LS_RUN_FORMS_H

#include "run/launch.h"

typedef struct ls_forms {
  /* Called on the main thread before a row is launched: makes its form ready. `guarded`: what it writes is to
   * be kept, to be put back if it fails. */
  ls_status (*ready)(const ls_prim *p, ls_dtype type, const ls_device *d, bool *guarded);
  /* What runs the row; NULL: the form that was built in. */
  ls_launch_fn (*launcher)(const ls_prim *p, ls_processor processor, ls_dtype type);
} ls_forms;

void ls_forms_by(const ls_forms *forms);

/* For a row or a loop, for what its steps are. */
ls_status ls_forms_ready(const ls_prim *p, ls_dtype type, const ls_device *d, bool *guarded);
/* NULL: there is no body for that processor and type. */
ls_launch_fn ls_launcher(const ls_prim *p, ls_processor processor, ls_dtype type);
/* Has the row, or one step of the loop, another form than the one that was built in? */
bool ls_formed(const ls_prim *p, ls_processor processor, ls_dtype type);

#endif
