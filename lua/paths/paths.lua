-- Shortest-path algorithms that follow their papers line by line, for study. For other use there are sssp, johnson and apsp.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local named = import("base/loops").named
local sssp = import "paths/sssp"

local paths = {}

local FAR = algorithm.greatest
local filled = algorithm.filled

local function checked(name, g, source, least)
  algorithm.graph(name, g)
  algorithm.vertex(name, g, source, "source", 2)
  local found = algorithm.weight_range(g)
  if least and found < least then error(("%s: the least weight is %s, expected %s at least"):format(name, found, least), 3) end
end

-- The result of an algorithm, from distances.
local make = algorithm.results {
  name = "sssp", buffers = {dist = "greatest", parent = "vertex"},
  show = function(r)
    return ("distances from %s: %d of %s reached, %s"):format(algorithm.vertex_text(r.graph, r.source),
      r.graph.n - r.dist:count(r.unreached), algorithm.counted(r.graph.n, "vertex", "vertices"), algorithm.counted(r.passes, "pass", "passes"))
  end,
  fields = {parent = function(r) return sssp(r.graph, r.source, {parents = true}).parent end},
}

local function result(name, g, source, dist, passes, w, overflow)
  if overflow[0] ~= 0 then error(name .. ": " .. algorithm.too_long(w.dtype), 3) end
  return make({graph = g, source = source, dist = dist, passes = math.max(passes, 1), unreached = FAR[dist.dtype]}, name)
end

-- May the run be one launch of a loop? Not if it is stepped or compared, kernel by kernel.
local function in_one_piece() return not session.stepped() and not compare() end

