/* The formats, one a file. */
#ifndef LS_LOAD_FORMATS_H
#define LS_LOAD_FORMATS_H

#include "load/load.h"

extern const ls_format ls_format_lsg, ls_format_gr, ls_format_mtx, ls_format_tsv, ls_format_metis,
    ls_format_egr;

#endif
