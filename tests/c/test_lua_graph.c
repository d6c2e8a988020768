/* The graph type and gen.* as Lua sees them: each row is a chunk that checks itself with assert, or a chunk
 * and the message of its error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "lua/bind.h"
#include "run/devices/device.h"

static lua_State *open_lua(void) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  int (*const openers[])(lua_State *) = {ls_open_buffer, ls_open_graph, ls_open_gen};
  for (int i = 0; i < 3; i++) {
    lua_pushcfunction(L, openers[i]);
    lua_call(L, 0, 0);
  }
  return L;
}

static const char *const right[] = {
    /* construction */
    "local g = graph.from_edges{{0, 1, 5}, {1, 2, 7}, {2, 0, -3}, {0, 2, 9}}\n"
    "assert(g.n == 3 and #g == 3 and g.m == 4 and g.weights == 'i32' and g.name == 'edges' and g.scale == 1)\n"
    "assert(g.off[3] == 4 and g.to[1] == 2 and g.w[3] == -3)",
    "assert(graph.from_edges{{0, 1, 1 << 40}}.weights == 'i64' and graph.from_edges{{0, 1, 2}, {0, 1, 2.5}}.weights == 'f64')",
    "assert(graph.from_edges{weights = 'f32', {0, 1, 2}}.weights == 'f32' and graph.from_edges{{0, 1}}.weights == nil)",
    "assert(graph.from_edges{}.n == 0 and graph.from_edges{n = 7, name = 'x'}.n == 7 and graph.from_edges{{4, 2}}.n == 5)",
    "local g = graph.from_edges({{0, 1, 2}}, {n = 7, weights = 'f64', name = 'x'})\n"
    "assert(g.n == 7 and g.weights == 'f64' and g.name == 'x')",
    "local g = graph.from_edges({n = 3, weights = 'i64', {0, 1, 2}}, {n = 7}); assert(g.n == 7 and g.weights == 'i64')",
    "local s, d, w = buffer.new('u32', 3), buffer.new('u32', 3), buffer.new('f64', 3)\n"
    "for i = 0, 2 do s[i] = i; d[i] = (i + 1) % 3; w[i] = i / 2 end\n"
    "local g = graph.from_edges(3, s, d, w); assert(g.m == 3 and g.weights == 'f64' and g.w[1] == .5 and g.to[2] == 0)\n"
    "assert(graph.from_edges(9, s, d).n == 9)",
    /* inspection */
    "local g = graph.from_edges{{0, 1, 5}, {0, 2, 6}, {2, 0, -3}}; local seen = {}\n"
    "for v, w in g:edges(0) do seen[#seen + 1] = v .. ':' .. w end; assert(table.concat(seen, ' ') == '1:5 2:6')\n"
    "for v in g:edges(1) do error 'none expected' end\n"
    "assert(g:degree(0) == 2 and g:degree(1) == 0 and g:indegree(0) == 1 and g:label(2) == 2)\n"
    "assert(g.roff[3] == 3 and g.rto[0] == 2 and g.rw[0] == -3 and g:move(0, 1) == nil)",
    "local g = gen.ring(5); for v, w in g:edges(3) do assert(v == 4 and w == nil) end; assert(g.w == nil and g.rw == nil and g.ids == nil)",
    "assert(tostring(gen.ring(1)) == 'graph ring(1): 1 vertex, 1 edge, no weights')",
    "assert(tostring(graph.from_edges{name = 'x', {0, 1, 2}}) == 'graph x: 2 vertices, 1 edge, weights i32')",
    "local g = gen.ring(3); assert(rawequal(g.to, g.to))",
    "assert(not pcall(function() gen.ring(3).to[0] = 5 end))",
    /* graphs from graphs */
    "local g = gen.uniform{n = 50, m = 200, lo = 1, hi = 9}; local r = g:reverse()\n"
    "assert(r:reverse() == g and r ~= g and r.m == g.m); for v, w in r:edges(7) do local found\n"
    "  for u, x in g:edges(v) do found = found or (u == 7 and x == w) end; assert(found) end",
    "local g = gen.grid{4, 5}; local h = g:subgraph{7, 2, 3}; assert(h.n == 3 and h.m == 4 and h:label(0) == 7 and h.ids[2] == 3)",
    "local g = gen.grid{4, 5}; local mask = buffer.new('u8', 20); mask[2] = 1; mask[7] = 1; local h = g:subgraph(mask)\n"
    "assert(h.n == 2 and h.m == 2 and h:label(1) == 7)",
    "local g = gen.path(3); local p = buffer.new('u32', 3); p[0] = 2; p[1] = 0; p[2] = 1\n"
    "local h = g:permute(p); assert(h.to[h.off[2]] == 0 and h.to[h.off[0]] == 1 and h:label(2) == 0)\n"
    "assert(g:permute(4):stats().weak == 1 and g:permute().n == 3)",
    "local g = gen.path(4):symmetrize(); assert(g.m == 6 and g == g)",
    "local g = gen.copies(gen.ring(4), 3); assert(g.n == 12 and g.m == 12 and g:stats().scc == 3)",
    /* statistics */
    "local s = graph.from_edges{n = 5, {0, 1, 2}, {0, 1, -4}, {1, 1, 8}, {2, 1, 0}}:stats()\n"
    "assert(s.n == 5 and s.m == 4 and s.self_loops == 1 and s.parallel == 1 and s.isolated == 2 and s.weak == 3)\n"
    "assert(s.largest_weak == 3 and s.scc == 5 and s.largest_scc == 1 and s.weights.type == 'i32' and s.weights.min == -4)\n"
    "assert(s.weights.max == 8 and s.weights.mean == 1.5 and s.weights.sum == 6 and s.weights.negative == 1)\n"
    "assert(s.out_degree.max == 2 and s.out_degree.top == 0 and s.in_degree.max == 4 and s.in_degree.bins[1] == 4)",
    "for line in tostring(gen.rmat{scale = 12, lo = -2147483648, hi = 2147483647}:stats()):gmatch '[^\\n]+' do assert(#line <= 80) end",
    "assert(gen.ring(4):stats{scc = false}.scc == nil and tostring(gen.ring(0):stats()))",
    /* generators */
    "assert(gen.rmat{scale = 5}.m == 512 and gen.rmat(5).n == 32 and gen.rmat{scale = 5, degree = 2.5, a = .25, b = .25, c = .25, d = .25}.m == 80)",
    "assert(gen.uniform{n = 10, degree = 3}.m == 30 and gen.dag{n = 10, m = 20}.m == 20 and gen.power_law{n = 100, degree = 2}.m == 200)",
    "assert(gen.grid(3, 4).n == 12 and gen.grid{3, 4}.m == 34 and gen.grid{rows = 3, cols = 4, one_way = 1}.m == 17 and gen.torus{3, 4}.m == 48)",
    "local g = gen.grid(3, 4, {weights = {7, 7}, one_way = 1}); assert(g.m == 17 and g.w[16] == 7 and gen.grid(3, {4}).n == 12 and gen.ring(5, {}).n == 5)",
    "assert(gen.star{5, inward = true}.to[0] == 0 and gen.star(5).off[1] == 4 and gen.complete{n = 4}.m == 12 and gen.path{3}.m == 2)",
    "for _, t in ipairs{'i32', 'i64', 'f32', 'f64'} do assert(gen.ring{n = 5, weights = t, lo = 3, hi = 3}.w[4] == 3) end",
    "assert(gen.ring{n = 5, weights = 'none'}.weights == nil and gen.ring{n = 5, weights = 'i64'}.w:max() <= 100)",
    "local a, b = gen.uniform{n = 9, m = 50}, gen.uniform{n = 9, m = 50, seed = 1}; for i = 0, 49 do assert(a.to[i] == b.to[i]) end",
    "local g = gen.clients{{name = 'editor', count = 2, {'open', 2}, {'save', 5, server = true}, {'saved', 1, server = true}}}\n"
    "assert(g.n == 8 and g:label(0) == 'editor 1: open, editor 2: open' and g:move(0, 1) == 'editor 1: open')\n"
    "local r = g:reverse(); assert(r:move(1, 0) == 'editor 1: open' and r:move(0, 1) == nil)\n"
    "local h = g:permute(3); for v = 0, 7 do for u in h:edges(v) do assert(h:move(v, u)) end end",
    "local t = {{count = 3, {'a', 1}, {'b', 2, server = true}, {'c', 1, server = true}}}; local n = gen.clients(t).n\n"
    "t.server = false; assert(gen.clients(t).n == 27 and n == 8 + 3 * 4)",
    /* lifetime */
    "local g = gen.ring(5); local to = g.to; g:close(); g:close(); assert(tostring(g) == 'graph (closed)' and to[4] == 0)",
    "local kept; do local g <close> = gen.ring(5); kept = g end; assert(not pcall(function() return kept.n end))",
    "local edges = gen.ring(5):edges(2); collectgarbage(); assert(edges() == 3 and edges() == nil)",
};

