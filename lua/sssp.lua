-- Shortest paths from one source, by relaxation to a fixpoint (Bellman-Ford; Harish and Narayanan 2007).

sssp = {}

local result = {__name = "sssp"}

local function show(r)
  local reached = r.graph.n - r.dist:count(r.unreached)
  return ("distances from %d: %d of %d vertices reached, %d passes"):format(r.graph:label(r.source), reached, r.graph.n, r.passes)
end
result.__tostring = show
result.__index = function(_, key)
  if key == "show" then return function(self) session.say(show(self)) end end
end

local UNREACHED = {i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}

local WIDER = {i32 = "i64", f32 = "f64"}
local SIZE = {i32 = "32 bits", i64 = "64 bits", f32 = "f32", f64 = "f64"}
local MOST = {i64 = "2^63 - 2", f64 = "1.8e308"}

-- Distances in the element type of w, and after how many passes; nil where a sum left its type.
local function distances(g, w, kind, source)
  local s = state.sssp(g, kind)
  s.dist[source] = 0
  local _, passes = relax_fix(g, {w = w, dist = s.dist, overflow = s.overflow, max_iterations = g.n + 1})
  if s.overflow[0] ~= 0 then s = nil end
  return s, passes
end

-- Why there are no distances, though the widest type was tried.
local function none(g, source, left, kind)
  local _, cycle = reference.negative_cycle(g, source)
  if cycle then return ("a cycle of negative weight is reachable from %d: %s"):format(g:label(source), cycle) end
  if not left then return "rounding lets distances fall for ever along a cycle that is not negative" end
  return ("a sum left %s: distances are at most %s"):format(SIZE[kind], MOST[kind])
end

--- sssp(g, source): shortest distances from a vertex (weights of any type; unweighted edges count 1). A result
--- r has r.dist (the weights' type; its maximum or inf where unreached), r.parent (u32), r.source, r.passes;
--- r:show() prints it, check(r) proves it. Sums of i32 or f32 weights that leave their type, and a distance that
--- would be the greatest i32, repeat in 64 bits, and say so. A reachable negative cycle is an error that names it. Of
--- reals one that is lighter than the rounding of the distances may be missed: check(r) finds it.
local function run(g, source)
  if type(g) ~= "userdata" then error(("sssp: expected a graph, got %s"):format(type(g)), 2) end
  source = source or 0
  if math.type(source) ~= "integer" or source < 0 or source >= g.n then
    error(("sssp: the source %s is not a vertex of 0 .. %d"):format(source, g.n - 1), 2)
  end
  local kind, w = g.weights, nil
  if kind then
    w = g.w
  else
    kind, w = "i32", buffer.new("i32", g.m)
    fill(w, 1)
  end
  local s, passes = distances(g, w, kind, source)
  if not s and WIDER[kind] then
    io.stderr:write(("sssp: a sum left %s; again in 64\n"):format(SIZE[kind]))
    local wide = buffer.new(WIDER[kind], g.m)
    if kind == "i32" then widen(w, wide) else widen_real(w, wide) end
    kind, w = WIDER[kind], wide
    s, passes = distances(g, w, kind, source)
  end
  if not s or passes > g.n then error("sssp: " .. none(g, source, not s, kind), 2) end
  s.parent[source] = source -- taken, so that no edge claims it
  s.front[0], s.front[1] = 1, source
  tight_tree(g, {w = w, dist = s.dist, parent = s.parent, overflow = s.overflow, front = s.front, front_next = s.front_next})
  s.parent[source] = 0xffffffff
  return setmetatable({kind = "sssp", graph = g, source = source, dist = s.dist, parent = s.parent, passes = passes,
                       unreached = UNREACHED[kind]}, result)
end

setmetatable(sssp, {__call = function(_, g, source) return run(g, source) end})
