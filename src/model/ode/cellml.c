#ifdef LOCKSTEP_WITH_XML
#include "model/ode/formats.h"
ls_status ls_cellml_read(ls_ode *m, const xmlDoc *doc) {
  (void)doc;
  return ls_ode_fail(m, 0, "CellML is not supported yet");
}
#endif