static void chunks_that_assert(void **state) {
  (void)state;
  u64 before = ls_mem_in_use();
  lua_State *L = open_lua();
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    if (luaL_dostring(L, right[i])) fail_msg("%s\n%s", lua_tostring(L, -1), right[i]);
  lua_close(L);
  assert_true(ls_mem_in_use() == before);
}

static const struct {
  const char *chunk, *message;
} wrong[] = {
    {"gen.ring(8):label(9)", "g:label: vertex 9 is not below n = 8"},
    {"gen.ring(8):edges(-1)", "g:edges: vertex -1 is not below n = 8"},
    {"local x = gen.ring(8).wieghts", "a graph has no field 'wieghts' (did you mean weights?)"},
    {"local x = gen.ring(8).lable", "did you mean label?"},
    {"local x = gen.ring(8)[3]", "indexed by a field's name"},
    {"gen.ring(8).n = 3", "can't be set"},
    {"local g = gen.ring(8); g:close(); local x = g.n", "the graph is closed"},
    {"local g = gen.ring(8); g:close(); g:degree(0)", "the graph is closed"},
    {"local g = gen.ring(8); local e = g:edges(0); g:close(); e()", "the graph is closed"},
    {"graph.from_edges(3)", "buffer"},
    {"gen.ring(4):subgraph{1, 2}.ids:close()", "belongs to a graph"},
    {"gen.ring(4):subgraph{1, 2}.ids[0] = 77", "graph"},
    {"graph.from_edges('x')", "a table {n = N, {from, to}, ...} or n and two buffers expected, got string"},
    {"graph.from_edges{n = 2, {0, 1}, {0, 3}}", "graph.from_edges: edge 2: vertex 3 is not below n = 2"},
    {"graph.from_edges{{0, 1, 1}, {1, 2}}", "edge 2 has no weight, edge 1 has one"},
    {"graph.from_edges{{0, 1}, {1, 2, 4}}", "edge 2 has a weight, edge 1 has none"},
    {"graph.from_edges{{0, 1}, {1}}", "edge 2: two whole numbers {from, to} expected"},
    {"graph.from_edges{{0, 1}, 5}", "edge 2: a table {from, to} expected, got number"},
    {"graph.from_edges{{0, -1}}", "edge 1: -1 is not a vertex"},
    {"graph.from_edges{{0, 1 << 32}}", "edge 1: 4294967296 is not a vertex"},
    {"graph.from_edges{N = 3}", "unknown option 'N'"},
    {"graph.from_edges({{0, 1}}, {N = 3})", "unknown option 'N'"},
    {"graph.from_edges({{0, 1}}, {{1, 2}})", "unexpected key of type number"},
    {"graph.from_edges({{0, 1}}, 7)", "table expected, got number"},
    {"graph.from_edges{n = -1}", "n = -1 is not between"},
    {"graph.from_edges{weights = 'i32', {0, 1, 2.5}}", "edge 1: weight 2.5 does not fit i32"},
    {"graph.from_edges{weights = 'u8'}", "weights must be \"i32\""},
    {"graph.from_edges(5, buffer.new('i32', 1), buffer.new('u32', 1))",
     "the sources must be a buffer of u32, not of i32"},
    {"graph.from_edges(5, buffer.new('u32', 1), buffer.new('u32', 2))",
     "the targets have 2 elements, but the sources have 1"},
    {"gen.ring(5):subgraph{1, 5}", "g:subgraph: vertex 5 is not below n = 5"},
    {"gen.ring(5):subgraph{1, 1}", "g:subgraph: vertex 1 is listed twice"},
    {"gen.ring(5):subgraph{1, 'x'}", "item 2 is not a whole number"},
    {"gen.ring(5):subgraph()", "got nil"},
    {"gen.ring(5):subgraph(buffer.new('u8', 3))", "expected u8[5], got u8[3]"},
    {"gen.ring(5):permute(buffer.new('u32', 5))", "g:permute: vertices 0 and 1 would both become 0"},
    {"gen.ring(5):permute('x')", "expected a seed, or a u32 buffer"},
    {"gen.rmat{scael = 3}", "gen.rmat: unknown key 'scael' (did you mean scale?)"},
    {"gen.rmat{scale = 3, zzz = 3}",
     "(known keys: scale, degree, a, b, c, d, seed, weights, lo, hi and times)"},
    {"gen.rmat{}", "gen.rmat: scale is missing"},
    {"gen.rmat{scale = 40}", "scale = 40 is not between 0 and 31"},
    {"gen.rmat{scale = 2.5}", "is not a whole number"},
    {"gen.rmat{scale = '3'}", "scale must be a number, not a string"},
    {"gen.rmat{scale = 3, a = .5, b = .4, c = .3}", "may be negative"},
    {"gen.rmat{scale = 3, d = .5}", "a + b + c + d = 1.45, not 1"},
    {"gen.rmat{scale = 3, seed = 1.5}", "seed must be a whole number"},
    {"gen.uniform{n = 5}", "gen.uniform: give either m or degree"},
    {"gen.uniform{n = 5, m = 1, degree = 1}", "not both"},
    {"gen.uniform{n = 1 << 31, degree = 3}", "6442450944 edges are more than 2^32 - 1"},
    {"gen.ring('x')", "gen.ring: a table expected, as in gen.ring{n = ...}; got string"},
    {"gen.ring{5, 6}", "at most 1 value may stand without a name: gen.ring{n =}"},
    {"gen.ring{5, n = 6}", "n is given twice"},
    {"gen.ring(5, {n = 6})", "n is given twice"},
    {"gen.ring(5, {6})", "at most 1 value may stand without a name: gen.ring{n =}"},
    {"gen.ring(5, {}, 6)", "at most 1 value may stand without a name: gen.ring{n =}"},
    {"gen.ring(5, {[math.maxinteger] = 6})", "at most 1 value may stand without a name: gen.ring{n =}"},
    {"gen.ring(5, {weigths = 'i32'})", "unknown key 'weigths' (did you mean weights?)"},
    {"gen.ring{5, weights = 'u8'}", "weights are i32, i64, f32 or f64, not u8"},
    {"gen.ring{5, weights = {1}}", "gen.ring: weights[2] must be a number, not a nil"},
    {"gen.ring{5, weights = {9, 1}}", "weights from 9 to 1: not a range"},
    {"gen.ring{5, weights = 'i8'}", "weights must be \"i32\", \"i64\", \"f32\", \"f64\", \"none\" or {least"},
    {"gen.ring{5, lo = 7, hi = 3}", "weights from 7 to 3: not a range"},
    {"gen.star{5, inward = 1}", "inward must be true or false, not a number"},
    {"gen.copies(gen.ring(5), -1)", "gen.copies: k = -1"},
    {"gen.copies(gen.ring(5), 1 << 31)", "vertices are more than"},
    {"gen.clients{{{'a'}}}", "client: a: its cost must be a whole number"},
    {"gen.clients{{{'a', 1 << 31}}}", "a cost of 2147483648 does not fit i32"},
    {"gen.clients{{{'a', 1, true}}}", "unexpected third value (write time = 1 or server = true)"},
    {"gen.clients{{{'a', 1, sever = true}}}", "unknown key 'sever' in an action (did you mean server?)"},
    {"gen.clients{{name = 'x', cuont = 3, {'a', 1}}}", "did you mean count?"},
    {"gen.clients{{name = 'x', count = 65, {'a', 1}}}", "x: count must be a whole number between 0 and 64"},
    {"gen.clients{{name = 'x', {'a', 1, server = true}}}", "begin the list elsewhere"},
    {"gen.clients{5}", "scenario 1: a table expected, got number"},
};

