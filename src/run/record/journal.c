#include "run/record/journal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "run/record/difference.h"

/* A buffer that was written since recording began. */
typedef struct tracked {
  ls_buffer *buffer; /* NULL: free slot */
  void *mirror;      /* its contents at the newest moment; NULL: not kept */
  u64 changed_step;  /* the buffer's changed_step at that moment; valid if `open` */
  bool open;         /* written since the newest moment */
  bool missed;       /* written, but its contents before that are not kept */
  bool told;         /* the user was told that it is not kept */
  u64 since;         /* serial of the first moment at which its contents are known */
  bool swapped;      /* some recorded step swaps it */
} tracked;

typedef struct change {
  u32 place; /* index in `buffers` */
  ls_difference difference;
  u64 step_before, step_after;
} change;

/* A moment, and the step that leads to it from the previous moment: first all swaps, then all changes. This
 * order is valid even if swaps and changes alternated, because a swap of a buffer that was already written is
 * recorded as a change. */
typedef struct moment {
  u64 number;
  void *note;
  u64 bytes; /* of the note, the changes and the swaps */
  change *changes;
  u32 nchanges;
  u32 (*swaps)[2];
  u32 nswaps;
} moment;

static moment *moments;                    /* the kept ones are moments[oldest .. end-1] */
static u64 oldest, end, room, at, shifted; /* a moment's serial is its index + shifted */
static tracked *buffers;
static u32 nbuffers, buffers_room;
static u32 (*swaps)[2]; /* since the newest moment */
static u32 nswaps, swaps_room;
static u64 used, budget = (u64)LS_JOURNAL_MIB << 20;
static bool on, moving, lost;
static char trouble[160], passed_over[80];
static bool untold;
static void (*forget)(void *note);

/* --- forgetting --------------------------------------------------------------------------------------------
 */

static void drop_step(moment *m) {
  for (u32 i = 0; i < m->nchanges; i++) ls_difference_free(&m->changes[i].difference);
  ls_free(m->changes);
  ls_free(m->swaps);
  m->changes = NULL;
  m->swaps = NULL;
  m->nchanges = m->nswaps = 0;
}

static void drop_moment(moment *m) {
  drop_step(m);
  if (m->note && forget) forget(m->note);
  used -= m->bytes;
  *m = (moment){0};
}

static void drop_mirror(tracked *t) {
  if (!t->mirror) return;
  used -= ls_buffer_bytes(t->buffer);
  ls_free(t->mirror);
  t->mirror = NULL;
}

static void untrack(tracked *t) {
  drop_mirror(t);
  t->buffer->recorded = 0;
  ls_buffer_release(t->buffer);
  *t = (tracked){0};
}

static void drop_all(void) {
  for (; oldest < end; oldest++) drop_moment(&moments[oldest]);
  for (u32 i = 0; i < nbuffers; i++)
    if (buffers[i].buffer) untrack(&buffers[i]);
  ls_free(moments);
  ls_free(buffers);
  ls_free(swaps);
  moments = NULL;
  buffers = NULL;
  swaps = NULL;
  oldest = end = room = at = shifted = 0;
  nbuffers = buffers_room = nswaps = swaps_room = 0;
}

/* Forgets everything; writes are not recorded until the next moment. */
void ls_journal_lose(const char *why) {
  drop_all();
  lost = untold = true;
  snprintf(trouble, sizeof trouble, "%s", why);
}

/* Forgets the oldest moment; the next one becomes the oldest, from which no step leads back. */
static void drop_oldest(void) {
  drop_moment(&moments[oldest++]);
  moment *m = &moments[oldest];
  u64 bytes = 0;
  for (u32 i = 0; i < m->nchanges; i++) bytes += m->changes[i].difference.bytes + sizeof(change);
  bytes += m->nswaps * sizeof *m->swaps;
  drop_step(m);
  m->bytes -= bytes;
  used -= bytes;
}

/* Frees room: first drops the mirrors of buffers that were not written since the newest moment (these mirrors
 * only save time), then the oldest moments. */
static bool make_room(u64 bytes) {
  for (u32 i = 0; i < nbuffers && used + bytes > budget; i++)
    if (!buffers[i].open) drop_mirror(&buffers[i]);
  while (used + bytes > budget && end - oldest > 1) drop_oldest();
  return used + bytes <= budget;
}

/* --- what is too large to keep ---------------------------------------------------------------------------
 */

