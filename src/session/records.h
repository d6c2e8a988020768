/* Which of the trace's records are the algorithm's: what is typed at a stop leaves records between them. */
#ifndef LS_SESSION_RECORDS_H
#define LS_SESSION_RECORDS_H

#include "session/stop.h"

/* Records before `first` are of other runs, and so are those after `stopped`, the last before the last stop,
 * up to `beside`. */
typedef struct records_span {
  u64 first, stopped, beside;
} records_span;

void records_of(const records_span *algorithm); /* whose they are; it stays where it is */
const ls_record *records_newest(void);          /* the algorithm's last; NULL: none */
void records_look_back(ls_stop *stop); /* the counts of stop->record's primitive when it ran before */
u64 records_last_seq(void);            /* of all; 0: there is none */

#endif
