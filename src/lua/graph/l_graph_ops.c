/* Graphs made from graphs: g:subgraph, g:symmetrize, g:permute, ... */
#include <string.h>

#include "core/mem.h"
#include "data/ops.h"
#include "data/partition.h"
#include "lua/base/l_buffer.h"
#include "lua/graph/l_graph.h"

/* One operation, run by ls_do. */
typedef struct op {
  ls_graph *g, *out;
  const u32 *vertices;
  u32 count;
  u32 first, past;
  u64 seed;
} op;

static int finish(lua_State *L, op *o, ls_status (*work)(void *)) {
  ls_do(L, work, o, false);
  ls_push_graph(L, o->out);
  return 1;
}

static ls_status do_subgraph(void *arg) {
  op *o = arg;
  ls_status st = ls_graph_subgraph(o->g, o->vertices, o->count, &o->out);
  return st == LS_EARG ? ls_fail_prefix(st, "g:subgraph: ") : st;
}

static ls_status do_rows(void *arg) {
  op *o = arg;
  return ls_graph_rows(o->g, o->first, o->past, &o->out);
}

/* g:rows(first, past) */
static int m_rows(lua_State *L) {
  op o = {.g = ls_check_graph(L, 1)};
  const lua_Integer first = luaL_checkinteger(L, 2), past = luaL_checkinteger(L, 3), n = o.g->n;
  if (first < 0 || past < first || past > n)
    return luaL_error(L, "g:rows: expected 0 <= first <= past <= n = %I, got %I and %I", (LUAI_UACINT)n,
                      (LUAI_UACINT)first, (LUAI_UACINT)past);
  o.first = (u32)first, o.past = (u32)past;
  return finish(L, &o, do_rows);
}

static ls_status do_symmetrize(void *arg) {
  op *o = arg;
  return ls_graph_symmetrize(o->g, &o->out);
}

static ls_status do_permute(void *arg) {
  op *o = arg;
  ls_status st = ls_graph_permute(o->g, o->vertices, &o->out);
  return st == LS_EARG ? ls_fail_prefix(st, "g:permute: ") : st;
}

static ls_status do_shuffle(void *arg) {
  op *o = arg;
  return ls_graph_shuffle(o->g, o->seed, &o->out);
}

/* Memory for a list, in a userdata on the stack: the collector frees it even after an error. */
static u32 *scratch(lua_State *L, u64 count) { return lua_newuserdatauv(L, count * sizeof(u32) + 1, 0); }

static void list_from_table(lua_State *L, op *o) {
  lua_Unsigned count = lua_rawlen(L, 2);
  if (count > o->g->n)
    luaL_error(L, "g:subgraph: %I vertices are listed, the graph has %I", (LUAI_UACINT)count,
               (LUAI_UACINT)o->g->n);
  u32 *list = scratch(L, count);
  for (lua_Unsigned i = 0; i < count; i++) {
    if (lua_rawgeti(L, 2, (lua_Integer)i + 1) != LUA_TNUMBER || !ls_is_whole(L, -1))
      luaL_error(L, "g:subgraph: item %I is not a whole number", (LUAI_UACINT)i + 1);
    lua_Integer v = lua_tointeger(L, -1);
    if (v < 0 || v >= (lua_Integer)o->g->n)
      luaL_error(L, "g:subgraph: vertex %I is not below n = %I", (LUAI_UACINT)v, (LUAI_UACINT)o->g->n);
    list[i] = (u32)v;
    lua_pop(L, 1);
  }
  o->vertices = list;
  o->count = (u32)count;
}

static void list_from_mask(lua_State *L, op *o, const u8 *mask) {
  u64 count = 0;
  for (u32 v = 0; v < o->g->n; v++) count += mask[v] != 0;
  u32 *list = scratch(L, count), at = 0;
  for (u32 v = 0; v < o->g->n; v++)
    if (mask[v]) list[at++] = v;
  o->vertices = list;
  o->count = at;
}

/* Reads argument 2, the vertices of a part: a list, a buffer of vertices or a mask. */
static void read_part(lua_State *L, op *o) {
  lua_settop(L, 2);
  if (lua_istable(L, 2)) {
    list_from_table(L, o);
    return;
  }
  if (!ls_test_buffer(L, 2))
    luaL_error(L, "g:subgraph: a list of vertices, a u32 buffer of them or a u8 mask expected, got %s",
               luaL_typename(L, 2));
  ls_buffer *b = ls_check_buffer(L, 2);
  bool is_mask = b->type == LS_U8;
  if (!is_mask && b->type != LS_U32)
    luaL_error(L, "g:subgraph: a buffer of u32 (vertices) or u8 (a mask) expected, got %s",
               ls_dtype_name(b->type));
  if (is_mask ? b->count != o->g->n : b->count > o->g->n)
    luaL_error(L, "g:subgraph: expected %s[%s%I], got %s[%I]", is_mask ? "u8" : "u32",
               is_mask ? "" : "at most ", (LUAI_UACINT)o->g->n, ls_dtype_name(b->type),
               (LUAI_UACINT)b->count);
  const void *p = ls_host_read(L, b);
  if (is_mask) {
    list_from_mask(L, o, p);
  } else {
    o->vertices = p;
    o->count = (u32)b->count;
  }
}