/* Forgets the contents that the buffer held in the past; `wholly`: also the fact that it was written. */
static void drop_changes(u32 place, bool wholly) {
  for (u64 k = oldest; k < end; k++) {
    moment *m = &moments[k];
    u64 bytes = 0;
    u32 kept = 0;
    for (u32 c = 0; c < m->nchanges; c++) {
      change *old = &m->changes[c];
      if (old->place == place) {
        bytes += old->difference.bytes + (wholly ? sizeof(change) : 0);
        ls_difference_free(&old->difference);
      }
      if (old->place != place || !wholly) m->changes[kept++] = *old;
    }
    m->nchanges = kept;
    m->bytes -= bytes;
    used -= bytes;
  }
}

/* If a buffer's past is unknown before `since`, so is that of the buffers that were swapped with it. */
static bool spread(u32 (*pairs)[2], u32 count, u64 since) {
  bool any = false;
  for (u32 i = 0; i < count; i++)
    for (int side = 0; side < 2; side++) {
      const tracked *t = &buffers[pairs[i][side]];
      tracked *other = &buffers[pairs[i][!side]];
      if (t->since != since || other->since >= since) continue;
      other->since = since;
      any = true;
    }
  return any;
}

/* Forgets what the buffer held before the next moment; other buffers keep their past. A move still applies
 * the buffer's later differences and its swaps, whatever the buffer holds, so that it has its present
 * contents again after the move back to the present. */
static void pass_over(tracked *t) {
  const u64 since = end + shifted;
  t->since = since;
  drop_mirror(t);
  drop_changes((u32)(t - buffers), false);
  for (bool more = true; more;) {
    more = spread(swaps, nswaps, since);
    for (u64 k = oldest; k < end; k++) more = spread(moments[k].swaps, moments[k].nswaps, since) || more;
  }
  if (t->told) return;
  t->told = true;
  snprintf(passed_over, sizeof passed_over, "%s[%llu] of %.3g MiB", ls_dtype_name(t->buffer->type),
           (unsigned long long)t->buffer->count, (f64)ls_buffer_bytes(t->buffer) / (1 << 20));
}

bool ls_journal_lacks(const ls_buffer *b) {
  return ls_journal_in_past() && b->recorded && at + shifted < buffers[b->recorded - 1].since;
}

const char *ls_journal_passed_over(void) {
  static char text[sizeof passed_over];
  if (!*passed_over) return NULL;
  memcpy(text, passed_over, sizeof text);
  passed_over[0] = '\0';
  return text;
}

/* Bytes of the mirrors that the next moment needs. */
static u64 open_bytes(void) {
  u64 bytes = 0;
  for (u32 i = 0; i < nbuffers; i++)
    if (buffers[i].open && buffers[i].mirror) bytes += ls_buffer_bytes(buffers[i].buffer);
  return bytes;
}

static void lose_for_room(u64 bytes) {
  char why[sizeof trouble];
  snprintf(why, sizeof why,
           "a step of %.3g MiB does not fit into the journal's %.3g MiB; `journal %.0f` makes it larger",
           (f64)bytes / (1 << 20), (f64)budget / (1 << 20), 4 * ceil((f64)bytes / (1 << 20)));
  ls_journal_lose(why);
}

/* --- what is written ---------------------------------------------------------------------------------------
 */

static tracked *place_of(ls_buffer *b) {
  if (b->recorded) return &buffers[b->recorded - 1];
  u32 i = 0;
  while (i < nbuffers && buffers[i].buffer) i++;
  tracked *grown = ls_grown(buffers, i, &buffers_room, 32, sizeof *grown);
  if (!grown) return NULL;
  buffers = grown;
  if (i == nbuffers) nbuffers++;
  buffers[i] = (tracked){.buffer = ls_buffer_retain(b)};
  b->recorded = i + 1;
  return &buffers[i];
}

static bool ignored(const ls_buffer *b) { return lost || moving || b->beside || b->read_only; }

static void writing(ls_buffer *b) {
  if (ignored(b)) return;
  tracked *t = place_of(b);
  if (!t) {
    ls_journal_lose(ls_error());
    return;
  }
  if (t->open) return;
  t->changed_step = b->changed_step;
  if (!t->mirror) {
    const u64 bytes = ls_buffer_bytes(b);
    if (open_bytes() + bytes + sizeof(moment) > budget || !make_room(bytes)) {
      pass_over(t);
      t->open = t->missed = true;
      return;
    }
    if (ls_buffer_gone(b)) { /* its device was lost without a copy; rescue() has called pass_over */
      t->open = t->missed = true;
      return;
    }
    t->mirror = ls_malloc(bytes);
    if (t->mirror) ls_mem_large_pages(t->mirror, bytes);
    if (!t->mirror || ls_buffer_peek(b, 0, b->count, t->mirror)) {
      ls_free(t->mirror);
      t->mirror = NULL;
      ls_journal_lose(ls_error());
      return;
    }
    used += bytes;
  }
  t->open = true;
}

