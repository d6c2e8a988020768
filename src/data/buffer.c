#include "data/buffer.h"

#include <string.h>

#include "core/async_job.h"
#include "core/mem.h"
#include "core/spent.h"
#include "core/wait.h"
#include "data/digest.h"

static const ls_memory_ops *device_memory;
static u64 device_bytes, host_bytes, most_on_device, most_on_host; /* most_on_...: limits; 0: none */
static const ls_buffer_watch *watch;
static bool beside;

void ls_buffer_memory_ops(const ls_memory_ops *ops) { device_memory = ops; }

void ls_buffer_watch_by(const ls_buffer_watch *w) { watch = w; }

bool ls_buffer_beside(bool yes) {
  bool before = beside;
  beside = yes;
  return before;
}

static void writing(ls_buffer *b) {
  if (watch && !b->closed) watch->writing(b);
}

u64 ls_buffer_device_bytes(void) { return device_bytes; }

void ls_buffer_bound(bool host, u64 bytes) { *(host ? &most_on_host : &most_on_device) = bytes; }

u64 ls_buffer_room(bool host) {
  const u64 most = host ? most_on_host : most_on_device;
  const u64 used = host ? __atomic_load_n(&host_bytes, __ATOMIC_RELAXED) : device_bytes;
  return !most ? UINT64_MAX : used < most ? most - used : 0;
}

/* LS_EMEM if `bytes` more would exceed the limit. */
static ls_status have_room(bool host, u64 bytes) {
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
  const ls_status st = have_room(true, ls_buffer_bytes(b));
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
static ls_status come_back(const ls_buffer *b) { return b->away ? ls_async_job_keeps(b->away) : LS_OK; }

void ls_buffer_start(ls_buffer *b, ls_pattern p) {
  come_back(b);
  if (b->host_valid || b->dev_valid) writing(b);
  b->pattern = p;
  be_fresh(b);
}

static void be_written(ls_buffer *b) { ls_buffer_knows(b, LS_CONTRACT_anything, 0); }

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
  be_written(*out);
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
  device_bytes -= ls_buffer_bytes(b);
  if (b->block && --b->block->refs == 0) ls_free(b->block);
  b->dev = NULL;
  b->block = NULL;
  b->dev_valid = false;
}

/* If b's device is lost, drops the device side; contents that were only there are replaced by the copy that
 * the watcher kept, or are marked as gone. */
static void leave_lost(ls_buffer *b) {
  if (!b->dev || !device_memory->lost || !device_memory->lost(b->device)) return;
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
  ls_status st = come_back(b);
  if (st || !b->moving) return st;
  st = device_memory->settle(b->moving_on, b->moving);
  if (!st) b->moving = 0;
  return st;
}

/* Makes later work on the device wait for b's newest move, if `access` conflicts with it. */
static ls_status join(ls_buffer *b, int device, ls_access access) {
  leave_lost(b);
  ls_status st = come_back(b);
  if (st) return st;
  if (!b->moving || (access == LS_READ && b->leaving && b->dev_valid && b->device == device)) return LS_OK;
  if (b->host_valid || b->moving_on != device) return ls_buffer_settle(b);
  st = device_memory->join(device, b->moving);
  if (!st) b->moving = 0;
  return st;
}

static void since(ls_spent_part part, f64 begun) { ls_spend(part, ls_now() - begun); }

static void free_host(ls_buffer *b) {
  if (b->host) ls_buffer_settle(b); /* if it fails, the device is lost and no move is in flight */
  if (b->pinned) device_memory->unpin(b->moving_on, b->host);
  b->pinned = false;
  let_go_host(b);
  const f64 begun = ls_now();
  if (!b->owner)
    ls_free(b->host);
  else if (--b->owner->refs == 0)
    b->owner->destroy(b->owner);
  since(LS_SPENT_ALLOCATION, begun);
  b->owner = NULL;
  b->host = NULL;
  b->host_valid = false;
}

static void free_device(ls_buffer *b) {
  leave_lost(b);
  if (!b->dev) return;
  join(b, b->device, LS_OVERWRITE);
  if (!b->dev) return; /* join found that the device is lost */
  const f64 begun = ls_now();
  if (!b->block || b->block->refs == 1) device_memory->free(b->device, b->block ? b->block->dev : b->dev);
  since(LS_SPENT_ALLOCATION, begun);
  drop_device(b);
}

