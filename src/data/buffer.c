#include "data/buffer.h"

#include <string.h>

#include "core/async_job.h"
#include "core/mem.h"
#include "core/wait.h"
#include "data/digest.h"

struct the_buffers the_buffers;
static u64 host_bytes, most_on_device, most_on_host; /* most_on_...: limits; 0: none */
static const ls_buffer_watch *watch;
static bool beside;

void ls_buffer_memory_ops(const ls_memory_ops *ops) { the_buffers.device = ops; }

void ls_buffer_watch_by(const ls_buffer_watch *w) { watch = w; }

bool ls_buffer_beside(bool yes) {
  bool before = beside;
  beside = yes;
  return before;
}

void buffer_writing(ls_buffer *b) {
  if (watch && !b->closed) watch->writing(b);
}

u64 ls_buffer_device_bytes(void) { return the_buffers.device_bytes; }

void ls_buffer_bound(bool host, u64 bytes) { *(host ? &most_on_host : &most_on_device) = bytes; }

u64 ls_buffer_room(bool host) {
  const u64 most = host ? most_on_host : most_on_device;
  const u64 used = host ? __atomic_load_n(&host_bytes, __ATOMIC_RELAXED) : the_buffers.device_bytes;
  return !most ? UINT64_MAX : used < most ? most - used : 0;
}

/* LS_EMEM if `bytes` more would exceed the limit. */
ls_status buffer_have_room(bool host, u64 bytes) {
  const u64 room = ls_buffer_room(host);
  if (bytes <= room) return LS_OK;
  return ls_fail(
      LS_EMEM,
      "%llu bytes of memory are needed, %llu of %llu are left (--memory). With more ranks (--ranks) each needs "
      "less: use graph.load_part or g:partition for a graph, fw.stripe(g) for a matrix (help parts)",
      (unsigned long long)bytes, (unsigned long long)room,
      (unsigned long long)(host ? most_on_host : most_on_device));
}

/* Adds the host side to the total of host memory, once. Several threads may call it for the same buffer. */
static ls_status hold_host(ls_buffer *b) {
  if (__atomic_load_n(&b->held, __ATOMIC_RELAXED) || __atomic_exchange_n(&b->held, true, __ATOMIC_RELAXED))
    return LS_OK; /* the plain load is cheaper than the exchange and usually enough */
  const ls_status st = buffer_have_room(true, ls_buffer_bytes(b));
  if (st)
    b->held = false;
  else
    __atomic_fetch_add(&host_bytes, ls_buffer_bytes(b), __ATOMIC_RELAXED);
  return st;
}

static void let_go_host(ls_buffer *b) {
  if (b->held) __atomic_fetch_sub(&host_bytes, ls_buffer_bytes(b), __ATOMIC_RELAXED);
  b->held = false;
}

void ls_buffer_knows(ls_buffer *b, ls_contract contract, u64 bound) {
  b->contract = contract;
  b->bound = bound;
}

/* Marks b as unwritten. */
static void be_fresh(ls_buffer *b) {
  b->host_valid = b->dev_valid = b->gone = false;
  if (b->pattern.identity)
    ls_buffer_knows(b, LS_CONTRACT_vertex, b->count);
  else
    ls_buffer_knows(b, LS_CONTRACT_uniform, ls_pattern_repeated(b->pattern, ls_dtype_size(b->type)));
}

/* Waits for an asynchronous exchange of b. */
ls_status buffer_come_back(const ls_buffer *b) { return b->away ? ls_async_job_keeps(b->away) : LS_OK; }

void ls_buffer_start(ls_buffer *b, ls_pattern p) {
  buffer_come_back(b);
  if (b->host_valid || b->dev_valid) buffer_writing(b);
  b->pattern = p;
  be_fresh(b);
}

void buffer_be_written(ls_buffer *b) { ls_buffer_knows(b, LS_CONTRACT_anything, 0); }

size_t ls_buffer_bytes(const ls_buffer *b) { return b->count * ls_dtype_size(b->type); }

ls_status ls_buffer_new(ls_dtype type, u64 rows, u64 cols, ls_buffer **out) {
  if (rows > SIZE_MAX / 16 / (cols ? cols : 1)) /* the number of bytes would overflow */
    return ls_fail(LS_EMEM, "%llu x %llu elements are too many", (unsigned long long)rows,
                   (unsigned long long)(cols ? cols : 1));
  ls_buffer *b = ls_calloc(1, sizeof *b);
  if (!b) return LS_EMEM;
  b->refs = 1;
  b->type = type;
  b->rows = rows;
  b->cols = cols;
  b->count = cols ? rows * cols : rows;
  be_fresh(b);
  b->beside = beside;
  *out = b;
  return LS_OK;
}

ls_status ls_buffer_wrap(ls_dtype type, u64 count, void *host, ls_owner *owner, ls_buffer **out) {
  ls_status st = ls_buffer_new(type, count, 0, out);
  if (st) return st;
  if (!owner && (st = hold_host(*out))) {
    ls_buffer_release(*out);
    *out = NULL;
    return st;
  }
  (*out)->host = host;
  (*out)->host_valid = true;
  buffer_be_written(*out);
  (*out)->owner = owner;
  if (owner) owner->refs++;
  return LS_OK;
}

