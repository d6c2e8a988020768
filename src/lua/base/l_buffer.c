/* The buffer type in Lua: making, indexing, fields, closing. */
#include "lua/base/l_buffer.h"

#include <stdio.h>
#include <string.h>

#include "data/equal.h"
#include "run/devices/device.h"
#include "run/record/journal.h"

#define TYPE_NAME LS_BUFFER_NAME

/* A buffer has at most 2^48 elements, so that sizes in bytes never overflow. */
#define MAX_ELEMENTS (1ull << 48)

/* --- the userdata ------------------------------------------------------------------------------------ */

/* Pushes a userdata without a buffer (a closed one); returns the address at which the caller then stores its
 * buffer. */
static ls_buffer **push_empty(lua_State *L) {
  ls_buffer **slot = lua_newuserdatauv(L, sizeof *slot, 1); /* user value: its graph (ls_push_labels) */
  *slot = NULL;
  luaL_setmetatable(L, TYPE_NAME);
  return slot;
}

static int push_closed(lua_State *L) {
  push_empty(L);
  return 1;
}

void ls_push_buffer(lua_State *L, ls_buffer *b) {
  if (!lua_checkstack(L, 4)) {
    ls_buffer_release(b);
    luaL_error(L, "stack overflow");
  }
  lua_pushcfunction(L, push_closed);
  if (lua_pcall(L, 0, 1, 0) != LUA_OK) {
    ls_buffer_release(b);
    lua_error(L);
  }
  *(ls_buffer **)lua_touserdata(L, -1) = b;
  if (b->refs == 1) ls_tell_collector(L, ls_buffer_bytes(b));
}

