-- The measurements of shortest paths in tests/gpu/README.md, in one run:
--   one     from one source on six graphs: R-MAT, grid, uniform, a road network; compared with LonestarGPU's near-far
--   pairs   all pairs: N sources at a time, one at a time, Floyd-Warshall, and the break-even between them; ring and complete graph
--   sizes   time and memory over the number of edges, R-MAT graphs up to the first that does not fit, with its error message
-- Usage: lockstep [--backend cuda] paths.lua [parts, one,pairs,sizes] [halvings, 0] [sources, 5]
-- Each halving halves all graphs, so that the script can be tried anywhere. Graphs are generated on the host: without
-- halvings 1.9 G R-MAT edges for `sizes` up to scale 25, 4 G with the next two scales; 16 cores generate about 60 M per second.
local common = dofile((arg[0]:match("^(.*)/") or ".") .. "/../paper/common.lua")
local halvings, count = tonumber(arg[2] or 0), tonumber(arg[3] or 5)
local begun = trace.clock()
local full = halvings == 0

local function line(...) print((...):format(select(2, ...))) end
local function whole(x) return math.max(1, x >> halvings) end
local function side(x) return math.max(1, math.floor(x / 2 ^ (halvings / 2))) end
local function scale(x) return math.max(1, x - halvings) end

local function rmat(s, degree) return gen.rmat {scale = s, degree = degree, seed = 1, weights = "i32", lo = 1, hi = 255} end

