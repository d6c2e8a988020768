/* Buffers in C: host and device sides, ownership, failing allocations; and array arithmetic, compared with
 * plain loops. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/mem.h"
#include "core/random.h"
#include "data/buffer.h"
#include "data/digest.h"
#include "data/reduce.h"
#include "lua/bind.h"

/* --- a fake device in host memory --------------------------------------------------------------------- */

static int allocations, to_device_calls, to_host_calls;
static bool device_full, device_broken, device_lost;
static bool is_lost(int device) { return (void)device, device_lost; }

static ls_status device_alloc(int device, size_t bytes, void **out) {
  (void)device;
  if (device_full) return ls_fail(LS_EDEVICE, "the device is full");
  *out = malloc(bytes + 1);
  allocations++;
  return LS_OK;
}

static void device_free(int device, void *p) {
  (void)device;
  free(p);
  allocations--;
}

static ls_status to_device(int device, void *dst, const void *src, size_t bytes) {
  (void)device;
  memcpy(dst, src, bytes);
  to_device_calls++;
  return LS_OK;
}

static ls_status to_host(int device, void *dst, const void *src, size_t bytes) {
  (void)device;
  if (device_broken) return ls_fail(LS_EDEVICE, "the device is lost");
  memcpy(dst, src, bytes);
  to_host_calls++;
  return LS_OK;
}

static ls_status device_fill(int device, void *dst, ls_pattern p, size_t element, u64 count) {
  (void)device;
  ls_pattern_put(p, element, 0, count, dst);
  return LS_OK;
}

static ls_status device_copy(int device, void *dst, const void *src, size_t bytes) {
  (void)device;
  memcpy(dst, src, bytes);
  return LS_OK;
}
static ls_status device_digest(int device, const void *p, u64 item_bytes, u64 count, bool set, u64 *out) {
  (void)device;
  *out = ls_digest(p, item_bytes, count, set);
  return LS_OK;
}

/* A fake device that delays each asynchronous copy as long as allowed: until it is awaited. */
enum { MOST_MOVES = 4096 };
static ls_move moves[MOST_MOVES];
static u64 moves_begun, moves_made, pins;

static ls_status begin_move(int device, const ls_move *m, u64 *ticket) {
  (void)device;
  assert_true(moves_begun < MOST_MOVES);
  moves[moves_begun++] = *m;
  *ticket = moves_begun;
  return LS_OK;
}
static ls_status make_moves(int device, u64 ticket) {
  (void)device;
  if (device_broken) return ls_fail(LS_EDEVICE, "the device is lost");
  for (; moves_made < ticket; moves_made++) {
    const ls_move *m = &moves[moves_made];
    for (u64 i = 0; i < m->rows; i++) {
      u8 *on_host = (u8 *)m->host + i * m->host_row, *there = (u8 *)m->dev + i * m->row;
      memcpy(m->to_device ? there : on_host, m->to_device ? on_host : there, m->row);
    }
  }
  return LS_OK;
}
static ls_status pin(int device, void *host, size_t bytes) {
  (void)device, (void)host, (void)bytes;
  pins++;
  return LS_OK;
}
static void unpin(int device, void *host) {
  (void)device, (void)host;
  pins--;
}
static const ls_memory_ops device = {device_alloc, device_free,   to_device,  to_host,    device_copy,
                                     device_fill,  device_digest, begin_move, make_moves, make_moves,
                                     pin,          unpin,         is_lost};

static ls_buffer *new_buffer(ls_dtype t, u64 rows, u64 cols) {
  ls_buffer *b;
  assert_int_equal(ls_buffer_new(t, rows, cols, &b), LS_OK);
  return b;
}

static void puts_on_device(ls_buffer *b) {
  void *there;
  assert_int_equal(ls_buffer_on_device(b, 0, LS_UPDATE, &there), LS_OK);
}

static u64 digest_of(ls_buffer *b, u64 first, u64 count, bool set) {
  const size_t size = ls_dtype_size(b->type);
  u64 sum = 0;
  assert_int_equal(ls_buffer_digest(b, first * size, size, count, set, &sum), LS_OK);
  return sum;
}

/* --- copies ----------------------------------------------------------------------------------------------
 */

enum { ROWS = 9, COLS = 11, PART_ROWS = 3, PART_COLS = 4, PARTS = 3 };

/* A matrix and its parts as they would be if each copy were synchronous. */
typedef struct world {
  ls_buffer *matrix, *part[PARTS];
  u32 m[ROWS][COLS], p[PARTS][PART_ROWS][PART_COLS];
} world;

static void expect_matrix(world *w) {
  const u32 *host = ls_buffer_read(w->matrix);
  assert_memory_equal(host, w->m, sizeof w->m);
}
static void expect_part(world *w, int k, const u32 *there) {
  assert_memory_equal(there, w->p[k], sizeof w->p[k]);
}