bool ls_push_labels(lua_State *L, int buffer) {
  if (lua_getiuservalue(L, buffer, 1) == LUA_TUSERDATA && ls_test_graph(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

void ls_copy_labels(lua_State *L, int from, int to) {
  to = lua_absindex(L, to);
  if (ls_push_labels(L, from)) lua_setiuservalue(L, to, 1);
}

ls_buffer *ls_push_new_buffer(lua_State *L, ls_dtype type, u64 rows, u64 cols) {
  ls_buffer *b;
  ls_status st = ls_buffer_new(type, rows, cols, &b);
  if (st) ls_raise(L, st);
  ls_push_buffer(L, b);
  return b;
}

void *ls_push_output(lua_State *L, ls_dtype type, u64 rows, u64 cols) {
  ls_buffer *b = ls_push_new_buffer(L, type, rows, cols);
  void *p = ls_buffer_overwrite(b);
  if (!p) lua_gc(L, LUA_GCCOLLECT);
  if (!p && !(p = ls_buffer_overwrite(b))) ls_raise(L, LS_EMEM);
  return p;
}

/* The buffer at i, which may be closed; NULL if it is not a buffer, or if __gc has released it. */
static ls_buffer *any_buffer(lua_State *L, int i) {
  ls_buffer **slot = luaL_testudata(L, i, TYPE_NAME);
  return slot ? *slot : NULL;
}

ls_buffer *ls_test_buffer(lua_State *L, int i) {
  ls_buffer *b = any_buffer(L, i);
  return b && !b->closed ? b : NULL;
}

ls_buffer *ls_check_buffer(lua_State *L, int i) {
  ls_buffer *b = *(ls_buffer **)luaL_checkudata(L, i, TYPE_NAME);
  if (!b || b->closed) luaL_error(L, "the buffer is closed");
  return b;
}

ls_buffer *ls_check_per_vertex(lua_State *L, int i, const ls_graph *g, ls_dtype t) {
  ls_buffer *b = ls_check_buffer(L, i);
  if (b->count != g->n || (t == LS_W ? !ls_is_distance(b->type) : b->type != t))
    luaL_error(L, "argument %d: expected %s[%I], got %s[%I]", i,
               t == LS_W ? "i16, i32, i64, f32 or f64 " : ls_dtype_name(t), (LUAI_UACINT)g->n,
               ls_dtype_name(b->type), (LUAI_UACINT)b->count);
  return b;
}

static int collect(lua_State *L) {
  ls_buffer **slot = luaL_checkudata(L, 1, TYPE_NAME);
  ls_buffer *b = *slot;
  *slot = NULL;
  ls_buffer_release(b);
  return 0;
}

/* b:close(): frees the memory now, even if others refer to the buffer. */
static int method_close(lua_State *L) {
  ls_buffer *b = *(ls_buffer **)luaL_checkudata(L, 1, TYPE_NAME);
  if (!b || b->closed) return 0;
  if (b->read_only) return luaL_error(L, "this buffer belongs to a graph: it cannot be closed by itself");
  ls_check_writable(L, b);
  ls_buffer_close(b);
  return 0;
}

/* The scope of `local b <close>` ends. An array of a graph is not closed. */
static int meta_close(lua_State *L) {
  ls_buffer *b = any_buffer(L, 1);
  if (b && !b->read_only) ls_buffer_close(b);
  return 0;
}

/* --- numbers and memory ------------------------------------------------------------------------------ */

ls_number ls_check_number(lua_State *L, int i) {
  luaL_checktype(L, i, LUA_TNUMBER); /* a numeric string would be converted by way of a double */
  if (lua_isinteger(L, i)) return (ls_number){.i = lua_tointeger(L, i)};
  return (ls_number){.real = true, .r = lua_tonumber(L, i)};
}

void ls_push_number(lua_State *L, ls_number x) {
  if (x.real)
    lua_pushnumber(L, x.r);
  else if (x.i >= LUA_MININTEGER && x.i <= LUA_MAXINTEGER)
    lua_pushinteger(L, (lua_Integer)x.i);
  else
    lua_pushnumber(L, (lua_Number)x.i);
}

void ls_check_known(lua_State *L, const ls_buffer *b) {
  if (ls_journal_lacks(b))
    luaL_error(
        L, "the past contents of this buffer are unknown: it was too large for the journal (see ?journal)");
}

const void *ls_host_read(lua_State *L, ls_buffer *b) {
  ls_check_known(L, b);
  const void *p = ls_buffer_read(b);
  if (p) return p;
  lua_gc(L, LUA_GCCOLLECT);
  p = ls_buffer_read(b);
  if (!p) ls_raise(L, b->dev_valid ? LS_EDEVICE : LS_EMEM);
  return p;
}

const void *ls_host_part(lua_State *L, ls_buffer *b, u64 first, u64 count) {
  enum { MANY = 4 }; /* if at least a quarter of the elements is wanted, all are copied */
  const size_t size = ls_dtype_size(b->type);
  if (b->host_valid || count >= b->count / MANY) {
    lua_pushnil(L);
    return (const u8 *)ls_host_read(L, b) + first * size;
  }
  ls_check_known(L, b);
  void *part = lua_newuserdatauv(L, count * size, 0);
  const ls_status st = ls_buffer_peek(b, first, count, part);
  if (st) ls_raise(L, st);
  return part;
}

void *ls_host_update(lua_State *L, ls_buffer *b) {
  ls_host_read(L, b);
  return ls_buffer_update(b);
}

void ls_check_writable(lua_State *L, const ls_buffer *b) {
  if (b->read_only)
    luaL_error(L, "this buffer belongs to a graph and cannot be written: change a copy, b:copy()");
  ls_status st = b->beside ? LS_OK : ls_journal_present();
  if (st) ls_raise(L, st);
}

u64 ls_check_index(lua_State *L, int i, u64 limit, const char *what) {
  lua_Integer k = luaL_checkinteger(L, i);
  if (k < 0 || (u64)k > limit)
    luaL_error(L, "%s is %I, expected 0 to %I", what, (LUAI_UACINT)k, (LUAI_UACINT)limit);
  return (u64)k;
}

/* --- making ------------------------------------------------------------------------------------------ */

/* Fills b with the values of the table at stack index 2. */
static void fill_from_table(lua_State *L, ls_buffer *b) {
  void *p = ls_host_update(L, b);
  for (u64 i = 0; i < b->count; i++) {
    if (lua_geti(L, 2, (lua_Integer)i + 1) != LUA_TNUMBER)
      luaL_error(L, "value %I is a %s, expected a number", (LUAI_UACINT)(i + 1), luaL_typename(L, -1));
    ls_status st = ls_number_put(b->type, p, i, ls_check_number(L, -1));
    if (st) {
      ls_fail_prefix(st, "value %llu: ", (unsigned long long)i + 1);
      ls_raise(L, st);
    }
    lua_pop(L, 1);
  }
}

/* buffer.new(dtype, n | {values} [, cols]) */
static int buffer_new(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  ls_dtype type = ls_dtype_parse(name);
  if (type == LS_NONE) return luaL_error(L, "no dtype '%s': %s is expected", name, ls_dtype_names());
  bool table = lua_istable(L, 2);
  lua_Integer cols = luaL_optinteger(L, 3, 0);
  if (!lua_isnoneornil(L, 3)) luaL_argcheck(L, cols > 0, 3, "a matrix needs at least one column");
  lua_Integer rows = table ? (lua_Integer)lua_rawlen(L, 2) : luaL_checkinteger(L, 2);
  if (table && cols && rows % cols != 0)
    return luaL_error(L, "%I values do not make rows of %I", (LUAI_UACINT)rows, (LUAI_UACINT)cols);
  if (table && cols) rows /= cols;
  luaL_argcheck(L, rows >= 0, 2, "a length must not be negative");
  if ((u64)rows > MAX_ELEMENTS / (cols ? (u64)cols : 1)) {
    ls_fail(LS_EMEM, "out of memory: %s[%lldx%lld] is wanted", name, (long long)rows,
            cols ? (long long)cols : 1);
    return ls_raise(L, LS_EMEM);
  }
  ls_buffer **slot = push_empty(L);
  ls_status st = ls_buffer_new(type, (u64)rows, (u64)cols, slot);
  if (st) return ls_raise(L, st);
  ls_tell_collector(L, ls_buffer_bytes(*slot));
  if (table) fill_from_table(L, *slot);
  return 1;
}

/* --- indexing ---------------------------------------------------------------------------------------- */

static const char *const fields[][2] = {
    {"dtype", "the elements' type: u8, u16, u32, u64, i16, i32, i64, f32 or f64"},
    {"rows", "rows of a matrix; elements of a vector"},
    {"cols", "columns of a matrix; 1 of a vector"},
    {"bytes", "size of one side, host or device"},
    {"where",
     "where the present contents are: host, cuda:0, both, nowhere (all zeros yet), gone (with a device that was lost) or closed"},
};

static int field(lua_State *L, ls_buffer *b, const char *key) {
  char where[32];
  if (strcmp(key, "dtype") == 0) return lua_pushstring(L, ls_dtype_name(b->type)), 1;
  if (strcmp(key, "rows") == 0) return lua_pushinteger(L, (lua_Integer)b->rows), 1;
  if (strcmp(key, "cols") == 0) return lua_pushinteger(L, b->cols ? (lua_Integer)b->cols : 1), 1;
  if (strcmp(key, "bytes") == 0) return lua_pushinteger(L, (lua_Integer)ls_buffer_bytes(b)), 1;
  if (strcmp(key, "where") == 0) return lua_pushstring(L, ls_buffer_where(b, where)), 1;
  return luaL_error(L, "a buffer has no field '%s'", key);
}

/* The element index at stack index i, which must be below limit. */
static u64 check_place(lua_State *L, int i, u64 limit) {
  int is_integer;
  lua_Integer k = lua_tointegerx(L, i, &is_integer);
  if (!is_integer) { luaL_error(L, "b[%s]: an index is an integer from 0", luaL_tolstring(L, i, NULL)); }
  if (k < 0) luaL_error(L, "b[%I]: index is negative; the first element is b[0]", (LUAI_UACINT)k);
  if ((u64)k >= limit) luaL_error(L, "b[%I]: index is not below %I", (LUAI_UACINT)k, (LUAI_UACINT)limit);
  return (u64)k;
}

/* Pushes element i. In a fresh buffer, this is the value of the fill pattern. From a large buffer that is
 * only on a device, a few elements are fetched one at a time; after these, the whole buffer is copied to the
 * host. */
static void push_element(lua_State *L, ls_buffer *b, u64 i) {
  enum { FETCHED_SINGLY = 8, LARGE = 1 << 16 };
  ls_check_known(L, b);
  if (b->host_valid || (b->dev_valid && (ls_buffer_bytes(b) <= LARGE || b->fetched == FETCHED_SINGLY))) {
    ls_push_number(L, ls_number_at(b->type, ls_host_read(L, b), i));
    return;
  }
  u64 one;
  ls_status st = ls_buffer_peek(b, i, 1, &one);
  if (st) ls_raise(L, st);
  if (b->dev_valid) b->fetched++;
  ls_push_number(L, ls_number_at(b->type, &one, 0));
}

/* Upvalue 1: the methods. */
static int meta_index(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_gettable(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    ls_buffer *any = *(ls_buffer **)luaL_checkudata(L, 1, TYPE_NAME);
    return any ? field(L, any, lua_tostring(L, 2)) : luaL_error(L, "the buffer is closed");
  }
  ls_buffer *b = ls_check_buffer(L, 1);
  push_element(L, b, check_place(L, 2, b->count));
  return 1;
}

/* The ordinal of the current device, or LS_HOST. */
static int current_gpu(void) {
  const ls_device *d = ls_device_current();
  return d->processor == LS_CUDA && !d->lost ? d->index : LS_HOST;
}

static void store_element(lua_State *L, ls_buffer *b, u64 i, int value) {
  if (lua_type(L, value) != LUA_TNUMBER)
    luaL_error(L, "b[%I] = %s: a number is expected", (LUAI_UACINT)i, luaL_tolstring(L, value, NULL));
  u64 one;
  ls_check_known(L, b);
  ls_status st = ls_number_put(b->type, &one, 0, ls_check_number(L, value));
  if (st) ls_fail_prefix(st, "b[%llu]: ", (unsigned long long)i);
  const int gpu =
      b->host_valid || b->dev_valid ? LS_HOST : current_gpu(); /* a fresh buffer may be created on the GPU */
  if (!st) st = ls_buffer_poke(b, i, 1, &one, gpu);
  if (st == LS_EMEM) { /* garbage may hold the memory */
    lua_gc(L, LUA_GCCOLLECT);
    st = ls_buffer_poke(b, i, 1, &one, gpu);
  }
  if (st) ls_raise(L, st);
}

static int meta_newindex(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING)
    return luaL_error(L, "a buffer's field '%s' cannot be set", lua_tostring(L, 2));
  u64 i = check_place(L, 2, b->count);
  ls_check_writable(L, b);
  store_element(L, b, i, 3);
  return 0;
}

/* Arguments 2 and 3, row and column, as an element index. */
static u64 check_cell(lua_State *L, const ls_buffer *b) {
  u64 cols = b->cols ? b->cols : 1;
  lua_Integer i = luaL_checkinteger(L, 2), j = b->cols ? luaL_checkinteger(L, 3) : luaL_optinteger(L, 3, 0);
  if (i < 0 || j < 0 || (u64)i >= b->rows || (u64)j >= cols)
    luaL_error(L, "(%I, %I) is not in a matrix of %I x %I", (LUAI_UACINT)i, (LUAI_UACINT)j,
               (LUAI_UACINT)b->rows, (LUAI_UACINT)cols);
  return (u64)i * cols + (u64)j;
}

/* D:get(i, j): row i, column j, from 0. */
static int method_get(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  push_element(L, b, check_cell(L, b));
  return 1;
}

/* D:set(i, j, x) */
static int method_set(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  luaL_argcheck(L, b->cols > 0, 1, "a vector is set by b[i] = x");
  u64 at = check_cell(L, b);
  ls_check_writable(L, b);
  store_element(L, b, at, 4);
  return 0;
}

static int meta_len(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)ls_check_buffer(L, 1)->count);
  return 1;
}