-- The weights w (g's if nil), widened to 64 bits if a sum of 32-bit weights might overflow.
local function roomy(g, w)
  local low, high = algorithm.weight_range(g)
  if w and g.m > 0 then low, high = w:min(), w:max() end
  local most = g.m > 0 and math.max(-low, high) or 0
  w = w or algorithm.weights(g)
  if w.dtype == "i32" and most * 1.0 * g.n >= 0x7fffffff then return algorithm.widened(w, "i64") end
  if w.dtype == "f32" and most * 1.0 * g.n >= 1e38 then return algorithm.widened(w, "f64") end
  return w
end

--- paths.bellman_ford(g, source): distances by passes over all edges, with one thread per vertex. Bellman 1958, Ford 1956; on a
--- GPU Harish and Narayanan 2007. Weights may be negative; a reachable negative cycle is an error that names it.
--- paper errs: 000, section 2.4, n passes: that n passes are performed does not prove a negative cycle: on a path of n vertices
--- the n-th pass scans the last vertex. There is such a cycle if the n-th pass still improves a vertex.
function paths.bellman_ford(g, source)
  checked("paths.bellman_ford", g, source)
  local w = roomy(g)
  local dist, overflow = filled(w.dtype, g.n, FAR[w.dtype]), buffer.new("u32", 1)
  dist[source] = 0
  local _, passes = relax_fix(g, {w = w, dist = dist, overflow = overflow, max_iterations = g.n + 1})
  if passes > g.n then
    local _, cycle = reference.negative_cycle(g, source)
    error("paths.bellman_ford: " .. (cycle and "a negative cycle is reachable: " .. cycle or algorithm.rounding), 2)
  end
  return result("paths.bellman_ford", g, source, dist, passes, w, overflow)
end

--- paths.harish(g, source): distances by alternating two kernels, scatter and check, with one thread per vertex. Harish and
--- Narayanan 2007, as in figure 3.3 of Okuyama 2013, whose line numbers are next to the code. Weights must not be negative.
function paths.harish(g, source)
  checked("paths.harish", g, source, 0)
  local w = roomy(g)
  local s = bundle {off = g.off, to = g.to, w = w, k = 1, overflow = buffer.new("u32", 1),
    cost = filled(w.dtype, g.n, FAR[w.dtype]), updated = filled(w.dtype, g.n, FAR[w.dtype]), -- 1
    mask = buffer.new("u32", g.n)}
  s.cost[source] = 0 -- 2
  s.mask[source] = 1 -- 3
  local passes = 0
  repeat -- 4
    scatter_costs(s)                  -- 5 - 11
    local improved = check_costs(s)   -- 12 - 16
    passes = passes + 1
  until improved == 0                 -- 18
  return result("paths.harish", g, source, s.cost, passes, w, s.overflow)
end

--- paths.dijkstra(g, source): distances by Dijkstra's algorithm with a mask and a threshold: an iteration settles all vertices at
--- the least distance. Pogorilyy and Slynko 2016, the loop of section "parallel outer loop". Weights must not be
--- negative.
function paths.dijkstra(g, source)
  checked("paths.dijkstra", g, source, 0)
  local w = roomy(g)
  local dist, overflow, passes = paths.settle(g, w, source)
  return result("paths.dijkstra", g, source, dist, passes, w, overflow)
end

--- paths.settle(g, w, source): paths.dijkstra with weights w instead of g's. Returns the distances, the overflow flag and the
--- number of thresholds.
--- In the algebra of the paper: Dijkstra(q) = INIT(q) * [Q is not empty]{RELAX_WITH_MASK * ExtractMin * UPDATE_MASK}, where
--- A * B is A, then B, and [c]{A} repeats A while c holds.
function paths.settle(g, w, source)
  local rest = buffer.new("u32", g.n + 1)
  local s = bundle {off = g.off, to = g.to, w = w, overflow = buffer.new("u32", 1), least = buffer.new(w.dtype, 1),
    dist = filled(w.dtype, g.n, FAR[w.dtype]), mask = buffer.new("u32", g.n), -- INIT(Q, M, C, q)
    rest_next = buffer.new("u32", g.n + 1)}
  for v = 0, g.n - 1 do
    if v < source then rest[v + 1] = v elseif v > source then rest[v] = v end
  end
  rest[0] = g.n - 1
  s.rest = rest
  s.dist[source] = 0
  s.mask[source] = 1
  local passes = 0
  if in_one_piece() then
    local iterations = named(settle_fix, s).iterations -- if `rest` becomes empty, the loop runs one more iteration
    return s.dist, s.overflow, s.rest[0] == 0 and iterations - 1 or iterations
  end
  repeat -- while (Q.size() != 0)
    relax_masked(s)                       -- RELAX_WITH_MASK(G, M, C)
    forget_least(s)
    local reached = least_unsettled(s)    -- threshold = ExtractMin(Q, C)
    passes = passes + 1
    if reached == 0 then break end
    settle_upto(s)                        -- UPDATE_MASK(Q, C, M, threshold)
    prim.swap(s.rest, s.rest_next)
  until s.rest[0] == 0
  return s.dist, s.overflow, passes
end

--- paths.potentials(g [, w]): Bellman-Ford from an extra vertex with an edge of weight 0 to every other. The extra vertex is not
--- built: distances start at 0, as after its first pass. One thread per vertex. w: weights to use instead of g's. Returns the
--- distances, in the type of the weights or, if sums might overflow, in 64 bits; and the number of passes, which is more than n if there
--- is a negative cycle. Pogorilyy and Slynko 2016, operators extendGraph and RelaxEdges (in parallel over the vertices u; the edges
--- u -> v of a vertex are relaxed one after the other).
--- paper errs: 000, section 2.4, potentials: all of them start at 0, but only the root is labelled found; so no edge of weight 0
--- or more leads on from the root, and negative cycles after it are missed. Potentials of 0 need all vertices labelled found,
--- as here; if only the root is found, the others must start at infinity.
function paths.potentials(g, w)
  w = roomy(g, w)
  local h = filled(w.dtype, g.n, 0)                                    -- extendGraph
  local _, passes = relax_fix(g, {w = w, dist = h, overflow = buffer.new("u32", 1), max_iterations = g.n + 1}) -- {RelaxEdges}
  return h, passes
end

--- paths.settle_one(g, w, source): Dijkstra's algorithm with weights w: it settles one vertex after another and relaxes its edges
--- in parallel, with one thread per edge. Pogorilyy and Slynko 2016, "parallel inner loop", scheme (16). Returns the distances, the
--- overflow flag and the number of settled vertices. In the algebra of the paper, A * B is A, then B; [c]{A} repeats A
--- while c holds; and the edges u -> v of PSubD2 are relaxed in parallel:
---   Dijkstra(q) = init(q) * [Q is not empty]{ExtractMin(Q, u) * PSubD2(u)},  PSubD2(u) = for all v at once: RelaxEdge(q, u, v)
--- The paper also extracts the vertices that cannot be reached, at distance infinity, and relaxes their edges, where infinity + w
--- must not wrap to a number. Here the loop ends when no vertex of Q has a distance.
function paths.settle_one(g, w, source)
  local rest = buffer.new("u32", g.n + 1)
  local s = bundle {off = g.off, to = g.to, w = w, overflow = buffer.new("u32", 1), least = buffer.new(w.dtype, 1),
    chosen = buffer.new("u32", 1), front = buffer.new("u32", 2), dist = filled(w.dtype, g.n, FAR[w.dtype]),
    rest_next = buffer.new("u32", g.n + 1)}
  rest[0] = g.n
  for v = 0, g.n - 1 do rest[v + 1] = v end
  s.rest = rest
  s.dist[source] = 0                      -- init(q)
  local settled = 0
  if in_one_piece() then
    return s.dist, s.overflow, named(extract_fix, s).settled
  end
  repeat                                  -- [Q is not empty]{
    forget_choice(s)
    if least_unsettled(s) == 0 then break end
    choose_least(s)
    extract_chosen(s)                     --   ExtractMin(Q, u)
    prim.swap(s.rest, s.rest_next)
    relax_edges(s)                        --   PSubD2(u)
    settled = settled + 1
  until s.rest[0] == 0                    -- }
  return s.dist, s.overflow, settled
end

local RANGE = {i32 = {1, 0x7ffffffe}, i64 = {1, 1 << 62}, -- least and greatest width of a bucket
  f32 = {0x1p-149, 0x1.fffffep127}, f64 = {0x1p-1074, 0x1.fffffffffffffp1023}}

-- The width of a bucket in the type of the weights, and the number of buckets in use at a time: the bucket of an edge's target is
-- after that of its source by at most the greatest weight, plus the rounding errors of both distances.
local function widths(g, kind, most, delta)
  local least, greatest = table.unpack(RANGE[kind])
  local real = algorithm.finite[kind]
  if delta == nil then
    delta = most * 1.0 * g.n / math.max(g.m, 1)
    if not (delta > 0) then delta = 1.0 end
    delta = math.min(delta, greatest)
    if not real then delta = math.ceil(delta) end
  end
  if type(delta) ~= "number" or not (delta > 0 and delta < math.huge) or (not real and math.type(delta) ~= "integer") then
    error(("paths.delta_stepping: delta is %s, expected a positive %s"):format(tostring(delta),
      real and "number" or "whole number, as the weights are whole"), 3)
  end
  delta = math.max(least, math.min(delta, greatest))
  if not real then return delta, most // delta + (most % delta > 0 and 2 or 1) end
  if kind == "f32" then delta = string.unpack("f", string.pack("f", delta)) end
  local buckets = most / delta * (1 + 4 * algorithm.epsilon[kind] * g.n) + 3
  return delta, buckets < 1 << 53 and math.floor(buckets) or buckets
end

--- paths.delta_stepping(g, source [, delta]): distances by buckets of width delta: relaxes light edges (weight up to delta) until the
--- bucket is empty, then the heavy ones. Lesnikov and Chernoskutov 2016, Algorithm 1, whose line numbers are next to the code. Each of
--- its four kernels has one thread per vertex. By default delta is the greatest weight / the mean degree (section 5). Weights
--- must not be negative. r.passes is the number of buckets.
--- paper errs: 001, Algorithm 1, line 4: the distance of the source is set, but it is put into no bucket, so that line 5 finds
--- all buckets empty. It belongs to B[0].
function paths.delta_stepping(g, source, delta)
  checked("paths.delta_stepping", g, source, 0)
  local w = roomy(g)
  local _, most = algorithm.weight_range(g)
  local buckets
  delta, buckets = widths(g, w.dtype, g.m > 0 and most or 0, delta)
  if buckets > 1 << 28 then
    error(("paths.delta_stepping: the greatest weight, %s, needs %.0f buckets of width %s, expected at most %d"):format(
      most, buckets, delta, 1 << 28), 2)
  end
  local s = bundle {off = g.off, to = g.to, w = w, overflow = buffer.new("u32", 1), delta = delta, buckets = buckets,
    dist = filled(w.dtype, g.n, FAR[w.dtype]),                    -- 2, 3
    where = filled("i64", g.n, math.maxinteger), filled = buffer.new("u32", buckets), bucket = buffer.new("i64", 1),
    kept = buffer.new("u32", g.n), offer = buffer.new(w.dtype, g.m), request = buffer.new("u32", g.m + 1)}
  s.dist[source] = 0                                              -- 4
  s.where[source] = 0
  s.filled[0] = 1
  local passes = 0
  if in_one_piece() then return result("paths.delta_stepping", g, source, s.dist, (delta_fix(s)), w, s.overflow) end
  while first_bucket(s) > 0 do                                    -- 5, 6
    passes = passes + 1
    repeat                                                        -- 8
      local taken = request_light(s)                              -- 9 - 11
      relax_requests(s)                                           -- 12
    until taken == 0
    request_heavy(s)                                              -- 13
    relax_requests(s)                                             -- 14
  end
  return result("paths.delta_stepping", g, source, s.dist, passes, w, s.overflow)
end

return paths