static void swapping(ls_buffer *a, ls_buffer *b) {
  if (lost || moving || a == b) return;
  bool plain = !ignored(a) && !ignored(b);
  tracked *x = plain ? place_of(a) : NULL;
  tracked *y = x ? place_of(b) : NULL;
  x = y ? place_of(a) : NULL; /* the array may have moved */
  if (plain && !x) {
    ls_journal_lose(ls_error());
  } else if (!plain || x->open || y->open) {
    writing(a);
    writing(b);
  } else {
    u32(*grown)[2] = ls_grown(swaps, nswaps, &swaps_room, 4, sizeof *grown);
    if (!grown) {
      ls_journal_lose(ls_error());
      return;
    }
    swaps = grown;
    swaps[nswaps][0] = a->recorded - 1;
    swaps[nswaps++][1] = b->recorded - 1;
    x->swapped = y->swapped = true;
    void *mirror = x->mirror;
    x->mirror = y->mirror;
    y->mirror = mirror;
  }
}

/* Called when the device was lost: returns the mirror, which has the contents from before the failed launch;
 * NULL: there is none. */
static const void *rescue(ls_buffer *b) {
  tracked *t = !ignored(b) && b->recorded ? &buffers[b->recorded - 1] : NULL;
  if (!t) return NULL;
  if (t->mirror && !t->missed) return t->mirror;
  pass_over(t);
  return NULL;
}

static const ls_buffer_watch watch = {writing, swapping, rescue};

/* --- moments ---------------------------------------------------------------------------------------------
 */

void ls_journal_on_forget(void (*f)(void *note)) { forget = f; }
bool ls_journal_on(void) { return on; }

static bool add_moment(moment m) {
  if (oldest > 64 && oldest > room / 2) { /* move the kept moments to the front */
    memmove(moments, moments + oldest, (end - oldest) * sizeof *moments);
    end -= oldest;
    shifted += oldest;
    oldest = 0;
  }
  moment *grown = ls_grown(moments, end, &room, 64, sizeof *grown);
  if (!grown) return false;
  moments = grown;
  m.bytes += sizeof m;
  used += m.bytes;
  moments[end] = m;
  at = end++;
  return true;
}

/* Adds the first moment to an empty journal. */
static void plant(u64 number, void *note, u64 note_bytes) {
  const u64 bytes = note ? note_bytes : 0;
  lost = false;
  if (bytes + sizeof(moment) > budget)
    lose_for_room(bytes + sizeof(moment));
  else if (add_moment((moment){.number = number, .note = note, .bytes = bytes}))
    return;
  else
    ls_journal_lose(ls_error());
  if (note && forget) forget(note);
}

void ls_journal_begin(u64 number, void *note, u64 note_bytes) {
  ls_journal_end();
  if (!budget) {
    if (note && forget) forget(note);
    return;
  }
  on = true;
  ls_buffer_watch_by(&watch);
  plant(number, note, note_bytes);
}

void ls_journal_end(void) {
  if (ls_journal_in_past()) ls_journal_go((i64)(end - 1 - at));
  drop_all();
  on = lost = untold = false;
  ls_buffer_watch_by(NULL);
}

enum {
  BLOCK = 1 << 20,
  BLOCKS_READ = 32
}; /* BLOCK: bytes compared at a time; BLOCKS_READ: blocks read from a device at a time */

/* Compares `count` elements from `first` on with the mirror, and updates the mirror; one difference per
 * block. */
static bool compare_blocks(u8 *mirror, const u8 *now, u64 first, u64 count, u64 size, ls_difference *parts) {
  const u64 block = BLOCK / size, blocks = (count + block - 1) / block;
  bool good = true;
#pragma omp parallel for reduction(&& : good) if (blocks > 1)
  for (u64 k = 0; k < blocks; k++) {
    const u64 from = k * block, here = count - from < block ? count - from : block;
    u8 *was = mirror + (first + from) * size;
    good = !ls_difference_add(&parts[k], first + from, was, now + from * size, here, size) && good;
    if (parts[k].bytes) memcpy(was, now + from * size, here * size);
  }
  return good;
}