/* Copies parts out of a matrix and back; in between, both sides of all buffers are used in random order. */
static void moves_at_random(void **state) {
  (void)state;
  ls_buffer_memory_ops(&device);
  for (u64 seed = 0; seed < 200; seed++) {
    world w = {.matrix = new_buffer(LS_U32, ROWS, COLS)};
    moves_begun = moves_made = 0;
    u32 *host = ls_buffer_overwrite(w.matrix);
    for (u32 i = 0; i < ROWS * COLS; i++) host[i] = w.m[i / COLS][i % COLS] = i;
    for (int k = 0; k < PARTS; k++) w.part[k] = new_buffer(LS_U32, PART_ROWS, PART_COLS);
    assert_int_equal(ls_buffer_pin(w.matrix, 0), LS_OK);
    for (u64 step = 0; step < 60; step++) {
      const u64 draw = ls_mix(seed * 1000 + step);
      const int k = (int)(draw % PARTS), other = (k + 1) % PARTS;
      const u64 row = draw / 8 % (ROWS - PART_ROWS + 1), col = draw / 128 % (COLS - PART_COLS + 1);
      ls_buffer *part = w.part[k], *copy;
      void *there;
      switch (draw / 4096 % 10) {
      case 0:
      case 1:
        assert_int_equal(ls_buffer_take(w.matrix, row, col, part, 0), LS_OK);
        for (u64 i = 0; i < PART_ROWS; i++) memcpy(w.p[k][i], &w.m[row + i][col], sizeof w.p[k][i]);
        break;
      case 2:
      case 3:
        if (!part->dev_valid || part->host_valid) break;
        assert_int_equal(ls_buffer_put(w.matrix, row, col, part), LS_OK);
        for (u64 i = 0; i < PART_ROWS; i++) memcpy(&w.m[row + i][col], w.p[k][i], sizeof w.p[k][i]);
        break;
      case 4: /* one kernel reads, and another writes */
        assert_int_equal(ls_buffer_on_device(part, 0, LS_READ, &there), LS_OK);
        expect_part(&w, k, there);
        break;
      case 5:
        assert_int_equal(ls_buffer_on_device(part, 0, LS_UPDATE, &there), LS_OK);
        expect_part(&w, k, there);
        ((u32 *)there)[draw % 5] += 1;
        memcpy(w.p[k], there, sizeof w.p[k]);
        break;
      case 6:
        expect_matrix(&w);
        ((u32 *)ls_buffer_update(w.matrix))[step] = (u32)draw;
        w.m[step / COLS][step % COLS] = (u32)draw;
        break;
      case 7: expect_part(&w, k, ls_buffer_read(part)); break;
      case 8:
        ls_buffer_swap(part, w.part[other]);
        for (u32 i = 0; i < PART_ROWS * PART_COLS; i++) {
          u32 *a = &w.p[k][0][0] + i, *b = &w.p[other][0][0] + i, t = *a;
          *a = *b, *b = t;
        }
        break;
      default:
        if (draw & 1ull << 40) {
          assert_int_equal(ls_buffer_copy(part, 0, &copy), LS_OK);
          expect_part(&w, k, ls_buffer_read(copy));
          ls_buffer_release(copy);
        } else { /* replaces the part by a new buffer */
          ls_buffer_release(part);
          w.part[k] = new_buffer(LS_U32, PART_ROWS, PART_COLS);
          memset(w.p[k], 0, sizeof w.p[k]);
        }
      }
    }
    expect_matrix(&w);
    for (int k = 0; k < PARTS; k++) {
      expect_part(&w, k, ls_buffer_read(w.part[k]));
      ls_buffer_release(w.part[k]);
    }
    assert_int_equal(pins, 1);
    ls_buffer_release(w.matrix);
    assert_int_equal(pins, 0);
  }
}

/* The device is lost while a copy is in flight: the matrix reports it and can be released. */
static void moves_that_fail(void **state) {
  (void)state;
  ls_buffer_memory_ops(&device);
  ls_buffer *matrix = new_buffer(LS_U32, ROWS, COLS), *part = new_buffer(LS_U32, PART_ROWS, PART_COLS);
  assert_int_equal(ls_buffer_pin(matrix, 0), LS_OK);
  assert_int_equal(ls_buffer_take(matrix, 1, 2, part, 0), LS_OK);
  assert_int_equal(ls_buffer_put(matrix, 2, 3, part), LS_OK);
  device_broken = true;
  assert_null(ls_buffer_read(matrix));
  assert_null(ls_buffer_update(part));
  assert_non_null(strstr(ls_error(), "the device is lost"));
  ls_buffer_release(part);
  ls_buffer_release(matrix);
  device_broken = false;
  moves_begun = moves_made = 0;
}

/* Digests of arrays of all widths and lengths change if a bit is flipped or two elements are swapped; the
 * device's side has the same digest. */
