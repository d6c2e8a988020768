/* Turns a draft into bytecode in memory: sorts the threads, adds redundant ones, unifies bytecodes, and
 * assigns places to variables (Okuyama 2013, section 5.5.1, "Bytecode Optimization"). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "ode/code_parts.h"

/* A thread of a phase: its bytecode is that of the draft's thread `of`. */
typedef struct slot {
  u32 of;
  bool mute;
} slot;

typedef struct arranging {
  const ls_draft *d;
  const ls_code_options *o;
  ls_code *c;
  u32 slots, room;
  slot *slot;
  u32 code_room, number_room, place_room;
  u32 *known; /* hash table of the constants: 1 + index; 0: free */
  u32 known_room, known_count;
} arranging;

static ls_status grow(void **p, u64 wanted, u32 *room, size_t size) {
  if (wanted <= *room) return LS_OK;
  if (wanted > 0x7fffffff)
    return ls_fail(LS_EINPUT, "the model is too large: more than 2^31 instructions or operands");
  u32 larger = *room ? *room : 1024;
  while (larger < wanted) larger *= 2;
  void *more = ls_realloc(*p, larger * size);
  if (!more) return LS_EMEM;
  *p = more;
  *room = larger;
  return LS_OK;
}

static u32 op_of(u64 word) { return (u32)(word & 0xff); }
static u32 operand_of(u64 word) { return (u32)(word >> 32); }

/* --- the order of threads ---------------------------------------------------------------------------------
 */

/* Compares by length, then by operators and structural operands. */
static int compare_codes(const ls_draft *d, u32 x, u32 y) {
  const ls_draft_thread *a = &d->thread[x], *b = &d->thread[y];
  if (a->length != b->length) return a->length > b->length ? -1 : 1; /* the longest first */
  for (u32 i = 0; i < a->length; i++) {
    const u64 p = d->codes[a->at + i], q = d->codes[b->at + i];
    if (op_of(p) != op_of(q)) return op_of(p) < op_of(q) ? -1 : 1;
    if (p != q && ls_code_structural(op_of(p))) return p < q ? -1 : 1;
  }
  return 0;
}

static int compare_codes_at(const void *x, const void *y, void *d) {
  return compare_codes(d, *(const u32 *)x, *(const u32 *)y);
}

static int compare_threads(const void *x, const void *y, void *d) {
  const u32 a = *(const u32 *)x, b = *(const u32 *)y;
  const ls_draft_thread *thread = ((const ls_draft *)d)->thread;
  if (thread[a].kind != thread[b].kind) return thread[a].kind < thread[b].kind ? -1 : 1;
  return (a > b) - (a < b);
}

static u64 hash_of_codes(const ls_draft *d, u32 x) {
  const ls_draft_thread *a = &d->thread[x];
  u64 h = a->length;
  for (u32 i = 0; i < a->length; i++) {
    const u64 word = d->codes[a->at + i];
    h = (h ^ (ls_code_structural(op_of(word)) ? word : op_of(word))) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 32;
  }
  return h;
}

/* Threads are of one kind if compare_codes finds them equal. Kinds are numbered in the order of
 * compare_codes. */
static ls_status find_kinds(const ls_draft *d) {
  u32 room = 1024, kinds = 0;
  while (room / 2 < d->threads && room < 1u << 31) room *= 2;
  u32 *at = ls_calloc(room, sizeof *at); /* hash table of kinds: 1 + first thread of the kind */
  u32 *first = ls_malloc(d->threads * sizeof *first);
  ls_status st = at && first ? LS_OK : LS_EMEM;
  for (u32 i = 0; i < d->threads && !st; i++) {
    u32 k = (u32)hash_of_codes(d, i) & (room - 1);
    while (at[k] && compare_codes(d, at[k] - 1, i)) k = (k + 1) & (room - 1);
    if (!at[k]) at[k] = i + 1, first[kinds++] = i;
    d->thread[i].kind = at[k] - 1;
  }
  if (!st) {
    qsort_r(first, kinds, sizeof *first, compare_codes_at, (void *)(uintptr_t)d);
    for (u32 k = 0; k < kinds; k++) at[first[k]] = k; /* `at` now maps a kind's first thread to its number */
    for (u32 i = 0; i < d->threads; i++) d->thread[i].kind = at[d->thread[i].kind];
  }
  ls_free(at);
  ls_free(first);
  return st;
}

