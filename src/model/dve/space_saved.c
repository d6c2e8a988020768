/* Saves and restores the names of a state space: the model's text, and the states in the order of their
 * numbers. */
#include <string.h>

#include "core/mem.h"
#include "model/dve/model.h"
#include "model/dve/space.h"
#include "model/dve/space_parts.h"

typedef struct head { /* followed by the name, the text, zeros up to a multiple of 8, the states and, only if
                       * the space is not complete, the number of unexpanded states as u64 */
  u64 name_bytes, text_bytes, words, n;
} head;

static u64 states_at(const head *h) { return (sizeof *h + h->name_bytes + h->text_bytes + 7) / 8 * 8; }

u8 *dve_saved_model(const void *begin, u64 head_bytes, const ls_dve *m, u64 total) {
  const size_t name_bytes = strlen(m->text.name);
  u8 *to = ls_calloc(total, 1);
  if (!to) return NULL;
  memcpy(to, begin, head_bytes);
  memcpy(to + head_bytes, m->text.name, name_bytes);
  memcpy(to + head_bytes + name_bytes, m->text.s, m->text.bytes);
  return to;
}

static ls_status save(const ls_vertex_names *vertex_names, void **out, u64 *bytes) {
  ls_dve_space *s = (ls_dve_space *)vertex_names;
  const ls_status st = ls_dve_space_fetch(s);
  if (st) return st;
  const ls_dve *m = s->model;
  const head h = {strlen(m->text.name), m->text.bytes, ls_dve_words(m), s->n};
  const u64 states = s->n * h.words * sizeof *s->states;
  const u64 unexpanded = vertex_names->unexpanded, more = unexpanded ? sizeof unexpanded : 0;
  u8 *to = dve_saved_model(&h, sizeof h, m, states_at(&h) + states + more);
  if (!to) return LS_EMEM;
  if (states) memcpy(to + states_at(&h), s->states, states);
  if (more) memcpy(to + states_at(&h) + states, &unexpanded, more);
  *out = to;
  *bytes = states_at(&h) + states + more;
  return LS_OK;
}

ls_status dve_names_damaged(void) {
  return ls_fail(LS_EINPUT, "the saved model of the states is damaged: it has wrong sizes");
}

ls_status dve_restore_model(const char *name, size_t name_bytes, const char *text, size_t text_bytes,
                            ls_dve **m) {
  char *copy = ls_malloc(name_bytes + 1);
  if (!copy) return LS_EMEM;
  memcpy(copy, name, name_bytes);
  copy[name_bytes] = 0;
  ls_status st = ls_dve_parse(copy, text, text_bytes, m);
  ls_free(copy);
  if (st == LS_EINPUT) st = ls_fail_prefix(st, "the saved model of the states: ");
  return st;
}

static ls_status check_states(const ls_dve_space *s) {
  u64 wrong = s->n;
#pragma omp parallel for reduction(min : wrong) if (s->n > 1 << 16)
  for (u64 v = 0; v < s->n; v++)
    if (v < wrong && !ls_dve_is_state(s->model, ls_dve_state(s, v))) wrong = v;
  if (wrong == s->n) return LS_OK;
  return ls_fail(LS_EINPUT, "state %llu is not a state of the model", (unsigned long long)wrong);
}

static ls_status restore(const void *from, u64 bytes, ls_vertex_names **out) {
  head h;
  if (bytes < sizeof h) return dve_names_damaged();
  memcpy(&h, from, sizeof h);
  if (h.name_bytes > 4096 || h.text_bytes > bytes || h.words == 0 || h.words > DVE_WORDS ||
      h.n > LS_MAX_VERTICES)
    return dve_names_damaged();
  const u64 end = states_at(&h) + h.n * h.words * sizeof(u32);
  u64 unexpanded = 0;
  if (bytes != end && bytes != end + sizeof unexpanded) return dve_names_damaged();
  if (bytes != end) memcpy(&unexpanded, (const u8 *)from + end, sizeof unexpanded);
  if (unexpanded > h.n) return dve_names_damaged();
  ls_dve *m;
  const char *name = (const char *)from + sizeof h;
  ls_status st = dve_restore_model(name, h.name_bytes, name + h.name_bytes, h.text_bytes, &m);
  if (st) return st;
  ls_dve_space *s = NULL;
  if (ls_dve_words(m) != h.words)
    st = ls_fail(LS_EINPUT, "the saved model has %u words per state, but the saved states have %llu",
                 ls_dve_words(m), (unsigned long long)h.words);
  if (!st) st = ls_dve_space_new(m, &s);
  ls_dve_release(m);
  if (st) return st;
  s->n = h.n;
  s->expanded = h.n - unexpanded;
  s->vertex_names.unexpanded = unexpanded;
  s->states = ls_malloc(h.n * h.words * sizeof *s->states + 1);
  if (!s->states) {
    st = LS_EMEM;
  } else {
    memcpy(s->states, (const u8 *)from + states_at(&h), h.n * h.words * sizeof *s->states);
    st = check_states(s);
  }
  if (st)
    ls_dve_space_release(s);
  else
    *out = &s->vertex_names;
  return st;
}

const ls_vertex_names_kind ls_dve_names = {"dve", save, restore};
