-- Time and memory of sssp over the number of edges: R-MAT graphs of 16 edges a vertex, weights 1 to 255, from a small scale up
-- to the first that does not fit, with the message that says so. Milliseconds of the device from the first launch to the end of
-- the last, median of 5 sources, the graph resident; bytes of the graph, and bytes a search has beside it (what less is free on
-- the device; on a CPU other programs take and give back too); millions of edges of the vertices that are reached per second.
-- Usage: lockstep sssp-sizes.lua [smallest scale, 16] [greatest scale, 25] [edges a vertex, 16]
local common = dofile((arg[0]:match("^(.*)/") or ".") .. "/../paper/common.lua")
local from, to, degree = tonumber(arg[1] or 16), tonumber(arg[2] or 25), tonumber(arg[3] or 16)

print("# " .. tostring(device()))
print(("%5s %11s %12s %10s %10s %10s %9s %10s"):format("scale", "vertices", "edges", "ms", "MTEPS", "graph MB", "search MB",
  "B per edge"))
local function measure(scale)
  local g <close> = gen.rmat {scale = scale, degree = degree, seed = 1, weights = "i32", lo = 1, hi = 255}
  local graph_bytes = 4 * (g.n + 1) + 8 * g.m
  local times, rate, used = {}, 0, 0
  sssp(g, common.sources(g, 1, 1)[1]) -- the graph comes to the device
  for _, s in ipairs(common.sources(g, 5, scale)) do
    collectgarbage()
    local before = device().free
    local r, seconds = common.device_time(function() return sssp(g, s) end)
    used = math.max(used, before - device().free)
    times[#times + 1] = seconds
    rate = math.max(rate, common.reached_edges(r) / seconds / 1e6)
  end
  table.sort(times)
  print(("%5d %11d %12d %10.3f %10.1f %10.1f %9.1f %10.2f"):format(scale, g.n, g.m, 1e3 * times[#times // 2 + 1], rate,
    graph_bytes / 1e6, used / 1e6, (graph_bytes + used) / math.max(g.m, 1)))
end
for scale = from, to do
  collectgarbage()
  local good, why = pcall(measure, scale)
  if not good then
    print(("%5d does not fit: %s"):format(scale, why))
    break
  end
end
