/* The domains as an enum: those of language/domains.def, and two for rows that are not the body of one thread. */
#ifndef DOMAINS_H
#define DOMAINS_H

typedef enum ls_domain {
#define DOMAIN(name, own, chunk, short_name, thread) LS_##name,
#include "language/domains.def"
#undef DOMAIN
  LS_LIBRARY, /* the body runs once per launch (driver/library.h) */
  LS_LOOP,    /* a LOOP over other rows */
} ls_domain;

#endif
