/* A buffer: typed elements with a host side and a device side, synchronised only when asked for.
 *
 * The two sides are made on demand. `host_valid` and `dev_valid` say which of them holds the present
 * contents; a fresh buffer has neither and reads as its pattern (zeros, unless set). Buffers are counted:
 * whoever keeps one retains it. The device side is reached through a table that src/run registers, so this
 * file knows no CUDA. */
#ifndef LS_DATA_BUFFER_H
#define LS_DATA_BUFFER_H

#include "core/error.h"
#include "core/types.h"
#include "data/contract.h"
#include "data/pattern.h"

/* A rectangle of a matrix on the host, and the memory of a device in which its rows follow each other. */
typedef struct ls_move {
  void *host, *dev;
  size_t host_row, row; /* bytes from row to row on the host, and of a row of the rectangle */
  u64 rows;
  bool to_device;
} ls_move;

/* How memory of one device is had. All may fail with LS_EDEVICE or LS_EMEM. */
typedef struct ls_memory_ops {
  ls_status (*alloc)(int device, size_t bytes, void **out);
  void (*free)(int device, void *p);
  ls_status (*to_device)(int device, void *dst, const void *src, size_t bytes);
  ls_status (*to_host)(int device, void *dst, const void *src, size_t bytes);
  ls_status (*copy)(int device, void *dst, const void *src, size_t bytes); /* both there */
  ls_status (*fill)(int device, void *dst, ls_pattern p, size_t element_bytes, u64 count);
  ls_status (*digest)(int device, const void *p, u64 item_bytes, u64 count, bool set,
                      u64 *out); /* data/digest.h */
  /* Moves run beside kernels, one after the other: `move` begins one when all that was asked of the device
   * before it is done, and gives its ticket, which is not 0. What is asked of the device after `join` begins
   * when that move is done; `settle` waits for it here. */
  ls_status (*move)(int device, const ls_move *m, u64 *ticket);
  ls_status (*join)(int device, u64 ticket);
  ls_status (*settle)(int device, u64 ticket);
  /* Pins host memory (pageable no more: moves reach it at the link's full speed), and undoes it. */
  ls_status (*pin)(int device, void *host, size_t bytes);
  void (*unpin)(int device, void *host);
  bool (*lost)(int device); /* its memory is gone for good; NULL: that does not happen */
} ls_memory_ops;

void ls_buffer_memory_ops(const ls_memory_ops *ops);

/* A thing that owns host memory behind a buffer (a mapped file). check: whether it is still what it was;
 * before every use; NULL: it cannot change. */
typedef struct ls_owner {
  int refs;
  void (*destroy)(struct ls_owner *);
  ls_status (*check)(struct ls_owner *);
} ls_owner;

/* Device memory that several buffers share, in bytes. */
typedef struct ls_block {
  int refs;
  void *dev;
} ls_block;

typedef struct ls_buffer {
  int refs;
  ls_dtype type;
  u64 rows, cols; /* a vector has cols = 0; count = rows or rows * cols */
  u64 count;
  void *host;      /* NULL until wanted */
  ls_owner *owner; /* of host; NULL: ls_malloc's */
  void *dev;       /* NULL until wanted */
  ls_block *block; /* of which dev is a part; NULL: it stands alone */
  int device;      /* where dev lies: a CUDA ordinal */
  u64 moving;      /* the newest move of one of its sides; 0: none that is not waited for */
  int moving_on;   /* the device of that move, and of the pin */
  bool leaving;    /* that move only reads the device side: others may read it too */
  bool pinned;     /* host is */
  u64 away;        /* the number of an exchange beside kernels that has it, or had it (core/beside.h) */
  bool host_valid, dev_valid;
  bool held;            /* host counts among what buffers hold there */
  bool closed;          /* its memory is gone; using it is an error */
  bool gone;            /* what it held was on a device that is lost; it can only be written anew */
  ls_pattern pattern;   /* what a fresh buffer reads as */
  bool read_only;       /* a graph's arrays: not to be written from Lua */
  u32 fetched;          /* elements read one by one since the device side was written */
  u64 changed_step;     /* the trace's step that last wrote it; 0: none */
  ls_contract contract; /* what its elements are known to be, until the next write */
  u64 bound;            /* the size that goes with it */
  u8 missing;           /* which of its values means that there is none: ls_missing, data/reduce.h */
  bool vertices;        /* its elements are vertices of a graph */
  bool queue;           /* element 0 is how many items follow it (kernels/README.md) */
  bool beside;          /* made at the prompt beside a stopped algorithm: no part of what is recorded of it */
  u32 recorded;         /* the journal's own: where it keeps this buffer's past; 0: nowhere */
} ls_buffer;

/* Is what b held gone with a lost device? What was kept of it is the host side from then on. */
bool ls_buffer_gone(ls_buffer *b);

