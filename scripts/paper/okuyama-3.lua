-- Okuyama 2013, chapter 3: all pairs' shortest paths, one source at a time and N together: figures 3.10 to 3.14, table 3.1, section
-- 3.4.2. The command `paper 004` runs it; the option 'vertices' is |V| of figures 3.12 and 3.13 and of table 3.1.
--
-- Times are wall-clock seconds. Those of many sources at a time are extrapolated from some of the groups of sources, and those of
-- sequential Dijkstra from 16 sources. Theirs: a GeForce 8800 GTS and a Xeon of 4 cores; the thesis has figures only as pictures.
-- With shared memory a block has B = 4 vertices, as in section 3.4.2.
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 004", 0) end
local common = dofile(p.scripts .. "/common.lua")
local unit, most = p:pick(32, 128, 1024), p:pick(64, 512, 32768) -- |V| of figure 3.10
local size = p.options.vertices or p:pick(64, 512, 4096)
local on_gpu = device().processor == "cuda"
local ROUNDS = p:pick(1, 1, 3)

-- A claim about a GPU; on a CPU the numbers of the CPU are shown. needs: a message if something else is missing, or nil.
local function on_a_gpu(claim, needs, holds, why, ...)
  if needs then p:claim(claim, nil, needs .. ": " .. why, ...) else p:claim_on_gpu(claim, holds, why, ...) end
end

