-- Shortest paths from one source, by relaxation to a fixpoint (Bellman-Ford; Harish and Narayanan 2007).

sssp = {}

local result = {__name = "sssp"}

local function show(r)
  local reached = r.graph.n - r.dist:count(r.unreached)
  return ("distances from %d: %d of %d vertices reached, %d passes"):format(r.graph:label(r.source), reached, r.graph.n, r.passes)
end
result.__tostring = show
result.__index = function(_, key)
  if key == "show" then return function(self) print(show(self)) end end
end

local UNREACHED = {i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}

-- Distances in the element type of w; nil where an integer sum left its type.
local function distances(g, w, kind, source)
  local s = state.sssp(g, kind)
  s.dist[source] = 0
  local _, passes = relax_fix(g, {w = w, dist = s.dist, overflow = s.overflow, max_iterations = g.n + 1})
  if s.overflow[0] ~= 0 then return nil, passes end
  if passes > g.n then
    error(("sssp: a cycle of negative weight is reachable from %d"):format(g:label(source)), 3)
  end
  return s, passes
end

--- sssp(g, source): shortest distances from a vertex (weights of any type; unweighted edges count 1). A result
--- r has r.dist (the weights' type; its maximum or inf where unreached), r.parent (u32), r.source, r.passes;
--- r:show() prints it, check(r) proves it. Sums of i32 weights that leave 32 bits repeat in 64, and say so. A
--- reachable negative cycle is an error.
local function run(g, source)
  if type(g) ~= "userdata" then error(("sssp: expected a graph, got %s"):format(type(g)), 3) end
  source = source or 0
  if math.type(source) ~= "integer" or source < 0 or source >= g.n then
    error(("sssp: the source %s is not a vertex of 0 .. %d"):format(source, g.n - 1), 3)
  end
  local kind, w = g.weights, nil
  if kind then
    w = g.w
  else
    kind, w = "i32", buffer.new("i32", g.m)
    fill(w, 1)
  end
  local s, passes = distances(g, w, kind, source)
  if not s and kind == "i32" then
    io.stderr:write("sssp: a sum left 32 bits; again in 64\n")
    local wide = buffer.new("i64", g.m)
    widen(w, wide)
    kind, w = "i64", wide
    s, passes = distances(g, w, kind, source)
  end
  if not s then error("sssp: a sum left 64 bits", 3) end
  s.parent[source] = source -- taken, so that no edge claims it
  s.front[0], s.front[1] = 1, source
  tight_tree(g, {w = w, dist = s.dist, parent = s.parent, overflow = s.overflow, front = s.front, front_next = s.front_next})
  s.parent[source] = 0xffffffff
  return setmetatable({kind = "sssp", graph = g, source = source, dist = s.dist, parent = s.parent, passes = passes,
                       unreached = UNREACHED[kind]}, result)
end

setmetatable(sssp, {__call = function(_, g, source) return run(g, source) end})
