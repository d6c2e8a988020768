/* The device side of buffers: allocated on first use, filled from the host or by the pattern; moves of parts
 * of a matrix; one block for the buffers of a small state; copies. */
#include "data/buffer.h"

#include <string.h>

#include "core/mem.h"
#include "core/wait.h"

static ls_status alloc_device(int device, size_t bytes, void **out) {
  const f64 begun = ls_now();
  ls_status st = buffer_have_room(false, bytes);
  if (!st) st = the_buffers.device->alloc(device, bytes, out);
  buffer_since(LS_SPENT_ALLOCATION, begun);
  return st;
}

static ls_status fill_device(int device, void *at, ls_pattern p, size_t element, u64 count) {
  const f64 begun = ls_now();
  const ls_status st = the_buffers.device->fill(device, at, p, element, count);
  buffer_since(LS_SPENT_ALLOCATION, begun);
  return st;
}

/* Sets *out to b's memory on the device, with b's contents unless access is LS_OVERWRITE. */
static ls_status have_device(ls_buffer *b, int device, ls_access access, void **out) {
  size_t bytes = ls_buffer_bytes(b);
  if (access != LS_READ) buffer_writing(b);
  if (b->dev && b->device != device) { /* between two devices, contents are copied through the host */
    if (access != LS_OVERWRITE && !ls_buffer_read(b)) return LS_EDEVICE;
    buffer_free_device(b);
  }
  if (!b->dev) {
    ls_status st = alloc_device(device, bytes, &b->dev);
    if (st) return st;
    b->device = device;
    the_buffers.device_bytes += bytes;
  }
  if (!b->dev_valid && access != LS_OVERWRITE) {
    ls_status st = buffer_intact(b);
    if (st) return st;
    st = b->host_valid ? the_buffers.device->to_device(device, b->dev, b->host, bytes)
                       : fill_device(device, b->dev, b->pattern, ls_dtype_size(b->type), b->count);
    if (st) return st;
  }
  b->dev_valid = true;
  b->gone = false;
  b->poked = 0;
  if (access != LS_READ) {
    b->host_valid = false;
    b->fetched = 0;
    buffer_be_written(b);
  }
  *out = b->dev;
  return LS_OK;
}

ls_status ls_buffer_on_device(ls_buffer *b, int device, ls_access access, void **out) {
  ls_status st = access == LS_OVERWRITE ? buffer_still_open(b) : buffer_still_there(b);
  if (st) return st;
  if (!the_buffers.device) return ls_fail(LS_EDEVICE, "no CUDA device is present");
  st = buffer_join(b, device, access);
  return st ? st : have_device(b, device, access, out);
}

static void *at_byte(void *p, size_t byte) { return (u8 *)p + byte; }

/* Is it worth while to create the device side of a fresh buffer for few elements? Small buffers travel with
 * the next launch's arguments, and large ones may be meant for the host. */
static bool begins_on_device(const ls_buffer *b, u64 bytes, int device) {
  enum { SMALL = 1 << 10, FEW = 1 << 10, LARGE = 1 << 30 };
  const u64 all = ls_buffer_bytes(b);
  return device != LS_HOST && the_buffers.device && bytes <= FEW && all > SMALL && all <= LARGE &&
         ls_buffer_room(false) >= all;
}

ls_status ls_buffer_poke(ls_buffer *b, u64 first, u64 count, const void *in, int device) {
  enum { POKES = 64 };
  const size_t size = ls_dtype_size(b->type), from = first * size, bytes = count * size;
  void *there;
  ls_status st = buffer_still_there(b);
  if (!st) st = buffer_intact(b);
  if (!st && b->dev_valid) st = buffer_join(b, b->device, LS_UPDATE);
  if (st || !bytes) return st;
  if (!b->host_valid && !b->dev_valid && begins_on_device(b, bytes, device) &&
      !ls_buffer_on_device(b, device, LS_UPDATE, &there))
    return the_buffers.device->to_device(device, at_byte(there, from), in, bytes);
  if (!b->dev_valid || b->poked >= POKES) {
    there = ls_buffer_update(b);
    if (!there) return LS_EMEM;
    memcpy(at_byte(there, from), in, bytes);
    return LS_OK;
  }
  buffer_writing(b);
  st = the_buffers.device->to_device(b->device, at_byte(b->dev, from), in, bytes);
  if (st) return st;
  if (b->host_valid) memcpy(at_byte(b->host, from), in, bytes);
  b->poked++;
  b->fetched = 0;
  buffer_be_written(b);
  return LS_OK;
}

/* --- moves ------------------------------------------------------------------------------------------- */

ls_status ls_buffer_pin(ls_buffer *b, int device) {
  if (b->pinned || !b->count) return LS_OK;
  if (!ls_buffer_read(b)) return LS_EMEM;
  ls_status st = the_buffers.device->pin(device, b->host, ls_buffer_bytes(b));
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
  ls_status st = the_buffers.device->move(device, &m, &ticket);
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
  if (buffer_still_there(matrix) || buffer_still_open(part)) return LS_EARG;
  ls_status st = buffer_come_back(matrix);
  if (!st) st = buffer_come_back(part);
  if (!st && matrix->moving && (!matrix->host_valid || matrix->moving_on != device))
    st = ls_buffer_settle(matrix);
  if (!st && part->moving && (part->host_valid || part->moving_on != device)) st = ls_buffer_settle(part);
  if (!st && !matrix->host_valid) st = ls_buffer_read(matrix) ? LS_OK : LS_EMEM;
  return st ? st : buffer_intact(matrix);
}

ls_status ls_buffer_take(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part, int device) {
  void *there;
  ls_status st = ready_to_move(matrix, part, device);
  if (!st) st = have_device(part, device, LS_OVERWRITE, &there);
  return st ? st : move(matrix, row, col, part, device, true);
}

ls_status ls_buffer_put(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part) {
  ls_status st = ready_to_move(matrix, part, part->device);
  if (!st)
    st = buffer_join(part, part->device, LS_READ); /* if a move to the device is in flight, queue after it */
  if (st) return st;
  buffer_writing(matrix);
  matrix->dev_valid = false;
  buffer_be_written(matrix);
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
  the_buffers.device_bytes += ls_buffer_bytes(b);
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
    if (block->dev) the_buffers.device->free(device, block->dev);
    ls_free(block);
  }
  return st;
}

static ls_status copy_on_device(ls_buffer *from, int device, ls_buffer *to) {
  void *there;
  const size_t bytes = ls_buffer_bytes(from);
  const bool on_device = from->dev_valid && from->device == device;
  const void *host = on_device ? NULL : ls_buffer_read(from);
  if (!on_device && !host) return LS_EMEM;
  ls_status st = ls_buffer_on_device(to, device, LS_OVERWRITE, &there);
  if (!st && on_device) st = the_buffers.device->copy(device, there, from->dev, bytes);
  if (!st && !on_device) st = the_buffers.device->to_device(device, there, host, bytes);
  return st;
}

ls_status ls_buffer_copy(ls_buffer *from, int device, ls_buffer **out) {
  ls_status st = buffer_still_there(from);
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
    if (from->host_valid)
      buffer_since(LS_SPENT_COPIES, begun); /* copies from a device are counted by the device */
  }
  if (!st) return LS_OK;
  ls_buffer_release(*out);
  *out = NULL;
  return st;
}
