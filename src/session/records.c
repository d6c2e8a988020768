#include "session/records.h"

#include <string.h>

static const records_span *algorithm;

void records_of(const records_span *span) { algorithm = span; }

static bool ours(const ls_record *r) {
  return r->seq >= algorithm->first && (r->seq <= algorithm->stopped || r->seq > algorithm->beside);
}

const ls_record *records_newest(void) {
  u64 first = ls_trace_first();
  for (u64 i = ls_trace_last(); i >= first && i; i--) {
    const ls_record *record = ls_trace_get(i);
    if (!record || record->seq < algorithm->first) return NULL;
    if (ours(record)) return record;
  }
  return NULL;
}

void records_look_back(ls_stop *stop) {
  u64 first = ls_trace_first();
  for (u64 i = ls_trace_last(); i > first && i > 1; i--) {
    const ls_record *record = ls_trace_get(i - 1);
    if (!record || record->seq < algorithm->first) return;
    if (record->seq >= stop->record.seq || record->prim != stop->record.prim || !ours(record)) continue;
    memcpy(stop->previous, record->counts, sizeof stop->previous);
    stop->repeated = true;
    return;
  }
}

u64 records_last_seq(void) {
  const ls_record *last = ls_trace_get(ls_trace_last());
  return last ? last->seq : 0;
}