ls_buffer *ls_buffer_retain(ls_buffer *b) {
  if (b) b->refs++;
  return b;
}

/* Forgets the device side without freeing its memory. */
static void drop_device(ls_buffer *b) {
  the_buffers.device_bytes -= ls_buffer_bytes(b);
  if (b->block && --b->block->refs == 0) ls_free(b->block);
  b->dev = NULL;
  b->block = NULL;
  b->dev_valid = false;
}

/* If b's device is lost, drops the device side; contents that were only there are replaced by the copy that
 * the watcher kept, or are marked as gone. */
static void leave_lost(ls_buffer *b) {
  if (!b->dev || !the_buffers.device->lost || !the_buffers.device->lost(b->device)) return;
  const bool only_there = b->dev_valid && !b->host_valid;
  drop_device(b);
  b->moving = 0;
  if (!only_there) return;
  const void *kept = watch && watch->rescue ? watch->rescue(b) : NULL;
  if (kept && !b->host && !(b->host = ls_malloc(ls_buffer_bytes(b)))) kept = NULL;
  if (kept) memcpy(b->host, kept, ls_buffer_bytes(b));
  b->host_valid = kept != NULL;
  b->gone = !kept;
}

bool ls_buffer_gone(ls_buffer *b) {
  leave_lost(b);
  return b->gone;
}

ls_status ls_buffer_settle(ls_buffer *b) {
  leave_lost(b);
  ls_status st = buffer_come_back(b);
  if (st || !b->moving) return st;
  st = the_buffers.device->settle(b->moving_on, b->moving);
  if (!st) b->moving = 0;
  return st;
}

/* Makes later work on the device wait for b's newest move, if `access` conflicts with it. */
ls_status buffer_join(ls_buffer *b, int device, ls_access access) {
  leave_lost(b);
  ls_status st = buffer_come_back(b);
  if (st) return st;
  if (!b->moving || (access == LS_READ && b->leaving && b->dev_valid && b->device == device)) return LS_OK;
  if (b->host_valid || b->moving_on != device) return ls_buffer_settle(b);
  st = the_buffers.device->join(device, b->moving);
  if (!st) b->moving = 0;
  return st;
}

void buffer_since(ls_spent_part part, f64 begun) { ls_spend(part, ls_now() - begun); }

static void free_host(ls_buffer *b) {
  if (b->host) ls_buffer_settle(b); /* if it fails, the device is lost and no move is in flight */
  if (b->pinned) the_buffers.device->unpin(b->moving_on, b->host);
  b->pinned = false;
  let_go_host(b);
  const f64 begun = ls_now();
  if (!b->owner)
    ls_free(b->host);
  else if (--b->owner->refs == 0)
    b->owner->destroy(b->owner);
  buffer_since(LS_SPENT_ALLOCATION, begun);
  b->owner = NULL;
  b->host = NULL;
  b->host_valid = false;
}

void buffer_free_device(ls_buffer *b) {
  leave_lost(b);
  if (!b->dev) return;
  buffer_join(b, b->device, LS_OVERWRITE);
  if (!b->dev) return; /* join found that the device is lost */
  const f64 begun = ls_now();
  if (!b->block || b->block->refs == 1)
    the_buffers.device->free(b->device, b->block ? b->block->dev : b->dev);
  buffer_since(LS_SPENT_ALLOCATION, begun);
  drop_device(b);
}

void ls_buffer_close(ls_buffer *b) {
  buffer_come_back(b);
  free_host(b);
  buffer_free_device(b);
  b->closed = true;
}

void ls_buffer_give_away(ls_buffer *b) {
  b->host = NULL;
  b->owner = NULL;             /* without releasing the owner */
  b->pinned = b->held = false; /* the memory stays in the total of host memory */
  ls_buffer_close(b);
}

void ls_buffer_release(ls_buffer *b) {
  if (!b || --b->refs > 0) return;
  ls_buffer_close(b);
  ls_free(b);
}

ls_status buffer_still_open(const ls_buffer *b) {
  return b->closed ? ls_fail(LS_EARG, "the buffer is closed") : LS_OK;
}

/* Fails if b is closed or its contents were lost. */
ls_status buffer_still_there(ls_buffer *b) {
  if (buffer_still_open(b)) return LS_EARG;
  return ls_buffer_gone(b)
             ? ls_fail(LS_EDEVICE,
                       "the contents of this buffer were lost with cuda:%d: run again what computed them",
                       b->device)
             : LS_OK;
}

/* Fails if the owner reports that the host side has changed (a mapped file). */
ls_status buffer_intact(const ls_buffer *b) {
  return b->owner && b->owner->check && b->host_valid ? b->owner->check(b->owner) : LS_OK;
}

