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

static u64 at_most(u64 x) { return x < UINT32_MAX ? x : UINT32_MAX; }

/* The maximum, over the states of a process, of the number of steps that its transitions can make; of those
 * that receive over `channel`, if it is not DVE_NONE. met: for each channel, the number of transitions with
 * which a sending one can be paired; NULL: every transition makes one step. */
static u64 most_of(const dve_program *p, u32 process, u32 channel, const u64 *met) {
  u64 most = 0;
  for (u32 s = p->first_state[process]; s < p->first_state[process + 1]; s++) {
    u64 sum = 0;
    for (u32 i = p->first_step[s]; i < p->first_step[s + 1]; i++) {
      const dve_step *t = &p->steps[i];
      if (channel != DVE_NONE)
        sum += t->how == DVE_RECEIVES && t->channel == channel;
      else
        sum += !met ? 1 : t->how == DVE_RECEIVES ? 0 : t->how == DVE_SENDS ? met[t->channel] : 1;
    }
    if (sum > most) most = sum;
  }
  return most;
}

ls_status ls_dve_most_steps(const ls_dve *m, u32 *out) {
  const dve_program *p = &m->program;
  u64 *met = ls_calloc((u64)p->channels + 1, sizeof *met), most = p->synchronous;
  if (!met) return LS_EMEM;
  for (u32 c = 0; c < p->channels; c++)
    for (u32 i = p->first_listener[c]; i < p->first_listener[c + 1]; i++)
      met[c] = at_most(met[c] + most_of(p, p->listeners[i], c, NULL));
  for (u32 q = 0; q < p->processes; q++) {
    if (q == p->property) continue;
    const u64 own = most_of(p, q, DVE_NONE, p->synchronous ? NULL : met);
    most = at_most(p->synchronous ? most * own : most + own);
  }
  ls_free(met);
  if (p->property != DVE_NONE) most = at_most((most ? most : 1) * most_of(p, p->property, DVE_NONE, NULL));
  *out = (u32)most;
  return LS_OK;
}