static void digests(void **state) {
  (void)state;
  ls_buffer_memory_ops(&device);
  static const ls_dtype types[] = {LS_U8, LS_U16, LS_U32, LS_F64};
  for (int t = 0; t < 4; t++)
    for (u64 n = 2; n < 40; n++) {
      ls_buffer *b = new_buffer(types[t], n, 0);
      const u64 bytes = ls_buffer_bytes(b), fresh = digest_of(b, 0, n, false);
      u8 *p = ls_buffer_overwrite(b);
      for (u64 i = 0; i < bytes; i++) p[i] = 0;
      assert_true(digest_of(b, 0, n, false) == fresh);
      for (u64 i = 0; i < bytes; i++) {
        p[i] ^= 1;
        assert_true(digest_of(b, 0, n, false) != fresh);
        p[i] ^= 1;
      }
      const size_t size = ls_dtype_size(types[t]);
      for (u64 i = 0; i < bytes; i++) p[i] = (u8)(i / size * 7 + 1);
      const u64 before = digest_of(b, 0, n, false);
      for (size_t k = 0; k < size; k++)
        p[k] ^= p[bytes - size + k], p[bytes - size + k] ^= p[k], p[k] ^= p[bytes - size + k];
      const u64 after = digest_of(b, 0, n, false);
      assert_true(before != after);
      puts_on_device(b);
      const int downloads = to_host_calls;
      assert_true(digest_of(b, 0, n, false) == after);
      assert_int_equal(to_host_calls, downloads);
      ls_buffer_release(b);
    }
}

static void digests_of_sets(void **state) {
  (void)state;
  ls_buffer *b = new_buffer(LS_U32, 6, 0);
  u32 *q = ls_buffer_overwrite(b);
  memcpy(q, (u32[]){5, 1, 2, 3, 3, 4}, 24);
  const u64 all = digest_of(b, 1, 5, true);
  memcpy(q, (u32[]){9, 3, 4, 3, 1, 2}, 24);
  assert_true(digest_of(b, 1, 5, true) == all);
  q[1] = 4; /* now equal to another element */
  assert_true(digest_of(b, 1, 5, true) != all);
  assert_true(digest_of(b, 1, 4, true) != all);
  ls_buffer_release(b);
}

/* Items of 16 bytes: their two halves belong together. */
static void digests_of_wide_items(void **state) {
  (void)state;
  const u64 some[] = {1, 2, 3, 4, 1, 2}, other_order[] = {3, 4, 1, 2, 1, 2}, mixed[] = {1, 4, 3, 2, 1, 2};
  const u64 turned[] = {2, 1, 3, 4, 1, 2};
  assert_true(ls_digest(some, 16, 3, true) == ls_digest(other_order, 16, 3, true));
  assert_true(ls_digest(some, 16, 3, true) != ls_digest(mixed, 16, 3, true));
  assert_true(ls_digest(some, 16, 3, true) != ls_digest(turned, 16, 3, true));
  assert_true(ls_digest(some, 8, 6, true) == ls_digest(mixed, 8, 6, true));
}

static void copies_stay_on_a_device(void **state) {
  (void)state;
  ls_buffer_memory_ops(&device);
  ls_buffer *b = new_buffer(LS_U32, 3, 0), *c;
  memcpy(ls_buffer_overwrite(b), (u32[]){7, 8, 9}, 12);
  puts_on_device(b);
  const int before = to_host_calls + to_device_calls;
  assert_int_equal(ls_buffer_copy(b, 0, &c), LS_OK);
  assert_int_equal(to_host_calls + to_device_calls, before);
  assert_true(c->dev_valid && !c->host_valid);
  assert_memory_equal(ls_buffer_read(c), ls_buffer_read(b), 12);
  ls_buffer_release(c);
  assert_int_equal(ls_buffer_copy(b, LS_HOST, &c), LS_OK);
  assert_true(!c->dev && c->host_valid);
  assert_memory_equal(ls_buffer_read(c), ls_buffer_read(b), 12);
  ls_buffer_release(c);
  ls_buffer_release(b);
  b = new_buffer(LS_U16, 3, 0); /* initial contents that were never written are not copied */
  ls_buffer_start(b, (ls_pattern){.bits = 0x1234});
  assert_int_equal(ls_buffer_copy(b, 0, &c), LS_OK);
  assert_true(!c->dev && !c->host);
  assert_int_equal(((const u16 *)ls_buffer_read(c))[2], 0x1234);
  ls_buffer_release(b);
  ls_buffer_release(c);
}