static bool differ(const ls_draft *d, u32 x, u32 y) { return d->thread[x].kind != d->thread[y].kind; }

static ls_status add_slot(arranging *a, u32 of, bool mute) {
  ls_status st = grow((void **)&a->slot, (u64)a->slots + 1, &a->room, sizeof *a->slot);
  if (!st) a->slot[a->slots++] = (slot){of, mute};
  return st;
}

/* Adds the threads of a phase: `count` threads of the draft, from number `from` on, and redundant ones. */
static ls_status fill_phase(arranging *a, u32 from, u32 count) {
  const ls_draft *d = a->d;
  u32 *order = ls_malloc(count * sizeof *order);
  ls_status st = order ? LS_OK : LS_EMEM;
  for (u32 i = 0; i < count && !st; i++) order[i] = from + i;
  if (!st && a->o->reorder) qsort_r(order, count, sizeof *order, compare_threads, (void *)(uintptr_t)d);
  const u32 start = a->slots;
  for (u32 i = 0; i < count && !st; i++) {
    if (i && a->o->redundant && differ(d, order[i - 1], order[i]))
      while ((a->slots - start) % LS_CODE_WARP && !st) st = add_slot(a, order[i - 1], true);
    if (!st) st = add_slot(a, order[i], false);
  }
  if (a->o->redundant && count)
    while ((a->slots - start) % LS_CODE_WARP && !st) st = add_slot(a, order[count - 1], true);
  ls_free(order);
  return st;
}

/* --- units ------------------------------------------------------------------------------------------------
 */

/* How many threads from slot i on, up to `end`, share one bytecode. */
static u32 unit_at(const arranging *a, u32 start, u32 i, u32 end) {
  u32 last = end;
  if (a->o->unify == LS_UNIFY_NONE) return 1;
  if (a->o->unify == LS_UNIFY_WARP && i + LS_CODE_WARP - (i - start) % LS_CODE_WARP < end)
    last = i + LS_CODE_WARP - (i - start) % LS_CODE_WARP;
  u32 n = 1;
  while (i + n < last && !differ(a->d, a->slot[i].of, a->slot[i + n].of)) n++;
  if (a->o->unify == LS_UNIFY_PHASE || i + n == last) return n;
  return 1; /* a warp with different bytecodes is not unified */
}

/* Does the warp of slot i have threads of different kinds? If so, each of its threads is a unit. */
static bool mixed_warp(const arranging *a, u32 start, u32 i, u32 end) {
  const u32 from = i - (i - start) % LS_CODE_WARP, to = from + LS_CODE_WARP < end ? from + LS_CODE_WARP : end;
  for (u32 k = from + 1; k < to; k++)
    if (differ(a->d, a->slot[from].of, a->slot[k].of)) return true;
  return false;
}

static u64 word_of(const arranging *a, u32 at, u32 i) {
  return a->d->codes[a->d->thread[a->slot[at].of].at + i];
}

/* --- places -----------------------------------------------------------------------------------------------
 */

static bool names_place(u32 op) { return op == LS_CODE_VARIABLE || op == LS_CODE_ASSIGN; }

static void place_here(ls_code *c, u32 variable, u32 *next) {
  if (c->place[variable] != 0xffffffff) return;
  c->at[*next] = variable;
  c->place[variable] = (*next)++;
}

/* Assigns a place to each variable. With `remap` the places follow the first use of the variables, in this
 * order: by unit, within a unit by instruction, for one instruction by thread. Unused variables come after
 * them. Without `remap` the order is that of the model. Time always has the last place. */
