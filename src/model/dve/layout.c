/* Bit layout of a state: assigns a field to every variable, process and buffer. */
#include "model/dve/model.h"

static u32 bits_for(i64 values) { /* of the numbers 0 .. values - 1 */
  u32 bits = 0;
  while (bits < 31 && 1ll << bits < values) bits++;
  return bits;
}

/* Bits needed for the values of a range; at least one. */
static u32 width_of(dve_range r) {
  u32 bits = 1;
  if (r.low >= 0) return bits_for(r.high + 1) ? bits_for(r.high + 1) : 1;
  while (r.low < -(1ll << (bits - 1)) || r.high >= 1ll << (bits - 1)) bits++;
  return bits;
}

/* Width of an array's elements: a power of two, so that none crosses the end of a word. */
static u32 element_width(dve_range r) {
  u32 width = 1;
  while (width < width_of(r)) width *= 2;
  return width;
}

static ls_status too_large(const ls_dve *m) {
  return ls_fail(LS_EINPUT, "%s: a state of this model has more than %d bits", m->text.name, DVE_WORDS * 32);
}

/* If the range needs elements of this width, places `count` of them at *bit and advances *bit; false if the
 * state becomes too large. A store must fail for a value outside the type, so a field whose width was rounded
 * up must not be able to hold such a value. Hence 16-bit fields are always signed, because only an int needs
 * 16 bits; fields of at most 8 bits can hold only values of their type. */
static bool lay_elements(u32 width, dve_range r, u32 count, u32 *bit, u32 *field) {
  if (element_width(r) != width) return true;
  if (count > (DVE_WORDS * 32 - *bit) / width) return false;
  *field = dve_field(*bit, r.low < 0 || width == 16, width);
  *bit += count * width;
  return true;
}

/* Places the arrays and buffers whose elements have this width. */
static bool lay_arrays(ls_dve *m, u32 width, u32 *bit) {
  for (u32 i = 0; i < m->variable_count; i++) {
    dve_variable *v = &m->variables[i];
    if (!v->constant && v->is_array && !lay_elements(width, v->range, v->count, bit, &v->field)) return false;
  }
  for (u32 i = 0; i < m->channel_count; i++) {
    dve_channel *c = &m->channels[i];
    for (u32 k = 0; k < c->fields && c->capacity; k++)
      if (!lay_elements(width, c->range[k], c->capacity, bit, &c->slots[k])) return false;
  }
  return true;
}

typedef struct words {
  u8 *used;         /* bits used of each word */
  u32 count, first; /* first: index of the first word that is not full */
} words;

/* Places a single field in the first word that has room. */
static void lay_alone(words *w, u32 width, bool is_signed, u32 *field) {
  u32 i = w->first;
  while (w->used[i] + width > 32) i++;
  *field = dve_field(i * 32 + w->used[i], is_signed, width);
  w->used[i] = (u8)(w->used[i] + width);
  if (i >= w->count) w->count = i + 1;
  while (w->used[w->first] == 32) w->first++;
}

ls_status dve_lay_out(ls_dve *m) {
  u32 bit = 0;
  for (u32 width = 16; width > 0; width /= 2) /* widest first, so each begins at a multiple of its width */
    if (!lay_arrays(m, width, &bit)) return too_large(m);
  const u64 alone = (u64)m->variable_count + m->program.processes + m->channel_count;
  words w = {dve_arena_get(&m->arena, bit / 32 + alone + 2), (bit + 31) / 32, bit / 32};
  if (!w.used) return LS_EMEM;
  for (u32 i = 0; i < w.first; i++) w.used[i] = 32;
  w.used[w.first] = (u8)(bit % 32);
  for (u32 i = 0; i < m->variable_count; i++) {
    dve_variable *v = &m->variables[i];
    if (!v->constant && !v->is_array) lay_alone(&w, width_of(v->range), v->range.low < 0, &v->field);
  }
  for (u32 i = 0; i < m->program.processes; i++)
    if (m->processes[i].states > 1)
      lay_alone(&w, bits_for(m->processes[i].states), false, &m->processes[i].field);
  for (u32 i = 0; i < m->channel_count; i++)
    if (m->channels[i].capacity)
      lay_alone(&w, bits_for(m->channels[i].capacity + 1ll), false, &m->channels[i].count);
  for (u32 i = 0; i < w.count; i++) m->bits += w.used[i];
  m->program.words =
      w.count + (m->bits == 32 * w.count); /* a bit is needed that only the error state has set */
  return m->program.words > DVE_WORDS ? too_large(m) : LS_OK;
}
