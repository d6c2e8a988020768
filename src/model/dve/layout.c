/* Where everything lies in a state. */
#include "model/dve/model.h"

static u32 bits_for(u32 values) { /* 0 .. values - 1 */
  u32 bits = 0;
  while (bits < 31 && 1u << bits < values) bits++;
  return bits;
}

/* Ints first, then bytes, so that none crosses a word's end; what is smaller goes where there is room. */
static void lay_elements(u32 *bit, bool is_int, u32 count, u32 *field) {
  *field = dve_field(*bit, is_int, is_int ? 16 : 8);
  *bit += count * (is_int ? 16 : 8);
}

static u64 lay_values(ls_dve *m, bool is_int, u32 *bit) {
  u64 total = 0;
  for (u32 i = 0; i < m->variable_count; i++) {
    dve_variable *v = &m->variables[i];
    if (v->constant || v->is_int != is_int) continue;
    total += v->count;
    if (total <= DVE_WORDS * 4) lay_elements(bit, is_int, v->count, &v->field);
  }
  for (u32 i = 0; i < m->channel_count; i++) {
    dve_channel *c = &m->channels[i];
    for (u32 k = 0; k < c->fields && c->capacity; k++) {
      if (c->is_int[k] != is_int) continue;
      total += c->capacity;
      if (total <= DVE_WORDS * 4) lay_elements(bit, is_int, c->capacity, &c->slots[k]);
    }
  }
  return total;
}

static ls_status too_large(const ls_dve *m) {
  return ls_fail(LS_EINPUT, "%s: a state of this model has more than %d bits", m->text.name, DVE_WORDS * 32);
}

ls_status dve_lay_out(ls_dve *m) {
  u32 bit = 0;
  if (lay_values(m, true, &bit) > DVE_WORDS * 2 || lay_values(m, false, &bit) > DVE_WORDS * 4)
    return too_large(m);
  const u32 small = m->program.processes + m->channel_count; /* fields that are laid next */
  u8 *used = dve_arena_get(&m->arena, bit / 32 + small + 2ull);
  u32 **fields = dve_arena_get(&m->arena, (small + 1ull) * sizeof *fields);
  u8 *width = dve_arena_get(&m->arena, small + 1ull);
  if (!used || !fields || !width) return LS_EMEM;
  u32 count = 0, first = bit / 32, words = (bit + 31) / 32;
  for (u32 i = 0; i < first; i++) used[i] = 32;
  used[first] = (u8)(bit % 32);
  for (u32 i = 0; i < m->program.processes; i++)
    if ((width[count] = (u8)bits_for(m->processes[i].states))) fields[count++] = &m->processes[i].field;
  for (u32 i = 0; i < m->channel_count; i++)
    if (m->channels[i].capacity) {
      width[count] = (u8)bits_for(m->channels[i].capacity + 1);
      fields[count++] = &m->channels[i].count;
    }
  for (u32 i = 0; i < count; i++) {
    u32 w = first;
    while (used[w] + width[i] > 32) w++;
    *fields[i] = dve_field(w * 32 + used[w], false, width[i]);
    used[w] = (u8)(used[w] + width[i]);
    if (w >= words) words = w + 1;
    while (used[first] == 32) first++;
  }
  bool full = true; /* a bit is needed that only the error state has set */
  for (u32 w = 0; w < words; w++) full = full && used[w] == 32;
  m->program.words = words + full;
  return m->program.words > DVE_WORDS ? too_large(m) : LS_OK;
}
