-- The schemes of Pogorilyy and Slynko 2016 over the number of vertices; seconds of the clock, and how many times as fast as
-- Johnson's algorithm in sequence: Bellman-Ford alone in parallel; the outer loop, which settles all vertices at the least
-- distance together; the inner loop, which settles one and relaxes its edges at once. Beside them sssp's searches.
-- Usage: lockstep johnson.lua [greatest number of vertices, 1024] [edges a vertex, 8]
-- Of the paper's results its text says only this: Bellman-Ford runs once, so that even an ideal parallel version of it cannot win
-- much. It gives no sizes of graphs; those here are ours.
local common = dofile((arg[0]:match("^(.*)/") or ".") .. "/common.lua")
local most, degree = tonumber(arg[1] or 1024), tonumber(arg[2] or 8)
local SCHEMES = {"bellman_ford", "inner", "outer", "near_far"}

print("# " .. tostring(device()))
print("# seconds of the clock, and how many times as fast as in sequence. The paper: even an ideal parallel Bellman-Ford cannot win much,")
print("# because it runs once. near-far: sssp's searches")
print(("%8s %9s %12s"):format("vertices", "edges", "in sequence") .. ("%14s %7s"):rep(#SCHEMES):format("Bellman-Ford", "times",
  "inner loop", "times", "outer loop", "times", "near-far", "times"))
local n = math.min(128, most)
while n <= most do
  local g = gen.dag {n = n, m = degree * n, seed = n, weights = "i32", lo = -50, hi = 1000}
  local _, sequence = common.time(function() return reference.johnson(g) end)
  local line = ("%8d %9d %12.4f"):format(n, g.m, sequence)
  for _, form in ipairs(SCHEMES) do
    johnson(g, {form = form})
    local r, seconds = common.time(function() return johnson(g, {form = form}) end)
    check(r)
    line = line .. ("%14.4f %7.2f"):format(seconds, sequence / seconds)
  end
  print(line)
  n = 2 * n
end

-- The threshold of the outer loop is a bucket of width 0: each step settles the vertices at the least distance. Wider buckets
-- settle more vertices at a time, some of them too early. So the best width must be found: paths.delta_stepping over its width.
local g = gen.uniform {n = most, m = degree * most, seed = 1, weights = "i32", lo = 1, hi = 1000}
local least, at
print(("one source, %d vertices, %d edges, weights 1 to 1000: the width of a bucket, ms of the device, buckets"):format(g.n, g.m))
local r, seconds = common.device_time(function() return paths.dijkstra(g, 0) end)
print(("  threshold (width 0)  %9.3f %8d"):format(1e3 * seconds, r.passes))
for _, width in ipairs {1, 4, 16, 63, 125, 250, 500, 1000, 4000} do
  r, seconds = common.device_time(function() return paths.delta_stepping(g, 0, width) end)
  print(("  %-20d %9.3f %8d"):format(width, 1e3 * seconds, r.passes))
  if not least or seconds < least then least, at = seconds, width end
end
print(("  the best is %d; 1 / the mean degree of the greatest weight is %d"):format(at, 1000 // degree))
