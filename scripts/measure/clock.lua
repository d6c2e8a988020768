-- The time a user waits, compared with kernel time. Columns, in milliseconds: "clock", the wall-clock time from the call to a usable
-- result; "span", the time from the start of the call's first kernel to the end of its last; "kernels", the time in which any kernel ran
-- (overlap counts once). "more" is clock / (1.25 * kernels + 0.2 ms): if it is above 1, the call takes longer than it should. Medians;
-- the graph is resident; two warm-up calls precede.
-- Usage: lockstep [--backend cuda] clock.lua [PATTERN: only calls whose name contains it] [halvings of sizes, 0] [repetitions, 9]
local pattern, halvings, times = arg[1] or "", tonumber(arg[2] or 0), tonumber(arg[3] or 9)

local median = dofile((arg[0]:match("^(.*)/") or ".") .. "/../paper/common.lua").median

-- The span of the records, and the length of the union of their intervals.
local function busy(records)
  local spans = {}
  for i, r in ipairs(records) do spans[i] = {r.begin, r.begin + r.time} end
  if #spans == 0 then return 0, 0 end
  table.sort(spans, function(a, b) return a[1] < b[1] end)
  local sum, first, last = 0, spans[1][1], spans[1][1]
  for _, s in ipairs(spans) do
    if s[2] > last then sum, last = sum + s[2] - math.max(s[1], last), s[2] end
  end
  return last - first, sum
end

local function row(graph, call, f)
  local clocks, spans, kernels, launches = {}, {}, {}, {}
  for i = 1, times + 2 do
    collectgarbage()
    trace.reset()
    local begun = trace.clock()
    local r = f()
    local clock = trace.clock() - begun
    local records = trace.last(1000000)
    if i > 2 then
      local k = #clocks + 1
      clocks[k], launches[k] = clock, #records
      spans[k], kernels[k] = busy(records)
    end
    if type(r) == "table" and r.close then r:close() end
  end
  local clock, span, kernel = 1e3 * median(clocks), 1e3 * median(spans), 1e3 * median(kernels)
  print(("%-16s %-14s %9.3f %9.3f %9.3f %8d %6.2f"):format(graph, call, clock, span, kernel, median(launches), clock / (1.25 * kernel + 0.2)))
  io.stdout:flush()
end

local function whole(x) return math.max(1, x >> halvings) end
local function side(x) return math.max(2, math.floor(x / 2 ^ (halvings / 2))) end
local function scale(x) return math.max(1, x - halvings) end
local function weighted(t)
  t.seed, t.weights, t.lo, t.hi = 1, "i32", 1, t.hi or 255
  return t
end

local graphs = {
  {"R-MAT 20", function() return gen.rmat(weighted {scale = scale(20), degree = 16}) end, "sssp bfs scc components pagerank triangles ocm check"},
  {"R-MAT 22", function() return gen.rmat(weighted {scale = scale(22), degree = 16}) end, "sssp bfs scc components check"},
  {"grid 2048^2", function() return gen.grid(weighted {side(2048), side(2048), hi = 1000}) end, "sssp bfs scc components check"},
  {"uniform 4M x 4", function() return gen.uniform(weighted {n = whole(4000000), degree = 4, hi = 1000}) end,
    "sssp bfs scc components pagerank ocm check"},
  {"uniform 4M x 8", function() return gen.uniform(weighted {n = whole(4000000), degree = 8, hi = 1000}) end, "triangles check"},
  {"road 6M", function() return gen.road(weighted {n = whole(6000000), hi = 10000}) end, "sssp bfs"},
  {"R-MAT 1000", function() return gen.rmat(weighted {scale = 10, degree = 16}) end,
    "sssp bfs scc components pagerank triangles ocm apsp fw"},
  {"uniform 1000", function() return gen.uniform(weighted {n = 1000, degree = 8}) end,
    "sssp bfs scc components pagerank triangles ocm apsp fw"},
  {"dag 1000", function() return gen.dag(weighted {n = 1000, m = 8000}) end, "kleene"},
  {"rings of 10", function() return gen.copies(gen.ring {n = 10}, whole(100000)) end, "scc"},
  {"path", function() return gen.path {n = whole(1000000)} end, "scc"},
  {"R-MAT 16", function() return gen.rmat(weighted {scale = scale(16), degree = 8}) end, "ocm check apsp"},
}
local calls = {
  sssp = function(g) return sssp(g, 0) end, bfs = function(g) return bfs(g, 0) end, scc = scc, components = components,
  pagerank = pagerank, triangles = triangles, ocm = ocm, apsp = apsp, fw = fw,
  kleene = kleene,
}
local order = {"sssp", "bfs", "scc", "components", "pagerank", "triangles", "ocm", "apsp", "fw", "kleene"}

print(("%-16s %-14s %9s %9s %9s %8s %6s"):format("graph", "call", "clock", "span", "kernels", "launches", "more"))
for _, item in ipairs(graphs) do
  local name, make, wanted = table.unpack(item)
  local g
  local function graph_of_it()
    g = g or make()
    return g
  end
  for _, call in ipairs(order) do
    if (" " .. wanted .. " "):find(" " .. call .. " ", 1, true) then
      if (name .. " " .. call):find(pattern) then
        graph_of_it()
        row(name, call, function() return calls[call](g) end)
      end
      local checked = call .. " check"
      if wanted:find "check" and (name .. " " .. checked):find(pattern) then
        local r = calls[call](graph_of_it())
        row(name, checked, function() check(r) end)
      end
    end
  end
  if g then g:close() end
end
