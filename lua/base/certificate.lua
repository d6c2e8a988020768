-- The certificate of shortest distances, on the present device. The triangle inequality holds on every edge, so that no distance is
-- too large; and a path of tight edges (dist[v] + w = dist[u]) leads to every reached vertex, so that none is too small.
--
-- reference.check_sssp proves the same sequentially, by a search from the source. Here one pass over all edges, in parallel, proves
-- every vertex that has a tight edge from a nearer vertex; only vertices whose tight edges all come from equal distances (edges of
-- weight 0) need further passes. The certificate shares no kernels with the searches.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle

local certificate = {}

local EPSILON = algorithm.epsilon
local UNREACHED = algorithm.greatest
local CELLS = 1 << 26 -- maximum number of elements of `proved`: (problems at a time) * vertices
local NONE = 0xffffffff

-- certificate.weights(g, kind): the weights of g, 1 if it has none, converted to the type of the distances; nil if that type cannot
-- represent all of them.
function certificate.weights(g, kind)
  local w = algorithm.weights(g)
  if w.dtype == kind then return w end
  local wide = {i32 = {i64 = true, f64 = true}, f32 = {f64 = true}}
  return wide[w.dtype] and wide[w.dtype][kind] and algorithm.widened(w, kind) or nil
end

-- The error text for edge e, which violates the triangle inequality in the distances from s.
local function violation(g, s, e, at, far, kind, tolerance)
  local v, u = algorithm.edge_source(g.off, e), g.to[e]
  local du, dv = at(u), at(v)
  if du == far then
    return ("distances from %d: vertex %d is marked unreachable, but %d is reached and there is an edge %d -> %d"):format(s, u, v,
      v, u)
  end
  local text = math.type(du) == "float" and "%.17g" or "%d"
  local why = ("distances from %d: vertex %d has %s, but vertex %d has %s and the edge %d -> %d is shorter"):format(s, u,
    text:format(du), v, text:format(dv), v, u)
  if EPSILON[kind] == 0 then return why end
  return ("%s, by more than %g (|%s| + |w|), the allowed rounding error"):format(why, tolerance, text:format(dv))
end

-- certificate.is_forest(link): does following link from every vertex end at a vertex without a link?
function certificate.is_forest(link)
  chain_jump_fix(link, {max_iterations = 2 + math.ceil(math.log(#link + 1, 2))})
  return unrooted(link) == 0
end

-- Do the proved parents form a forest whose roots are the sources without a parent? A root's distance must be 0; with real weights
-- it may be below 0 by tolerance[1].
local function is_tree(g, w, dist, parent, sources, tolerance)
  local ends, counted = 0, {} -- ends: number of sources without a parent
  for _, v in ipairs(sources) do
    if parent[v] == NONE and not counted[v] then
      if dist[v] < -tolerance[1] then return false end
      ends, counted[v] = ends + 1, true
    end
  end
  local proved, link = buffer.new("u32", g.n), buffer.new("u32", g.n)
  prove_parents(g, {w = w, dist = dist, parent = parent, tolerance = tolerance, proved = proved})
  local roots, wrong = link_parents(dist, parent, proved, link)
  return wrong == 0 and roots == ends and certificate.is_forest(link)
end

-- certificate.distances(g, dist, from, options): does dist, [problem][vertex], hold shortest distances? from[i + 1] is the list of
-- the sources of problem i, i >= 0; if `from` is nil, vertex i is the only source of problem i. Runs on the current device.
-- Returns true; or false and a text about an edge that violates the triangle inequality; or only false if anything else is wrong
-- (reference.check_sssp names it); or nil if the type of the distances cannot represent the weights. The options:
--   rows = 1           the number of problems
--   tolerance = x      for real weights, relative to |dist[v]| + |w|; 8 epsilon of the type if omitted
--   limit = d          checks only distances up to d
--   parent = b         a buffer with the tree of shortest paths; only for one problem
--   unit = true        every edge has weight 1
function certificate.distances(g, dist, from, options)
  local kind, rows, n = dist.dtype, options.rows or 1, g.n
  local far, limit, limited = UNREACHED[kind], options.limit, options.limit and 1 or 0
  if limit and EPSILON[kind] == 0 and not (math.type(limit) == "integer" and limit >= 0 and limit < far) then return nil end
  local w, low, high
  if options.unit then
    w, low, high = algorithm.filled(kind, g.m, 1), 1, 1
  else
    w = certificate.weights(g, kind)
    low, high = algorithm.weight_range(g)
  end
  if not w then return nil end
  local tolerance = options.tolerance or 8 * EPSILON[kind]
  local least, slack = 0, 0 -- slack: how far rounding may push a source on a cycle of weight 0 below distance 0
  if g.m > 0 then
    least = low
    slack = EPSILON[kind] > 0 and tolerance * math.max(math.abs(low), math.abs(high)) or 0
  end
  local tolerances = buffer.new("f64", {tolerance, slack})
  local at_a_time = math.max(1, math.min(rows, CELLS // math.max(n, 1)))
  local proved, first = buffer.new("u32", at_a_time * n), buffer.new("i64", 1)
  local many = rows > 1 and g.m > 0 and buffer.new("u32", g.m) or nil -- the source of each edge
  if many then edge_sources(g.off, many) end
  for base = 0, rows - 1, at_a_time do
    local problem, source = {}, {}
    for s = base, math.min(base + at_a_time, rows) - 1 do
      for _, v in ipairs(from and from[s + 1] or {s}) do problem[#problem + 1], source[#source + 1] = s - base, v end
    end
    local args = bundle {w = w, rows = rows, base = base, k = at_a_time, dist = dist, proved = proved, first = first,
      limited = limited, limit = limit or far, tolerance = tolerances, src = many, ties = least >= 0 and 1 or 0,
      problem = buffer.new("u32", problem), source = buffer.new("u32", source)}
    if base > 0 then fill(proved, 0) end
    first[0] = math.maxinteger
    local wrong = prove_sources(g, args)
    local violated = (many and prove_all_edges or prove_edges)(g, args)
    if args.ties == 0 then -- negative weights: tight edges may come from greater distances, so only paths from the source prove a vertex
      fill(proved, 0)
      prove_sources(g, args)
      prove_tight_fix(g, args)
    end
    local unsure, strange, beyond = unproved(g, args)
    if args.ties == 1 and unsure > 0 and violated == 0 then
      prove_tight_fix(g, args)
      unsure = unproved(g, args)
    end
    if wrong > 0 or strange > 0 then return false end
    if violated > 0 then
      local s, e = base + (first[0] >> 32), first[0] & 0xffffffff
      return false, violation(g, from and from[s + 1][1] or s, e, function(v) return dist[s * n + v] end, far, kind, tolerance)
    end
    if unsure > 0 or beyond > 0 then return false end
  end
  if options.parent and not is_tree(g, w, dist, options.parent, from[1], tolerances) then return false end
  return true
end

return certificate
