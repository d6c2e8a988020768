-- Shortest paths from one or more sources. Near-far: relaxes the vertices below a bound until their distances no longer change, then
-- raises the bound by delta (Davidson, Baxter, Garland, Owens 2014). On a CPU: delta-stepping with one set of bins per thread
-- (Beamer, Asanovic, Patterson 2015). In both forms the whole search is one launch.

local algorithm = import "base/algorithm"
local named = import("base/loops").named
local ranks = import "graph/partition"

local sssp = {}

local OPTIONS = {form = {"bins", "near_far"}, parents = "flag", targets = "table", delta = "number", cutoff = "number",
  nearest = {least = 1, what = "a number of vertices"}}

local UNREACHED = algorithm.greatest
local GREATEST = algorithm.finite
local LOWEST = algorithm.least
local NONE = 0xffffffff

-- --- weights ---

local profiles = setmetatable({}, {__mode = "k"}) -- a cache by graph: the arrays of a graph never change

-- The weights of g (1 for each edge if it has none), their least and their mean.
local function profile(g)
  local p = profiles[g]
  if p then return p end
  p = {w = algorithm.weights(g), least = algorithm.weight_range(g), mean = g.m > 0 and 1.0 or 0}
  if g.weights and g.m > 0 then p.mean = g.w:mean() end
  profiles[g] = p
  return p
end

-- The same as profile, for a graph of which each rank has a part: least and mean are those of all edges, w has the weights of the part.
local function profile_of_part(p)
  local own, m = profile(p), ranks.part(p).whole.m
  local least, sum = buffer.new("f64", {own.least}), buffer.new("f64", {own.mean * p.m})
  all_reduce(least, 1)
  all_reduce(sum, 0)
  return {w = own.w, least = least[0], mean = m > 0 and sum[0] / m or 0}
end

local function form_to_take(negative, wanted)
  local variant = algorithm.variant {cpu = "bins", cuda = "near_far", stepped = "near_far"}
  return variant, variant:take(negative and "near_far" or wanted)
end

-- The default width of a bucket, as a multiple of the mean weight / the mean degree. A bucket must keep a GPU busy: the repeated
-- relaxations of a wide bucket cost less than the many buckets of a narrow width. Measured on an H200, on R-MAT, uniform and grid
-- graphs of 10^6 to 10^8.4 edges; for bins on two cores, on the graphs of scripts/measure/sssp-cpu.
local WIDE = {near_far = 256, bins = 1.5}
local function usual_delta(g, kind, mean, form)
  local delta = WIDE[form] * mean * g.n / math.max(g.m, 1)
  if GREATEST[kind] then return delta <= 0 and 1.0 or delta <= GREATEST[kind] and delta or math.huge end
  return delta < 1 and 1 or delta < UNREACHED[kind] and math.floor(delta) or UNREACHED[kind]
end

-- --- the search ---

-- A state with the sources at distance 0 in the frontier.
local function started(g, kind, sources, bound)
  local s = state.sssp(g, kind)
  for i, v in ipairs(sources) do
    s.dist[v] = 0
    s.front[i] = v
  end
  s.front[0] = #sources
  s.bound[0] = bound
  return s
end

-- Runs near_far from the current frontier. Vertices that did not fit into a frontier are searched for at the end. Returns the number
-- of buckets, and whether there may be more.
local function search(s, w, args)
  local buckets, more = 0, false
  repeat
    local sums = named(near_far, s, {w = w, delta = args.delta, cutoff = args.cutoff,
      max_iterations = args.max_iterations, max_repeats = args.max_repeats})
    buckets, more = buckets + sums.iterations, sums.far > 0
    local again = sums.lost > 0
    if again then
      s.floor[0] = LOWEST[s.dist.dtype]
      again = take_bucket(s) > 0
    end
  until not again or args.max_repeats -- max_repeats is set for negative weights: a negative cycle would never end
  return buckets, more
end

-- The same as search, over a part of a graph (g:partition), one bucket at a time: when the near vertices of a rank no longer change, each vertex
-- gets the least distance that any rank has found for it, and vertices that are near by this distance are relaxed again.
local function search_of_part(g, s, w, args)
  local buckets, more = 1, true
  repeat
    relax_near_fix(s, {w = w})
    ranks.halo_reduce(g, s.dist, 1)
    s.floor[0] = LOWEST[s.dist.dtype]
    if ranks.greatest(take_bucket(s)) == 0 then
      all_reduce(s.least, 1)
      more = raise_bound(s, args) > 0
      if more then
        take_bucket(s)
        buckets = buckets + 1
      end
    end
  until not more
  all_reduce(s.overflow, 2)
  ranks.share(g, s.dist)
  return buckets