static void sides(void **state) {
  (void)state;
  ls_buffer_memory_ops(&device);
  ls_buffer *b = new_buffer(LS_U32, 4, 0);
  u32 peeked[2];
  assert_int_equal(ls_buffer_peek(b, 2, 2, peeked), LS_OK);
  assert_int_equal(peeked[0], 0);
  ls_buffer_start(b, (ls_pattern){.bits = ~0ull});
  assert_int_equal(ls_buffer_peek(b, 2, 2, peeked), LS_OK);
  assert_int_equal(peeked[1], 0xffffffff);
  ls_buffer_start(b, (ls_pattern){.bits = 0});
  assert_null(b->host); /* no memory is allocated before the first use */
  void *dev;
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, &dev), LS_OK);
  assert_int_equal(((u32 *)dev)[3], 0);
  assert_int_equal(ls_buffer_device_bytes(), 16);
  u32 *host = ls_buffer_update(b);
  assert_false(b->dev_valid);
  host[3] = 7;
  assert_int_equal(ls_buffer_on_device(b, 0, LS_UPDATE, &dev), LS_OK);
  assert_int_equal(((u32 *)dev)[3], 7);
  assert_false(b->host_valid);
  ((u32 *)dev)[2] = 9;
  int before = to_host_calls;
  assert_int_equal(ls_buffer_peek(b, 2, 2, peeked), LS_OK);
  assert_true(peeked[0] == 9 && peeked[1] == 7 && !b->host_valid);
  const u32 *back = ls_buffer_read(b);
  assert_true(back[2] == 9 && b->dev_valid && b->host_valid);
  assert_int_equal(to_host_calls, before + 2);
  assert_non_null(ls_buffer_read(b)); /* both sides are valid: nothing is copied */
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, &dev), LS_OK);
  assert_int_equal(to_host_calls, before + 2);
  assert_int_equal(ls_buffer_on_device(b, 1, LS_READ, &dev), LS_OK); /* to another device */
  assert_int_equal(((u32 *)dev)[2], 9);
  assert_int_equal(allocations, 1);
  device_full = true;
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, &dev), LS_EDEVICE);
  device_full = false;
  ls_buffer_release(b);
  assert_int_equal(ls_buffer_device_bytes(), 0);
  assert_int_equal(ls_mem_in_use(), 0);
}

static void a_lost_device(void **state) {
  (void)state;
  ls_buffer_memory_ops(&device);
  ls_buffer *b = new_buffer(LS_F32, 8, 0);
  void *dev;
  assert_int_equal(ls_buffer_on_device(b, 0, LS_OVERWRITE, &dev), LS_OK);
  device_broken = true;
  assert_null(ls_buffer_read(b));
  assert_string_equal(ls_error(), "the device is lost");
  f32 one;
  assert_int_equal(ls_buffer_peek(b, 0, 1, &one), LS_EDEVICE);
  lua_State *L = luaL_newstate(); /* printing a lost buffer does not fail, reading it does */
  luaL_openlibs(L);
  ls_open_buffer(L);
  ls_push_buffer(L, ls_buffer_retain(b));
  lua_setglobal(L, "b");
  assert_int_equal(luaL_dostring(L, "assert(tostring(b) == 'f32[8] cuda:0 32 B', tostring(b))"), LUA_OK);
  assert_true(luaL_dostring(L, "return b[0]"));
  assert_non_null(strstr(lua_tostring(L, -1), "the device is lost"));
  lua_close(L);
  device_broken = false;
  ls_buffer_release(b);
  assert_int_equal(ls_mem_in_use(), 0);
}

static f32 kept[8] = {5, 6, 7, 8, 9, 10, 11, 12};
static bool keeps;
static void unheard(ls_buffer *b) { (void)b; }
static void unheard_swap(ls_buffer *a, ls_buffer *b) { (void)a, (void)b; }
static const void *rescue(ls_buffer *b) { return (void)b, keeps ? kept : NULL; }

/* Contents that were only on the lost device are unavailable until they are overwritten; contents that are
 * also on the host, or were saved before, survive. */
