-- Lesnikov and Chernoskutov 2016, section 4: figures 1 and 2. The command `paper 001` runs it; `help paper 001` says what differs.
--
-- R-MAT graphs of mean degree 32, weights f64 uniform in [0, 1]; millions of traversed edges per second (MTEPS: edges of the
-- reached vertices, divided by the time of the search), the mean over random sources. On the CPU it is wall-clock time; in
-- figure 2 (b) it is the device's, from the first launch to the end of the last, as the paper leaves out copies.
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 001", 0) end
local common = dofile(p.scripts .. "/common.lua")
local from, to = p.options.from or p:pick(6, 10, 17), p.options.to or p:pick(7, 12, 23)
local count = p.options.sources or p:pick(2, 128, 128)
local patience = p.options.seconds or p:pick(math.huge, 1, 1) -- seconds for the searches of one cell; at least one search is made
local PAPERS_SOURCES = 128
local DELTAS = {0.01, 0.02, 0.03125, 0.04125, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0}
if to < from then error(("paper 001: scales from %d to %d: none"):format(from, to), 0) end
local on_gpu = device().processor == "cuda"

local least, fewest = count, {} -- the minimum number of searches per cell, over all cells and by scale

-- The mean of MTEPS over as many of the sources as patience allows.
local function mteps(scale, sources, search, timer)
  local sum, all, made = 0, 0, 0
  for _, s in ipairs(sources) do
    local r, seconds = timer(function() return search(s) end)
    sum, all, made = sum + common.reached_edges(r) / seconds / 1e6, all + seconds, made + 1
    if all >= patience then break end
  end
  least, fewest[scale] = math.min(least, made), math.min(fewest[scale] or made, made)
  return sum / made
end

-- The distances of a sequential algorithm as a result from which common.reached_edges counts edges.
local function result(g, dist) return {graph = g, dist = dist, unreached = math.huge} end

local ALGORITHMS = {
  {"Dijkstra, in sequence", function(g, s) return (reference.dijkstra(g, s)) end},
  {"Bellman-Ford, in sequence", function(g, s) return (reference.bellman_ford_passes(g, s, 1)) end},
  {"delta-stepping, in sequence", function(g, s) return (reference.delta_stepping(g, s, 0.04125, 1)) end},
  {"Bellman-Ford, all threads", function(g, s) return (reference.bellman_ford_passes(g, s)) end},
  {"delta-stepping, all threads", function(g, s) return (reference.delta_stepping(g, s, 0.04125)) end},
}