/* Sets *d to the difference between a buffer's mirror and its present contents, and updates the mirror. */
static ls_status compare_mirror(tracked *t, ls_difference *d) {
  ls_buffer *b = t->buffer;
  const u64 size = ls_dtype_size(b->type), block = BLOCK / size, blocks = (b->count + block - 1) / block;
  const u64 read_blocks = blocks < BLOCKS_READ ? blocks : BLOCKS_READ;
  ls_status st = ls_buffer_settle(b);
  if (st) return st;
  u8 *read = b->host_valid ? NULL : ls_malloc(read_blocks * BLOCK);
  ls_difference *parts = ls_calloc(blocks, sizeof *parts);
  if (!parts || (!b->host_valid && !read)) st = LS_EMEM;
  const u64 step = b->host_valid ? b->count : read_blocks * block;
  for (u64 i = 0; !st && i < b->count; i += step) {
    const u64 count = b->count - i < step ? b->count - i : step;
    if (read) st = ls_buffer_peek(b, i, count, read);
    const u8 *now = read ? read : (const u8 *)b->host + i * size;
    if (!st && !compare_blocks(t->mirror, now, i, count, size, parts + i / block))
      st = ls_fail(LS_EMEM, "out of memory while recording what a step has changed");
  }
  if (!st) st = ls_difference_join(parts, blocks, d);
  for (u64 k = 0; parts && k < blocks; k++) ls_difference_free(&parts[k]);
  ls_free(parts);
  ls_free(read);
  return st;
}

/* Stops tracking buffers to which only the journal refers: the user cannot reach them any more, not even in
 * the past, because there each name refers to the same buffer as in the present. */
static void forget_unseen(void) {
  for (u32 i = 0; i < nbuffers; i++) {
    tracked *t = &buffers[i];
    if (!t->buffer || t->swapped) continue;
    bool seen = t->buffer->refs > 1 && !t->buffer->closed && !t->buffer->read_only;
    if (seen) continue;
    drop_changes(i, true);
    untrack(t);
  }
}

/* Moves all that was recorded since the newest moment into m. */
static ls_status collect(moment *m) {
  u32 open = 0;
  for (u32 i = 0; i < nbuffers; i++) open += buffers[i].open;
  if (open && !(m->changes = ls_calloc(open, sizeof *m->changes))) return LS_EMEM;
  ls_status st = LS_OK;
  for (u32 i = 0; !st && i < nbuffers; i++) {
    tracked *t = &buffers[i];
    if (!t->open) continue;
    t->open = false;
    const bool missed = t->missed;
    t->missed = false;
    if (t->buffer->closed) continue;
    change *c = &m->changes[m->nchanges++];
    *c = (change){.place = i, .step_before = t->changed_step, .step_after = t->buffer->changed_step};
    if (!missed) st = compare_mirror(t, &c->difference);
    m->bytes += c->difference.bytes + sizeof *c;
    if (!c->difference.bytes && c->step_before == c->step_after) {
      m->nchanges--;
      m->bytes -= sizeof *c;
    }
  }
  m->swaps = swaps;
  m->nswaps = nswaps;
  m->bytes += nswaps * sizeof *swaps;
  swaps = NULL;
  nswaps = swaps_room = 0;
  return st;
}

/* Drops the largest difference of m, and with it the recorded past of that buffer. False: m has no
 * differences. */
static bool drop_largest(moment *m) {
  u32 most = 0;
  for (u32 i = 1; i < m->nchanges; i++)
    if (m->changes[i].difference.bytes > m->changes[most].difference.bytes) most = i;
  if (!m->nchanges || !m->changes[most].difference.bytes) return false;
  change *c = &m->changes[most];
  m->bytes -= c->difference.bytes;
  ls_difference_free(&c->difference);
  pass_over(&buffers[c->place]);
  return true;
}

bool ls_journal_written(void) {
  bool any = nswaps > 0;
  for (u32 i = 0; i < nbuffers; i++) any = any || buffers[i].open;
  return any;
}

static bool any_missed(void) {
  bool any = false;
  for (u32 i = 0; i < nbuffers; i++) any = any || buffers[i].missed;
  return any;
}

