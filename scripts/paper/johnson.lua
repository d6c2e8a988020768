-- The schemes of Pogorilyy and Slynko 2016 over the number of vertices: Johnson's algorithm in sequence, with the outer loop in
-- parallel (all vertices at the least distance are settled together), and with sssp's searches; seconds of the clock.
-- Usage: lockstep johnson.lua [greatest number of vertices]
-- The paper reports speed-ups over its sequential program on a GeForce GT 650M; its figures are pictures.
local common = dofile((arg[0]:match("^(.*)/") or ".") .. "/common.lua")
local most = tonumber(arg[1] or 1024)
print(("%8s %10s %12s %12s %12s"):format("vertices", "edges", "in sequence", "outer loop", "near-far"))
local n = 128
while n <= most do
  local g = gen.dag {n = n, m = 8 * n, seed = n, weights = "i32", lo = -50, hi = 1000}
  local _, sequence = common.time(function() return reference.johnson(g) end)
  local outer, outer_time = common.time(function() return johnson(g, {form = "outer"}) end)
  local near, near_time = common.time(function() return johnson(g) end)
  check(near)
  assert(outer.matrix:diff(near.matrix) == 0)
  print(("%8d %10d %12.4f %12.4f %12.4f"):format(n, g.m, sequence, outer_time, near_time))
  n = 2 * n
end
