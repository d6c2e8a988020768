-- A graph of mine in every format that graphs have, and what can be asked of it.
local g = graph.from_edges{name = "triangle", {0, 1, 5}, {1, 2, 7}, {2, 0, -3}, {2, 3, 1}, {2, 3, 4}}
assert(g.n == 4 and g.m == 5 and g.w.dtype == "i32")
for _, ending in ipairs{"lsg", "mtx", "gr", "tsv", "graph", "egr"} do
  local h = ending == "graph" and g:symmetrize() or g
  h:save("triangle." .. ending)
  local back = graph.load("triangle." .. ending)
  assert(back.n == 4 and back.m == h.m, ending)
  back:close()
end
g:save("again.txt", {format = "gr"})
local again = graph.load("again.txt", {format = "gr", weights = "f64"})
assert(again.w.dtype == "f64" and again:label(0) == 1 and again:vertex(4) == 3)

local f = assert(io.open("prices.tsv", "w"))
f:write("0 1 0.25\n1 2 1.5\n")
f:close()
local prices = graph.load("prices.tsv", {weights = "scaled"})
assert(prices.scale == 100 and prices.w:sum() == 175)
assert(graph.load("prices.tsv", {weights = "none"}).w == nil)

assert(g:degree(2) == 3 and g:indegree(3) == 2 and g:has_edge(0, 1) and not g:has_edge(1, 0))
assert(table.concat(g:neighbors(2), " ") == "0 3")
local sum = 0
for to, w in g:edges(2) do sum = sum + to * w end
assert(sum == 3 * 1 + 3 * 4)
local s = g:stats{scc = true}
assert(s.out_degree.max == 3 and s.weak == 1 and s.scc == 2 and g:stats().weights.mean == 14 / 5)

assert(g:reverse():has_edge(1, 0))
local part = g:subgraph{2, 3}
assert(part.n == 2 and part.m == 2 and part:label(1) == 3)
assert(graph.part(g, buffer.new("u32", {2, 3})).m == 2)
assert(g:rows(0, 2).m == 2)
assert(g:permute(7).m == 5 and g:permute(buffer.new("u32", {3, 2, 1, 0})):has_edge(3, 2))

local src, dst, w = buffer.new("u32", {0, 1}), buffer.new("u32", {1, 0}), buffer.new("f32", {0.5, 2})
local pair = graph.from_edges(2, src, dst, w)
assert(pair.w:sum() == 2.5 and graph.sort_edges(2, src, dst, w).m == 2)
assert(graph.from_keys(2, buffer.new("u64", {1, 1 << 32})).m == 2)
assert(graph.from_edges{n = 3, weights = "f32", {0, 1, 2, 9}}.t[0] == 9)
