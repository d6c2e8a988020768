#if defined(LOCKSTEP_WITH_XML) && defined(LOCKSTEP_WITH_SBML)
#include "model/ode/formats.h"
ls_status ls_sbml_read(ls_ode *m, const char *text) {
  (void)text;
  return ls_ode_fail(m, 0, "SBML is not supported yet");
}
#endif