static void what_a_lost_device_held(void **state) {
  (void)state;
  static const ls_buffer_watch watch = {unheard, unheard_swap, rescue};
  ls_buffer_memory_ops(&device);
  ls_buffer_watch_by(&watch);
  ls_buffer *gone = new_buffer(LS_F32, 8, 0), *read = new_buffer(LS_F32, 8, 0),
            *saved = new_buffer(LS_F32, 8, 0);
  ls_buffer *together[2] = {new_buffer(LS_F32, 8, 0), new_buffer(LS_F32, 8, 0)}, *copy = NULL;
  puts_on_device(gone), puts_on_device(read), puts_on_device(saved);
  assert_int_equal(ls_buffers_together(together, 2, 0), LS_OK);
  assert_non_null(ls_buffer_read(read));
  const int before = allocations;
  assert_int_equal(before, 4);
  void *const of_device[] = {gone->dev, read->dev, saved->dev, together[0]->block->dev};
  device_lost = device_broken = true;
  f32 one;
  u64 sum;
  void *dev;
  assert_null(ls_buffer_read(gone));
  assert_non_null(strstr(ls_error(), "were lost with cuda:0"));
  assert_true(ls_buffer_gone(gone));
  assert_int_equal(ls_buffer_peek(gone, 0, 1, &one), LS_EDEVICE);
  assert_null(ls_buffer_update(gone));
  assert_int_equal(ls_buffer_copy(gone, LS_HOST, &copy), LS_EDEVICE);
  assert_int_equal(ls_buffer_digest(gone, 0, 4, 8, false, &sum), LS_EDEVICE);
  assert_int_equal(ls_buffer_on_device(gone, 0, LS_READ, &dev), LS_EDEVICE);
  assert_int_equal(ls_buffers_together(&gone, 1, 0), LS_OK);
  assert_true(ls_buffer_gone(gone)); /* the loss does not turn it into zeros */
  f32 *anew = ls_buffer_overwrite(gone);
  assert_non_null(anew);
  anew[0] = 3;
  assert_int_equal(ls_buffer_peek(gone, 0, 1, &one), LS_OK);
  assert_true(one == 3 && !ls_buffer_gone(gone));
  assert_false(ls_buffer_gone(read));
  assert_non_null(ls_buffer_read(read));
  keeps = true;
  const f32 *p = ls_buffer_read(saved);
  assert_true(p && p[0] == 5 && p[7] == 12);
  keeps = false;
  assert_true(ls_buffer_gone(together[0]) && ls_buffer_gone(together[1]));
  ls_buffer_start(together[0], (ls_pattern){0});
  assert_false(ls_buffer_gone(together[0]));
  ls_buffer_release(gone), ls_buffer_release(read), ls_buffer_release(saved);
  ls_buffer_release(together[0]), ls_buffer_release(together[1]);
  assert_int_equal(allocations, before); /* a lost device is not asked to free memory */
  for (int i = 0; i < before; i++) device_free(0, of_device[i]); /* the end of the process would free them */
  device_lost = device_broken = false;
  ls_buffer_watch_by(NULL);
  assert_int_equal(ls_buffer_device_bytes(), 0);
  assert_int_equal(ls_mem_in_use(), 0);
}

static int destroyed;
static void destroy(ls_owner *o) {
  (void)o;
  destroyed++;
}

static void ownership(void **state) {
  (void)state;
  u32 mapped[3] = {4, 5, 6};
  ls_owner owner = {.destroy = destroy};
  ls_buffer *a, *b;
  assert_int_equal(ls_buffer_wrap(LS_U32, 3, mapped, &owner, &a), LS_OK);
  assert_int_equal(ls_buffer_wrap(LS_U32, 2, mapped + 1, &owner, &b), LS_OK);
  assert_int_equal(((const u32 *)ls_buffer_read(b))[1], 6);
  assert_ptr_equal(ls_buffer_retain(a), a);
  ls_buffer_release(a);
  assert_false(a->closed);
  ls_buffer_close(a);
  assert_null(ls_buffer_read(a));
  assert_string_equal(ls_error(), "the buffer is closed");
  void *dev;
  assert_int_equal(ls_buffer_on_device(a, 0, LS_READ, &dev), LS_EARG);
  assert_int_equal(ls_buffer_peek(a, 0, 1, mapped), LS_EARG);
  ls_buffer_close(a);
  ls_buffer_release(a);
  assert_int_equal(destroyed, 0);
  ls_buffer_release(b);
  assert_int_equal(destroyed, 1);
  ls_buffer_release(NULL);
  assert_null(ls_buffer_retain(NULL));
  assert_int_equal(ls_mem_in_use(), 0);
}

/* Creates, writes, copies and releases buffers. Each allocation fails once: nothing leaks, and the message
 * says "out of memory". */
static ls_status life(void) {
  ls_buffer *b = NULL, *copy = NULL;
  ls_status st = ls_buffer_new(LS_F64, 3, 5, &b);
  if (!st && !ls_buffer_update(b)) st = LS_EMEM;
  if (!st) st = ls_buffer_copy(b, LS_HOST, &copy);
  ls_buffer_release(copy);
  ls_buffer_release(b);
  return st;
}

static void no_memory(void **state) {
  (void)state;
  u64 k = 1;
  for (;; k++) {
    ls_mem_fail_at(k);
    ls_status st = life();
    ls_mem_fail_at(0);
    assert_int_equal(ls_mem_in_use(), 0);
    if (!st) break;
    assert_int_equal(st, LS_EMEM);
    assert_non_null(strstr(ls_error(), "out of memory"));
  }
  assert_true(k > 4);
}

/* Each allocation by Lua itself fails once, too: no buffer may leak. */
typedef struct counted {
  u64 left;
  bool again; /* the retry after Lua's emergency collection */
} counted;

static void *failing_alloc(void *ud, void *p, size_t old, size_t size) {
  counted *c = ud;
  (void)old;
  if (size == 0) return free(p), NULL;
  bool grows = !p || size > old, fails = grows && (c->again || (c->left > 0 && c->left-- == 1));
  if (fails) c->again = !c->again;
  if (fails) return NULL;
  return realloc(p, size);
}

