/* The errors in the papers' listings. */
#ifndef LS_REPL_ERRATA_H
#define LS_REPL_ERRATA_H

#include "core/error.h"

/* Prints the errors of the paper with this number, or with these words among its authors and title; of all
 * papers if `which` is "". */
ls_status help_errata(const char *which);

#endif
