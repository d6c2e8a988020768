/* What a thread's index means: language/domains.def, and two that are no thread's. */
#ifndef DOMAINS_H
#define DOMAINS_H

typedef enum ls_domain {
#define DOMAIN(name, own, chunk, short_name, thread) LS_##name,
#include "language/domains.def"
#undef DOMAIN
  LS_LIBRARY, /* a whole operation of a library */
  LS_LOOP,    /* several rows, repeated until a count is zero */
} ls_domain;

#endif
