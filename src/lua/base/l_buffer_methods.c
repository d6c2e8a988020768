/* Operations on a whole buffer: extremes, sums, searches, histograms, copies. Indices count from 0; `from`
 * and `to` mean the range [from, to). */
#include "lua/base/l_buffer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "run/devices/device.h"

/* --- reductions -------------------------------------------------------------------------------------- */

/* The argument of `work`: one operation. */
typedef struct job {
  enum { RANGE, SUM, FIND, COUNT, TOP, HISTOGRAM, DIFF } what;
  ls_dtype type, other_type;
  const void *p, *other;
  u64 count, max;
  ls_number x;
  ls_number lo, hi;
  u64 found;
  u64 *places;
  ls_histogram *histogram;
  u32 bins;
} job;

static void work(void *arg) {
  job *j = arg;
  switch (j->what) {
  case RANGE: j->found = ls_reduce_range(j->type, j->p, j->count, false, &j->lo, &j->hi); break;
  case SUM: j->x = ls_reduce_sum(j->type, j->p, j->count); break;
  case FIND: j->found = ls_reduce_find(j->type, j->p, j->count, 0, j->x); break;
  case COUNT: j->found = ls_reduce_count(j->type, j->p, j->count, j->x); break;
  case TOP: j->found = ls_reduce_top(j->type, j->p, j->count, j->max, j->places); break;
  case HISTOGRAM: ls_reduce_histogram(j->type, j->p, j->count, j->bins, j->histogram); break;
  case DIFF:
    j->found = ls_reduce_diff(j->type, j->p, j->other_type, j->other, j->count, j->max, j->places);
    break;
  }
}

static job reduce(lua_State *L, ls_buffer *b, job j) {
  j.type = b->type;
  j.p = ls_host_read(L, b);
  j.count = b->count;
  ls_work(work, &j, b->count <= LS_LONG);
  return j;
}

/* b:min(), b:max(): NaNs are skipped; nil for an empty buffer. */
static int extreme(lua_State *L, bool least) {
  ls_buffer *b = ls_check_buffer(L, 1);
  job j = reduce(L, b, (job){.what = RANGE});
  if (b->count == 0)
    lua_pushnil(L);
  else if (j.found == 0)
    lua_pushnumber(L, (lua_Number)NAN);
  else
    ls_push_number(L, least ? j.lo : j.hi);
  return 1;
}

static int method_min(lua_State *L) { return extreme(L, true); }
static int method_max(lua_State *L) { return extreme(L, false); }

/* b:sum(): the exact sum of integers, or an error if it does not fit 64 bits; of reals, by compensated
 * summation. */
static int method_sum(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  ls_number sum = reduce(L, b, (job){.what = SUM}).x;
  if (!sum.real && (sum.i < INT64_MIN || sum.i > INT64_MAX)) {
    char text[LS_NUMBER_CHARS];
    ls_fail(LS_EOVERFLOW, "the sum %s does not fit 64 bits", ls_number_text(LS_I64, sum, text));
    return ls_raise(L, LS_EOVERFLOW);
  }
  ls_push_number(L, sum);
  return 1;
}

/* b:mean(): nil for an empty buffer */
static int method_mean(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  ls_number sum = reduce(L, b, (job){.what = SUM}).x;
  if (b->count == 0)
    lua_pushnil(L);
  else
    lua_pushnumber(L, ls_number_real(sum) / (f64)b->count);
  return 1;
}

/* Calls the predicate at index 2 with element i of the buffer at index 1. It may do anything, so the buffer
 * is checked each time. */
static bool holds(lua_State *L, u64 i) {
  ls_buffer *b = ls_check_buffer(L, 1);
  lua_pushvalue(L, 2);
  ls_push_number(L, ls_number_at(b->type, ls_host_read(L, b), i));
  lua_pushinteger(L, (lua_Integer)i);
  lua_call(L, 2, 1);
  bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return yes;
}

/* b:find(x) or b:find(function(x, i) ... end): the index of the first element that matches, or nil */
static int method_find(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  u64 i = 0;
  if (lua_isfunction(L, 2))
    while (i < b->count && !holds(L, i)) i++;
  else
    i = reduce(L, b, (job){.what = FIND, .x = ls_check_number(L, 2)}).found;
  if (i < b->count)
    lua_pushinteger(L, (lua_Integer)i);
  else
    lua_pushnil(L);
  return 1;
}