void ls_journal_keep(u64 number, void *note, u64 note_bytes, bool unless_same) {
  moment m = {.number = number, .note = note, .bytes = note ? note_bytes : 0};
  ls_status st = LS_OK;
  if (!on || !budget) goto refused;
  if (lost) {
    plant(number, note, note_bytes);
    return;
  }
  forget_unseen();
  const bool missed = any_missed();
  st = collect(&m);
  if (!st && unless_same && !m.nchanges && !m.nswaps && !missed) goto refused;
  while (!st && m.bytes + sizeof m > budget && drop_largest(&m)) {}
  if (!st && !make_room(m.bytes + sizeof m)) {
    u64 wanted = used + m.bytes;
    drop_step(&m);
    lose_for_room(wanted);
    plant(number, note, note_bytes);
    return;
  }
  if (!st && add_moment(m)) return;
  drop_step(&m);
  ls_journal_lose(ls_error());
  plant(number, note, note_bytes); /* so that later writes are recorded again */
  return;
refused:
  drop_step(&m);
  if (note && forget) forget(note);
}

/* --- travelling --------------------------------------------------------------------------------------------
 */

static bool gone(u32 place) { return !buffers[place].buffer || buffers[place].buffer->closed; }

/* Does everything that may fail, before anything is changed. */
static ls_status prepare(const moment *m) {
  for (u32 i = 0; i < m->nchanges; i++)
    if (!gone(m->changes[i].place) && m->changes[i].difference.bytes &&
        !ls_buffer_read(buffers[m->changes[i].place].buffer))
      return LS_EMEM;
  for (u32 i = 0; i < m->nswaps; i++) /* changes are applied after the swaps */
    for (int k = 0; k < 2; k++)
      if (!gone(m->swaps[i][k]) && !ls_buffer_read(buffers[m->swaps[i][k]].buffer)) return LS_EMEM;
  return LS_OK;
}

static void apply(const change *c, bool back) {
  if (gone(c->place)) return;
  ls_buffer *b = buffers[c->place].buffer;
  if (c->difference.bytes) ls_difference_apply(&c->difference, ls_buffer_update(b), ls_dtype_size(b->type));
  b->changed_step = back ? c->step_before : c->step_after;
}

static void swap_pair(const u32 pair[2]) {
  if (!gone(pair[0]) && !gone(pair[1])) ls_buffer_swap(buffers[pair[0]].buffer, buffers[pair[1]].buffer);
}

static ls_status move(bool back) {
  const moment *m = &moments[back ? at : at + 1];
  if (prepare(m)) return LS_EMEM;
  moving = true;
  if (!back)
    for (u32 i = 0; i < m->nswaps; i++) swap_pair(m->swaps[i]);
  for (u32 i = 0; i < m->nchanges; i++) apply(&m->changes[i], back);
  if (back)
    for (u32 i = m->nswaps; i-- > 0;) swap_pair(m->swaps[i]);
  moving = false;
  at += back ? -1ull : 1;
  return LS_OK;
}

ls_status ls_journal_go(i64 by) {
  ls_status st = LS_OK;
  for (; !st && by < 0 && at > oldest; by++) st = move(true);
  for (; !st && by > 0 && at + 1 < end; by--) st = move(false);
  return st;
}

void *ls_journal_note(void) { return end > oldest ? moments[at].note : NULL; }

/* --- what others ask ---------------------------------------------------------------------------------------
 */

bool ls_journal_in_past(void) { return end > oldest && at + 1 < end; }

ls_position ls_journal_position(void) {
  ls_position p = {.bytes = used, .budget = budget};
  if (end == oldest) return p;
  for (u32 i = 0; i < nbuffers; i++) p.lacking += buffers[i].buffer && ls_journal_lacks(buffers[i].buffer);
  p.on = true;
  p.at = moments[at].number;
  p.first = moments[oldest].number;
  p.newest = moments[end - 1].number;
  p.behind = at - oldest;
  p.ahead = end - 1 - at;
  p.in_past = p.ahead > 0;
  return p;
}

ls_status ls_journal_present(void) {
  if (!ls_journal_in_past()) return LS_OK;
  return ls_fail(LS_EARG, "this stop is in the past (#%llu of #%llu): type `forward` first",
                 (unsigned long long)moments[at].number, (unsigned long long)moments[end - 1].number);
}

ls_status ls_journal_budget(u64 bytes) {
  if (bytes < used && ls_journal_in_past()) return ls_journal_present();
  budget = bytes;
  if (!on || end == oldest) return LS_OK;
  if (!make_room(0)) lose_for_room(used);
  untold = untold && budget; /* no message if the user has switched recording off */
  return LS_OK;
}

const char *ls_journal_trouble(void) {
  if (!untold) return NULL;
  untold = false;
  return trouble;
}