static ls_status have_host(ls_buffer *b) {
  if (buffer_still_open(b)) return LS_EARG;
  if (b->host) return hold_host(b);
  const ls_status st = hold_host(b);
  if (st) return st;
  const f64 begun = ls_now();
  b->host = ls_malloc(ls_buffer_bytes(b));
  if (!b->host) {
    let_go_host(b);
    return LS_EMEM;
  }
  ls_mem_large_pages(b->host, ls_buffer_bytes(b));
  buffer_since(LS_SPENT_ALLOCATION, begun);
  return LS_OK;
}

const void *ls_buffer_read(ls_buffer *b) {
  if (buffer_still_there(b) || have_host(b) || buffer_intact(b) || ls_buffer_settle(b)) return NULL;
  if (b->host_valid) return b->host; /* changes nothing in b, so several threads may read at the same time */
  if (b->dev_valid) {
    if (the_buffers.device->to_host(b->device, b->host, b->dev, ls_buffer_bytes(b))) return NULL;
  } else {
    const f64 begun = ls_now();
    ls_pattern_put(b->pattern, ls_dtype_size(b->type), 0, b->count, b->host);
    buffer_since(LS_SPENT_ALLOCATION, begun);
  }
  b->host_valid = true;
  return b->host;
}

void *ls_buffer_update(ls_buffer *b) {
  buffer_writing(b);
  if (!ls_buffer_read(b)) return NULL;
  b->dev_valid = false;
  buffer_be_written(b);
  return b->host;
}

void *ls_buffer_overwrite(ls_buffer *b) {
  buffer_writing(b);
  if (have_host(b) || ls_buffer_settle(b)) return NULL;
  b->host_valid = true;
  b->dev_valid = b->gone = false;
  buffer_be_written(b);
  return b->host;
}

enum { LARGE_COPY = 4 << 20 }; /* bytes; larger copies use all threads */

ls_status ls_buffer_peek(ls_buffer *b, u64 first, u64 count, void *out) {
  ls_status st = buffer_still_there(b);
  if (!st) st = ls_buffer_settle(b);
  if (st) return st;
  size_t size = ls_dtype_size(b->type);
  if (b->host_valid) {
    if (buffer_intact(b)) return LS_EINPUT;
    const u8 *from = (const u8 *)b->host + first * size;
    if (count * size < LARGE_COPY)
      memcpy(out, from, count * size);
    else
      ls_mem_copy_rows(out, count * size, from, count * size, 1, count * size);
  } else if (b->dev_valid) {
    return the_buffers.device->to_host(b->device, out, (const u8 *)b->dev + first * size, count * size);
  } else {
    ls_pattern_put(b->pattern, size, first, count, out);
  }
  return LS_OK;
}

void ls_buffer_swap(ls_buffer *a, ls_buffer *b) {
  buffer_come_back(a);
  buffer_come_back(b);
  if (watch) watch->swapping(a, b);
  ls_buffer t = *a;
#define TAKE(field) a->field = b->field, b->field = t.field
  TAKE(host);
  TAKE(owner);
  TAKE(held);
  TAKE(dev);
  TAKE(block);
  TAKE(device);
  TAKE(moving);
  TAKE(moving_on);
  TAKE(leaving);
  TAKE(pinned);
  TAKE(gone);
  TAKE(host_valid);
  TAKE(dev_valid);
  TAKE(fetched);
  TAKE(poked);
  TAKE(changed_step);
  TAKE(contract);
  TAKE(bound);
  TAKE(pattern);
  TAKE(missing);
  TAKE(vertices);
#undef TAKE
}

void ls_buffer_means_as(ls_buffer *b, const ls_buffer *from) {
  b->missing = from->missing;
  b->vertices = from->vertices;
}

ls_status ls_buffer_digest(ls_buffer *b, u64 from_byte, u64 item_bytes, u64 count, bool set, u64 *out) {
  ls_status st = buffer_still_there(b);
  if (!st) st = ls_buffer_settle(b);
  if (st) return st;
  if (b->dev_valid && !b->host_valid)
    return the_buffers.device->digest(b->device, (const u8 *)b->dev + from_byte, item_bytes, count, set, out);
  const u8 *p = ls_buffer_read(b);
  if (!p) return LS_EMEM;
  *out = ls_digest(p + from_byte, item_bytes, count, set);
  return LS_OK;
}

ls_status ls_buffer_get(ls_buffer *b, u64 i, f64 *as_real, i64 *as_integer) {
  const void *p = ls_buffer_read(b);
  if (!p) return LS_EMEM;
  switch (b->type) {
#define GET(tag, T, least, greatest, none)                                                                   \
  case tag: /* for u64 from 2^63 on, the integer wraps but the real does not */                              \
    *as_integer = (i64)((const T *)p)[i];                                                                    \
    *as_real = (f64)((const T *)p)[i];                                                                       \
    return LS_OK;
    LS_INTEGERS(GET)
#undef GET
  case LS_F32: *as_real = (f64)((const f32 *)p)[i]; return LS_OK;
  case LS_F64: *as_real = ((const f64 *)p)[i]; return LS_OK;
  default: return ls_fail(LS_EARG, "the buffer has no type");
  }
}