local scales, edges, figure1, on_cpu, on_device, own = {}, {}, {}, {}, {}, {}
for scale = from, to do
  local g = gen.rmat {scale = scale, degree = 32, seed = scale, weights = "f64", lo = 0, hi = 1}
  local sources = common.sources(g, count, scale)
  local i = #scales + 1
  scales[i], edges[i], on_cpu[i], on_device[i] = scale, g.m, {}, {}
  p:progress("scale %d: %d vertices, %d edges, %d sources", scale, g.n, g.m, #sources)
  for k, x in ipairs(ALGORITHMS) do
    figure1[k] = figure1[k] or {}
    figure1[k][i] = mteps(scale, sources, function(s) return result(g, x[2](g, s)) end, common.time)
  end
  for k, delta in ipairs(DELTAS) do
    p:progress("scale %d, delta %g", scale, delta)
    on_cpu[i][k] = mteps(scale, sources, function(s) return result(g, (reference.delta_stepping(g, s, delta))) end, common.time)
    on_device[i][k] = mteps(scale, sources, function(s) return paths.delta_stepping(g, s, delta) end, common.device_time)
  end
  own[i] = mteps(scale, sources, function(s) return sssp(g, s) end, common.device_time)
  g:close()
end

local said = ("mean over %s sources%s"):format(least < count and ("%d to %d"):format(least, count) or count,
  least < PAPERS_SOURCES and (" (the paper: %d)"):format(PAPERS_SOURCES) or "")
local names, searches = {}, {}
for i, scale in ipairs(scales) do names[i], searches[i] = ("scale %d"):format(scale), fewest[scale] end

-- --- figure 1 ---

local rows = {("Figure 1: on the CPU, delta 0.04125, %s; theirs is a picture"):format(said), unit = "MTEPS", columns = names,
  {"edges", ours = edges}, {"sources, at least", ours = searches}}
for k, x in ipairs(ALGORITHMS) do rows[#rows + 1] = {x[1], ours = figure1[k]} end
p:table(rows)
local function lines(list)
  local out = {}
  for _, k in ipairs(list) do out[#out + 1] = {name = ALGORITHMS[k][1], x = scales, y = figure1[k]} end
  return out
end
for _, x in ipairs {{"a", "sequential", {1, 2, 3}}, {"b", "parallel", {1, 4, 5}}} do
  local f = lines(x[3])
  f.name, f.title = "figure-1" .. x[1], ("Figure 1 (%s): %s, %s"):format(x[1], x[2], said)
  f.xlabel, f.ylabel, f.points = "scale", "MTEPS", #scales == 1
  p:figure(f)
end

local function of_last(k) return figure1[k][#scales] end
p:claim("delta-stepping is faster than Dijkstra and Bellman-Ford in sequence", of_last(3) > math.max(of_last(1), of_last(2)),
  "at scale %d it is %.2f times as fast as Dijkstra and %.2f times as Bellman-Ford", scales[#scales], of_last(3) / of_last(1), of_last(3) / of_last(2))
p:claim("it is also faster with all threads", of_last(5) > math.max(of_last(1), of_last(4)),
  "at scale %d it is %.2f times as fast as sequential Dijkstra and %.2f times as parallel Bellman-Ford", scales[#scales], of_last(5) / of_last(1),
  of_last(5) / of_last(4))
if #scales > 1 then
  local falls, keeps = of_last(2) / figure1[2][1], of_last(3) / figure1[3][1]
  p:claim("on larger graphs Bellman-Ford degrades, and delta-stepping does not", falls < 0.95 and keeps >= 0.95,
    "from scale %d to %d Bellman-Ford's rate is multiplied by %.2f, delta-stepping's by %.2f", from, to, falls, keeps)
end

-- --- figure 2 ---

p:surface {name = "figure-2a", title = ("Figure 2 (a): delta-stepping on the CPU, MTEPS, %s"):format(said), xlabel = "delta", ylabel = "scale",
  x = DELTAS, y = scales, z = on_cpu}
p:surface {name = "figure-2b", title = ("Figure 2 (b): delta-stepping on %s, MTEPS, %s"):format(device().name, said), xlabel = "delta", ylabel = "scale",
  x = DELTAS, y = scales, z = on_device}

-- The best delta of a scale, and the ratio of the best rate to the worst.
local function best(z)
  local at, least = 1, math.huge
  for k, x in ipairs(z) do
    if x > z[at] then at = k end
    least = math.min(least, x)
  end
  return at, z[at] / least
end
local best_cpu, best_device, theirs_cpu, theirs_gpu, spread_cpu, spread_device = {}, {}, {}, {}, 0, 0
local near, high = 0, 0
for i in ipairs(scales) do
  local a, b = best(on_cpu[i])
  local c, d = best(on_device[i])
  best_cpu[i], best_device[i], theirs_cpu[i], theirs_gpu[i] = DELTAS[a], DELTAS[c], "0.04-0.05", 0.5
  spread_cpu, spread_device = spread_cpu + b / #scales, spread_device + d / #scales
  if DELTAS[a] >= 0.04 and DELTAS[a] <= 0.05 then near = near + 1 end
  if on_device[i][8] >= 0.9 * on_device[i][c] then high = high + 1 end
end
p:table {"Figure 2: the best delta", columns = names, {"CPU, all threads", theirs = theirs_cpu, ours = best_cpu},
  {device().name .. ", kernels", theirs = theirs_gpu, ours = best_device}}
p:claim("the best delta on a CPU is 0.04 to 0.05, a little above 1 / the mean degree, 0.03125", near == #scales, "at %d of %d scales", near, #scales)

-- At how many scales the best delta is neither the least nor the greatest.
local function inner(z)
  local within = 0
  for i in ipairs(scales) do
    local at = best(z[i])
    if at > 1 and at < #DELTAS then within = within + 1 end
  end
  return within
end
p:claim("lower and higher values of delta are worse or equal: the surfaces have their maxima within the range", inner(on_cpu) + inner(on_device) == 2 * #scales,
  "the best delta is neither the least nor the greatest at %d of %d scales on the CPU, at %d on %s", inner(on_cpu), #scales, inner(on_device), device().name)

p:claim_on_gpu("the best delta on a GPU is 0.5, and any from 0.5 on is good", high == #scales, "0.5 has at least 0.9 of the best rate at %d of %d scales", high, #scales)
local z = on_device[#scales]
p:claim_on_gpu("on a GPU delta = 1/32 is worse than 0.1, and still worse than 0.5", z[3] < z[6] and z[6] < z[8], "%.4g, %.4g and %.4g MTEPS at scale %d", z[3], z[6],
  z[8], scales[#scales])
p:claim_on_gpu("a CPU is more sensitive to delta than a GPU", spread_cpu > spread_device, "the best rate is %.1f times the least on the CPU, %.1f times on %s", spread_cpu,
  spread_device, device().name)
local smaller = "on a GPU the best delta may be smaller for a higher mean degree"
if on_gpu then
  local function best_of(degree)
    local g <close> = gen.rmat {scale = from, degree = degree, seed = from, weights = "f64", lo = 0, hi = 1}
    local sources, rates = common.sources(g, math.min(count, 16), from), {}
    for k, delta in ipairs(DELTAS) do rates[k] = mteps(from, sources, function(s) return paths.delta_stepping(g, s, delta) end, common.device_time) end
    return DELTAS[best(rates)]
  end
  local usual, higher = best_of(32), best_of(256)
  p:claim(smaller, higher < usual, "%g for a mean degree of 32, %g for 256, scale %d", usual, higher, from)
else
  p:claim(smaller, nil, "no GPU")
end
local peak, rates = 1, {}
for i in ipairs(scales) do
  rates[i] = on_device[i][best(on_device[i])]
  if rates[i] > rates[peak] then peak = i end
end
p:claim_on_gpu("on a GPU the rate rises with the scale, and falls on the largest graphs", peak > 1 and peak < #scales, "it is greatest at scale %d of %d to %d",
  scales[peak], from, to)

p:table {"sssp, which chooses its own delta, and the best of figure 2 (b)", unit = "MTEPS", columns = names, {"sssp", ours = own},
  {"delta-stepping", ours = rates}}