static int script(lua_State *L) {
  if (luaL_loadstring(L, "local b = buffer.new('u32', {3, 1, 2}) local c = b:copy() c[0] = 9\n"
                         "local n, list = b:diff(c) local d = b:slice(1) local h = tostring(b:hist(2))\n"
                         "return tostring(b), d:totable(), list, b:find(2)"))
    return lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

static void no_memory_in_lua(void **state) {
  (void)state;
  int failures = 0, both = 0;
  for (int host = 0; host <= 1; host++)
    for (u64 k = 1;; k++) {
      counted c = {0};
      lua_State *L = lua_newstate(failing_alloc, &c);
      luaL_openlibs(L);
      lua_pushcfunction(L, ls_open_buffer);
      lua_call(L, 0, 0);
      lua_pushcfunction(L, script);
      if (host)
        ls_mem_fail_at(k);
      else
        c.left = k;
      int result = lua_pcall(L, 0, 0, 0);
      bool reached = host ? k > 12 : c.left > 0;
      c = (counted){0};
      ls_mem_fail_at(0);
      failures += result != LUA_OK;
      both += host && result != LUA_OK;
      lua_close(L);
      assert_int_equal(ls_mem_in_use(), 0);
      if (reached) break;
    }
  assert_true(failures > 10 && both > 1);
}

/* --- arithmetic ------------------------------------------------------------------------------------------
 */

static ls_number whole(ls_i128 i) { return (ls_number){.i = i}; }
static ls_number real(f64 r) { return (ls_number){.real = true, .r = r}; }

static void what_fits(void **state) {
  (void)state;
  const struct {
    ls_dtype t;
    ls_i128 least, greatest;
  } types[] = {{LS_U8, 0, UINT8_MAX},         {LS_U16, 0, UINT16_MAX}, {LS_I16, INT16_MIN, INT16_MAX},
               {LS_U32, 0, UINT32_MAX},       {LS_U64, 0, UINT64_MAX}, {LS_I32, INT32_MIN, INT32_MAX},
               {LS_I64, INT64_MIN, INT64_MAX}};
  u64 e;
  for (int k = 0; k < 7; k++) {
    ls_dtype t = types[k].t;
    assert_int_equal(ls_number_put(t, &e, 0, whole(types[k].least)), LS_OK);
    assert_true(ls_number_at(t, &e, 0).i == types[k].least);
    assert_int_equal(ls_number_put(t, &e, 0, whole(types[k].greatest)), LS_OK);
    assert_true(ls_number_at(t, &e, 0).i == types[k].greatest);
    assert_int_equal(ls_number_put(t, &e, 0, whole(types[k].least - 1)), LS_EARG);
    assert_int_equal(ls_number_put(t, &e, 0, whole(types[k].greatest + 1)), LS_EARG);
    const f64 wrong[] = {0.5, NAN, INFINITY, -INFINITY, 1e300, 0x1p64};
    for (int i = 0; i < 6; i++) assert_int_equal(ls_number_put(t, &e, 0, real(wrong[i])), LS_EARG);
    assert_int_equal(ls_number_put(t, &e, 0, real(100)), LS_OK);
    assert_true(ls_number_at(t, &e, 0).i == 100);
  }
  assert_int_equal(ls_number_put(LS_F32, &e, 0, real(1e39)), LS_EARG);
  assert_int_equal(ls_number_put(LS_F32, &e, 0, real(INFINITY)), LS_OK);
  assert_true(ls_number_same(whole(1ll << 53), real(0x1p53)));
  assert_false(ls_number_same(whole((1ll << 53) + 1), real(0x1p53)));
  assert_true(ls_number_same(real(NAN), real(NAN)));
  assert_false(ls_number_same(whole(0), real(NAN)));
}

static void texts(void **state) {
  (void)state;
  char out[LS_NUMBER_CHARS];
  assert_string_equal(ls_number_text(LS_I64, whole(INT64_MIN), out), "-9223372036854775808");
  assert_string_equal(ls_number_text(LS_U64, whole(UINT64_MAX), out), "18446744073709551615");
  assert_string_equal(ls_number_text(LS_I64, whole(((ls_i128)1 << 100)), out),
                      "1267650600228229401496703205376");
  assert_string_equal(ls_number_text(LS_F32, real((f64)0.1f), out), "0.1");
  assert_string_equal(ls_number_text(LS_F64, real(0.1), out), "0.1");
  assert_string_equal(ls_number_text(LS_F64, real(-NAN), out), "nan");
  assert_string_equal(ls_number_text(LS_F64, real(-INFINITY), out), "-inf");
  for (int k = 0; k < 1000; k++) { /* a number's text reads back as the same number */
    f64 x = ldexp((f64)rand() / RAND_MAX, rand() % 600 - 300);
    assert_true(strtod(ls_number_text(LS_F64, real(x), out), NULL) == x);
    f32 y = (f32)ldexp((f64)rand() / RAND_MAX, rand() % 60 - 30);
    assert_true(strtof(ls_number_text(LS_F32, real((f64)y), out), NULL) == y);
  }
}

/* Reductions of short arrays (one thread) and long arrays (all threads), compared with plain loops. */
static void reductions(void **state) {
  (void)state;
  const u64 counts[] = {0, 1, 255, 257, 100003, LS_LONG + 12345};
  for (int k = 0; k < 6; k++) {
    u64 n = counts[k], none = 0, threes = 0, first = n;
    i32 *p = malloc((n + 1) * sizeof *p), least = INT32_MAX, greatest = INT32_MIN, known = INT32_MIN;
    i64 sum = 0;
    for (u64 i = 0; i < n; i++) {
      u64 h = (i + 1) * 0x9e3779b97f4a7c15ull;
      p[i] = h >> 60 == 3 ? INT32_MAX : (i32)(h >> 40) % 1000 - 300;
      sum += p[i];
      if (p[i] < least) least = p[i];
      if (p[i] > greatest) greatest = p[i];
      if (p[i] == INT32_MAX) none++;
      if (p[i] != INT32_MAX && p[i] > known) known = p[i];
      if (p[i] == 3 && threes++ == 0) first = i;
    }
    ls_number lo, hi;
    assert_int_equal(ls_reduce_range(LS_I32, p, n, false, &lo, &hi), n);
    assert_true(n == 0 || (lo.i == least && hi.i == greatest));
    assert_int_equal(ls_reduce_range(LS_I32, p, n, true, &lo, &hi), n - none);
    assert_true(n == 0 || hi.i == known);
    assert_true(ls_reduce_sum(LS_I32, p, n).i == sum);
    assert_int_equal(ls_reduce_count(LS_I32, p, n, whole(3)), threes);
    assert_int_equal(ls_reduce_find(LS_I32, p, n, 0, whole(3)), first);
    assert_int_equal(ls_reduce_count(LS_I32, p, n, real(3.5)), 0);
    ls_histogram h;
    ls_reduce_histogram(LS_I32, p, n, 7, &h);
    assert_int_equal(h.unknown, none);
    u64 binned[LS_MAX_BINS] = {0}, total = 0;
    for (u64 i = 0; i < n; i++)
      if (p[i] != INT32_MAX) binned[(p[i] - (i64)h.lo.i) / (i64)h.width.i]++;
    assert_memory_equal(binned, h.count, sizeof binned);
    for (u32 b = 0; b < h.bins; b++) total += h.count[b];
    assert_int_equal(total, n - none);
    if (n > 300) {
      i32 *q = malloc(n * sizeof *q);
      memcpy(q, p, n * sizeof *q);
      q[5]++, q[n / 2]++, q[n - 1]--;
      u64 places[2];
      assert_int_equal(ls_reduce_diff(LS_I32, p, LS_I32, q, n, 2, places), 3);
      assert_true(places[0] == 5 && places[1] == n / 2);
      ls_fill(LS_I32, q, n, whole(-8));
      assert_int_equal(ls_reduce_count(LS_I32, q, n, whole(-8)), n);
      free(q);
    }
    free(p);
  }
}

static void sums_of_reals(void **state) {
  (void)state;
  enum { N = LS_LONG + 1000 };
  f64 *p = malloc(N * sizeof *p);
  for (u64 i = 0; i < N; i++) p[i] = i % 2 ? 1e16 : -1e16;
  p[N - 1] = 1; /* replaces 1e16 */
  f64 all = ls_reduce_sum(LS_F64, p, N).r, again = ls_reduce_sum(LS_F64, p, N).r;
  assert_true(all == -1e16 + 1 && again == all);
  assert_true(ls_reduce_sum(LS_F64, (f64[]){1, 1e100, 1, -1e100}, 4).r == 2);
  assert_true(ls_reduce_sum(LS_F64, (f64[]){INFINITY, 1}, 2).r == INFINITY);
  assert_true(isnan(ls_reduce_sum(LS_F64, (f64[]){INFINITY, -INFINITY}, 2).r));
  assert_true(ls_reduce_sum(LS_U64, (u64[]){UINT64_MAX, UINT64_MAX}, 2).i == (ls_i128)UINT64_MAX * 2);
  free(p);
}

/* --- few elements ------------------------------------------------------------------------------------ */

static void test_elements_where_they_are(void **unused) {
  (void)unused;
  enum { N = 100000 };
  ls_buffer_memory_ops(&device);
  ls_buffer *b = NULL;
  u32 x = 7, y;
  assert_int_equal(ls_buffer_new(LS_U32, N, 0, &b), LS_OK);
  to_device_calls = to_host_calls = 0;
  assert_int_equal(ls_buffer_poke(b, 5, 1, &x, 0),
                   LS_OK); /* the first poke of a fresh buffer writes the device's side */
  assert_true(b->dev_valid && !b->host_valid && !b->host);
  assert_int_equal(ls_buffer_peek(b, 5, 1, &y), LS_OK);
  assert_int_equal(y, 7);
  assert_int_equal(to_device_calls, 1);
  const u32 *host = ls_buffer_read(b);
  assert_int_equal(host[4], 0);
  x = 8;
  assert_int_equal(ls_buffer_poke(b, N - 1, 1, &x, 0), LS_OK); /* both sides stay valid, and equal */
  assert_true(b->dev_valid && b->host_valid);
  assert_int_equal(host[N - 1], 8);
  assert_int_equal(((const u32 *)b->dev)[N - 1], 8);
  const int before = to_device_calls;
  for (x = 0; x < 1000; x++)
    assert_int_equal(ls_buffer_poke(b, x, 1, &x, 0), LS_OK); /* soon only on the host */
  assert_false(b->dev_valid);
  assert_in_range(to_device_calls - before, 1, 100);
  void *there;
  assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, &there), LS_OK);
  assert_int_equal(((const u32 *)there)[999], 999);
  ls_buffer_release(b);

  assert_int_equal(ls_buffer_new(LS_U32, 3, 0, &b), LS_OK); /* a small one stays on the host */
  assert_int_equal(ls_buffer_poke(b, 2, 1, &x, 0), LS_OK);
  assert_true(b->host_valid && !b->dev);
  ls_buffer_release(b);
  device_full = true;
  assert_int_equal(ls_buffer_new(LS_U32, N, 0, &b),
                   LS_OK); /* so does one that does not fit in the device's memory */
  assert_int_equal(ls_buffer_poke(b, 2, 1, &x, 0), LS_OK);
  assert_true(b->host_valid && !b->dev);
  device_full = false;
  ls_buffer_close(b);
  assert_int_equal(ls_buffer_poke(b, 2, 1, &x, 0), LS_EARG);
  ls_buffer_release(b);
  ls_buffer_memory_ops(NULL);
}