/* Compares contents. */
static int meta_eq(lua_State *L) {
  ls_buffer *a = any_buffer(L, 1), *b = any_buffer(L, 2);
  bool yes = a && a == b;
  if (a && b && a != b && !a->closed && !b->closed) {
    ls_check_known(L, a);
    ls_check_known(L, b);
    const ls_status st = ls_buffers_equal(a, b, &yes);
    if (st) return ls_raise(L, st);
  }
  lua_pushboolean(L, yes);
  return 1;
}

static int next_element(lua_State *L) {
  ls_buffer *b = ls_check_buffer(L, 1);
  u64 i = (u64)(luaL_checkinteger(L, 2) + 1);
  if (i >= b->count) return 0;
  lua_pushinteger(L, (lua_Integer)i);
  ls_push_number(L, ls_number_at(b->type, ls_host_read(L, b), i));
  return 2;
}

static int meta_pairs(lua_State *L) {
  ls_check_buffer(L, 1);
  lua_pushcfunction(L, next_element);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, -1);
  return 3;
}

/* --- registration ------------------------------------------------------------------------------------ */

static const luaL_Reg metamethods[] = {
    {"__newindex", meta_newindex},      {"__len", meta_len},     {"__eq", meta_eq}, {"__pairs", meta_pairs},
    {"__tostring", ls_buffer_tostring}, {"__close", meta_close}, {"__gc", collect}, {NULL, NULL},
};

static const luaL_Reg own_methods[] = {
    {"get", method_get}, {"set", method_set}, {"close", method_close}, {NULL, NULL}};

static const luaL_Reg functions[] = {{"new", buffer_new}, {NULL, NULL}};

int ls_open_buffer(lua_State *L) {
  ls_open_histogram(L);
  ls_open_buffer_writer(L);
  ls_new_type(L, TYPE_NAME, metamethods, ls_buffer_methods, meta_index);
  ls_set_docs(L, fields, sizeof fields / sizeof *fields, sizeof *fields);
  lua_getfield(L, -1, "__methods");
  luaL_setfuncs(L, own_methods, 0);
  lua_pop(L, 2);
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  luaL_setfuncs(L, ls_buffer_files, 0);
  lua_setglobal(L, "buffer");
  return 0;
}
