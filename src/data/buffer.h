/* A buffer: an array of typed elements with a host side and a device side, which are synchronised on demand.
 *
 * Each side is allocated when it is first used. `host_valid` and `dev_valid` say which sides hold the current
 * contents; a fresh buffer has neither and reads as its pattern (zeros, unless set). Buffers are reference
 * counted: to keep one, retain it. Device memory is accessed through a table that src/run registers, so this
 * file does not depend on CUDA. */
#ifndef LS_DATA_BUFFER_H
#define LS_DATA_BUFFER_H

#include "core/error.h"
#include "core/spent.h"
#include "core/types.h"
#include "data/contract.h"
#include "data/pattern.h"

/* A copy between a rectangle of a matrix on the host and device memory in which its rows are contiguous. */
typedef struct ls_move {
  void *host, *dev;
  size_t host_row, row; /* in bytes: distance between rows on the host; length of a row of the rectangle */
  u64 rows;
  bool to_device;
} ls_move;

/* Operations on device memory. All may fail with LS_EDEVICE or LS_EMEM. */
typedef struct ls_memory_ops {
  ls_status (*alloc)(int device, size_t bytes, void **out);
  void (*free)(int device, void *p);
  ls_status (*to_device)(int device, void *dst, const void *src, size_t bytes);
  ls_status (*to_host)(int device, void *dst, const void *src, size_t bytes);
  ls_status (*copy)(int device, void *dst, const void *src, size_t bytes); /* within one device */
  ls_status (*fill)(int device, void *dst, ls_pattern p, size_t element_bytes, u64 count);
  ls_status (*digest)(int device, const void *p, u64 item_bytes, u64 count, bool set,
                      u64 *out); /* data/digest.h */
  /* Moves are asynchronous copies, which overlap with kernels and run one after another. `move` queues one,
   * which starts when all work submitted to the device before is done; *ticket (never 0) identifies it. Work
   * submitted to the device after `join` starts when that move is done; `settle` blocks until it is done. */
  ls_status (*move)(int device, const ls_move *m, u64 *ticket);
  ls_status (*join)(int device, u64 ticket);
  ls_status (*settle)(int device, u64 ticket);
  /* Pin and unpin host memory: moves to and from pinned memory run at the full speed of the link. */
  ls_status (*pin)(int device, void *host, size_t bytes);
  void (*unpin)(int device, void *host);
  bool (*lost)(int device); /* is the device lost, with all its memory? NULL: never */
} ls_memory_ops;

void ls_buffer_memory_ops(const ls_memory_ops *ops);

/* The owner of a buffer's host memory, if that is not the buffer itself (a mapped file). check: called before
 * each use, fails if the memory has changed; NULL: it cannot change. */
typedef struct ls_owner {
  int refs;
  void (*destroy)(struct ls_owner *);
  ls_status (*check)(struct ls_owner *);
} ls_owner;

/* One allocation of device memory that several buffers share. */
typedef struct ls_block {
  int refs;
  void *dev;
} ls_block;

