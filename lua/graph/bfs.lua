-- Direction-optimising breadth-first search (Beamer, Asanovic, Patterson 2012): vertices of a small frontier visit their successors
-- (push); while the frontier is large, each unvisited vertex looks for a predecessor in it (pull).

local algorithm = import "base/algorithm"
local named = import("base/loops").named
local ranks = import "graph/partition"

local bfs = {}

local NONE = 0xffffffff
local OPTIONS = {form = {"push", "both"}}
local LARGE, SMALL = 24, 48 -- a frontier of more than n / LARGE vertices is large; below n / SMALL it is small again
local DEEP, FAR = 16, 64 -- after DEEP layers, one launch pushes several layers; after FAR layers, a GPU uses visit_ahead

local result = algorithm.results {
  name = "bfs", buffers = {dist = "greatest", parent = "vertex"},
  show = function(r)
    return ("a search from %s: %d of %s reached, %s"):format(algorithm.vertex_text(r.graph, r.source),
      r.graph.n - r.dist:count(r.unreached), algorithm.counted(r.graph.n, "vertex", "vertices"), algorithm.counted(r.passes, "layer"))
  end,
  methods = {path = function(r, t)
    algorithm.vertex("path", r.graph, t)
    if r.dist[t] == NONE then return nil end
    local list = {}
    for i = r.dist[t] + 1, 1, -1 do
      list[i] = t
      t = r.parent[t]
    end
    return list
  end},
}

-- One layer of the search over a part of a graph (g:partition): sends the levels that this rank has set to the ranks that need them.
-- Returns the number of vertices of the layer over all ranks.
local function layer_of_part(g, s, pull)
  local part = ranks.part(g)
  if pull then
    local back = part.back
    local grown = ranks.sum(visit_pull(s, {roff = back.off, rto = back.to}))
    ranks.halo(g, s.level, "back_halo")
    deepen(s)
    prim.swap(s.front, s.front_next)
    return grown
  end
  visit(s)
  if part.halo.pays then
    ranks.halo_reduce(g, s.level, 1) -- the owners of the vertices take the least level that any rank has set,
    ranks.halo(g, s.level)           -- and send it to all ranks with edges to these vertices
  else
    all_reduce(s.level, 1)
  end
  deepen(s)
  return ranks.sum(list_level(s, {first = part.first, past = part.past}))
end

local function layer(s, pull)
  local frontier = pull and visit_pull(s) or visit(s)
  deepen(s)
  prim.swap(s.front, s.front_next)
  return frontier
end

-- Pushes `most` more layers (nil: all that remain) in one launch. Returns the number of layers so far, and the frontier's size.
local function several_layers(s, layers, most)
  local done = named(visit_fix, s, {max_iterations = most}).iterations
  return layers + done, done == most and s.front[0] or 0
end

-- Runs the search to its end without waiting for single layers. Returns the total number of layers.
local function run_ahead(g, s)
  local expanded = buffer.new("u32", g.n)
  fill(expanded, NONE)
  repeat
    local lost = named(visit_ahead_fix, s, {expanded = expanded}).lost
  until lost == 0 or visit_again(s, {expanded = expanded}) == 0
  visit_parents(s)
  return s.depth[0] + 1
end

--- bfs(g [, source [, options]]): the number of edges on a shortest path from the source (default vertex 0) to each vertex; weights
--- are ignored. r.dist is u32[n] (r.unreached, all ones, for vertices that are not reached), r.parent the search tree, r.passes the
--- number of layers; r:path(t) is the list of vertices to t. form = "push" never pulls, and so needs no transpose; form = "both"
--- (default) makes the transpose if missing. r.variant is the form. g may be a part of a graph (g:partition).
local function run(g, source, options)
  algorithm.graph("bfs", g, true)
  options = algorithm.options("bfs", options, OPTIONS)
  source = algorithm.vertex("bfs", g, source or 0, "source")
  local form, part = options.form or "both", ranks.part(g)
  local s = state.bfs(g)
  s.level[source] = 0
  s.front[0], s.front[1] = 1, source
  local layers, frontier = 0, 1
  local ahead = not part and not algorithm.on_cpu() and not session.stepped()
  while frontier > 0 do
    if ahead and layers >= FAR and frontier <= g.n // LARGE then
      layers, frontier = run_ahead(g, s), 0
    elseif form == "push" and not part then
      layers, frontier = several_layers(s, layers, ahead and FAR or nil)
    elseif layers >= DEEP and not part and frontier <= g.n // LARGE then
      layers, frontier = several_layers(s, layers, layers // 2)
    else
      local pull = form == "both" and frontier > g.n // LARGE
      if part and layers > 0 then ranks.halo(g, s.level, pull and "back_halo" or "halo") end -- pull reads the levels of other vertices than push
      repeat
        frontier = part and layer_of_part(g, s, pull) or layer(s, pull)
        layers = layers + 1
        session.turn()
      until frontier == 0 or (pull and frontier < g.n // SMALL) or (not pull and frontier > g.n // LARGE) or
        (layers == DEEP and not part)
    end
  end
  if part then ranks.share(g, s.level) end
  if part then all_reduce(s.parent, 1) end -- if several ranks have visited a vertex, the least parent is kept
  return result({graph = part and part.whole or g, source = source, dist = s.level, parent = s.parent, passes = layers, unreached = NONE}, form)
end

setmetatable(bfs, {__call = function(_, g, source, options) return run(g, source, options) end})

return bfs