-- The time of all sources, k at a time, extrapolated from some groups, after a warm-up; the median of ROUNDS. Also returns the
-- mean number of passes, that is launches of the scattering kernel, for a group.
local function estimate(g, k, options, groups)
  local n = math.min(g.n, k * groups)
  local first_group = {}
  for v = 0, math.min(k, g.n) - 1 do first_group[v + 1] = v end
  apsp.many(g, first_group, options)
  local times, passes, count = {}, 0, 0
  for round = 1, ROUNDS do
    local _, seconds = common.time(function()
      for base = 0, n - 1, k do
        local sources = {}
        for v = base, math.min(base + k, g.n) - 1 do sources[#sources + 1] = v end
        passes, count = passes + apsp.many(g, sources, options).passes, count + 1
      end
    end)
    times[round] = seconds
  end
  return common.median(times) * g.n / n, passes / count
end

-- The overhead of recording paths, as in the thesis: the recording kernel's time divided by that of the scattering and the checking
-- kernel, in percent; the median of three runs, after a warm-up run.
local function recording(g)
  local list, sources = {}, {}
  for v = 0, math.min(32, g.n) - 1 do sources[v + 1] = v end
  for round = 0, 3 do
    trace.reset()
    apsp.many(g, sources, {parents = true})
    local record, other = 0, 0
    for _, x in ipairs(trace.last(65536)) do
      if x.kernel:find "record" then record = record + x.time elseif x.kernel:find "cost" then other = other + x.time end
    end
    list[round] = 100 * record / other
  end
  return common.median(list)
end

-- The methods, and the seconds of each.
local METHODS = {{"one", "SSSP-based: N = 1"}, {"plain", "N = 32, not shared"}, {"shared", "N = 32, shared"}, {"cores", "Dijkstra, all cores"},
  {"parents", "N = 32, with paths"}, {"wide", "N = 1024 (ours)"}, {"groups", "apsp, groups (ours)"}, {"floyd", "Floyd-Warshall (ours)"}}
local function measured(g)
  local one, launches = estimate(g, 1, nil, 32)
  local x = {one = one, launches = launches, plain = estimate(g, 32, nil, 8), shared = estimate(g, 32, {shared = true, together = 4}, 8),
    parents = estimate(g, 32, {parents = true}, 8), recording = recording(g), wide = estimate(g, 1024, nil, 4)}
  local sequence, cores = common.all_by_dijkstra(g)
  x.cores = cores or sequence / common.threads()
  local _, groups = common.time(function() return apsp(g, {form = "groups"}) end)
  local _, floyd = common.time(function() return apsp(g, {form = "floyd_warshall"}) end)
  x.groups, x.floyd = groups, floyd
  g:close()
  return x
end

local function random(n, m, top) return gen.uniform {n = n, m = m, seed = 1, weights = "i32", lo = 1, hi = top} end

-- Measures a graph per value, made by make(value), and prints the table and the figure. Returns the measurements.
local function over(name, title, label, values, make)
  local columns, xs = {}, {}
  for i, value in ipairs(values) do
    columns[i] = ("%s = %d"):format(label, value)
    p:progress("%s: %s", name, columns[i])
    xs[i] = measured(make(value))
  end
  local function of(method)
    local out = {}
    for i, x in ipairs(xs) do out[i] = x[method] end
    return out
  end
  local rows, f = {("%s: %s"):format(name, title), unit = "s; theirs is a picture", columns = columns},
    {name = name:lower():gsub(" ", "-"), title = ("%s: %s"):format(name, title), xlabel = label, ylabel = "seconds", log = "xy", points = #values == 1}
  for i, method in ipairs(METHODS) do
    rows[#rows + 1] = {method[2], ours = of(method[1])}
    if i <= 4 then f[i] = {name = method[2], x = values, y = of(method[1])} end
  end
  p:table(rows)
  p:figure(f)
  return xs, of
end

-- The least and the greatest ratio of the times of two methods.
local function quotients(xs, a, b)
  local least, greatest = math.huge, 0
  for _, x in ipairs(xs) do least, greatest = math.min(least, x[a] / x[b]), math.max(greatest, x[a] / x[b]) end
  return least, greatest
end
local function rises(list)
  for i = 2, #list do
    if list[i] < list[i - 1] then return false end
  end
  return true
end

-- --- figures 3.10, 3.11, 3.14: over |V| ---

local sizes = {}
local n = unit
while n <= most do
  sizes[#sizes + 1] = n
  n = 2 * n
end
local xs = over("Figure 3.10", "|E| = 4|V|, weights up to |V|", "|V|", sizes, function(v) return random(v, 4 * v, v) end)
local speedup, overhead = {xlabel = "|V|", ylabel = "times", log = "x", name = "figure-3.11", title = "Figure 3.11: times as fast as Dijkstra on all cores"}, {}
for i, method in ipairs {METHODS[1], METHODS[2], METHODS[3]} do
  speedup[i] = {name = method[2], x = sizes, y = {}}
  for k, x in ipairs(xs) do speedup[i].y[k] = x.cores / x[method[1]] end
end
speedup.points = #sizes == 1
p:figure(speedup)
for k, x in ipairs(xs) do overhead[k] = x.recording end
p:figure {name = "figure-3.14", title = "Figure 3.14: overhead of the recording of paths", xlabel = "|V|", ylabel = "%", log = "x", points = #sizes == 1,
  {name = "recording", x = sizes, y = overhead}}
table.sort(overhead)

local a, b = quotients(xs, "one", "shared")
on_a_gpu("N = 32 sources in shared memory are 2.8 to 13 times as fast as one source at a time", nil, a >= 2.8, "%.1f to %.1f times", a, b)
a, b = quotients(xs, "one", "plain")
on_a_gpu("without shared memory they are at least 1.9 times as fast", nil, a >= 1.9, "%.1f to %.1f times", a, b)
if on_gpu then
  a, b = quotients(xs, "plain", "shared")
  p:claim("shared memory makes it 1.2 to 1.4 times as fast", a >= 1.2, "%.2f to %.2f times", a, b)
else
  p:claim("shared memory makes it 1.2 to 1.4 times as fast", nil, "a CPU has no shared memory")
end
local first, last = xs[1], xs[#xs]
p:claim("the gain of many sources together falls as |V| rises", first.one / first.plain > last.one / last.plain, "%.1f times for |V| = %d, %.1f times for |V| = %d",
  first.one / first.plain, sizes[1], last.one / last.plain, sizes[#sizes])
on_a_gpu("on the random graphs N = 32 is faster than Dijkstra on all cores, which is faster than one source at a time", nil, first.cores > first.shared and
  last.cores > last.shared and first.cores < first.one, "|V| = %d: Dijkstra %.3g s, N = 32 %.3g s, N = 1 %.3g s", sizes[#sizes], last.cores, last.shared, last.one)
if on_gpu then
  p:claim("the gain by shared memory rises with |V|", last.plain / last.shared > first.plain / first.shared, "%.2f times for |V| = %d, %.2f times for |V| = %d",
    first.plain / first.shared, sizes[1], last.plain / last.shared, sizes[#sizes])
else
  p:claim("the gain by shared memory rises with |V|", nil, "a CPU has no shared memory")
end
on_a_gpu("the recording of paths takes 3.0 to 7.7 % more", nil, overhead[#overhead] <= 7.7, "%.1f to %.1f %%", overhead[1], overhead[#overhead])

-- --- figures 3.12, 3.13 ---

local _, of = over("Figure 3.12", ("|V| = %d, over |E| / |V|"):format(size), "|E|/|V|", p:pick({4, 8}, {4, 16, 64}, {4, 8, 16, 32, 64}), function(k)
  return random(size, k * size, size)
end)
local by_edges, all_rise = of "shared", true
for i = 1, 4 do all_rise = all_rise and rises(of(METHODS[i][1])) end
p:claim("all methods take longer for more edges", all_rise, "the shared one %.1f times from the fewest to the most", by_edges[#by_edges] / by_edges[1])
_, of = over("Figure 3.13", ("|V| = %d, |E| = 4|V|, over w_max"):format(size), "w_max", p:pick({1, 256}, {1, 256, 65536}, {1, 16, 256, 4096, 65536, 1048576}),
  function(top) return random(size, 4 * size, top) end)
local by_weight = of "shared"
p:claim("the time rises with w_max, but not as sharply as with |E|", by_weight[#by_weight] > by_weight[1] and by_weight[#by_weight] / by_weight[1] <
  by_edges[#by_edges] / by_edges[1], "the shared one takes %.1f times as long for the greatest as for the least w_max", by_weight[#by_weight] / by_weight[1])

-- --- table 3.1 ---

n = size == 4096 and 4677 or size
local TOPOLOGIES = {
  {"Random", {4.39, 0.884, 0.669, 0.835}, function() return random(n, 16384 * n // 4677, 4096) end},
  {"Power law", {6.37, 1.73, 0.942, 0.437}, function()
    return gen.power_law {n = n, degree = 3.5, seed = 1, weights = "i32", lo = 1, hi = 4096}
  end},
  {"Ring", {687, 53.7, 58.2, 0.0962}, function() return gen.ring {n = n, weights = "i32", lo = 1, hi = 1} end},
  {"Complete", {5730, 175, 77.3, 158}, function() return gen.complete {n, weights = "i32", lo = 1, hi = 1} end},
}
local ours, columns = {}, {}
for i, x in ipairs(TOPOLOGIES) do
  p:progress("table 3.1: %s", x[1])
  columns[i], ours[i] = x[1], measured(x[3]())
end
local rows = {("Table 3.1: topologies; theirs |V| = 4677, ours |V| = %d"):format(n), unit = "s, and launches", columns = columns, comparable = n == 4677}
for k = 1, 4 do
  local row = {METHODS[k][2], theirs = {}, ours = {}}
  for i, x in ipairs(TOPOLOGIES) do row.theirs[i], row.ours[i] = x[2][k], ours[i][METHODS[k][1]] end
  rows[#rows + 1] = row
end
rows[#rows + 1] = {"launches for a source, N = 1", theirs = {23, false, 4677, false}, ours = {}}
for i in ipairs(TOPOLOGIES) do rows[#rows].ours[i] = ours[i].launches end
p:table(rows)
local function best(x) return math.min(x.plain, x.shared) end
local function faster(i) return ours[i].cores / best(ours[i]) end
local wins = faster(1) > 1 and faster(4) > 1 and faster(2) < 1 and faster(3) < 1
on_a_gpu("a GPU is faster than a CPU on the random and the complete graph, slower on the power law and the ring", nil, wins,
  "times as fast as Dijkstra: %.2f, %.2f, %.2f, %.2f", faster(1), faster(4), faster(2), faster(3))
local smaller = n ~= 4677 and ("|V| is not 4677 but %d"):format(n) or nil -- the claims below depend on |V|
on_a_gpu("on a ring one source at a time takes 156 times as long as on the random graph", smaller, ours[3].one / ours[1].one >= 156, "%.1f times", ours[3].one / ours[1].one)
local share, holds = ours[3].launches / ours[1].launches, nil
if not smaller then holds = share >= 203 and ours[2].launches < ours[1].launches end
p:claim("the ring takes 203 times as many launches as the random graph, the power law 28 % less", holds, (smaller and smaller .. ": " or "") .. "%.0f times, %.0f %% less", share, 100 * (1 - ours[2].launches / ours[1].launches))
on_a_gpu("on the complete graph one source at a time takes 1310 times as long as on the random graph, N = 32 only 116 times", smaller, ours[4].one / ours[1].one >
  ours[4].shared / ours[1].shared, "%.0f and %.0f times", ours[4].one / ours[1].one, ours[4].shared / ours[1].shared)
on_a_gpu("on a ring N = 32 are about 12 times as fast as one source at a time", nil, ours[3].one / ours[3].shared >= 12, "%.1f times; theirs 11.8",
  ours[3].one / ours[3].shared)

-- --- section 3.4.2 ---

local g = random(size, 4 * size, size)
local COUNTS = p:pick({8, 32}, {1, 32, 128, 512}, {1, 8, 32, 128, 512, 2048})
rows = {("Section 3.4.2: N sources at a time, and B vertices per block; the thesis takes N = 32, B = 4; |V| = %d, |E| = 4|V|"):format(size), unit = "s", columns = {}}
for i, N in ipairs(COUNTS) do rows.columns[i] = ("N = %d"):format(N) end
for _, B in ipairs {0, 1, 4, 8, 16, 32} do
  local row = {B == 0 and "plain" or ("B = %d"):format(B), ours = {}}
  for i, N in ipairs(COUNTS) do
    row.ours[i] = (B == 0 or N >= 32) and N <= size and estimate(g, N, B > 0 and {shared = true, together = B} or nil, 4) -- a block takes 32 sources
  end
  rows[#rows + 1] = row
end
p:table(rows)
g:close()

-- --- where Floyd-Warshall becomes faster than many sources ---

local crossing, degrees, many, dense = nil, {}, {}, {}
local degree = 1
while degree <= size // 2 and not (crossing and degree >= 4 * crossing) do
  local g = random(size, degree * size, size)
  apsp(g, {form = "groups", sources_at_a_time = 32})
  local i = #degrees + 1
  local _, groups = common.time(function() return apsp(g, {form = "groups"}) end)
  local _, floyd = common.time(function() return apsp(g, {form = "floyd_warshall"}) end)
  degrees[i], many[i], dense[i] = ("|E| = %d |V|"):format(degree), groups, floyd
  if not crossing and floyd < groups then crossing = degree end
  g:close()
  degree = 2 * degree
end
p:table {("Many sources and Floyd-Warshall: |V| = %d; %s"):format(size, crossing and ("Floyd-Warshall is faster from |E| = %d |V| on"):format(crossing) or
  "Floyd-Warshall is never faster"), unit = "s", columns = degrees, {"many sources", ours = many}, {"Floyd-Warshall", ours = dense}}
