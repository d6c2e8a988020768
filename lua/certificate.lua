-- The certificate of shortest distances, on the present device: the triangle inequality on every edge, so that no distance is too
-- large, and a tight path to every vertex that is reached, so that none is too small. It has no rows in common with the
-- searches. reference.check_sssp proves the same in sequence, from a source on; here all edges are looked at once, and few
-- vertices are left: those at a tie with all that make up their distances, as along edges of weight 0.

certificate = {}

-- By how much a sum of that type may be rounded, relative to it.
local EPSILON = {i32 = 0, i64 = 0, f32 = 0x1p-23, f64 = 0x1p-52}
certificate.epsilon = EPSILON
local UNREACHED = algorithm.greatest
local CELLS = 1 << 26 -- of marks at a time
local NONE = 0xffffffff

-- The weights in the type of the distances, or nil if that does not hold them all.
local function weights_for(g, kind)
  local w = algorithm.weights(g)
  if w.dtype == kind then return w end
  local wide = {i32 = {i64 = true, f64 = true}, f32 = {f64 = true}}
  return wide[w.dtype] and wide[w.dtype][kind] and algorithm.widened(w, kind) or nil
end

-- The text of what is wrong with edge e in the distances from s.
local function violation(g, s, e, at, far, kind, tolerance)
  local low, high = 0, g.n - 1 -- the vertex that has edge e
  while low < high do
    local middle = (low + high + 1) // 2
    if g.off[middle] <= e then low = middle else high = middle - 1 end
  end
  local v, u = low, g.to[e]
  local du, dv = at(u), at(v)
  if du == far then
    return ("distances from %d: vertex %d is marked unreachable, but %d is reached and there is an edge %d -> %d"):format(s, u, v,
      v, u)
  end
  local text = math.type(du) == "float" and "%.17g" or "%d"
  local why = ("distances from %d: vertex %d has %s, but vertex %d has %s and the edge %d -> %d is shorter"):format(s, u,
    text:format(du), v, text:format(dv), v, u)
  if EPSILON[kind] == 0 then return why end
  return ("%s, by more than the %g (|%s| + |w|) that rounding may make"):format(why, tolerance, text:format(dv))
end

-- Do the proved parents form a tree with sources as its roots? Only a source at distance 0 is one (slack: or a little below it).
local function is_tree(g, w, dist, parent, sources, tolerance)
  local ends, counted = 0, {} -- sources without a parent
  for _, v in ipairs(sources) do
    if parent[v] == NONE and not counted[v] then
      if dist[v] < -tolerance[1] then return false end
      ends, counted[v] = ends + 1, true
    end
  end
  local proved, link = buffer.new("u32", g.n), buffer.new("u32", g.n)
  prove_parents(g, {w = w, dist = dist, parent = parent, tolerance = tolerance, proved = proved})
  local roots, wrong = link_parents(dist, parent, proved, link)
  if wrong > 0 or roots ~= ends then return false end
  chain_jump_fix(link, {max_iterations = 2 + math.ceil(math.log(g.n + 1, 2))})
  return unrooted(link) == 0
end

--- certificate.distances(g, dist, from, options): do the `rows` problems of dist, [problem][vertex], hold shortest distances?
--- `from` has the sources of each: a list of lists, from[1] for the first problem; where it is nil, there are n problems, and
--- vertex s is the source of the s-th. Runs on the present device. Returns true; or false and the text of a violated edge; or false alone if
--- anything else is wrong: the references say what. nil: the type of the distances does not hold the weights. The options:
---   rows = 1           how many problems
---   tolerance = x      of reals, relative to |dist[v]| + |w|; 8 epsilon of their type if it is left out
---   limit = d          only distances up to d are claimed
---   parent = b         a buffer: with one problem, the tree of shortest paths
---   unit = true        every edge counts 1
function certificate.distances(g, dist, from, options)
  local kind, rows, n = dist.dtype, options.rows or 1, g.n
  local far, limit, limited = UNREACHED[kind], options.limit, options.limit and 1 or 0
  if limit and EPSILON[kind] == 0 and not (math.type(limit) == "integer" and limit >= 0 and limit < far) then return nil end
  local w
  if options.unit then
    w = buffer.new(kind, g.m)
    fill(w, 1)
  else
    w = weights_for(g, kind)
  end
  if not w then return nil end
  local tolerance = options.tolerance or 8 * EPSILON[kind]
  local least, slack = 0, 0 -- slack: of a source, where a cycle of weight 0 is a little below it
  if g.m > 0 then
    least = w:min()
    slack = EPSILON[kind] > 0 and tolerance * math.max(math.abs(least), math.abs(w:max())) or 0
  end
  local tolerances = buffer.new("f64", {tolerance, slack})
  local at_a_time = math.max(1, math.min(rows, CELLS // math.max(n, 1)))
  local proved, first = buffer.new("u32", at_a_time * n), buffer.new("i64", 1)
  for base = 0, rows - 1, at_a_time do
    local problem, source = {}, {}
    for s = base, math.min(base + at_a_time, rows) - 1 do
      for _, v in ipairs(from and from[s + 1] or {s}) do problem[#problem + 1], source[#source + 1] = s - base, v end
    end
    local args = bundle {w = w, rows = rows, base = base, k = at_a_time, dist = dist, proved = proved, first = first,
      limited = limited, limit = limit or far, tolerance = tolerances, ties = least >= 0 and 1 or 0,
      problem = buffer.new("u32", problem), source = buffer.new("u32", source)}
    if base > 0 then fill(proved, 0) end
    first[0] = math.maxinteger
    local wrong = prove_sources(g, args)
    local violated = prove_edges(g, args)
    if args.ties == 0 then -- from a greater distance, an edge of negative weight may make up a vertex: only paths prove it
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