typedef struct ls_buffer {
  int refs;
  ls_dtype type;
  u64 rows, cols; /* a vector has cols = 0; count = rows or rows * cols */
  u64 count;
  void *host;      /* NULL until used */
  ls_owner *owner; /* of host; NULL: host is from ls_malloc and freed by the buffer */
  void *dev;       /* NULL until used */
  ls_block *block; /* the allocation that contains dev; NULL: dev is an allocation of its own */
  int device;      /* the CUDA ordinal of dev */
  u64 moving;      /* ticket of the newest move of this buffer that may be in flight; 0: none */
  int moving_on;   /* the device of that move, and of the pin */
  bool leaving;    /* that move only reads the device side, so others may read it at the same time */
  bool pinned;     /* is host pinned? */
  u64 away; /* number of the last asynchronous exchange that uses this buffer (core/async_job.h); 0: none */
  bool host_valid, dev_valid;
  bool held;            /* host is included in the total of host memory held by buffers */
  bool closed;          /* its memory has been freed; using it is an error */
  bool gone;            /* its contents were on a device that is lost; it can only be overwritten */
  ls_pattern pattern;   /* the contents of a fresh buffer */
  bool read_only;       /* a graph's arrays: must not be written from Lua */
  u32 fetched;          /* elements read one by one since the device side was written */
  u32 poked;            /* calls of ls_buffer_poke since the device side was used */
  u64 changed_step;     /* the trace's step that last wrote it; 0: none */
  ls_contract contract; /* what its elements are known to satisfy, until the next write */
  u64 bound;            /* the size that belongs to the contract */
  u8 missing;           /* which value means "no vertex" or "no path": ls_missing, data/reduce.h */
  bool vertices;        /* its elements are vertices of a graph */
  bool queue;           /* element 0 is the number of items that follow it (kernels/README.md) */
  bool beside;  /* created at the prompt while an algorithm is stopped; not recorded with that algorithm */
  u32 recorded; /* private to the journal: where it keeps this buffer's past; 0: nowhere */
} ls_buffer;

/* Have b's contents been lost with a device? False if a copy was kept, which then becomes the host side. */
bool ls_buffer_gone(ls_buffer *b);

ls_status ls_buffer_new(ls_dtype type, u64 rows, u64 cols, ls_buffer **out);
/* Makes a buffer around host memory, without copying: from ls_malloc (owner NULL; the buffer frees it) or
 * owned by `owner`, which is retained. */
ls_status ls_buffer_wrap(ls_dtype type, u64 count, void *host, ls_owner *owner, ls_buffer **out);
ls_buffer *ls_buffer_retain(ls_buffer *b); /* NULL gives NULL */
void ls_buffer_release(ls_buffer *b);      /* NULL is fine */
void ls_buffer_close(ls_buffer *b);        /* frees both sides now */
void ls_buffer_give_away(ls_buffer *b);    /* the same, but the caller now owns the host side */

size_t ls_buffer_bytes(const ls_buffer *b);

/* The host side for reading (synchronised), for reading and writing (makes the device side stale), or for
 * writing only (contents undefined). NULL on failure. */
const void *ls_buffer_read(ls_buffer *b);
void *ls_buffer_update(ls_buffer *b);
void *ls_buffer_overwrite(ls_buffer *b);

/* Copies the elements [first, first + count) to `out`, in host memory, without allocating a host side. first
 * + count <= b->count. */
ls_status ls_buffer_peek(ls_buffer *b, u64 first, u64 count, void *out);

/* Writes the elements [first, first + count) from `in`, in host memory, to the side that holds the contents;
 * so no whole side is allocated or copied. Few elements of a fresh buffer that is not small are written on
 * `device`, if it is not LS_HOST and has room. After many such calls in a row between two uses of the device
 * side, the contents are copied to the host. first + count <= b->count. */
enum { LS_HOST = -1 };
ls_status ls_buffer_poke(ls_buffer *b, u64 first, u64 count, const void *in, int device);

/* Sets *out to b's memory on `device`. LS_READ, LS_UPDATE and LS_OVERWRITE mean for the device side what
 * ls_buffer_read, ls_buffer_update and ls_buffer_overwrite mean for the host side. */
typedef enum ls_access { LS_READ, LS_UPDATE, LS_OVERWRITE } ls_access;
ls_status ls_buffer_on_device(ls_buffer *b, int device, ls_access access, void **out);

/* Pins b's host memory for moves to and from that device, until it is freed. */
ls_status ls_buffer_pin(ls_buffer *b, int device);

/* ls_buffer_take copies the block of a host matrix that begins at (row, col) into `part` on a device;
 * ls_buffer_put copies `part`, which must be on a device, to such a block. The block has the shape of `part`.
 * Both are asynchronous: they return at once, and the next use of either buffer waits for the move. */
ls_status ls_buffer_take(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part, int device);
ls_status ls_buffer_put(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part);
/* Waits for moves in flight and for an asynchronous exchange of b. Functions that read or write b do so
 * themselves. */
