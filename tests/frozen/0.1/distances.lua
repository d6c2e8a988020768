-- Distances in a grid with known answers, from one source, from several, between all pairs.
local g = gen.grid{5, 6, weights = {1, 1}}
local last = g.n - 1

local b = bfs(g, 0)
assert(b.dist[last] == 9 and #b:path(last) == 10 and check(b))

local s = sssp(g, 0)
assert(s.dist[last] == 9 and s.parent[0] == 0xffffffff and s:path(last)[1] == 0 and check(s))
assert(sssp(g).dist:max() == 9)
assert(sssp(g, {0, last}).dist:max() == 4)
assert(sssp(g, 0, {targets = {1, 6}}).dist[6] == 1)
assert(#sssp(g, 0, {nearest = 3}).nearest == 3)
local near = sssp(g, 0, {cutoff = 2})
assert(near.limit == 2 and near.dist[last] == near.unreached)
assert(check(sssp(g, 0, {form = "near_far", delta = 2, parents = true})))

local all = apsp(g)
assert(all:get(0, last) == 9 and #all:path(0, last) == 10 and all.matrix:max() == 9 and check(all))
for _, form in ipairs{"groups", "shared", "floyd_warshall", on_cpu() and "dijkstra" or nil} do
  assert(apsp(g, {form = form}).matrix:diff(all.matrix) == 0, form)
end
local many = apsp.many(g, {0, 7, last}, {parents = true})
assert(many:get(1, last) == 9 and many:get(3, last) == 0 and many.cost[last * 3] == 9 and #many:path(1, last) == 10)

local debts = graph.from_edges{{0, 1, 4}, {1, 2, -3}, {0, 2, 2}, {2, 3, 1}}
for _, form in ipairs{"near_far", "outer", "inner", "bellman_ford"} do
  local j = johnson(debts, {form = form})
  assert(j:get(0, 2) == 1 and j:get(0, 3) == 2 and j.potential and j.variant == form and check(j))
end
local negative, why = pcall(sssp, graph.from_edges{{0, 1, 1}, {1, 0, -2}}, 0)
assert(not negative and tostring(why):find "negative")

local D, none = distances.matrix(g, {0, 5}, {0, 1, last})
assert(D:get(0, 2) == 9 and D:get(1, 1) == 4 and none)
local far, reached = distances.eccentricity(g, {0})
assert(far[0] == 9 and reached[0] == g.n)
assert(distances.diameter(g) == 9)
assert(distances.closeness(g, {0})[0] > 0)
