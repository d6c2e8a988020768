/* Tells which records of the trace belong to the algorithm: lines typed at its stops leave records in
 * between. */
#ifndef LS_SESSION_RECORDS_H
#define LS_SESSION_RECORDS_H

#include "session/stop.h"

/* Sequence numbers. The algorithm's records are [first, stopped] and those after `beside`. `stopped` is its
 * last record before the last stop; the records from there to `beside` were typed at that stop. */
typedef struct records_span {
  u64 first, stopped, beside;
} records_span;

void records_of(const records_span *algorithm); /* the span to use from now on; it is not copied */
const ls_record *records_newest(void);          /* the algorithm's last record; NULL: none */
void records_look_back(ls_stop *stop);          /* sets stop->previous from an earlier run of its primitive */
u64 records_last_seq(void);                     /* of the newest of all records; 0: there is none */

#endif