static ls_status find_places(arranging *a) {
  ls_code *c = a->c;
  c->place = ls_malloc(c->vars * sizeof *c->place);
  c->at = ls_malloc(c->vars * sizeof *c->at);
  if (!c->place || !c->at) return LS_EMEM;
  memset(c->place, 0xff, c->vars * sizeof *c->place);
  u32 next = 0;
  c->place[c->vars - 1] = c->at[c->vars - 1] = c->vars - 1;
  for (u32 i = 0; i < a->slots && a->o->remap;) {
    u32 n = 1;
    while (i + n < a->slots && a->slot[i + n].of != a->slot[i].of &&
           !differ(a->d, a->slot[i].of, a->slot[i + n].of))
      n++;
    const u32 length = a->d->thread[a->slot[i].of].length;
    for (u32 k = 0; k < length; k++)
      for (u32 t = i; t < i + n; t++)
        if (names_place(op_of(word_of(a, t, k)))) place_here(c, operand_of(word_of(a, t, k)), &next);
    i += n;
  }
  for (u32 v = 0; v + 1 < c->vars; v++) place_here(c, v, &next);
  return LS_OK;
}

/* --- codes ------------------------------------------------------------------------------------------------
 */

static ls_status add_code(arranging *a, u32 op, u32 operand) {
  ls_status st = grow((void **)&a->c->codes, (u64)a->c->words + 1, &a->code_room, sizeof *a->c->codes);
  if (!st) a->c->codes[a->c->words++] = ls_code_word(op, operand);
  return st;
}

static ls_status add_number(arranging *a, f64 x) {
  ls_status st =
      grow((void **)&a->c->numbers, (u64)a->c->constants + 1, &a->number_room, sizeof *a->c->numbers);
  if (!st) a->c->numbers[a->c->constants++] = x;
  return st;
}

static ls_status add_place(arranging *a, u32 place) {
  ls_status st = grow((void **)&a->c->places, (u64)a->c->operands + 1, &a->place_room, sizeof *a->c->places);
  if (!st) a->c->places[a->c->operands++] = place;
  return st;
}

static u32 *known_at(u32 *known, u32 room, const f64 *numbers, f64 x) {
  u32 i = (u32)((ls_bits_of(x) * 0x9e3779b97f4a7c15ull) >> 32) & (room - 1);
  while (known[i] && ls_bits_of(numbers[known[i] - 1]) != ls_bits_of(x)) i = (i + 1) & (room - 1);
  return &known[i];
}

/* *out: the index of a constant, which is stored once. */
static ls_status constant(arranging *a, f64 x, u32 *out) {
  if (2 * (a->known_count + 1) > a->known_room) {
    const u32 room = a->known_room ? 2 * a->known_room : 256;
    u32 *known = ls_calloc(room, sizeof *known);
    if (!known) return LS_EMEM;
    for (u32 i = 0; i < a->known_room; i++)
      if (a->known[i]) *known_at(known, room, a->c->numbers, a->c->numbers[a->known[i] - 1]) = a->known[i];
    ls_free(a->known);
    a->known = known;
    a->known_room = room;
  }
  u32 *at = known_at(a->known, a->known_room, a->c->numbers, x);
  if (!*at) {
    ls_status st = add_number(a, x);
    if (st) return st;
    *at = a->c->constants;
    a->known_count++;
  }
  *out = *at - 1;
  return LS_OK;
}

/* Writes the k-th instruction of the unit of n threads that begins at slot i. */
static ls_status unify(arranging *a, u32 i, u32 n, u32 k) {
  const ls_code *c = a->c;
  const u64 word = word_of(a, i, k);
  const u32 op = op_of(word);
  bool same = true;
  ls_status st = LS_OK;
  if (op == LS_CODE_CONSTANT) {
    const f64 x = a->d->numbers[operand_of(word)];
    for (u32 t = 1; t < n && same; t++)
      same = ls_bits_of(a->d->numbers[operand_of(word_of(a, i + t, k))]) == ls_bits_of(x);
    u32 at = c->constants;
    if (same) {
      st = constant(a, x, &at);
      return st ? st : add_code(a, op, at);
    }
    for (u32 t = 0; t < n && !st; t++) st = add_number(a, a->d->numbers[operand_of(word_of(a, i + t, k))]);
    return st ? st : add_code(a, LS_CODE_CONSTANT_IND, at);
  }
  if (!names_place(op)) return add_code(a, op, operand_of(word));
  for (u32 t = 1; t < n && same; t++) same = word_of(a, i + t, k) == word;
  if (same) return add_code(a, op, c->place[operand_of(word)]);
  const u32 at = c->operands;
  for (u32 t = 0; t < n && !st; t++) st = add_place(a, c->place[operand_of(word_of(a, i + t, k))]);
  return st ? st : add_code(a, op == LS_CODE_VARIABLE ? LS_CODE_VARIABLE_IND : LS_CODE_ASSIGN_IND, at);
}