end

-- The search by bins: returns a state with distances, and the number of buckets. wants: targets, or the number of nearest vertices.
local function search_bins(g, w, sources, args, wants)
  local s = state.sssp(g, w.dtype)
  local targets = wants.targets or {}
  local buckets = delta_bins(s, {w = w, source = buffer.new("u32", sources), delta = args.delta, cutoff = args.cutoff,
    targets = #targets, target = buffer.new("u32", targets), nearest = wants.nearest or 0})
  return s, buckets
end

--- sssp.distances(g, w, source): distances from a vertex with weights w instead of g's, none of them negative; nil if a sum
--- overflowed. Computes no tree and checks no arguments: it is a step of other algorithms.
function sssp.distances(g, w, source)
  local _, form = form_to_take(false)
  local delta = usual_delta(g, w.dtype, g.m > 0 and w:mean() or 0, form)
  local args, s = {delta = delta, cutoff = UNREACHED[w.dtype]}, nil
  if form == "bins" then
    s = search_bins(g, w, {source}, args, {})
  else
    s = started(g, w.dtype, {source}, delta)
    search(s, w, args)
  end
  return s.overflow[0] == 0 and s.dist or nil
end

-- The text of a negative cycle that one of the sources reaches, and that source; nil if there is none.
local function reachable_cycle(g, sources)
  for _, v in ipairs(sources) do
    local _, cycle = reference.negative_cycle(g, v)
    if cycle then return cycle, v end
  end
end

-- Searches with negative weights: all vertices are near. If the search does not end soon, looks for a negative cycle. Returns nil
-- if the search has ended; the text of a negative cycle and its source; or false if distances keep falling without such a cycle.
local function search_negative(g, s, w, args, sources)
  local total, most = 0, 2 * g.n + 64
  args.max_repeats = 64
  local asked = false
  repeat
    search(s, w, args)
    if s.front[0] == 0 or s.overflow[0] ~= 0 then return nil end
    if not asked then
      asked = true
      local cycle, from = reachable_cycle(g, sources)
      if cycle then return cycle, from end
    end
    total = total + args.max_repeats
    args.max_repeats = math.min(2 * args.max_repeats, most)
  until total > most
  return false
end

-- If the requested distances are final, returns the greatest of them, else nil. Distances below the floor are final.
local function limit_of(s, wants)
  local floor, limit = s.floor[0], LOWEST[s.dist.dtype]
  for _, v in ipairs(wants.targets or {}) do
    local d = s.dist[v]
    if d >= floor then return nil end
    limit = math.max(limit, d)
  end
  if wants.nearest then
    if count_below(s.dist, s.floor) < wants.nearest then return nil end
    local sorted = buffer.new(s.dist.dtype, #s.dist)
    radix_sort(s.dist, sorted)
    limit = math.max(limit, sorted[wants.nearest - 1])
  end
  return limit
end

-- Searches bucket by bucket, until the requested distances (wants) are final. Returns the greatest of them, or nil if all distances are
-- final; and the number of buckets.
local function search_for(s, w, args, wants)
  local buckets = 0
  args.max_iterations = 1
  repeat
    local one, more = search(s, w, args)
    buckets = buckets + one
    if not more then return nil, buckets end
    local limit = limit_of(s, wants)
    if limit then return limit, buckets end
  until false
end

-- --- the result ---

-- The tree of shortest paths, layer by layer over tight edges from the sources at distance 0. A source with a negative distance is
-- nearer to another source than to itself: it has a parent.
local function parents(r)
  local g, p = r.graph, profile(r.graph)
  local s = {parent = buffer.new("u32", g.n), front = buffer.new("u32", g.n + 1), front_next = buffer.new("u32", g.n + 1),
    overflow = buffer.new("u32", 1), dist = r.dist, w = algorithm.widened(p.w, r.dist.dtype)}
  fill(s.parent, NONE)
  local sources, roots = r.sources or {r.source}, {}
  for _, v in ipairs(sources) do
    if r.dist[v] == 0 then
      s.parent[v] = v -- marks v as taken, so that no edge becomes its parent
      roots[#roots + 1] = v
      s.front[#roots] = v
    end
  end
  s.front[0] = #roots
  tight_tree(g, s)
  -- On a cycle of weight 0 rounding may make distances slightly smaller; then no exactly tight edge leads into the cycle.
  if p.least < 0 and GREATEST[r.dist.dtype] and s.parent:count(NONE) > r.dist:count(r.unreached) then
    return reference.sssp_tree(g, buffer.new("u32", sources), r.dist)
  end
  for _, v in ipairs(roots) do s.parent[v] = NONE end
  return s.parent
end

-- The vertices of a shortest path to t, from the source on; nil if t is not reached.
local function path(r, t)
  algorithm.vertex("path", r.graph, t)
  if r.dist[t] == r.unreached then return nil end
  local back, parent = {}, r.parent
  while t ~= NONE do
    if #back > r.graph.n then error("path: the parents do not lead to a source", 2) end
    back[#back + 1] = t
    t = parent[t]
  end
  for i = 1, #back // 2 do back[i], back[#back + 1 - i] = back[#back + 1 - i], back[i] end
  return back
end

-- The nearest vertices, in the order of their distances (ties: of their numbers).
local function nearest(r)
  local list = {}
  for v = 0, r.graph.n - 1 do
    if r.dist[v] ~= r.unreached then list[#list + 1] = v end
  end
  table.sort(list, function(a, b)
    local x, y = r.dist[a], r.dist[b]
    return x < y or x == y and a < b
  end)
  for i = #list, (r.wanted or #list) + 1, -1 do list[i] = nil end
  return list
end

local function from_text(r)
  if not r.sources then return algorithm.vertex_text(r.graph, r.source) end
  return #r.sources == 1 and "one source" or ("the nearest of %d sources"):format(#r.sources)
end

local result = algorithm.results {
  name = "sssp", buffers = {dist = "greatest", parent = "vertex"},
  show = function(r)
    local reached = r.graph.n - r.dist:count(r.unreached)
    return ("distances from %s: %d of %s reached%s, %s"):format(from_text(r), reached, algorithm.counted(r.graph.n, "vertex", "vertices"),
      r.limit and (" up to %s"):format(r.limit) or "", algorithm.counted(r.passes, "bucket"))
  end,
  methods = {path = path},
  fields = {parent = parents, nearest = nearest},
}

-- --- arguments ---

local function checked_list(g, list, what)
  local seen, out = {}, {}
  if #list == 0 then
    local found = next(list) == nil and "an empty table" or ("a table with '%s' and no numbers"):format(tostring(next(list)))
    local form = what == "source" and "sssp(g, 0) or sssp(g, {0, 5})" or "sssp(g, 0, {targets = {7, 9}})"
    error(("sssp: expected at least one %s, as in %s; got %s"):format(what, form, found), 3)
  end
  for i = 1, #list do
    local x = algorithm.vertex("sssp", g, list[i], what, 2)
    if not seen[x] then out[#out + 1] = x end
    seen[x] = true
  end
  return out
end

-- delta or cutoff in the type of the distances.
local function checked_number(options, name, kind, least)
  local x = options[name]
  if x == nil then return nil end
  local whole = kind == "i32" or kind == "i64"
  local good = x == x and x >= least and (whole and x < math.huge or not whole)
  if not good then error(("sssp: %s is %s, expected a number from %s on"):format(name, x, least), 4) end
  if not whole then return x <= GREATEST[kind] and x + 0.0 or math.huge end
  return x >= UNREACHED[kind] and UNREACHED[kind] or math.floor(x)
end

-- The error message if there are no distances even in the widest type. left: did a sum overflow that type?
local function none(g, sources, left, kind, cycle, from)
  if cycle == nil then cycle, from = reachable_cycle(g, sources) end
  if cycle then return ("a cycle of negative weight is reachable from %s: %s"):format(algorithm.vertex_text(g, from), cycle) end
  if not left then return algorithm.rounding end
  return algorithm.too_long(kind)
end

-- The search for valid arguments. Returns the result, or nil and why there are no distances.
local function solve(g, weights, source, sources, targets, options)
  local part = ranks.part(g)
  local whole, negative = part and part.whole or g, weights.least < 0
  local variant, form = form_to_take(negative or part, options.form)
  local w, s, limit, passes, cycle, from, delta = weights.w, nil, nil, 0, nil, nil, nil
  for kind in algorithm.widths("sssp", w.dtype) do
    w = algorithm.widened(w, kind)
    local cutoff = checked_number(options, "cutoff", kind, 0)
    delta = negative and UNREACHED[kind] or checked_number(options, "delta", kind, 0) or usual_delta(whole, kind, weights.mean, form)
    local args = {delta = delta, cutoff = cutoff and not negative and cutoff or UNREACHED[kind]}
    local wants = {targets = targets, nearest = options.nearest}
    cycle, limit = nil, nil
    s = form == "near_far" and started(g, kind, sources, delta)
    if form == "bins" then
      s, passes = search_bins(g, w, sources, args, wants)
      limit = (targets or options.nearest) and s.floor[0] ~= UNREACHED[kind] and limit_of(s, wants) or nil
    elseif part then
      passes = search_of_part(g, s, w, args) - 1
    elseif negative then
      cycle, from = search_negative(g, s, w, args, sources)
      passes = 0
    elseif targets or options.nearest then
      limit, passes = search_for(s, w, args, wants)
    else
      passes = search(s, w, args)
    end
    if cutoff and not negative and (not limit or cutoff < limit) then limit = cutoff end
    if cycle ~= nil or s.overflow[0] == 0 then break end
    s = nil
  end
  if not s or cycle ~= nil then return nil, none(whole, sources, not s, w.dtype, cycle, from) end
  if limit then forget_beyond(s.dist, limit) end
  local r = result({graph = whole, source = sources[1], sources = type(source) == "table" and sources or nil, dist = s.dist,
    passes = passes + 1, delta = delta, limit = limit, wanted = options.nearest, unreached = UNREACHED[s.dist.dtype]}, variant)
  if options.parents then r.parent = parents(r) end
  return r
end

--- sssp.potentials(g): for every vertex the distance from the nearest of all vertices, which is 0 or less: what an extra vertex with
--- edges of weight 0 to all others would give. nil and the reason if there are no distances. It is a step of other algorithms.
function sssp.potentials(g)
  local all = {}
  for v = 0, g.n - 1 do all[v + 1] = v end
  local r, why = solve(g, profile(g), all, all, nil, {})
  return r and r.dist, why
end

--- sssp(g [, source [, options]]): shortest distances from a vertex (default 0); or from the nearest of several, if
--- source is a list. Weights may have any type, and may be negative; an edge without a weight weighs 1. The options:
---   targets = {t, ...}   end as soon as the distances of these vertices are known
---   nearest = k          end with the k nearest vertices: r.nearest lists them, in order
---   cutoff = d           distances above d are not computed
---   delta = x            the width of a bucket; it changes only the time
---   parents = true       computes r.parent at once; by default it is computed on first access
---   form = "bins"        delta-stepping with bins per thread; only on CPUs, where it is the default
---   form = "near_far"    near-far; the default on CUDA, in a stepped run, and if a weight is negative
--- The result r has r.dist (in the weights' type; r.unreached, the type's maximum or inf, where a vertex is not reached),
--- r.parent (u32), r.source or r.sources, r.delta, and r.passes, the number of buckets. With negative weights, a source may
--- be nearer to another source than to itself: its distance is below 0, and it has a parent. If the search ended early, r.limit is
--- the greatest distance in r.dist; vertices beyond it count as not reached. r:path(t) is the list of vertices
--- to t, nil if there is no path; r:show() prints the result, check(r) proves it.
--- If a sum of i32 or f32 weights overflows, or is the greatest i32, the run is repeated in 64 bits and says so. A reachable
--- negative cycle is an error that names it. With real weights a cycle may be missed if its weight is within rounding
--- errors: check(r) finds it. If a weight is negative no search ends early. r.variant is the form that ran.
--- g may be a part of a graph (g:partition) without negative weights; then a search ends early only at a cutoff.
local function run(g, source, options)
  algorithm.graph("sssp", g, true)
  options = algorithm.options("sssp", options, OPTIONS)
  if type(source) ~= "table" then source = algorithm.vertex("sssp", g, source or 0, "source") end
  local sources = checked_list(g, type(source) == "table" and source or {source}, "source")
  local targets = options.targets and checked_list(g, options.targets, "target")
  if options.nearest and options.nearest > g.n then
    error(("sssp: nearest is %d, but there are %d vertices"):format(options.nearest, g.n), 2)
  end
  if options.form == "bins" and not algorithm.on_cpu() then
    error(("sssp: form is 'bins', which only CPUs can run; the device is %s"):format(device().name), 2)
  end
  local part = ranks.part(g)
  local weights = part and profile_of_part(g) or profile(g)
  local negative = weights.least < 0
  if part and (negative or targets or options.nearest or options.form == "bins") then
    error(("sssp: %s not supported for a part of a graph"):format(negative and "weights below 0 are" or targets and "'targets' is" or
      options.nearest and "'nearest' is" or "form = 'bins' is"), 2)
  end
  local r, why = solve(g, weights, source, sources, targets, options)
  if not r then error("sssp: " .. why, 2) end
  return r
end

setmetatable(sssp, {__call = function(_, g, source, options) return run(g, source, options) end})

return sssp
