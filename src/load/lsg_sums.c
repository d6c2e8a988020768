/* Checks the checksums of a .lsg that several readers read in parts. A checksum is computed from sums over
 * blocks of 1 MiB, so each reader sums the blocks that begin in its own rows, and from the sums of all
 * readers the value in the header can be computed. A reader whose rows begin inside a block sums that block
 * too: readers on several hosts may have different files, so the sums of both readers of the block must
 * agree. */
#include <string.h>

#include "core/checksum.h"
#include "load/load.h"
#include "load/lsg.h"

enum { ARRAYS = LS_LSG_SUMS / LS_LSG_SUM };

/* The contribution of one reader to the checksum of one array; LS_LSG_SUM words. */
typedef struct own {
  u64 from, past; /* the reader's bytes of the array are [from, past) */
  u64 sum;        /* sum of the blocks that begin in [from, past); 0: none */
  u64 last;       /* sum of the last of these blocks; 0: none */
  u64 head;       /* sum of the block that begins before `from` and contains it; 0: none */
} own;
_Static_assert(sizeof(own) == LS_LSG_SUM * sizeof(u64), "a sum is its words");

static const int places[2][ARRAYS] = {{OFF, TO, W, T, IDS}, {ROFF, RTO, RW, RT, PARTS}};

static u64 up(u64 byte) { return (byte + LS_CHECKSUM_BLOCK - 1) / LS_CHECKSUM_BLOCK; }

static own sum_up(const void *array, u64 bytes, u64 from, u64 past) {
  const u64 first = up(from), end = up(past);
  own o = {.from = from, .past = past};
  if (first < end) {
    o.last = ls_checksum_blocks(array, bytes, end - 1, end);
    o.sum = o.last + ls_checksum_blocks(array, bytes, first, end - 1);
  }
  if (from < past && from % LS_CHECKSUM_BLOCK) o.head = ls_checksum_blocks(array, bytes, first - 1, first);
  return o;
}

ls_status ls_lsg_sums(const ls_graph *g, const ls_lsg_part *p, bool in_edges, u64 out[LS_LSG_SUMS]) {
  const body *b = ls_lsg_body(g);
  memset(out, 0, LS_LSG_SUMS * sizeof *out);
  for (int i = 0; i < ARRAYS; i++) {
    const int which = places[in_edges][i];
    if (which == PARTS || !b->h.part[which].at) continue;
    const part *a = &b->h.part[which];
    u64 from = p->first, past = p->past, size = which == IDS ? 8 : 4;
    if (which == OFF || which == ROFF)
      past += p->last; /* one more offset than there are vertices */
    else if (which != IDS)
      from = p->low, past = p->high, size = b->h.m ? a->bytes / b->h.m : 0;
    const own o = sum_up(ls_lsg_at(b, a->at), a->bytes, from * size, past * size);
    memcpy(out + i * LS_LSG_SUM, &o, sizeof o);
  }
  return ls_mapping_check(b->map);
}

static ls_status bad(const body *b, u64 at, const char *what, int one, int other) {
  return ls_fail(LS_EINPUT,
                 "%s: byte %llu: rank %d reads %s than rank %d: their files differ, or one is damaged",
                 b->path, (unsigned long long)at, one, what, other);
}

static ls_status check(const body *b, int which, const u64 *all, int count) {
  const part *a = &b->h.part[which];
  u64 at = 0, sum = 0, last = 0;
  int who = 0; /* the reader of the last block so far */
  for (int r = 0; r < count; r++) {
    own o;
    memcpy(&o, all + (size_t)r * LS_LSG_SUMS, sizeof o);
    if (o.from != at) return bad(b, a->at + at, "other offsets", r, r ? r - 1 : 0);
    if (o.from < o.past && o.from % LS_CHECKSUM_BLOCK && o.head != last)
      return bad(b, a->at + o.from / LS_CHECKSUM_BLOCK * LS_CHECKSUM_BLOCK, "other bytes", r, who);
    if (up(o.from) < up(o.past)) last = o.last, who = r;
    sum += o.sum;
    at = o.past;
  }
  if (at != a->bytes) return bad(b, a->at + at, "other offsets", count - 1, 0);
  if (a->bytes % LS_CHECKSUM_BLOCK == 0) { /* the last block is empty, so it begins in no reader's rows */
    const u64 blocks = ls_checksum_count(a->bytes);
    sum += ls_checksum_blocks(ls_lsg_at(b, a->at), a->bytes, blocks - 1, blocks);
  }
  return ls_checksum_of(sum) == a->checksum ? LS_OK : ls_lsg_bad_sum(b->path, a, which);
}

ls_status ls_lsg_check_sums(const ls_graph *g, bool in_edges, const u64 *all, int count) {
  const body *b = ls_lsg_body(g);
  ls_status st = LS_OK;
  for (int i = 0; i < ARRAYS && !st; i++) {
    const int which = places[in_edges][i];
    if (which != PARTS && b->h.part[which].at) st = check(b, which, all + i * LS_LSG_SUM, count);
  }
  return st;
}