static ls_status write_unit(arranging *a, u32 i, u32 n) {
  ls_code *c = a->c;
  const u32 at = c->words, length = a->d->thread[a->slot[i].of].length;
  ls_status st = LS_OK;
  /* a redundant thread that is its own unit shares the bytecode of the thread that it repeats */
  const bool again =
      n == 1 && a->slot[i].mute && i && a->slot[i - 1].of == a->slot[i].of && c->unit[i - 1] == 1;
  for (u32 k = 0; k < length && !st && !again; k++) st = unify(a, i, n, k);
  for (u32 t = 0; t < n && !st; t++) {
    const u32 from = again ? c->index[i - 1] & ~LS_CODE_MUTE : at;
    c->index[i + t] = from | (a->slot[i + t].mute ? LS_CODE_MUTE : 0);
    c->lane[i + t] = t;
    c->unit[i + t] = n;
  }
  return st;
}

static ls_status write_phase(arranging *a, u32 start, u32 end) {
  ls_status st = LS_OK;
  for (u32 i = start; i < end && !st;) {
    const bool alone = a->o->unify == LS_UNIFY_WARP && mixed_warp(a, start, i, end);
    const u32 n = alone ? 1 : unit_at(a, start, i, end);
    st = write_unit(a, i, n);
    i += n;
  }
  return st;
}

/* Writes the expressions of events, after the threads of all phases; each expression is a unit. */
static ls_status write_events(arranging *a) {
  const ls_ode *m = a->c->m;
  ls_code *c = a->c;
  for (u32 i = 0; i < m->event_count; i++) c->assigns += m->events[i].count;
  c->events = m->event_count;
  c->event = ls_malloc(c->events * LS_CODE_EVENT_WORDS * sizeof *c->event);
  c->assign = ls_malloc(c->assigns * 2 * sizeof *c->assign);
  ls_status st = c->event && c->assign ? LS_OK : LS_EMEM;
  for (u32 i = c->threads; i < a->slots && !st; i++) st = write_unit(a, i, 1);
  for (u32 i = 0, next = c->threads, assign = 0; i < c->events && !st; i++) {
    const ls_event *e = &m->events[i];
    u32 *to = c->event + i * LS_CODE_EVENT_WORDS;
    to[LS_CODE_TRIGGER] = c->index[next++];
    to[LS_CODE_AFTER] = e->delay ? c->index[next++] : LS_CODE_NONE;
    to[LS_CODE_PRIORITY] = e->priority ? c->index[next++] : LS_CODE_NONE;
    to[LS_CODE_ASSIGNS] = assign;
    to[LS_CODE_COUNT] = e->count;
    to[LS_CODE_FLAGS] =
        (e->persistent ? LS_CODE_PERSISTENT : 0u) | (e->from_trigger_time ? LS_CODE_AT_TRIGGER : 0u);
    for (u32 k = 0; k < e->count; k++, assign++) {
      c->assign[2 * assign] = c->index[next++];
      c->assign[2 * assign + 1] = c->place[e->assigns[k].variable];
    }
  }
  return st;
}

static ls_status note_jumps(arranging *a) {
  ls_code *c = a->c;
  c->jump = ls_malloc(2 * (size_t)c->assigned * sizeof *c->jump);
  if (!c->jump) return LS_EMEM;
  for (u32 i = 0; i < c->assigned; i++) {
    const u32 variable = c->m->jumps[a->d->jump[i]].assign.variable;
    c->jump[2 * i] = c->place[variable];
    c->jump[2 * i + 1] = c->m->variables[variable].role == LS_STATE;
  }
  return LS_OK;
}

