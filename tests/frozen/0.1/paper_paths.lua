-- The shortest path algorithms of the papers, against Dijkstra's on one core: the same distances on a random graph.
local g = gen.rmat{scale = 7, degree = 6, seed = 11, weights = "i32", lo = 1, hi = 50}
local dist, parent = reference.dijkstra(g, 3)

local function same(r, name)
  for v = 0, g.n - 1 do
    local here, there = r.dist[v], dist[v]
    assert(here == there or (here == r.unreached and there > 1 << 40), name)
  end
  assert(check(r))
end
same(paths.bellman_ford(g, 3), "bellman_ford")
same(paths.harish(g, 3), "harish")
same(paths.dijkstra(g, 3), "dijkstra")
local buckets = paths.delta_stepping(g, 3, 20)
same(buckets, "delta_stepping")
assert(buckets.passes >= 1)
same(sssp(g, 3), "sssp")

local settled, overflow, thresholds = paths.settle(g, g.w, 3)
assert(settled:max() and overflow and thresholds > 0)
local one, _, count = paths.settle_one(g, g.w, 3)
assert(one:diff(settled) == 0 and count > 0)
local potential, passes = paths.potentials(g)
assert(potential:max() == 0 and passes <= g.n)
assert(sssp.distances(g, g.w, 3):diff(settled) == 0)

assert(reference.bellman_ford(g, 3):diff(dist) == 0)
assert(reference.delta_stepping(g, 3, 20):diff(dist) == 0)
assert(reference.bellman_ford_passes(g, 3):diff(dist) == 0)
assert(reference.check_sssp(g, 3, dist, parent))
assert(#reference.sssp_tree(g, 3, dist) == g.n)
assert(reference.negative_cycle(g) == nil)
assert(reference.johnson(g):get(3, 0) == dist[0])
