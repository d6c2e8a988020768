#include "run/cuda_kept.h"

#include <mutex>

#include "run/cuda_check.h"

enum { LARGE = 1 << 20, PIECES = 256 }; /* smaller pieces are not kept, and more are not noted */

struct Piece {
  void *p; /* NULL: this place is unused */
  size_t bytes;
  u64 since; /* when it was freed, in calls of `give`; 0: it is in use */
};
static struct Table {
  Piece pieces[PIECES];
  u64 gives, bytes;
} tables[MAX_DEVICES];
static std::mutex lock; /* an exchange allocates on its own thread while kernels run */

size_t ls_cuda_kept_size(size_t bytes) { return bytes < LARGE ? bytes : (bytes + LARGE - 1) / LARGE * LARGE; }

u64 ls_cuda_kept_bytes(int device) {
  const std::lock_guard<std::mutex> held(lock);
  return tables[device].bytes;
}

void *ls_cuda_kept_take(int device, size_t bytes) {
  if (bytes < LARGE) return nullptr;
  const std::lock_guard<std::mutex> held(lock);
  for (Piece &x : tables[device].pieces)
    if (x.p && x.since && x.bytes == bytes) {
      x.since = 0;
      tables[device].bytes -= bytes;
      return x.p;
    }
  return nullptr;
}

void ls_cuda_kept_note(int device, void *p, size_t bytes) {
  if (bytes < LARGE) return;
  const std::lock_guard<std::mutex> held(lock);
  for (Piece &x : tables[device].pieces)
    if (!x.p) {
      x = {p, bytes, 0};
      return;
    }
}

bool ls_cuda_kept_give(int device, void *p) {
  const std::lock_guard<std::mutex> held(lock);
  Table &t = tables[device];
  for (Piece &x : t.pieces)
    if (x.p == p && p) {
      x.since = ++t.gives;
      t.bytes += x.bytes;
      return true;
    }
  return false;
}

void *ls_cuda_kept_drop(int device) {
  const std::lock_guard<std::mutex> held(lock);
  Piece *oldest = nullptr;
  for (Piece &x : tables[device].pieces)
    if (x.p && x.since && (!oldest || x.since < oldest->since)) oldest = &x;
  if (!oldest) return nullptr;
  void *p = oldest->p;
  tables[device].bytes -= oldest->bytes;
  *oldest = {};
  return p;
}
