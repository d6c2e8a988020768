#include "data/pattern.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/reduce.h"

static bool read_number(const char *text, ls_number *out) {
  char *end;
  errno = 0;
  *out = (ls_number){.i = strtoll(text, &end, 10)};
  if (end != text && !*end && !errno) return true;
  *out = (ls_number){.real = true, .r = strtod(text, &end)};
  return end != text && !*end && isfinite(out->r);
}

ls_status ls_pattern_read(const char *text, ls_dtype type, ls_pattern *out) {
  ls_number x = {.i = 0};
  *out = (ls_pattern){.bits = 0};
  if (strcmp(text, "identity") == 0) {
    if (ls_dtype_is_real(type) || ls_dtype_size(type) < 4)
      return ls_fail(LS_EARG,
                     "the initial contents 'identity' are for integers of 32 and 64 bits, not for %s",
                     ls_dtype_name(type));
    out->identity = true;
    return LS_OK;
  }
  if (strcmp(text, "none") == 0 || strcmp(text, "huge") == 0) {
    out->bits = *text == 'n' ? ~0ull : 0x7f7f7f7f7f7f7f7full;
    return LS_OK;
  }
  if (strcmp(text, "inf") == 0)
    x = ls_number_greatest(type);
  else if (strcmp(text, "empty") != 0 && !read_number(text, &x))
    return ls_fail(LS_EARG, "there are no initial contents '%s'", text);
  return ls_number_put(type, &out->bits, 0, x);
}

u64 ls_pattern_repeated(ls_pattern p, size_t element_bytes) {
  switch (element_bytes) {
  case 1: return (p.bits & 0xff) * 0x0101010101010101ull;
  case 2: return (p.bits & 0xffff) * 0x0001000100010001ull;
  case 4: return (p.bits & 0xffffffff) * 0x0000000100000001ull;
  default: return p.bits;
  }
}

int ls_pattern_byte(ls_pattern p, size_t element_bytes) {
  const u64 all = ls_pattern_repeated(p, element_bytes);
  return !p.identity && all == (all & 0xff) * 0x0101010101010101ull ? (int)(all & 0xff) : -1;
}

static void put_piece(ls_pattern p, size_t element_bytes, u64 first, u64 count, void *out) {
  const int byte = ls_pattern_byte(p, element_bytes);
  const u64 bits = ls_pattern_repeated(p, element_bytes);
  if (byte >= 0) {
    memset(out, byte, count * element_bytes);
    return;
  }
  switch (element_bytes) {
  case 2:
    for (u64 i = 0; i < count; i++) ((u16 *)out)[i] = (u16)bits;
    break;
  case 4:
    for (u64 i = 0; i < count; i++) ((u32 *)out)[i] = p.identity ? (u32)(first + i) : (u32)bits;
    break;
  default:
    for (u64 i = 0; i < count; i++) ((u64 *)out)[i] = p.identity ? first + i : bits;
    break;
  }
}

void ls_pattern_put(ls_pattern p, size_t element_bytes, u64 first, u64 count, void *out) {
  enum { PIECE = 1 << 18 }; /* elements */
  const u64 pieces = (count + PIECE - 1) / PIECE;
  if (pieces < 4) {
    put_piece(p, element_bytes, first, count, out);
    return;
  }
#pragma omp parallel for
  for (u64 i = 0; i < pieces; i++) {
    const u64 at = i * PIECE;
    put_piece(p, element_bytes, first + at, count - at < PIECE ? count - at : PIECE,
              (u8 *)out + at * element_bytes);
  }
}
