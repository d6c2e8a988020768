#include "run/launch/variants.h"

static const ls_variants *forms;

void ls_variants_by(const ls_variants *by) { forms = by; }

/* A step of a loop may be untyped. */
static ls_dtype type_of(const ls_prim *p, ls_dtype type) { return p->types & 1u << type ? type : LS_NONE; }

ls_status ls_variants_ready(const ls_prim *p, ls_dtype type, const ls_device *d, bool *guarded) {
  ls_status st = LS_OK;
  if (!forms) return LS_OK;
  if (!p->loop) return forms->ready(p, type_of(p, type), d, guarded);
  for (int s = 0; !st && s < p->loop->nsteps; s++) {
    const ls_prim *step = p->loop->step[s].prim;
    st = forms->ready(step, type_of(step, type), d, guarded);
  }
  return st;
}

ls_launch_fn ls_launcher(const ls_prim *p, ls_processor processor, ls_dtype type, bool *variant) {
  const ls_launch_fn f = forms && !p->loop ? forms->launcher(p, processor, type) : NULL;
  *variant = f != NULL;
  for (int s = 0; forms && p->loop && s < p->loop->nsteps && !*variant; s++)
    ls_launcher(p->loop->step[s].prim, processor, type_of(p->loop->step[s].prim, type), variant);
  return f ? f : p->run[processor][type];
}