ls_status ls_buffer_settle(ls_buffer *b);

/* Allocates and fills the device sides of fresh buffers in one block, because many small allocations and
 * fills are slow. Buffers that are not fresh are skipped. */
ls_status ls_buffers_together(ls_buffer *const *buffers, int count, int device);

/* Gives b's elements the same meaning as those of `from`: `missing` and `vertices`. */
void ls_buffer_means_as(ls_buffer *b, const ls_buffer *from);

/* A copy of the same type and shape, on a device or (LS_HOST) on the host. A copy of a fresh buffer is fresh.
 */
ls_status ls_buffer_copy(ls_buffer *from, int device, ls_buffer **out);

/* The digest (data/digest.h) of `count` items, as a set or as an array, computed on the side where they are.
 * from_byte: offset of the first item (0 for an array). */
ls_status ls_buffer_digest(ls_buffer *b, u64 from_byte, u64 item_bytes, u64 count, bool set, u64 *out);

/* One element as a double or as an integer; i < count, checked by the caller. */
ls_status ls_buffer_get(ls_buffer *b, u64 i, f64 *as_real, i64 *as_integer);

/* Records what the elements are known to satisfy. The next access for writing clears it. */
void ls_buffer_knows(ls_buffer *b, ls_contract contract, u64 bound);
/* Makes the buffer fresh: it reads as the pattern until it is written. */
void ls_buffer_start(ls_buffer *b, ls_pattern p);

/* Exchanges two buffers' contents (both sides) without copying; they must agree in type and count. */
void ls_buffer_swap(ls_buffer *a, ls_buffer *b);

/* Callbacks of the recorder of changes. They are called before contents change, on the thread that changes
 * them, and must not change contents themselves. NULL: none. */
typedef struct ls_buffer_watch {
  void (*writing)(ls_buffer *b);
  void (*swapping)(ls_buffer *a, ls_buffer *b);
  /* Called when the device that held b's contents is lost. Returns a copy of them from before the launch that
   * lost the device; NULL: no copy was kept, and the contents are lost. */
  const void *(*rescue)(ls_buffer *b);
} ls_buffer_watch;
void ls_buffer_watch_by(const ls_buffer_watch *w);
/* Sets the `beside` flag that new buffers get. Returns the previous value. */
bool ls_buffer_beside(bool yes);

u64 ls_buffer_device_bytes(void); /* device memory held by all buffers */
/* ls_buffer_bound limits the memory of all buffers together, on the host or on devices; beyond it allocations
 * fail with LS_EMEM. A mapped file counts when it is first used as a whole. ls_buffer_room returns how much
 * is left; UINT64_MAX: no limit is set. */
void ls_buffer_bound(bool host, u64 bytes);
u64 ls_buffer_room(bool host);

/* --- for data/buffer_device.c, which has the device side ------------------------------------------------
 */

extern struct the_buffers {
  const ls_memory_ops *device; /* NULL: there is no device */
  u64 device_bytes;            /* held by all buffers */
} the_buffers;

/* LS_EMEM if `bytes` more would exceed the limit. */
ls_status buffer_have_room(bool host, u64 bytes);
/* Adds the time since `begun` to a part of the time spent. */
void buffer_since(ls_spent_part part, f64 begun);

ls_status buffer_still_open(const ls_buffer *b);
/* Fails if b is closed or its contents were lost. */
ls_status buffer_still_there(ls_buffer *b);
/* Fails if the owner reports that the host side has changed (a mapped file). */
ls_status buffer_intact(const ls_buffer *b);
/* Waits for an asynchronous exchange of b. */
ls_status buffer_come_back(const ls_buffer *b);
/* Makes later work on the device wait for b's newest move, if `access` conflicts with it. */
ls_status buffer_join(ls_buffer *b, int device, ls_access access);

void buffer_writing(ls_buffer *b);    /* to be called before b's contents change, */
void buffer_be_written(ls_buffer *b); /* and after */
void buffer_free_device(ls_buffer *b);

#endif