/* Accesses of all kinds in any order, compared with a plain array. */
static void test_elements_in_any_order(void **unused) {
  (void)unused;
  enum { N = 600 };
  ls_buffer_memory_ops(&device);
  ls_buffer *b = NULL;
  u32 want[N] = {0}, got[N], seed = 1;
  void *there;
  assert_int_equal(ls_buffer_new(LS_U32, N, 0, &b), LS_OK);
  for (u32 step = 1; step < 20000; step++) {
    seed = seed * 1664525 + 1013904223;
    const u32 first = (seed >> 16) % N, count = 1 + (seed >> 8) % 7 % (N - first);
    switch (seed >> 28) {
    case 0:
      ls_buffer_start(b, (ls_pattern){.bits = step});
      for (u32 i = 0; i < N; i++) want[i] = step;
      break;
    case 1:
      assert_int_equal(ls_buffer_on_device(b, 0, LS_UPDATE, &there), LS_OK);
      ((u32 *)there)[first] = want[first] = step;
      break;
    case 2: ((u32 *)ls_buffer_update(b))[first] = want[first] = step; break;
    case 3:
      assert_int_equal(ls_buffer_on_device(b, 0, LS_READ, &there), LS_OK);
      assert_memory_equal(there, want, sizeof want);
      break;
    case 4: assert_memory_equal(ls_buffer_read(b), want, sizeof want); break;
    case 5:
      assert_int_equal(ls_buffer_peek(b, first, count, got), LS_OK);
      assert_memory_equal(got, want + first, 4 * count);
      break;
    default:
      for (u32 i = 0; i < count; i++) want[first + i] = step + i;
      assert_int_equal(ls_buffer_poke(b, first, count, want + first, seed & 1 ? 0 : LS_HOST), LS_OK);
    }
  }
  ls_buffer_release(b);
  ls_buffer_memory_ops(NULL);
}

