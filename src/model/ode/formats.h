/* The readers: each fills an empty model and leaves ls_ode_complete to the caller. */
#ifndef LS_MODEL_FORMATS_H
#define LS_MODEL_FORMATS_H

#include "ode/model.h"

ls_status ls_plain_read(ls_ode *m, const char *text);

#ifdef LOCKSTEP_WITH_XML
#include <libxml/tree.h>
ls_status ls_phml_read(ls_ode *m, const xmlDoc *doc);
ls_status ls_cellml_read(ls_ode *m, const xmlDoc *doc);
#ifdef LOCKSTEP_WITH_SBML
ls_status ls_sbml_read(ls_ode *m, const char *text); /* the file's text, which is well-formed */
#endif
#endif

#endif