ls_status ls_buffer_new(ls_dtype type, u64 rows, u64 cols, ls_buffer **out);
/* Takes host memory as it is: from ls_malloc (owner NULL; the buffer frees it) or an owner's (retained). */
ls_status ls_buffer_wrap(ls_dtype type, u64 count, void *host, ls_owner *owner, ls_buffer **out);
ls_buffer *ls_buffer_retain(ls_buffer *b); /* NULL gives NULL */
void ls_buffer_release(ls_buffer *b);      /* NULL is fine */
void ls_buffer_close(ls_buffer *b);        /* frees both sides now */
void ls_buffer_give_away(ls_buffer *b);    /* the same, but the host side is another's from now on */

size_t ls_buffer_bytes(const ls_buffer *b);

/* The host side for reading (synchronised), for reading and writing (the device side is stale after), or
 * for writing only (contents undefined). NULL on failure. */
const void *ls_buffer_read(ls_buffer *b);
void *ls_buffer_update(ls_buffer *b);
void *ls_buffer_overwrite(ls_buffer *b);

/* Copies `count` elements from `first` on to out, in host memory, without making a host side for the rest.
 * first + count <= b->count. */
ls_status ls_buffer_peek(ls_buffer *b, u64 first, u64 count, void *out);

/* The same for the device side. */
typedef enum ls_access { LS_READ, LS_UPDATE, LS_OVERWRITE } ls_access;
ls_status ls_buffer_on_device(ls_buffer *b, int device, ls_access access, void **out);

/* Pins b's host memory for moves to and from that device; it stays so as long as it is there. */
ls_status ls_buffer_pin(ls_buffer *b, int device);

/* Parts of a matrix on the host go to a device, as whole buffers, and back, beside kernels: both return at
 * once, and the next use of either buffer waits for the move. The part begins at that row and column, and has
 * part's shape. ls_buffer_put: part must lie on a device. */
ls_status ls_buffer_take(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part, int device);
ls_status ls_buffer_put(ls_buffer *matrix, u64 row, u64 col, ls_buffer *part);
/* Waits for b's moves, and for an exchange that has it; so does all that reads or writes it. */
ls_status ls_buffer_settle(ls_buffer *b);

/* Device sides for fresh buffers in one piece: for many small ones, memory and blanks are what takes time.
 * Those that hold something already are left out. */
ls_status ls_buffers_together(ls_buffer *const *buffers, int count, int device);

/* b's elements mean what those of `from` do: vertices, and which value means that there is none. */
void ls_buffer_means_as(ls_buffer *b, const ls_buffer *from);

/* A copy of the same type and shape, on a device or (LS_HOST) on the host. What nobody has written stays so.
 */
enum { LS_HOST = -1 };
ls_status ls_buffer_copy(ls_buffer *from, int device, ls_buffer **out);

/* The digest (data/digest.h) of so many items, as a set or in their order, taken where they lie. They begin
 * from_byte behind the first element (0 for an array). */
ls_status ls_buffer_digest(ls_buffer *b, u64 from_byte, u64 item_bytes, u64 count, bool set, u64 *out);

/* One element as a double or as an integer; i < count, checked by the caller. */
ls_status ls_buffer_get(ls_buffer *b, u64 i, f64 *as_real, i64 *as_integer);

/* Notes what the elements are known to be; whoever asks for the buffer to write makes it unknown again. */
void ls_buffer_knows(ls_buffer *b, ls_contract contract, u64 bound);
/* Makes the buffer fresh: it reads as the pattern until somebody writes. */
void ls_buffer_start(ls_buffer *b, ls_pattern p);

/* Exchanges two buffers' contents (both sides) without copying; they must agree in type and count. */
void ls_buffer_swap(ls_buffer *a, ls_buffer *b);

/* Who records what changes: told before contents change, on the thread that changes them. Must not change
 * them itself. NULL: nobody. */
typedef struct ls_buffer_watch {
  void (*writing)(ls_buffer *b);
  void (*swapping)(ls_buffer *a, ls_buffer *b);
  /* The device that held b's contents is lost: a copy of them from before the launch that lost it; NULL: none
   * is kept, and they are gone. */
  const void *(*rescue)(ls_buffer *b);
} ls_buffer_watch;
void ls_buffer_watch_by(const ls_buffer_watch *w);
/* Are buffers made from now on `beside`? Returns what was so before. */
bool ls_buffer_beside(bool yes);

u64 ls_buffer_device_bytes(void); /* device memory held by all buffers */
/* What all buffers may hold at most, on the host or on devices: more is LS_EMEM. What lies in a mapped file
 * counts when it is first used as a whole. And how much more that is; UINT64_MAX: there is no bound. */
void ls_buffer_bound(bool host, u64 bytes);
u64 ls_buffer_room(bool host);

#endif