/* b:count(x) or b:count(function(x, i) ... end): how many elements match */
static int method_count(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  u64 n = 0;
  if (lua_isfunction(L, 2))
    for (u64 i = 0; i < b->count; i++) n += holds(L, i);
  else
    n = reduce(L, b, (job){.what = COUNT, .x = ls_check_number(L, 2)}).found;
  lua_pushinteger(L, (lua_Integer)n);
  return 1;
}

/* a:diff(b [, max = 10]): how many elements differ, and the first few as {i =, a =, b =} */
static int method_diff(lua_State *L) {
  enum { MAX = 4096 };
  ls_buffer *a = ls_check_buffer(L, 1), *b = ls_check_buffer(L, 2);
  u64 max = lua_isnoneornil(L, 3) ? 10 : ls_check_index(L, 3, MAX, "max");
  if (a->count != b->count || (a->cols && b->cols && a->cols != b->cols))
    return luaL_error(L, "the buffers differ in shape: %I and %I elements in %I and %I columns",
                      (LUAI_UACINT)a->count, (LUAI_UACINT)b->count, (LUAI_UACINT)(a->cols ? a->cols : 1),
                      (LUAI_UACINT)(b->cols ? b->cols : 1));
  u64 *places = lua_newuserdatauv(L, (max + 1) * sizeof *places, 0);
  const void *q = ls_host_read(L, b);
  job j = reduce(L, a, (job){.what = DIFF, .other = q, .other_type = b->type, .max = max, .places = places});
  u64 listed = j.found < max ? j.found : max;
  lua_pushinteger(L, (lua_Integer)j.found);
  lua_createtable(L, (int)listed, 0);
  for (u64 k = 0; k < listed; k++) {
    lua_createtable(L, 0, 3);
    ls_set_integer(L, "i", places[k]);
    /* a finalizer may have closed a or b */
    ls_set_value(L, "a", ls_number_at(a->type, ls_host_read(L, a), places[k]));
    ls_set_value(L, "b", ls_number_at(b->type, ls_host_read(L, b), places[k]));
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  return 2;
}

/* b:top([k = 10]): the k greatest elements as {i =, x =}, the greatest first */
static int method_top(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  lua_Integer k = luaL_optinteger(L, 2, 10);
  luaL_argcheck(L, k >= 0, 2, "the count must not be negative");
  const u64 max = (u64)k < b->count ? (u64)k : b->count;
  luaL_argcheck(L, max <= INT32_MAX, 2, "a list has at most 2^31 - 1 values");
  u64 *places = lua_newuserdatauv(L, (max + 1) * sizeof *places, 0);
  const u64 found = reduce(L, b, (job){.what = TOP, .max = max, .places = places}).found;
  lua_createtable(L, (int)found, 0);
  for (u64 i = 0; i < found; i++) {
    lua_createtable(L, 0, 2);
    ls_set_integer(L, "i", places[i]);
    /* a finalizer may have closed b */
    ls_set_value(L, "x", ls_number_at(b->type, ls_host_read(L, b), places[i]));
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* b:digest(): an integer, computed where the contents are, without a copy. */
static int method_digest(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  u64 sum;
  ls_check_known(L, b);
  ls_status st = ls_buffer_digest(b, 0, ls_dtype_size(b->type), b->count, false, &sum);
  if (st) return ls_raise(L, st);
  lua_pushinteger(L, (lua_Integer)sum);
  return 1;
}

/* --- histograms -------------------------------------------------------------------------------------- */

#define HISTOGRAM_NAME "lockstep.histogram"

/* b:hist([bins = 10]): {lo =, hi =, width =, count = {...}, unknown =}, which prints as bars. Elements that
 * mean "none" or "no path", infinities and NaNs are counted in `unknown`, not in a bin. */
static int method_hist(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  lua_Integer bins = luaL_optinteger(L, 2, 10);
  luaL_argcheck(L, bins >= 1 && bins <= LS_MAX_BINS, 2, "1 to 1024 bins");
  ls_histogram *h = lua_newuserdatauv(L, sizeof *h, 0);
  reduce(L, b, (job){.what = HISTOGRAM, .bins = (u32)bins, .histogram = h});
  lua_createtable(L, 0, 5);
  if (h->bins > 0) {
    ls_set_value(L, "lo", h->lo);
    ls_set_value(L, "hi", h->hi);
    ls_set_value(L, "width", h->width);
  }
  ls_set_integer(L, "unknown", h->unknown);
  lua_createtable(L, (int)h->bins, 0);
  for (u32 k = 0; k < h->bins; k++) {
    lua_pushinteger(L, (lua_Integer)h->count[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  lua_setfield(L, -2, "count");
  luaL_setmetatable(L, HISTOGRAM_NAME);
  return 1;
}

/* The lower bound of bin k as text; if `last`, the end of bin k - 1: for integers its last value, for reals
 * its upper bound. */
static void edge_text(lua_State *L, lua_Number lo, lua_Number width, lua_Integer k, bool last, char out[32]) {
  lua_getfield(L, 1, "lo");
  lua_getfield(L, 1, "width");
  if (lua_isinteger(L, -1) && lua_isinteger(L, -2))
    snprintf(out, 32, "%lld",
             (long long)((u64)lua_tointeger(L, -2) + (u64)lua_tointeger(L, -1) * (u64)k - last));
  else
    snprintf(out, 32, "%.6g", lo + width * (lua_Number)k);
  lua_pop(L, 2);
}

static void add_right(luaL_Buffer *out, const char *text, int width) {
  for (int pad = width - (int)strlen(text); pad > 0; pad--) luaL_addchar(out, ' ');
  luaL_addstring(out, text);
}

/* One line per bin: first value .. last value (reals: upper bound), the count, a bar. */
static int histogram_tostring(lua_State *L) {
  enum { WIDTH = 80 };
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_getfield(L, 1, "lo");
  lua_Number lo = lua_tonumber(L, -1);
  lua_getfield(L, 1, "width");
  lua_Number width = lua_tonumber(L, -1);
  lua_getfield(L, 1, "unknown");
  lua_Integer unknown = lua_tointeger(L, -1);
  lua_getfield(L, 1, "count");
  luaL_checktype(L, -1, LUA_TTABLE);
  int counts = lua_gettop(L);
  lua_Integer bins = (lua_Integer)lua_rawlen(L, counts), top = 1;
  int edge_width = 1, count_width = 1;
  char from[32], to[32], text[32];
  for (lua_Integer k = 0; k < bins; k++) {
    lua_rawgeti(L, counts, k + 1);
    lua_Integer c = lua_tointeger(L, -1);
    lua_pop(L, 1);
    if (c > top) top = c;
    edge_text(L, lo, width, k, false, from);
    edge_text(L, lo, width, k + 1, true, to);
    if ((int)strlen(from) > edge_width) edge_width = (int)strlen(from);
    if ((int)strlen(to) > edge_width) edge_width = (int)strlen(to);
    int w = snprintf(text, sizeof text, "%lld", (long long)c);
    if (w > count_width) count_width = w;
  }
  int room = WIDTH - (2 * edge_width + 4 + 1 + count_width + 1);
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  for (lua_Integer k = 0; k < bins; k++) {
    lua_rawgeti(L, counts, k + 1);
    lua_Integer c = lua_tointeger(L, -1);
    lua_pop(L, 1);
    edge_text(L, lo, width, k, false, from);
    edge_text(L, lo, width, k + 1, true, to);
    int bar = (int)((lua_Number)c / (lua_Number)top * room + 0.5);
    if (bar == 0 && c > 0) bar = 1;
    snprintf(text, sizeof text, "%lld", (long long)c);
    if (k > 0) luaL_addchar(&out, '\n');
    add_right(&out, from, edge_width);
    luaL_addstring(&out, " .. ");
    add_right(&out, to, edge_width);
    luaL_addchar(&out, ' ');
    add_right(&out, text, count_width);
    luaL_addchar(&out, ' ');
    while (bar-- > 0) luaL_addchar(&out, '#');
  }
  if (unknown > 0) {
    char line[64];
    snprintf(line, sizeof line, "%s%lld unknown", bins ? "\n" : "", (long long)unknown);
    luaL_addstring(&out, line);
  } else if (bins == 0) {
    luaL_addstring(&out, "(empty)");
  }
  luaL_pushresult(&out);
  return 1;
}

/* --- contents ---------------------------------------------------------------------------------------- */

/* b:fill(x): every element becomes x. Returns b. */
static int method_fill(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  ls_number x = ls_check_number(L, 2);
  ls_check_writable(L, b);
  ls_pattern p = {0};
  ls_status st = ls_number_put(b->type, &p.bits, 0, x);
  if (st) return ls_raise(L, st);
  ls_buffer_start(b, p);
  lua_settop(L, 1);
  return 1;
}

/* Reads the range [from, to) from arguments i and i + 1; the default is [0, limit), the largest range. */
static void check_range(lua_State *L, int i, u64 limit, u64 *from, u64 *to) {
  *from = lua_isnoneornil(L, i) ? 0 : ls_check_index(L, i, limit, "from");
  *to = lua_isnoneornil(L, i + 1) ? limit : ls_check_index(L, i + 1, limit, "to");
  if (*to < *from)
    luaL_error(L, "the range ends at %I, before it begins at %I", (LUAI_UACINT)*to, (LUAI_UACINT)*from);
}

/* Are parts of b copied to and from the current device in parallel with its kernels? */
static bool moves_parts(const ls_buffer *b) { return b->pinned && ls_device_current()->processor == LS_CUDA; }

/* b:pin(): pins the host memory, so that b:slice(..., into) and b:paste copy parts while kernels run. Returns
 * whether it is pinned. */
static int method_pin(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  const ls_device *d = ls_device_current();
  if (b->closed) return luaL_error(L, "the buffer is closed");
  const bool pinned = d->processor == LS_CUDA && ls_buffer_pin(b, d->index) == LS_OK;
  lua_pushboolean(L, pinned);
  return 1;
}

/* Copies rows [from, to) and columns [left, right) of b into a new buffer, or into the one at index `into`. A
 * vector has one column: left = 0, right = 1. */
static int copy_part(lua_State *L, ls_buffer *b, u64 from, u64 to, u64 left, u64 right, int into) {
  const size_t size = ls_dtype_size(b->type), row = (b->cols ? b->cols : 1) * size,
               part = (right - left) * size;
  const u64 cols = b->cols ? right - left : 0, wide = b->cols ? b->cols : 1;
  const bool whole_rows = right - left == wide;
  ls_status st;
  ls_buffer *copy;
  ls_check_known(L, b);
  if (lua_isnoneornil(L, into)) {
    /* The copy is made on b's device, if b is on one. */
    const bool whole = whole_rows && to - from == b->rows && !b->host_valid;
    st = whole ? ls_buffer_copy(b, b->dev_valid ? b->device : LS_HOST, &copy)
               : ls_buffer_new(b->type, to - from, cols, &copy);
    if (st) return ls_raise(L, st);
    ls_buffer_means_as(copy, b);
    ls_push_buffer(L, copy); /* a finalizer may run, and close b */
    if (to - from == b->rows) ls_copy_labels(L, 1, -1);
    if (whole) return 1;
  } else {
    copy = ls_check_buffer(L, into);
    ls_check_writable(L, copy);
    if (copy == b) return luaL_error(L, "slice: a buffer is not sliced into itself");
    if (copy->type != b->type || copy->rows != to - from || copy->cols != cols)
      return luaL_error(L, "slice: expected %s[%I x %I] to write into, got %s[%I x %I]",
                        ls_dtype_name(b->type), (LUAI_UACINT)(to - from), (LUAI_UACINT)cols,
                        ls_dtype_name(copy->type), (LUAI_UACINT)copy->rows, (LUAI_UACINT)copy->cols);
    lua_settop(L, into);
    if (moves_parts(b)) {
      st = ls_buffer_take(b, from, left, copy, ls_device_current()->index);
      return st ? ls_raise(L, st) : 1;
    }
  }
  if (!whole_rows) ls_host_read(L, b); /* may fail, so it comes before the copy is overwritten */
  u8 *dst = ls_buffer_overwrite(copy);
  if (!dst) return ls_raise(L, LS_EMEM);
  if (whole_rows && !b->host_valid) {
    st = ls_buffer_peek(b, from * wide, (to - from) * wide, dst);
    return st ? ls_raise(L, st) : 1;
  }
  const u8 *src = (const u8 *)ls_host_read(L, b) + from * row + left * size;
  ls_mem_copy_rows(dst, part, src, row, to - from, part);
  return 1;
}

/* b:copy(): a copy, which may be written */
static int method_copy(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  lua_settop(L, 1);
  return copy_part(L, b, 0, b->rows, 0, b->cols ? b->cols : 1, 2);
}

/* b:slice([from [, to [, left [, right [, into]]]]]): a new buffer with the elements [from, to) of a vector,
 * or with the rows [from, to) and the columns [left, right) of a matrix. If `into` is passed, it must have
 * that shape: the elements are copied to it, and it is returned. */
static int method_slice(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  u64 from, to, left, right;
  check_range(L, 2, b->rows, &from, &to);
  if (!b->cols && !(lua_isnoneornil(L, 4) && lua_isnoneornil(L, 5)))
    return luaL_error(L, "slice: a vector has no columns: 'left' and 'right' must be nil");
  check_range(L, 4, b->cols ? b->cols : 1, &left, &right);
  if (left == right) return luaL_error(L, "slice: a matrix needs at least one column");
  return copy_part(L, b, from, to, left, right, 6);
}

/* b:paste(part, from [, first column]): overwrites the elements of b from index `from` on, or the part of a
 * matrix b that begins at row `from` and that column, with those of `part`. Returns b. */
static int method_paste(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1), *part = ls_check_buffer(L, 2);
  const u64 wide = part->cols ? part->cols : 1, cols = b->cols ? b->cols : 1;
  const u64 from = ls_check_index(L, 3, b->rows, "from"),
            left = lua_isnoneornil(L, 4) ? 0 : ls_check_index(L, 4, cols, "left");
  ls_check_writable(L, b);
  if (part->type != b->type || !part->cols != !b->cols)
    return luaL_error(L, "paste: expected a %s of %s, got a %s of %s", b->cols ? "matrix" : "vector",
                      ls_dtype_name(b->type), part->cols ? "matrix" : "vector", ls_dtype_name(part->type));
  if (part->rows > b->rows - from || wide > cols - left)
    return luaL_error(L, "paste: %I x %I elements at row %I, column %I do not fit into %I x %I",
                      (LUAI_UACINT)part->rows, (LUAI_UACINT)wide, (LUAI_UACINT)from, (LUAI_UACINT)left,
                      (LUAI_UACINT)b->rows, (LUAI_UACINT)cols);
  const bool on_device = part->dev_valid && !part->host_valid && part->device == ls_device_current()->index;
  if (part->count > 0 && on_device && moves_parts(b)) {
    ls_check_known(L, b);
    ls_check_known(L, part);
    const ls_status st = ls_buffer_put(b, from, left, part);
    if (st) return ls_raise(L, st);
  } else if (part->count > 0) {
    const size_t size = ls_dtype_size(b->type), row = wide * size;
    if (b->dev_valid && wide == cols) {
      ls_check_known(L, b);
      const ls_status st = ls_buffer_poke(b, from * cols, part->count, ls_host_read(L, part), LS_HOST);
      if (st) return ls_raise(L, st);
    } else {
      u8 *dst = (u8 *)ls_host_update(L, b) + (from * cols + left) * size;
      ls_mem_copy_rows(dst, cols * size, ls_host_read(L, part), row, part->rows, row);
    }
  }
  lua_settop(L, 1);
  return 1;
}

static int push_list(lua_State *L, ls_buffer *b, u64 from, u64 to) {
  luaL_argcheck(L, to - from <= INT32_MAX, 1, "a list has at most 2^31 - 1 values");
  lua_createtable(L, (int)(to - from), 0); /* a finalizer may run, and close b */
  const void *p = ls_host_part(L, b, from, to - from);
  lua_insert(L, -2); /* the list is on top again */
  for (u64 i = 0; i < to - from; i++) {
    ls_push_number(L, ls_number_at(b->type, p, i));
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* b:totable([from [, to]]): the elements [from, to) as a list */
static int method_totable(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  u64 from, to;
  check_range(L, 2, b->count, &from, &to);
  return push_list(L, b, from, to);
}

/* b:head([n = 10]): the first n elements as a list */
static int method_head(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  lua_Integer n = luaL_optinteger(L, 2, 10);
  luaL_argcheck(L, n >= 0, 2, "the count must not be negative");
  return push_list(L, b, 0, (u64)n < b->count ? (u64)n : b->count);
}

const luaL_Reg ls_buffer_methods[] = {
    {"min", method_min},
    {"max", method_max},
    {"sum", method_sum},
    {"mean", method_mean},
    {"hist", method_hist},
    {"find", method_find},
    {"count", method_count},
    {"diff", method_diff},
    {"fill", method_fill},
    {"copy", method_copy},
    {"slice", method_slice},
    {"head", method_head},
    {"totable", method_totable},
    {"save", ls_buffer_save},
    {"digest", method_digest},
    {"top", method_top},
    {"paste", method_paste},
    {"pin", method_pin},
    {NULL, NULL},
};

void ls_open_histogram(lua_State *L) {
  ls_new_metatable(L, HISTOGRAM_NAME, (const luaL_Reg[]){{"__tostring", histogram_tostring}, {NULL, NULL}});
}