/* Pushes the vertices of a part as u32[count], and the new number of each vertex of g. */
static int push_numbers(lua_State *L, const op *given) {
  const op o = *given;
  ls_buffer *list = NULL, *number = NULL;
  u32 *vertices = ls_malloc(o.count * sizeof *vertices), *numbers = ls_malloc(o.g->n * sizeof *numbers);
  ls_status st = vertices && numbers ? ls_graph_number(o.g, o.vertices, o.count, numbers) : LS_EMEM;
  if (st == LS_EARG) st = ls_fail_prefix(st, "g:subgraph: ");
  if (!st) {
    memcpy(vertices, o.vertices, o.count * sizeof *vertices);
    st = ls_buffer_wrap(LS_U32, o.count, vertices, NULL, &list);
  }
  if (list) vertices = NULL;
  if (!st) st = ls_buffer_wrap(LS_U32, o.g->n, numbers, NULL, &number);
  if (number) numbers = NULL;
  ls_free(vertices);
  ls_free(numbers);
  if (st) {
    ls_buffer_release(list);
    return ls_raise(L, st);
  }
  ls_push_buffer(L, list);
  ls_push_buffer(L, number);
  return 2;
}

/* For lua/graph/graph.lua: push_numbers as a function. */
static int part_numbers(lua_State *L) {
  op o = {.g = ls_check_graph(L, 1)};
  read_part(L, &o);
  return push_numbers(L, &o);
}

static int m_subgraph(lua_State *L) {
  op o = {.g = ls_check_graph(L, 1)};
  read_part(L, &o);
  if (!ls_graph_on_gpu(L, o.g->m, 2)) return finish(L, &o, do_subgraph);
  lua_pushvalue(L, 1);
  push_numbers(L, &o);
  lua_call(L, 3, 1);
  return 1;
}

/* For lua/graph/graph.lua, take_part(g, vertices, ...): makes the part of g with these vertices from the
 * arrays of that part. */
static int take_part(lua_State *L) {
  ls_graph *g = ls_check_graph(L, 1), *out;
  ls_buffer *list = ls_check_buffer(L, 2), *arrays[4] = {0};
  for (int i = 0; i < 4; i++)
    if (!lua_isnoneornil(L, 3 + i)) arrays[i] = ls_buffer_retain(ls_check_buffer(L, 3 + i));
  const u32 *vertices = ls_buffer_read(list);
  ls_status st = vertices ? ls_graph_part(g, vertices, (u32)list->count, arrays, &out) : LS_EMEM;
  if (st) return ls_raise(L, st);
  ls_push_graph(L, out);
  return 1;
}

static int m_symmetrize(lua_State *L) {
  op o = {.g = ls_check_graph(L, 1)};
  return finish(L, &o, do_symmetrize);
}

/* Reads argument 2, a number for each vertex. */
static void read_numbers(lua_State *L, op *o, const char *expected) {
  ls_buffer *b = ls_check_buffer(L, 2);
  if (b->type != LS_U32 || b->count != o->g->n)
    luaL_error(L, "%s u32[%I], got %s[%I]", expected, (LUAI_UACINT)o->g->n, ls_dtype_name(b->type),
               (LUAI_UACINT)b->count);
  o->vertices = ls_host_read(L, b);
}

static int m_permute(lua_State *L) {
  op o = {.g = ls_check_graph(L, 1), .seed = 1};
  if (lua_isnoneornil(L, 2) || ls_is_whole(L, 2)) {
    o.seed = (u64)luaL_optinteger(L, 2, 1);
    return finish(L, &o, do_shuffle);
  }
  if (!ls_test_buffer(L, 2))
    return luaL_error(
        L, "g:permute: expected a seed, or a u32 buffer of the new numbers of the vertices, got %s",
        luaL_typename(L, 2));
  read_numbers(L, &o, "g:permute: expected");
  return finish(L, &o, do_permute);
}

static ls_status do_quotient(void *arg) {
  op *o = arg;
  return ls_quotient(o->g, o->vertices, &o->out);
}

/* g:quotient(id): the graph of classes; id[v] is the vertex that represents v's class. */
static int m_quotient(lua_State *L) {
  op o = {.g = ls_check_graph(L, 1)};
  read_numbers(L, &o, "expected classes as");
  return finish(L, &o, do_quotient);
}

/* g:class_sizes(id): u32, the classes' sizes in the order of their representatives. */
static int m_class_sizes(lua_State *L) {
  op o = {.g = ls_check_graph(L, 1)};
  read_numbers(L, &o, "expected classes as");
  u32 *sizes = NULL;
  ls_status st = ls_partition_number(o.g->n, o.vertices, scratch(L, o.g->n), &o.count, &sizes);
  ls_buffer *b = NULL;
  if (!st) st = ls_buffer_wrap(LS_U32, o.count, sizes, NULL, &b);
  if (st) {
    ls_free(sizes);
    return ls_raise(L, st);
  }
  ls_push_buffer(L, b);
  return 1;
}

const luaL_Reg ls_graph_ops[] = {{"subgraph", m_subgraph},
                                 {"rows", m_rows},
                                 {"symmetrize", m_symmetrize},
                                 {"permute", m_permute},
                                 {"quotient", m_quotient},
                                 {"class_sizes", m_class_sizes},
                                 {NULL, NULL}};
const luaL_Reg ls_graph_parts[] = {{"part_numbers", part_numbers}, {"take_part", take_part}, {NULL, NULL}};
