-- The kernels that use shared memory, on little data: for compute-sanitizer's racecheck.
local g = gen.uniform{n = 70, m = 300, seed = 1, weights = "i32"}
check(fw(g))
check(scc(g))
check(scc.forward_backward(g))
check(sssp(g, 0))
check(scc(gen.grid{12, 12, one_way = 0.5, seed = 2}))
check(scc(gen.star{n = 3000}))
check(ocm(g))
check(ocm(g, {form = "layered"}))
check(ocm(gen.star{n = 3000, weights = "i32", lo = 1, hi = 9}))
local hub = {n = 700} -- a row long enough for a whole block, and one that is split into several pieces
for v = 1, 699 do
  hub[#hub + 1], hub[#hub + 2] = {0, v, v % 7}, {v, 0, 3}
  for _ = 1, 6 do hub[#hub + 1] = {1, v, v % 11} end
end
check(ocm(graph.from_edges(hub)))
print("race.lua: done on " .. device().name)
