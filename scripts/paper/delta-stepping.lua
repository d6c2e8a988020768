-- Figures 1 and 2 of Lesnikov and Chernoskutov 2016: R-MAT graphs of mean degree 32, weights f64 uniform in [0, 1], millions
-- of traversed edges per second (TEPS: edges of the vertices that are reached, over the time of the search), mean over random
-- sources. Usage: lockstep delta-stepping.lua [smallest scale, 17] [greatest scale, 23] [sources, 128] [of these on the CPU, 128]
-- By default all is as in the paper, which takes the CPU many hours; `17 20 128 4` is a short run.
-- On a GPU the time is that of the device, from the first launch to the end of the last, as the paper leaves out copies.
-- The paper's figures are pictures; what it says in words is printed beside ours.
local common = dofile((arg[0]:match("^(.*)/") or ".") .. "/common.lua")
local from, to, count, few = tonumber(arg[1] or 17), tonumber(arg[2] or 23), tonumber(arg[3] or 128), tonumber(arg[4] or 128)
local DELTAS = {0.01, 0.02, 0.03125, 0.04125, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0}

local function mteps(g, sources, search, timer, most)
  local sum, n = 0, math.min(#sources, most or #sources)
  for i = 1, n do
    local r, seconds = timer(function() return search(sources[i]) end)
    sum = sum + common.reached_edges(r) / seconds / 1e6
  end
  return sum / n
end

local function of_reference(g, f)
  return function(s) return {graph = g, dist = f(s), unreached = math.huge} end
end

-- Prints one row per delta, and the best.
local function over_delta(title, run)
  local best, at = 0, nil
  for _, delta in ipairs(DELTAS) do
    local rate, buckets = run(delta)
    print(("  %-38s delta %-8g %9.1f %8s"):format(title, delta, rate, buckets or ""))
    if rate > best then best, at = rate, delta end
  end
  return at, best
end

print("# " .. tostring(device()))
print("# MTEPS: millions of edges of the vertices that are reached, over the time of the search: of the clock on a CPU's references,")
print("# of the device, from the first launch to the end of the last, in figure 2 (b)")
local summary = {}
for scale = from, to do
  local g = gen.rmat {scale = scale, degree = 32, seed = scale, weights = "f64", lo = 0, hi = 1}
  local sources = common.sources(g, count, scale)
  print(("scale %d: %d vertices, %d edges, %d sources"):format(scale, g.n, g.m, #sources))
  print("figure 1, on the CPU, delta 0.04125                         MTEPS")
  local figure1 = {}
  for _, x in ipairs {
    {"Dijkstra, in sequence", function(s) return (reference.dijkstra(g, s)) end},
    {"Bellman-Ford, in sequence", function(s) return (reference.bellman_ford_passes(g, s, 1)) end},
    {"delta-stepping, in sequence", function(s) return (reference.delta_stepping(g, s, 0.04125, 1)) end},
    {"Bellman-Ford, all threads", function(s) return (reference.bellman_ford_passes(g, s)) end},
    {"delta-stepping, all threads", function(s) return (reference.delta_stepping(g, s, 0.04125)) end},
  } do
    figure1[#figure1 + 1] = mteps(g, sources, of_reference(g, x[2]), common.time, few)
    print(("  %-54s %9.1f"):format(x[1], figure1[#figure1]))
  end
  print("figure 2 (a), on the CPU, all threads                       MTEPS")
  local cpu = over_delta("delta-stepping", function(delta)
    return mteps(g, sources, of_reference(g, function(s) return (reference.delta_stepping(g, s, delta)) end), common.time, few)
  end)
  print(("figure 2 (b), on %-40s   MTEPS  buckets"):format(device().name))
  local gpu, rate = over_delta("delta-stepping as in the paper", function(delta)
    local buckets
    local mean = mteps(g, sources, function(s)
      local r = paths.delta_stepping(g, s, delta)
      buckets = r.passes
      return r
    end, common.device_time)
    return mean, buckets
  end)
  local own = mteps(g, sources, function(s) return sssp(g, s) end, common.device_time)
  print(("  %-54s %9.1f"):format("sssp, its own delta", own))
  summary[#summary + 1] = {scale, cpu, gpu, rate, own, figure1}
  g:close()
end

print(("best delta by scale               CPU   %s   MTEPS there   sssp"):format(device().processor))
for _, x in ipairs(summary) do print(("  scale %-22d %8g %6g %13.1f %9.1f"):format(x[1], x[2], x[3], x[4], x[5])) end
print("the paper (Xeon E5-2620 v2, Tesla K20Xm): best 0.04 to 0.05 on the CPU, a little above 1 / the mean degree, 0.03125;")
print("  0.5 on the GPU, where any delta from 0.5 on is good; on the GPU the rate rises up to a scale, and falls beyond")
local first, last = summary[1], summary[#summary]
if first then
  print("the paper: delta-stepping is ahead in both forms, and Bellman-Ford falls with the scale. Here the rate of delta-stepping is")
  for _, x in ipairs(summary) do
    local f = x[6]
    print(("  scale %d: %.1f times Bellman-Ford's in sequence, %.1f times with all threads"):format(x[1], f[3] / f[2], f[5] / f[4]))
  end
  print(("  Bellman-Ford's rate at scale %d is %.2f of that at scale %d"):format(last[1], last[6][4] / first[6][4], first[1]))
end
