#include "core/checksum.h"

#include <string.h>

/* Four lanes; each adds a word by xor, multiply and rotate. These steps are invertible: if two inputs
 * differ in only one word of a lane, the lane's values differ from that word on, until the lanes are mixed.
 * Constants: odd numbers from the golden ratio and from pi. */
static const u64 odd = 0x9e3779b97f4a7c15, odd2 = 0x243f6a8885a308d3;

static inline u64 turn(u64 x, int by) { return x << by | x >> (64 - by); }

static inline u64 step(u64 lane, u64 word) { return turn((lane ^ word) * odd, 29); }

static u64 mix(u64 x) {
  x ^= x >> 32;
  x *= odd2;
  x ^= x >> 29;
  return x * odd;
}

static u64 block_sum(const u8 *p, u64 bytes, u64 number) {
  u64 lane[4], word[4] = {0};
  for (int i = 0; i < 4; i++) lane[i] = mix(number * 4 + (u64)i + odd2);
  u64 at = 0;
  for (; at + 32 <= bytes; at += 32) {
    memcpy(word, p + at, 32);
    for (int i = 0; i < 4; i++) lane[i] = step(lane[i], word[i]);
  }
  memset(word, 0, sizeof word);
  memcpy(word, p + at, bytes - at);
  u64 sum = mix(bytes);
  for (int i = 0; i < 4; i++) sum = mix(sum ^ step(lane[i], word[i]));
  return sum;
}

u64 ls_checksum_blocks(const void *p, u64 bytes, u64 first, u64 past) {
  u64 sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) if (past > first + 2)
  for (u64 b = first; b < past; b++) {
    u64 from = b * LS_CHECKSUM_BLOCK,
        count = bytes - from < LS_CHECKSUM_BLOCK ? bytes - from : LS_CHECKSUM_BLOCK;
    sum += block_sum((const u8 *)p + from, count, b); /* hashes the number b, too: order matters */
  }
  return sum;
}

u64 ls_checksum_of(u64 sum) { return mix(sum); }

u64 ls_checksum(const void *p, u64 bytes) {
  return ls_checksum_of(ls_checksum_blocks(p, bytes, 0, ls_checksum_count(bytes)));
}