static ls_status note_past(arranging *a) {
  ls_code *c = a->c;
  c->random = a->d->random;
  c->delayed = a->d->delayed;
  c->past_of = ls_malloc(c->delayed * sizeof *c->past_of);
  if (!c->past_of) return LS_EMEM;
  for (u32 i = 0; i < c->delayed; i++) c->past_of[i] = c->place[a->d->past[i]];
  return LS_OK;
}

static ls_status arrange(arranging *a) {
  const ls_draft *d = a->d;
  ls_code *c = a->c;
  c->vars = d->vars;
  c->phases = d->phases;
  c->stack = d->stack;
  for (u32 i = 0; i < d->threads; i++)
    if (d->thread[i].length > c->longest) c->longest = d->thread[i].length;
  c->assigned = d->assigned;
  c->early = d->early;
  c->first = ls_calloc((size_t)c->phases + 2 + LS_JUMP_PHASES, sizeof *c->first);
  if (!c->first) return LS_EMEM;
  u32 from = 0;
  for (u32 p = 0; p < ls_code_phases(c); p++) {
    u32 to = from;
    while (to < d->threads && d->thread[to].phase == p) to++;
    c->first[p] = a->slots;
    ls_status st = fill_phase(a, from, to - from);
    if (st) return st;
    from = to;
    u32 *widest = p <= c->phases ? &c->widest : &c->jumps;
    if (a->slots - c->first[p] > *widest) *widest = a->slots - c->first[p];
    c->first[p + 1] = a->slots;
  }
  c->threads = a->slots;
  ls_status st = LS_OK;
  for (u32 i = d->threads - d->values; i < d->threads && !st; i++) st = add_slot(a, i, false);
  if (st) return st;
  c->index = ls_malloc(a->slots * sizeof *c->index);
  c->lane = ls_malloc(a->slots * sizeof *c->lane);
  c->unit = ls_malloc(a->slots * sizeof *c->unit);
  st = c->index && c->lane && c->unit ? find_places(a) : LS_EMEM;
  for (u32 p = 0; p < ls_code_phases(c) && !st; p++) st = write_phase(a, c->first[p], c->first[p + 1]);
  if (!st) st = note_jumps(a);
  if (!st) st = write_events(a);
  return st ? st : note_past(a);
}

ls_status ls_code_compile(ls_ode *m, const f64 *first, const ls_code_options *o, ls_code *out) {
  ls_draft d;
  *out = (ls_code){.m = m};
  arranging a = {.d = &d, .o = o, .c = out};
  static u64 compiled;
  ls_status st = ls_code_draft(m, first, o, &d);
  if (!st) st = find_kinds(&d);
  if (!st) st = arrange(&a);
  if (!st) st = ls_code_count(out);
  out->serial = ++compiled;
  ls_draft_free(&d);
  ls_free(a.slot);
  ls_free(a.known);
  return st;
}

void ls_code_free(ls_code *c) {
  ls_free(c->first);
  ls_free(c->index);
  ls_free(c->lane);
  ls_free(c->unit);
  ls_free(c->codes);
  ls_free(c->numbers);
  ls_free(c->places);
  ls_free(c->place);
  ls_free(c->at);
  ls_free(c->counts);
  ls_free(c->event);
  ls_free(c->assign);
  ls_free(c->past_of);
  ls_free(c->jump);
  *c = (ls_code){0};
}

void ls_code_phase_name(const ls_code *c, u32 phase, char *out, size_t bytes) {
  static const char *const names[] = {"states", "before", "after", "ports"};
  if (phase < c->phases)
    snprintf(out, bytes, "phase %u", phase + 1);
  else
    snprintf(out, bytes, "%s", names[phase - c->phases]);
}

void ls_code_place_name(const ls_code *c, u32 place, char *out, size_t bytes) {
  const u32 v = place < c->vars ? c->at[place] : c->vars;
  if (v < c->m->count)
    snprintf(out, bytes, "%s", c->m->variables[v].name);
  else if (v + 1 == c->vars)
    snprintf(out, bytes, "time");
  else
    snprintf(out, bytes, "part %u of a sum", v - c->m->count);
}