-- Searches from random sources: median, minimum and maximum of the milliseconds on the device; medians of G edges per second and of
-- random accesses per second as a share of the device's limit (`useful` counts one access per reached edge, `done` all accesses).
local function searches(g, seed)
  local ms, rate, useful, done, last = {}, {}, {}, {}, nil
  local limit = common.access_rate(4 * g.n)
  sssp(g, common.sources(g, 1, 1)[1]) -- copies the graph to the device
  for i, s in ipairs(common.sources(g, count, seed)) do
    collectgarbage()
    local r, seconds, irregular = common.device_time(function() return sssp(g, s) end)
    local edges = common.reached_edges(r)
    ms[i], rate[i], useful[i] = 1e3 * seconds, edges / seconds / 1e9, edges / seconds / limit
    if irregular then done[#done + 1] = irregular / seconds / limit end
    last = r
  end
  local middle = common.median(ms)
  return {ms = middle, least = ms[1], greatest = ms[#ms], rate = common.median(rate), useful = common.median(useful),
    done = #done == count and ("%5.1f %%"):format(100 * common.median(done)) or "-", last = last}
end

local parts = {}

function parts.one()
  print "# From one source: milliseconds on the device, from the first launch to the end of the last, the graph resident."
  print "# GTEPS: edges of the vertices that are reached, over that time. Share: as many accesses at random a second, over what"
  line("# device.limits() gives for an array of n distances; done: the same of all accesses that were made. Median of %d sources.",
    count)
  line("%-24s %9s %10s %9s %9s %9s %8s %7s %7s %9s %6s %6s  %s", "graph, weights", "vertices", "edges", "ms", "least", "greatest",
    "GTEPS", "share", "done", "near-far", "times", "made s", "check")
  local ratios = {}
  local function row(name, theirs, make)
    local g, made = common.time(make)
    local x = searches(g, 7)
    local good, why = pcall(check, x.last)
    if good then why = "true" end
    theirs = full and device().processor == "cuda" and theirs or nil
    if theirs then ratios[#ratios + 1] = theirs / x.ms end
    line("%-24s %9d %10d %9.3f %9.3f %9.3f %8.3f %5.1f %% %7s %9s %6s %6.1f  %s", name, g.n, g.m, x.ms, x.least, x.greatest, x.rate,
      100 * x.useful, x.done, theirs or "-", theirs and ("%.1f"):format(theirs / x.ms) or "-", made, why)
    x = nil
    g:close()
  end
  local function w(t, hi)
    t.seed, t.weights, t.lo, t.hi = 1, "i32", 1, hi
    return t
  end
  row(("R-MAT %d x 16, 1..255"):format(scale(20)), 6.1, function() return rmat(scale(20), 16) end)
  row(("R-MAT %d x 16, 1..255"):format(scale(22)), 15.7, function() return rmat(scale(22), 16) end)
  row(("R-MAT %d x 32, 1..255"):format(scale(23)), 45.6, function() return rmat(scale(23), 32) end)
  row(("grid %d^2, 1..1000"):format(side(2048)), 51.7, function() return gen.grid(w({side(2048), side(2048)}, 1000)) end)
  row("uniform x 4, 1..1000", 3.8, function() return gen.uniform(w({n = whole(4000000), degree = 4}, 1000)) end)
  row("road, 1..10000", nil, function() return gen.road(w({n = whole(23947347)}, 10000)) end)
  if #ratios > 0 then
    local product = 1
    for _, x in ipairs(ratios) do product = product * x end
    line("# near-far of LonestarGPU, its delta swept, measured earlier on an H200: %.2f times as long in the geometric mean, at least %.2f",
      product ^ (1 / #ratios), math.min(table.unpack(ratios)))
  end
end

local function seconds_of(g, f)
  f()
  local _, seconds = common.time(f)
  return seconds
end

-- The time of all sources one at a time, estimated from eight.
local function estimate(g, f)
  local list = common.sources(g, math.min(g.n, 8), 3)
  f(list[1])
  local _, seconds = common.time(function()
    for _, s in ipairs(list) do f(s) end
  end)
  return seconds * g.n / #list
end

local function all_pairs(name, g, theirs)
  local one = estimate(g, function(s) apsp.many(g, {s}) end)
  local sequence, cores = common.all_by_dijkstra(g)
  local groups = seconds_of(g, function() return apsp(g, {form = "groups"}) end)
  local floyd = seconds_of(g, function() return apsp(g, {form = "floyd_warshall"}) end)
  local chosen
  local own = seconds_of(g, function() chosen = apsp(g).variant end)
  line("%-21s %9.4f %9.4f %6.1f %9.4f %6.2f %9.4f %-14s %9.4f %9s %7s  %s", name, one, groups, one / groups, floyd, groups / floyd,
    own, chosen, sequence, cores and ("%.4f"):format(cores) or "-", cores and ("%.1f"):format(cores / own) or "-", theirs or "")
  g:close()
  return groups, floyd
end

function parts.pairs()
  print "# All pairs: seconds of the clock. One: a source at a time (Harish), estimated from 8 sources; N: as many at a time as keep"
  print "# the device busy (Okuyama); fw: Floyd-Warshall; apsp: what it takes by itself. Dijkstra in sequence, estimated from 16 sources;"
  line("# cores: the same on %d threads, each with sources of its own, and how many times as long as apsp that is.", common.threads())
  print "# The thesis, |E| = 4|V|: N = 32 at a time are 2.8 to 13 times as fast as one."
  line("%-21s %9s %9s %6s %9s %6s %9s %-14s %9s %9s %7s", "graph", "one", "N", "times", "fw", "N / fw", "apsp", "", "Dijkstra", "cores",
    "times")
  local crossing
  for k = 0, 5 do
    local n = whole(1024 << k)
    local groups, floyd = all_pairs(("random, |V| = %d"):format(n), gen.uniform {n = n, m = 4 * n, seed = 1, weights = "i32", lo = 1,
      hi = n})
    if groups > floyd then crossing = nil elseif not crossing then crossing = n end
  end
  print(crossing and ("# N sources at a time pass Floyd-Warshall at |V| = %d"):format(crossing) or
    "# Floyd-Warshall is the faster one of all")
  local n = whole(4677)
  local given = full and "the thesis's GPU %s s, its CPU (4 cores) %s s" or nil
  all_pairs(("ring, |V| = %d"):format(n), gen.ring {n = n, weights = "i32", lo = 1, hi = 1}, given and given:format("53.7", "0.0962"))
  all_pairs(("complete, |V| = %d"):format(n), gen.complete {n, weights = "i32", lo = 1, hi = 1},
    given and given:format("77.3", "158"))
end

function parts.sizes()
  print "# Time and memory over the number of edges: R-MAT, 16 edges a vertex, weights 1 to 255. MB of the graph, and of a search beside it"
  print "# (what less is free on the device; on a CPU other programs take and give back too). GTEPS and share as of `one`."
  line("%5s %11s %12s %10s %8s %7s %7s %10s %10s %10s %6s", "scale", "vertices", "edges", "ms", "GTEPS", "share", "done", "graph MB",
    "search MB", "B per edge", "made s")
  local function measure(s)
    local g, made = common.time(function() return rmat(s, 16) end)
    local graph_bytes = 4 * (g.n + 1) + 8 * g.m
    sssp(g, common.sources(g, 1, 1)[1])
    collectgarbage()
    local before = device().free
    local r = sssp(g, common.sources(g, 1, 2)[1])
    local used = math.max(0, before - device().free)
    r = r and nil
    local x = searches(g, s)
    line("%5d %11d %12d %10.3f %8.3f %5.1f %% %7s %10.1f %10.1f %10.2f %6.1f", s, g.n, g.m, x.ms, x.rate, 100 * x.useful, x.done,
      graph_bytes / 1e6, used / 1e6, (graph_bytes + used) / math.max(g.m, 1), made)
    g:close()
  end
  for s = 16 - halvings, full and 28 or 26 - halvings do
    local last = not full and s == 26 - halvings -- the last round uses scale 28, which fits in no machine, to show the error message
    collectgarbage()
    local good, why = pcall(measure, last and 28 or math.max(s, 1))
    if not good then
      line("%5d does not fit: %s", last and 28 or s, (tostring(why):gsub("^[^:]*:%d+: ", "")))
      break
    end
  end
end

line("# %s", tostring(device()))
for word in (arg[1] or "one,pairs,sizes"):gmatch "[^,]+" do
  local part = parts[word]
  if not part then error(("no part '%s': expected one, pairs or sizes, with commas between"):format(word), 0) end
  local at = trace.clock()
  part()
  line("# %s: %.0f s\n", word, trace.clock() - at)
end
line("# %.0f s in all", trace.clock() - begun)
