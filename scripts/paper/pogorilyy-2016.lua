-- Pogorilyy and Slynko 2016: the parallel schemes of Johnson's algorithm over the number of vertices. The command `paper 002` runs
-- it; `help paper 002` says what differs. The text of the paper that we have ends before its measurements.
--
-- Their schemes: only Bellman-Ford in parallel; the outer loop in parallel, which settles all vertices at the least distance at once;
-- the inner loop in parallel, which settles one vertex and relaxes its edges at once. For comparison, sssp's searches (near-far).
-- Times are wall-clock times. A warm-up run on the smallest graph precedes them.
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 002", 0) end
local common = dofile(p.scripts .. "/common.lua")
local most, degree = p.options.vertices or p:pick(128, 512, 4096), p.options.degree or 8
local SCHEMES = {{"bellman_ford", "Bellman-Ford in parallel"}, {"inner", "inner loop"}, {"outer", "outer loop"}, {"near_far", "near-far (ours)"}}

local sizes, names, edges, sequence, seconds, times = {}, {}, {}, {}, {}, {}
local reweighted, negative = 0, 0
local n = math.min(64, most)
while n <= most do
  local g, i = gen.dag {n = n, m = math.min(degree * n, n * (n - 1) // 2), seed = n, weights = "i32", lo = -50, hi = 1000}, #sizes + 1
  p:progress("%d vertices, %d edges", n, g.m)
  sizes[i], names[i], edges[i] = n, ("|V| = %d"):format(n), g.m
  local _, alone = common.time(function() return reference.johnson(g) end)
  sequence[i] = alone
  for _, scheme in ipairs(SCHEMES) do
    local form = scheme[1]
    seconds[form], times[form] = seconds[form] or {}, times[form] or {}
    if i == 1 then johnson(g, {form = form}) end
    local r, took = common.time(function() return johnson(g, {form = form}) end)
    check(r)
    for u = 0, form == "outer" and g.n - 1 or -1 do
      for v, w in g:edges(u) do
        reweighted = reweighted + 1
        if w + r.potential[u] - r.potential[v] < 0 then negative = negative + 1 end
      end
    end
    seconds[form][i], times[form][i] = took, alone / took
  end
  g:close()
  n = 2 * n
end

local rows = {"Seconds of all pairs' distances", unit = "s; theirs: not in the text", columns = names, {"edges", ours = edges}, {"in sequence", ours = sequence}}
for _, scheme in ipairs(SCHEMES) do rows[#rows + 1] = {scheme[2], ours = seconds[scheme[1]]} end
p:table(rows)
rows = {"Speed-up over the sequential algorithm", unit = "times as fast", columns = names}
local f = {name = "speed-up", title = "Johnson's algorithm: times as fast as in sequence", xlabel = "|V|", ylabel = "times", log = "xy", points = #sizes == 1}
for i, scheme in ipairs(SCHEMES) do
  rows[#rows + 1] = {scheme[2], ours = times[scheme[1]]}
  f[i] = {name = scheme[2], x = sizes, y = times[scheme[1]]}
end
p:table(rows)
p:figure(f)

local last = #sizes
local function of(form) return times[form][last] end
p:claim("Bellman-Ford runs once in Johnson's algorithm: even an ideal parallel version of it wins little", of("bellman_ford") < 2,
  "%.2f times as fast as in sequence for %d vertices", of("bellman_ford"), sizes[last])
local outer, inner = of("outer"), of("inner")
p:claim_on_gpu("a GPU makes the algorithm faster", math.max(outer, inner) > 1, "the outer loop is %.3g times as fast as in sequence for %d vertices, the inner loop %.3g times",
  outer, sizes[last], inner)
p:claim("the new weights are not negative, and the shortest paths stay the same", negative == 0, "%d of %d new weights are negative; check(r) has proved all %d results",
  negative, reweighted, last * #SCHEMES)

-- The threshold of the outer loop is a bucket of width 0: each step settles what is at the least distance. Wider buckets
-- settle more vertices at a time, some of them too early.
local g = gen.uniform {n = most, m = degree * most, seed = 1, weights = "i32", lo = 1, hi = 1000}
local r, took = common.device_time(function() return paths.dijkstra(g, 0) end)
local widths, ms, buckets = {"threshold"}, {1e3 * took}, {r.passes}
for _, width in ipairs {1, 4, 16, 63, 125, 250, 500, 1000, 4000} do
  r, took = common.device_time(function() return paths.delta_stepping(g, 0, width) end)
  widths[#widths + 1], ms[#ms + 1], buckets[#buckets + 1] = width, 1e3 * took, r.passes
end
p:table {("The outer loop's threshold, and buckets of a width: one source, %d vertices, %d edges, weights 1 to 1000"):format(g.n, g.m), columns = widths,
  {"ms of the device", ours = ms}, {"passes", ours = buckets}}
