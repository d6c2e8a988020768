-- Figures 1 and 2 of Lesnikov and Chernoskutov 2016: R-MAT graphs of mean degree 32, weights f64 uniform in [0, 1], millions
-- of traversed edges per second (TEPS: edges of the vertices that are reached, over the time of the search), mean over random
-- sources. Usage: lockstep delta-stepping.lua [smallest scale] [greatest scale] [sources]
-- The paper's figures are pictures; in words it says: delta-stepping is the fastest in both forms, and Bellman-Ford falls with
-- the scale; the best delta is 0.04 to 0.05 on its CPU (12 cores) and 0.5 on its GPU (Tesla K20Xm), where any delta from 0.5
-- on is good; on the GPU the performance rises up to a scale and falls beyond it.
local common = dofile((arg[0]:match("^(.*)/") or ".") .. "/common.lua")
local from, to, count = tonumber(arg[1] or 17), tonumber(arg[2] or 20), tonumber(arg[3] or 4)

local function mteps(g, sources, search, timer)
  local sum = 0
  for _, s in ipairs(sources) do
    local r, seconds = timer(function() return search(s) end)
    sum = sum + common.reached_edges(r) / seconds / 1e6
  end
  return sum / #sources
end

local function of_reference(g, f)
  return function(s) return {graph = g, dist = f(s), unreached = math.huge} end
end

for scale = from, to do
  local g = gen.rmat {scale = scale, degree = 32, seed = scale, weights = "f64", lo = 0, hi = 1}
  local sources = common.sources(g, count, scale)
  print(("scale %d: %d vertices, %d edges, %d sources"):format(scale, g.n, g.m, #sources))
  print("figure 1, on the CPU, delta 0.04125                    MTEPS")
  for _, x in ipairs {
    {"Dijkstra, in sequence", function(s) return (reference.dijkstra(g, s)) end},
    {"Bellman-Ford, in sequence", function(s) return (reference.bellman_ford_passes(g, s, 1)) end},
    {"delta-stepping, in sequence", function(s) return (reference.delta_stepping(g, s, 0.04125, 1)) end},
    {"Bellman-Ford, all threads", function(s) return (reference.bellman_ford_passes(g, s)) end},
    {"delta-stepping, all threads", function(s) return (reference.delta_stepping(g, s, 0.04125)) end},
  } do
    print(("  %-50s %9.1f"):format(x[1], mteps(g, sources, of_reference(g, x[2]), common.time)))
  end
  print(("figure 2, on %s                          MTEPS   buckets"):format(device().name))
  for _, delta in ipairs {0.01, 0.02, 0.04125, 0.1, 0.25, 0.5, 1.0} do
    local r
    local rate = mteps(g, sources, function(s)
      r = paths.delta_stepping(g, s, delta)
      return r
    end, common.device_time)
    print(("  delta-stepping as in the paper, delta %-12g %9.1f %8d"):format(delta, rate, r.passes))
  end
  print(("  sssp, its own delta                                %9.1f"):format(mteps(g, sources, function(s) return sssp(g, s) end,
    common.device_time)))
  g:close()
end