void ls_buffer_close(ls_buffer *b) {
  come_back(b);
  free_host(b);
  free_device(b);
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

static ls_status still_open(const ls_buffer *b) {
  return b->closed ? ls_fail(LS_EARG, "the buffer is closed") : LS_OK;
}

/* Fails if b is closed or its contents were lost. */
static ls_status still_there(ls_buffer *b) {
  if (still_open(b)) return LS_EARG;
  return ls_buffer_gone(b)
             ? ls_fail(LS_EDEVICE,
                       "the contents of this buffer were lost with cuda:%d: run again what computed them",
                       b->device)
             : LS_OK;
}

/* Fails if the owner reports that the host side has changed (a mapped file). */
static ls_status intact(const ls_buffer *b) {
  return b->owner && b->owner->check && b->host_valid ? b->owner->check(b->owner) : LS_OK;
}

static ls_status have_host(ls_buffer *b) {
  if (still_open(b)) return LS_EARG;
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
  since(LS_SPENT_ALLOCATION, begun);
  return LS_OK;
}

const void *ls_buffer_read(ls_buffer *b) {
  if (still_there(b) || have_host(b) || intact(b) || ls_buffer_settle(b)) return NULL;
  if (b->host_valid) return b->host; /* changes nothing in b, so several threads may read at the same time */
  if (b->dev_valid) {
    if (device_memory->to_host(b->device, b->host, b->dev, ls_buffer_bytes(b))) return NULL;
  } else {
    const f64 begun = ls_now();
    ls_pattern_put(b->pattern, ls_dtype_size(b->type), 0, b->count, b->host);
    since(LS_SPENT_ALLOCATION, begun);
  }
  b->host_valid = true;
  return b->host;
}

void *ls_buffer_update(ls_buffer *b) {
  writing(b);
  if (!ls_buffer_read(b)) return NULL;
  b->dev_valid = false;
  be_written(b);
  return b->host;
}

void *ls_buffer_overwrite(ls_buffer *b) {
  writing(b);
  if (have_host(b) || ls_buffer_settle(b)) return NULL;
  b->host_valid = true;
  b->dev_valid = b->gone = false;
  be_written(b);
  return b->host;
}

enum { LARGE_COPY = 4 << 20 }; /* bytes; larger copies use all threads */

ls_status ls_buffer_peek(ls_buffer *b, u64 first, u64 count, void *out) {
  ls_status st = still_there(b);
  if (!st) st = ls_buffer_settle(b);
  if (st) return st;
  size_t size = ls_dtype_size(b->type);
  if (b->host_valid) {
    if (intact(b)) return LS_EINPUT;
    const u8 *from = (const u8 *)b->host + first * size;
    if (count * size < LARGE_COPY)
      memcpy(out, from, count * size);
    else
      ls_mem_copy_rows(out, count * size, from, count * size, 1, count * size);
  } else if (b->dev_valid) {
    return device_memory->to_host(b->device, out, (const u8 *)b->dev + first * size, count * size);
  } else {
    ls_pattern_put(b->pattern, size, first, count, out);
  }
  return LS_OK;
}

static ls_status alloc_device(int device, size_t bytes, void **out) {
  const f64 begun = ls_now();
  ls_status st = have_room(false, bytes);
  if (!st) st = device_memory->alloc(device, bytes, out);
  since(LS_SPENT_ALLOCATION, begun);
  return st;
}

static ls_status fill_device(int device, void *at, ls_pattern p, size_t element, u64 count) {
  const f64 begun = ls_now();
  const ls_status st = device_memory->fill(device, at, p, element, count);
  since(LS_SPENT_ALLOCATION, begun);
  return st;
}

/* Sets *out to b's memory on the device, with b's contents unless access is LS_OVERWRITE. */
static ls_status have_device(ls_buffer *b, int device, ls_access access, void **out) {
  size_t bytes = ls_buffer_bytes(b);
  if (access != LS_READ) writing(b);
  if (b->dev && b->device != device) { /* between two devices, contents are copied through the host */
    if (access != LS_OVERWRITE && !ls_buffer_read(b)) return LS_EDEVICE;
    free_device(b);
  }
  if (!b->dev) {
    ls_status st = alloc_device(device, bytes, &b->dev);
    if (st) return st;
    b->device = device;
    device_bytes += bytes;
  }
  if (!b->dev_valid && access != LS_OVERWRITE) {
    ls_status st = intact(b);
    if (st) return st;
    st = b->host_valid ? device_memory->to_device(device, b->dev, b->host, bytes)
                       : fill_device(device, b->dev, b->pattern, ls_dtype_size(b->type), b->count);
    if (st) return st;
  }
  b->dev_valid = true;
  b->gone = false;
  b->poked = 0;
  if (access != LS_READ) {
    b->host_valid = false;
    b->fetched = 0;
    be_written(b);
  }
  *out = b->dev;
  return LS_OK;
}

ls_status ls_buffer_on_device(ls_buffer *b, int device, ls_access access, void **out) {
  ls_status st = access == LS_OVERWRITE ? still_open(b) : still_there(b);
  if (st) return st;
  if (!device_memory) return ls_fail(LS_EDEVICE, "no CUDA device is present");
  st = join(b, device, access);
  return st ? st : have_device(b, device, access, out);
}

static void *at_byte(void *p, size_t byte) { return (u8 *)p + byte; }

/* Is it worth while to create the device side of a fresh buffer for few elements? Small buffers travel with
 * the next launch's arguments, and large ones may be meant for the host. */
static bool begins_on_device(const ls_buffer *b, u64 bytes, int device) {
  enum { SMALL = 1 << 10, FEW = 1 << 10, LARGE = 1 << 30 };
  const u64 all = ls_buffer_bytes(b);
  return device != LS_HOST && device_memory && bytes <= FEW && all > SMALL && all <= LARGE &&
         ls_buffer_room(false) >= all;
}

ls_status ls_buffer_poke(ls_buffer *b, u64 first, u64 count, const void *in, int device) {
  enum { POKES = 64 };
  const size_t size = ls_dtype_size(b->type), from = first * size, bytes = count * size;
  void *there;
  ls_status st = still_there(b);
  if (!st) st = intact(b);
  if (!st && b->dev_valid) st = join(b, b->device, LS_UPDATE);
  if (st || !bytes) return st;
  if (!b->host_valid && !b->dev_valid && begins_on_device(b, bytes, device) &&
      !ls_buffer_on_device(b, device, LS_UPDATE, &there))
    return device_memory->to_device(device, at_byte(there, from), in, bytes);
  if (!b->dev_valid || b->poked >= POKES) {
    there = ls_buffer_update(b);
    if (!there) return LS_EMEM;
    memcpy(at_byte(there, from), in, bytes);
    return LS_OK;
  }
  writing(b);
  st = device_memory->to_device(b->device, at_byte(b->dev, from), in, bytes);
  if (st) return st;
  if (b->host_valid) memcpy(at_byte(b->host, from), in, bytes);
  b->poked++;
  b->fetched = 0;
  be_written(b);
  return LS_OK;
}

/* --- moves ------------------------------------------------------------------------------------------- */

ls_status ls_buffer_pin(ls_buffer *b, int device) {
  if (b->pinned || !b->count) return LS_OK;
  if (!ls_buffer_read(b)) return LS_EMEM;
  ls_status st = device_memory->pin(device, b->host, ls_buffer_bytes(b));
  if (st) return st;
  b->pinned = true;
  b->moving_on = device;
  return LS_OK;
}

/* Queues a move. Moves of one buffer on one device run in the order in which they were queued. */
static ls_status move(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part, int device, bool to_device) {
  const size_t size = ls_dtype_size(part->type);
  const u64 wide = matrix->cols ? matrix->cols : 1;
  const ls_move m = {(u8 *)matrix->host + (row * wide + col) * size, part->dev,  wide * size,
                     (part->cols ? part->cols : 1) * size,           part->rows, to_device};
  u64 ticket;
  ls_status st = device_memory->move(device, &m, &ticket);
  if (st) return st;
  matrix->moving = part->moving = ticket;
  matrix->leaving = false;
  part->leaving = !to_device;
  matrix->moving_on = part->moving_on = device;
  return LS_OK;
}

/* Called before a move between the matrix's host side and the part's device side on `device` is queued. Waits
 * for an earlier move of either buffer, unless that move used the same side and device. Makes the matrix
 * valid on the host. */
static ls_status ready_to_move(ls_buffer *matrix, ls_buffer *part, int device) {
  if (still_there(matrix) || still_open(part)) return LS_EARG;
  ls_status st = come_back(matrix);
  if (!st) st = come_back(part);
  if (!st && matrix->moving && (!matrix->host_valid || matrix->moving_on != device))
    st = ls_buffer_settle(matrix);
  if (!st && part->moving && (part->host_valid || part->moving_on != device)) st = ls_buffer_settle(part);
  if (!st && !matrix->host_valid) st = ls_buffer_read(matrix) ? LS_OK : LS_EMEM;
  return st ? st : intact(matrix);
}

ls_status ls_buffer_take(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part, int device) {
  void *there;
  ls_status st = ready_to_move(matrix, part, device);
  if (!st) st = have_device(part, device, LS_OVERWRITE, &there);
  return st ? st : move(matrix, row, col, part, device, true);
}

ls_status ls_buffer_put(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part) {
  ls_status st = ready_to_move(matrix, part, part->device);
  if (!st) st = join(part, part->device, LS_READ); /* if a move to the device is in flight, queue after it */
  if (st) return st;
  writing(matrix);
  matrix->dev_valid = false;
  be_written(matrix);
  return move(matrix, row, col, part, part->device, false);
}

static bool is_fresh(const ls_buffer *b) { return !b->dev && !b->host_valid && !b->closed && !b->gone; }

static size_t room_of(const ls_buffer *b) {
  enum { ALIGN = 256 };
  return (ls_buffer_bytes(b) + ALIGN - 1) / ALIGN * ALIGN;
}

static void place(ls_buffer *b, int device, ls_block *block, size_t *used) {
  b->dev = (u8 *)block->dev + *used;
  b->block = block;
  b->device = device;
  b->dev_valid = true;
  block->refs++;
  device_bytes += ls_buffer_bytes(b);
  *used += room_of(b);
}

/* Places the first buffer, which is fresh, in the block and after it all other fresh buffers with the same
 * fill byte, so that one call fills them. */
static ls_status place_alike(ls_buffer *const *buffers, int count, int device, ls_block *block,
                             size_t *used) {
  const ls_buffer *b = buffers[0];
  const size_t element = ls_dtype_size(b->type), first = *used;
  const int byte = ls_pattern_byte(b->pattern, element);
  for (int i = 0; i < (byte < 0 ? 1 : count); i++) {
    ls_buffer *other = buffers[i];
    if (is_fresh(other) && ls_pattern_byte(other->pattern, ls_dtype_size(other->type)) == byte)
      place(other, device, block, used);
  }
  if (byte < 0) return fill_device(device, b->dev, b->pattern, element, b->count);
  return fill_device(device, (u8 *)block->dev + first, (ls_pattern){.bits = (u64)byte}, 1, *used - first);
}

ls_status ls_buffers_together(ls_buffer *const *buffers, int count, int device) {
  size_t bytes = 0;
  for (int i = 0; i < count; i++) bytes += is_fresh(buffers[i]) ? room_of(buffers[i]) : 0;
  if (!bytes) return LS_OK;
  ls_block *block = ls_calloc(1, sizeof *block);
  if (!block) return LS_EMEM;
  block->refs = 1; /* held by this function */
  ls_status st = alloc_device(device, bytes, &block->dev);
  size_t used = 0;
  for (int i = 0; !st && i < count; i++)
    if (is_fresh(buffers[i])) st = place_alike(buffers + i, count - i, device, block, &used);
  if (--block->refs == 0) {
    if (block->dev) device_memory->free(device, block->dev);
    ls_free(block);
  }
  return st;
}

void ls_buffer_swap(ls_buffer *a, ls_buffer *b) {
  come_back(a);
  come_back(b);
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

static ls_status copy_on_device(ls_buffer *from, int device, ls_buffer *to) {
  void *there;
  const size_t bytes = ls_buffer_bytes(from);
  const bool on_device = from->dev_valid && from->device == device;
  const void *host = on_device ? NULL : ls_buffer_read(from);
  if (!on_device && !host) return LS_EMEM;
  ls_status st = ls_buffer_on_device(to, device, LS_OVERWRITE, &there);
  if (!st && on_device) st = device_memory->copy(device, there, from->dev, bytes);
  if (!st && !on_device) st = device_memory->to_device(device, there, host, bytes);
  return st;
}

void ls_buffer_means_as(ls_buffer *b, const ls_buffer *from) {
  b->missing = from->missing;
  b->vertices = from->vertices;
}

ls_status ls_buffer_copy(ls_buffer *from, int device, ls_buffer **out) {
  ls_status st = still_there(from);
  if (!st) st = ls_buffer_settle(from);
  if (!st) st = ls_buffer_new(from->type, from->rows, from->cols, out);
  if (st) return st;
  const bool written = from->host_valid || from->dev_valid;
  ls_buffer_start(*out, from->pattern);
  ls_buffer_means_as(*out, from);
  if (written && device != LS_HOST) {
    st = copy_on_device(from, device, *out);
  } else if (written) {
    void *dst = ls_buffer_overwrite(*out);
    const f64 begun = ls_now();
    st = dst ? ls_buffer_peek(from, 0, from->count, dst) : LS_EMEM;
    if (from->host_valid) since(LS_SPENT_COPIES, begun); /* copies from a device are counted by the device */
  }
  if (!st) return LS_OK;
  ls_buffer_release(*out);
  *out = NULL;
  return st;
}

ls_status ls_buffer_digest(ls_buffer *b, u64 from_byte, u64 item_bytes, u64 count, bool set, u64 *out) {
  ls_status st = still_there(b);
  if (!st) st = ls_buffer_settle(b);
  if (st) return st;
  if (b->dev_valid && !b->host_valid)
    return device_memory->digest(b->device, (const u8 *)b->dev + from_byte, item_bytes, count, set, out);
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