static void what_elements_mean_is_swapped_with_them(void **state) {
  (void)state;
  ls_buffer *a, *b;
  assert_int_equal(ls_buffer_new(LS_U32, 3, 0, &a), LS_OK);
  assert_int_equal(ls_buffer_new(LS_U32, 3, 0, &b), LS_OK);
  a->missing = LS_MISSING_GREATEST;
  a->vertices = true;
  ls_buffer_swap(a, b);
  assert_true(a->missing == LS_MISSING_NONE && !a->vertices);
  assert_true(b->missing == LS_MISSING_GREATEST && b->vertices);
  ls_buffer_release(a);
  ls_buffer_release(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements_where_they_are),
      cmocka_unit_test(test_elements_in_any_order),
      cmocka_unit_test(digests),
      cmocka_unit_test(digests_of_sets),
      cmocka_unit_test(digests_of_wide_items),
      cmocka_unit_test(copies_stay_on_a_device),
      cmocka_unit_test(sides),
      cmocka_unit_test(a_lost_device),
      cmocka_unit_test(what_a_lost_device_held),
      cmocka_unit_test(ownership),
      cmocka_unit_test(what_elements_mean_is_swapped_with_them),
      cmocka_unit_test(no_memory),
      cmocka_unit_test(moves_at_random),
      cmocka_unit_test(moves_that_fail),
      cmocka_unit_test(no_memory_in_lua),
      cmocka_unit_test(what_fits),
      cmocka_unit_test(texts),
      cmocka_unit_test(reductions),
      cmocka_unit_test(sums_of_reals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
