#include "model/dve/flat.h"

#include <string.h>

#include "core/mem.h"
#include "model/dve/space.h"
#include "model/dve/model.h"

_Static_assert(sizeof(dve_step) == DVE_STEP_WORDS * sizeof(u32), "a step is words");

ls_status ls_dve_flat(const ls_dve *m, u32 **out, u64 *count) {
  const dve_program *p = &m->program;
  const struct {
    u32 head;
    const void *from;
    u64 words;
  } tables[] = {{DVE_HEAD_CODE, p->code, p->code_size},
                {DVE_HEAD_FIELD, p->field, p->processes},
                {DVE_HEAD_FIRST_STATE, p->first_state, p->processes + 1ull},
                {DVE_HEAD_FLAGS, p->flags, p->states},
                {DVE_HEAD_FIRST_STEP, p->first_step, p->states + 1ull},
                {DVE_HEAD_STEPS, p->steps, (u64)p->step_count * DVE_STEP_WORDS},
                {DVE_HEAD_MASKS, p->masks, (u64)p->step_count * p->words},
                {DVE_HEAD_FIRST_LISTENER, p->first_listener, p->channels + 1ull},
                {DVE_HEAD_LISTENERS, p->listeners, p->first_listener[p->channels]},
                {DVE_HEAD_COUNT, p->count, p->channels},
                {DVE_HEAD_CAPACITY, p->capacity, p->channels}};
  const u32 n = sizeof tables / sizeof *tables;
  u64 size = DVE_HEAD_SIZE;
  for (u32 i = 0; i < n; i++) size += tables[i].words;
  if (size > UINT32_MAX)
    return ls_fail(LS_EOVERFLOW, "%s: its program has more than 2^32 words", m->text.name);
  u32 *flat = ls_calloc(size, sizeof *flat);
  if (!flat) return LS_EMEM;
  flat[DVE_HEAD_WORDS] = p->words;
  flat[DVE_HEAD_PROCESSES] = p->processes;
  flat[DVE_HEAD_PROPERTY] = p->property;
  flat[DVE_HEAD_SYNCHRONOUS] = p->synchronous;
  u64 at = DVE_HEAD_SIZE;
  for (u32 i = 0; i < n; i++) {
    flat[tables[i].head] = (u32)at;
    if (tables[i].words) memcpy(flat + at, tables[i].from, tables[i].words * sizeof *flat);
    at += tables[i].words;
  }
  *out = flat;
  *count = size;
  return LS_OK;
}
