-- The kernels that use shared memory, on little data: for compute-sanitizer's racecheck.
local g = gen.uniform{n = 70, m = 300, seed = 1, weights = "i32"}
check(fw(g))
check(scc(g))
check(scc.forward_backward(g))
check(sssp(g, 0))
check(scc(gen.grid{12, 12, one_way = 0.5, seed = 2}))
check(scc(gen.star{n = 3000}))
print("race.lua: done on " .. device().name)
