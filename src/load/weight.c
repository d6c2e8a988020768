/* Converts, checks and stores the weights and times of text formats. */
#include <math.h>

#include "load/edge_text.h"

static bool weight_fail(edge_piece *pc, const char *word, const char *why) {
  char text[48];
  return edge_piece_fail(pc, "weight %s %s", edge_text_word(word, text), why);
}

static bool integer_weight(edge_piece *pc, const ls_number *x, const char *word) {
  const ls_load_options *o = pc->text->options;
  bool overflow;
  i64 *i = &pc->w[pc->count].i;
  if (!ls_number_scaled(x, o->scale > 0 ? (u64)o->scale : 1, i, &overflow)) {
    if (overflow)
      return weight_fail(
          pc, word, o->scale > 0 ? "times the scale does not fit in 64 bits" : "does not fit in 64 bits");
    return weight_fail(pc, word, o->scale > 0 ? "times the scale is not an integer" : "is not an integer");
  }
  if (o->weights == LS_I32 && *i != (i32)*i) return weight_fail(pc, word, "does not fit i32");
  pc->fits &= *i == (i32)*i;
  return true;
}

static const u64 tens[] = {1ull,
                           10ull,
                           100ull,
                           1000ull,
                           10000ull,
                           100000ull,
                           1000000ull,
                           10000000ull,
                           100000000ull,
                           1000000000ull,
                           10000000000ull,
                           100000000000ull,
                           1000000000000ull,
                           10000000000000ull,
                           100000000000000ull,
                           1000000000000000ull,
                           10000000000000000ull,
                           100000000000000000ull,
                           1000000000000000000ull};
enum { MOST_PLACES = sizeof tens / sizeof *tens - 1 };

bool ls_weights_times_ten(i64 *w, u64 count, int places) {
  for (u64 e = 0; e < count && places; e++)
    if (__builtin_mul_overflow(w[e], (i64)tens[places], &w[e])) return false;
  return true;
}

/* The piece's scale grows when a weight has more decimals than all earlier ones. */
static bool scaled_weight(edge_piece *pc, const ls_number *x, const char *word) {
  i64 *w = (i64 *)pc->w;
  bool overflow = false;
  for (int places = pc->places; places <= MOST_PLACES; places++) {
    if (!ls_number_scaled(x, tens[places], &w[pc->count], &overflow)) {
      if (overflow) break;
      continue;
    }
    if (!ls_weights_times_ten(w, pc->count, places - pc->places))
      return weight_fail(pc, word, "makes the common scale too large: weights do not fit in 64 bits");
    pc->places = places;
    return true;
  }
  return weight_fail(
      pc, word, overflow ? "times the common scale does not fit in 64 bits" : "has more than 18 decimals");
}

bool edge_piece_read_time(edge_piece *pc, const char **p) {
  const char *word = ls_blanks(*p);
  ls_number x;
  char text[48];
  const char *q = ls_number_read(word, &x);
  if (!q || !ls_ends_word(*q))
    return edge_piece_fail(pc, "expected a time, since the first arc has one; found %s",
                           edge_text_word(word, text));
  if (!x.whole || x.wide || x.i < 0)
    return edge_piece_fail(pc, "time %s: times are whole numbers from 0 to 2^63 - 1",
                           edge_text_word(word, text));
  pc->t[pc->count] = x.i;
  *p = q;
  return true;
}

static bool real_weight(edge_piece *pc, const ls_number *x, const char *word) {
  ls_dtype type = pc->text->options->weights;
  f64 d = x->whole && !x->wide ? (f64)x->i : x->d;
  if (type == LS_F32) d = (f64)(f32)d;
  if (!isfinite(d)) return weight_fail(pc, word, type == LS_F32 ? "is beyond f32" : "is beyond f64");
  if (type != LS_NONE && x->whole && !x->wide && (fabs(d) >= 0x1p63 || (i64)d != x->i))
    return weight_fail(pc, word, type == LS_F32 ? "is not exact in f32" : "is not exact in f64");
  if (!pc->real)
    for (u64 e = 0; e < pc->count; e++) pc->w[e].d = (f64)pc->w[e].i;
  pc->real = true;
  pc->w[pc->count].d = d;
  return true;
}

bool edge_piece_any_weight(edge_piece *pc, const ls_number *x, const char *word) {
  const ls_load_options *o = pc->text->options;
  if (o->scaled) return scaled_weight(pc, x, word);
  if (o->weights == LS_I32 || o->weights == LS_I64 || o->scale > 0) return integer_weight(pc, x, word);
  if (x->whole && x->wide && o->weights == LS_NONE)
    return weight_fail(pc, word, "does not fit in 64 bits (weights = \"f64\" would round it)");
  return real_weight(pc, x, word);
}