static void chunks_that_fail(void **state) {
  (void)state;
  u64 before = ls_mem_in_use();
  lua_State *L = open_lua();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    if (!luaL_dostring(L, wrong[i].chunk)) fail_msg("no error: %s", wrong[i].chunk);
    if (!strstr(lua_tostring(L, -1), wrong[i].message))
      fail_msg("%s\n'%s' expected, got '%s'", wrong[i].chunk, wrong[i].message, lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  lua_close(L);
  assert_true(ls_mem_in_use() == before);
}

/* Lua's collector cannot see the memory of a graph's buffers; it is told their sizes. */
static void garbage_does_not_pile_up(void **state) {
  (void)state;
  lua_State *L = open_lua();
  ls_device *d = ls_device_current();
  const u64 memory = d->memory, before = ls_mem_in_use();
  d->memory = 1 << 30; /* the amount of garbage that is tolerated grows with the device's memory */
  assert_int_equal(luaL_dostring(L, "for i = 1, 300 do local g = gen.ring(1 << 16); local r = g.roff end"),
                   LUA_OK);
  assert_true(ls_mem_in_use() < before + (70 << 20)); /* without collection: 300 MiB */
  d->memory = memory;
  lua_close(L);
}

/* Lua's own allocations failing, one after the other: no graph is lost. */
typedef struct stingy {
  size_t left; /* allocations until one fails; 0: never */
} stingy;

static void *stingy_alloc(void *ud, void *p, size_t old, size_t bytes) {
  stingy *s = ud;
  (void)old;
  if (!bytes) {
    free(p);
    return NULL;
  }
  if (p && bytes <= old) return realloc(p, bytes); /* shrinking may not fail */
  if (s->left && --s->left == 0) return NULL;
  return realloc(p, bytes);
}

static void survives_lua_running_out_of_memory(void **state) {
  (void)state;
  u64 before = ls_mem_in_use();
  static const char chunk[] =
      "local g = gen.uniform{n = 9, m = 20, lo = 1}; local h = g:reverse():subgraph{1, 2, 3}\n"
      "local e = graph.from_edges{{0, 1, 5}}; local s = tostring(g:stats()) .. tostring(h)\n"
      "local c = gen.clients{{{'a', 1}, {'b', 2}}}; return g.to, g.rto, h:label(0), c:label(1)";
  bool done = false;
  for (size_t k = 1; !done; k++) {
    stingy s = {0};
    lua_State *L = lua_newstate(stingy_alloc, &s);
    luaL_openlibs(L);
    int (*const openers[])(lua_State *) = {ls_open_buffer, ls_open_graph, ls_open_gen};
    for (int i = 0; i < 3; i++) {
      lua_pushcfunction(L, openers[i]);
      lua_call(L, 0, 0);
    }
    s.left = k;
    done = luaL_dostring(L, chunk) == LUA_OK && s.left > 0;
    s.left = 0;
    lua_close(L);
    assert_true(ls_mem_in_use() == before);
    assert_true(k < 5000);
  }
}

int main(void) {
  ls_progress_enable(false);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chunks_that_assert),
      cmocka_unit_test(chunks_that_fail),
      cmocka_unit_test(garbage_does_not_pile_up),
      cmocka_unit_test(survives_lua_running_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
