-- Shortest paths from one source, by relaxation to a fixpoint (Bellman-Ford; Harish and Narayanan 2007).

sssp = {}

local OPTIONS = {} -- there are none

local UNREACHED = {i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}

local result = algorithm.results {
  name = "sssp",
  show = function(r)
    local reached = r.graph.n - r.dist:count(r.unreached)
    return ("distances from %d: %d of %d vertices reached, %d passes"):format(r.graph:label(r.source), reached, r.graph.n, r.passes)
  end,
}

-- The state with the distances in the type kind of w, nil if a sum left that type; and the number of passes.
local function distances(g, w, kind, source)
  local s = state.sssp(g, kind)
  s.dist[source] = 0
  local _, passes = relax_fix(g, {w = w, dist = s.dist, overflow = s.overflow, max_iterations = g.n + 1})
  if s.overflow[0] ~= 0 then s = nil end
  return s, passes
end

-- Why there are no distances even in the widest type. left: did a sum leave it?
local function none(g, source, left, kind)
  local _, cycle = reference.negative_cycle(g, source)
  if cycle then return ("a cycle of negative weight is reachable from %d: %s"):format(g:label(source), cycle) end
  if not left then return "rounding lets distances fall for ever along a cycle that is not negative" end
  return algorithm.too_long(kind)
end

--- sssp(g, source): shortest distances from a vertex. Weights may have any type; an edge without a weight weighs 1. The
--- result r has r.dist (in the weights' type; the type's maximum, or inf, where a vertex is not reached), r.parent (u32),
--- r.source and r.passes; r:show() prints it, check(r) proves it. If a sum of i32 or f32 weights leaves its type, or is the
--- greatest i32, the run repeats in 64 bits and says so. A negative cycle that can be reached is an error that names it.
--- With real weights a cycle may be missed that is less negative than distances are rounded: check(r) finds it.
--- r.variant is "relaxation", the only form on every device; a stepped run takes the same.
local function run(g, source, options)
  algorithm.graph("sssp", g)
  algorithm.options("sssp", options, OPTIONS)
  source = source or 0
  if math.type(source) ~= "integer" or source < 0 or source >= g.n then
    error(("sssp: the source %s is not a vertex of 0 .. %d"):format(source, g.n - 1), 2)
  end
  local w = g.w
  if not g.weights then
    w = buffer.new("i32", g.m)
    fill(w, 1)
  end
  local s, passes
  for kind in algorithm.widths("sssp", w.dtype) do
    w = algorithm.widened(w, kind)
    s, passes = distances(g, w, kind, source)
    if s then break end
  end
  if not s or passes > g.n then error("sssp: " .. none(g, source, not s, w.dtype), 2) end
  s.parent[source] = source -- not free, so that no edge becomes its parent
  s.front[0], s.front[1] = 1, source
  tight_tree(g, {w = w, dist = s.dist, parent = s.parent, overflow = s.overflow, front = s.front, front_next = s.front_next})
  s.parent[source] = 0xffffffff
  return result({graph = g, source = source, dist = s.dist, parent = s.parent, passes = passes,
                 unreached = UNREACHED[s.dist.dtype]}, "relaxation")
end

setmetatable(sssp, {__call = function(_, g, source, options) return run(g, source, options) end})
